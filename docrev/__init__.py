"""docrev makes API documentation good enough for LLM agents, by using the API before they do.

    import docrev
    docrev.explore("specs", base_urls="http://127.0.0.1:8000", out=".docrev")
    revision = docrev.revise("specs", evidence=".docrev")

Names are loaded when they are first used: importing docrev is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docrev.api import acheck as acheck
    from docrev.api import aexplore as aexplore
    from docrev.api import ainit as ainit
    from docrev.api import amcp_server as amcp_server
    from docrev.api import aobserve as aobserve
    from docrev.api import areport as areport
    from docrev.api import arevise as arevise
    from docrev.api import check as check
    from docrev.api import explore as explore
    from docrev.api import init as init
    from docrev.api import mcp_server as mcp_server
    from docrev.api import observe as observe
    from docrev.api import report as report
    from docrev.api import revise as revise
    from docrev.api_files import aapply as aapply
    from docrev.api_files import adiff as adiff
    from docrev.api_files import aexport_arazzo as aexport_arazzo
    from docrev.api_files import aexport_har as aexport_har
    from docrev.api_files import aimport_specs as aimport_specs
    from docrev.api_files import alint as alint
    from docrev.api_files import apply as apply
    from docrev.api_files import ashow_findings as ashow_findings
    from docrev.api_files import diff as diff
    from docrev.api_files import export_arazzo as export_arazzo
    from docrev.api_files import export_har as export_har
    from docrev.api_files import import_specs as import_specs
    from docrev.api_files import lint as lint
    from docrev.api_files import show_findings as show_findings
    from docrev.errors import DocrevError as DocrevError
    from docrev.records import Arguments as Arguments
    from docrev.records import Call as Call
    from docrev.records import Change as Change
    from docrev.records import Experience as Experience
    from docrev.records import Fact as Fact
    from docrev.records import Node as Node
    from docrev.records import OperationKey as OperationKey
    from docrev.records import Scenario as Scenario
    from docrev.records import Solution as Solution
    from docrev.revision import Revision as Revision
    from docrev.sessions.checking import Check as Check
    from docrev.sessions.exploration import Exploration as Exploration
    from docrev.sessions.observation import Observation as Observation
    from docrev.spec import Catalog as Catalog
    from docrev.spec import Finding as Finding
    from docrev.spec import load as load

_FUNCTIONS = {
    "docrev.api": ("check", "explore", "init", "mcp_server", "observe", "report", "revise"),
    "docrev.api_files": ("apply", "diff", "export_arazzo", "export_har", "import_specs", "lint", "show_findings"),
}
"""Each has an asynchronous twin, `aexplore` for `explore`."""
_OTHERS = {
    "docrev.errors": ("DocrevError",),
    "docrev.records": tuple("Arguments Call Change Experience Fact Node OperationKey Scenario Solution".split()),
    "docrev.revision": ("Revision",),
    "docrev.sessions.checking": ("Check",),
    "docrev.sessions.exploration": ("Exploration",),
    "docrev.sessions.observation": ("Observation",),
    "docrev.spec": ("Catalog", "Finding", "load"),
}
_HOMES = {name: home for home, names in _OTHERS.items() for name in names}
_HOMES |= {f"{prefix}{name}": home for home, names in _FUNCTIONS.items() for name in names for prefix in ("", "a")}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'docrev' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
