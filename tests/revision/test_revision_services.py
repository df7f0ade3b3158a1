"""Revision from a real exploration of a bundled service: what is told, within bounds, nothing the second time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from services import running
from test_revision_texts import revised

import docrev
from docrev.spec import load
from docrev.spec.validate import validate

SPECS = Path(__file__).resolve().parents[2] / "specs"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("services") / "evidence"
    with running("airfield") as urls:
        docrev.explore([SPECS / "airfield.json"], base_urls=[urls["airfield"]], out=folder)
        yield folder


def airfield(tree: Any, path: str) -> tuple[str, dict[str, str]]:
    """The text of a GET, and those of its parameters."""
    operation = tree["paths"][path]["get"]
    found: dict[str, str] = {}
    for parameter in (*tree["paths"][path].get("parameters", []), *operation.get("parameters", [])):
        node = parameter
        for part in parameter.get("$ref", "#").removeprefix("#").strip("/").split("/") if "$ref" in parameter else ():
            node = (tree if node is parameter else node)[part]
        found[node["name"]] = node.get("description", "")
    return operation.get("description", ""), found


def test_a_list_tells_its_order_its_pages_and_what_its_parameters_do(evidence: Path) -> None:
    [document] = revised(SPECS / "airfield.json", evidence, words=200).documents.values()
    text, parameters = airfield(document.tree, "/airports")
    # The parameter says it.
    assert "next page" not in text
    assert parameters["cursor"] == "Cursor (the `next` of the previous page), not a page number."
    assert "prefix a minus sign for descending order: `-" in parameters["sort"]
    text, _ = airfield(document.tree, "/airports/{iata}/weather")
    assert text.endswith("Every valid request observed failed with 500.")


@pytest.mark.parametrize("edit", ["docs", "contract"])
@pytest.mark.parametrize("profile", ["none", "gpt-actions"])
def test_a_second_revision_changes_nothing_and_the_first_breaks_nothing(
    tmp_path: Path, evidence: Path, edit: str, profile: str
) -> None:
    options: dict[str, Any] = {"edit": edit, "profile": profile, "links": True}
    revision = revised(SPECS / "airfield.json", evidence, **options)
    [document] = revision.documents.values()
    path = tmp_path / "airfield.json"
    path.write_bytes(document.to_bytes())
    assert revised(path, evidence, **options).changes == ()
    before = {found.message for found in validate(next(iter(load([SPECS / "airfield.json"]).documents.values())))}
    assert {found.message for found in validate(document)} <= before


def test_texts_keep_to_their_bounds_and_say_nothing_twice(evidence: Path) -> None:
    changes = revised(SPECS / "airfield.json", evidence).changes
    texts = [(change.pointer, change.after) for change in changes if isinstance(change.after, str)]
    assert len(texts) > 10
    for pointer, text in texts:
        whole = pointer.count("/") == 4 and pointer.startswith("/paths/")
        assert len(text) <= (1000 if whole else 300)
        assert len(text.split("\n\n")[0]) <= 300
        sentences = re.split(r"(?<=\.) ", text)
        assert len(sentences) == len(set(sentences)), text
