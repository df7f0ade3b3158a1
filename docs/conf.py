"""How Sphinx builds the site, strictly by `make docs`; `reference.py` writes the reference from the code."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "docrev"
version = release = installed("docrev")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_click", "reference"]
exclude_patterns = ["_build"]
default_role = "code"
myst_heading_anchors = 3
myst_enable_extensions = ["strikethrough"]
suppress_warnings = ["myst.strikethrough"]
autodoc_member_order = "groupwise"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"Prices": "Prices"}
python_maximum_signature_line_length = 90
smartquotes = False
html_theme = "furo"
html_title = f"docrev {release}"
html_show_sphinx = html_show_copyright = False
nitpick_ignore_regex = [("py:.*", ".*")]
