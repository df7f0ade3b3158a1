"""The classes of differences: as the lock file says, and else by the kind of node that changed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from docrev.revision import write
from docrev.spec import Document
from docrev.spec.diff import Diff, compare
from docrev.spec.diff.formats import show
from docrev.spec.marks import written

PLACE = "/paths/~1a/get/description"
TEXT = "Returns 200 with an empty list if `tag` is misspelt."


def spec(**operation: Any) -> str:
    return json.dumps({"swagger": "2.0", "paths": {"/a": {"get": {"responses": {}, **operation}}}}, indent=1)


def keep(folder: Path, text: str, added: str = TEXT) -> Path:
    """A spec in a folder with a lock file that says which text of it docrev wrote."""
    folder.mkdir(exist_ok=True)
    document = Document.parse(text, "a.json").with_marks({PLACE: written(added, ["trap", "wording"], "high")})
    write([(document, folder / "a.json")])
    return folder / "a.json"


def classes(diff: Diff) -> dict[str, tuple[str | None, str]]:
    return {entry.id: (entry.category, entry.confidence) for entry in diff.entries}


def test_a_text_has_the_class_and_the_confidence_that_its_mark_has(tmp_path: Path) -> None:
    new = keep(tmp_path / "new", spec(description=f"Lists as. {TEXT}", parameters=[{"in": "query", "name": "tag"}]))
    diff = compare(Document.parse(spec(description="Lists as."), "a.json"), new)
    assert classes(diff) == {"operation-description-changed": ("trap", "high"), "parameter-added": ("undeclared", "")}
    told = json.loads(show(diff, "json"))
    assert told["summary"]["classes"] == {"trap": 1, "undeclared": 1}
    assert [(change["class"], change["confidence"]) for change in told["changes"]] == [
        ("trap", "high"),
        ("undeclared", ""),
    ]
    shown = show(diff, "markdown")
    assert "| Traps | 1 | high |\n| Undeclared fields and statuses | 1 |  |" in shown


def test_a_text_that_a_person_changed_since_is_wording(tmp_path: Path) -> None:
    new = keep(tmp_path / "new", spec(description="Mine."))
    diff = compare(Document.parse(spec(), "a.json"), new)
    assert classes(diff) == {"operation-description-added": ("wording", "")}


def test_without_a_lock_file_the_contract_is_a_class_of_its_own() -> None:
    old = spec(description="A.", parameters=[{"in": "query", "name": "tag", "type": "string"}])
    new = spec(
        description="B.",
        parameters=[{"in": "query", "name": "tag", "type": "integer", "x-example": 1}],
        **{"x-docrev": {"experience": [{"scenario": "S"}]}},
    )
    diff = compare(Document.parse(old, "a.json"), Document.parse(new, "a.json"))
    assert classes(diff) == {
        "operation-description-changed": ("wording", ""),
        "parameter-type-changed": (None, ""),
        "parameter-extension-added": (None, ""),
        "operation-experience-added": ("experience", ""),
    }
    assert [line for line in show(diff).splitlines() if line.endswith(")") and " (" in line] == [
        *("Contract changes (2)", "Which operation to use when (1)", "Wording (1)")
    ]


@pytest.mark.parametrize("lock", [b"[[package]]\n", b"\xff"])
def test_a_lock_file_of_somebody_else_is_no_matter(tmp_path: Path, lock: bytes) -> None:
    new = keep(tmp_path / "new", spec(description=TEXT))
    (new.parent / "docrev.lock").write_bytes(lock)
    assert classes(compare(Document.parse(spec(), "a.json"), new)) == {"operation-description-added": ("wording", "")}


def test_a_commit_has_its_own_lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    path = keep(tmp_path / "specs", spec(description=TEXT))
    git("add", "-A")
    git("commit", "-qm", "Revised")
    (path.parent / "docrev.lock").unlink()
    monkeypatch.chdir(tmp_path)
    before = Document.parse(spec(), "a.json")
    for source in ("HEAD:specs/a.json", "HEAD:specs"):
        assert classes(compare(before, source)) == {"operation-description-added": ("trap", "high")}
    assert classes(compare(before, path)) == {"operation-description-added": ("wording", "")}
