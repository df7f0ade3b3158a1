"""What documents call by its name in the code is there: a renamed module or method is renamed in them, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docrev", "eval", "runners", "tests", "tools", "docs")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions.md", "docs/explanation/method.md")


def test_there_is_something_to_look_at() -> None:
    assert {"revision/selection.py", "Evidence.in_memory"} <= marked("docs/decisions.md")


def marked(document: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", (ROOT / document).read_text()))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_modules_that_a_document_names_are_there(document: str) -> None:
    named = [name for name in marked(document) if re.fullmatch(r"[\w/]+\.py", name)]
    paths = [f"/{path.relative_to(ROOT)}" for path in SOURCES]
    assert not [name for name in named if not any(path.endswith(f"/{name}") for path in paths)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_methods_that_a_document_names_are_there(document: str) -> None:
    code = "\n".join(path.read_text() for path in SOURCES)
    named = [name for name in marked(document) if re.fullmatch(r"[A-Z][a-z]\w*\.[a-z_]+", name)]
    owners = [name.partition(".") for name in named]
    assert not [
        f"{owner}.{name}"
        for owner, _, name in owners
        if not (re.search(rf"\bclass {owner}\b", code) and re.search(rf"\b{name}\b", code))
    ]
