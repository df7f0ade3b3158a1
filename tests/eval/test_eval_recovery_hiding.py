"""Hiding takes out exactly what is then to be found: nothing of it is left, and nothing else is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import UsageError
from docrev.eval.hiding import ALL, Hiding, hide
from docrev.eval.recovery import RecoveryPlan, truth_in
from docrev.eval.statements import TextStatement
from docrev.eval.truth import Truth, truth_of
from docrev.facts.registry import LIST_EFFECTS
from docrev.spec import Catalog, load

SPECS = tuple(Path(str(files("docrev.sandbox") / name / "truth.yaml")) for name in ("airfield", "atlas"))
NO_KEYWORD = {
    *LIST_EFFECTS,
    "ignored",
    "unknown-values",
    "comes-from",
    "clamps",
    "broken",
    "creates",
    "unknown-parameters",
    "status",
}
"""Kinds that the extensions alone say: they go with them, whatever is hidden."""


def hidden(folder: Path, hiding: Hiding) -> tuple[Truth, Catalog, list[Path]]:
    truth = truth_in(RecoveryPlan(SPECS, hiding), folder / "truth")
    (folder / "hidden").mkdir()
    paths = hide(truth.catalog, hiding, folder / "hidden")
    return truth, load(paths), paths


def keys(node: Any, names: bool = False) -> Iterator[str]:
    """All keys of a document but names of properties."""
    if isinstance(node, list):
        for part in node:
            yield from keys(part)
    if isinstance(node, dict):
        for key, value in node.items():
            if not names:
                yield key
            yield from keys(value, not names and key == "properties")


def test_all_leaves_names_and_no_word_of_documentation(tmp_path: Path) -> None:
    truth, stripped, paths = hidden(tmp_path, Hiding())
    left = {key for path in paths for key in keys(json.loads(path.read_text())["paths"])}
    assert not {key for key in left if key.startswith("x-")}
    assert not left & {"enum", "minimum", "maximum", "minLength", "pattern", "format", "summary", "tags", "example"}
    assert [operation.key for operation in stripped.operations] == [one.key for one in truth.catalog.operations]
    for operation in stripped.operations:
        known = truth.catalog[operation.key]
        assert {one.key for one in operation.parameters} == {one.key for one in known.parameters}
        assert not any(one.description or one.schema.type for one in operation.parameters)
        assert list(operation.responses) == ["default"]
        assert not operation.security


def test_parameters_hides_names_but_those_in_paths(tmp_path: Path) -> None:
    _, stripped, _ = hidden(tmp_path, Hiding.parse("all,parameters"))
    places = {one.location for operation in stripped.operations for one in operation.parameters}
    assert places == {"path"}
    bodies = [operation.body for operation in stripped.operations if operation.body is not None]
    assert bodies
    assert not any(body.schema is not None and body.schema.properties() for body in bodies)


@pytest.mark.parametrize("kinds", ["types", "enums,defaults", "bounds", "required", "responses", "all"])
@pytest.mark.parametrize("share", [1.0, 0.4])
def test_what_counts_as_hidden_is_what_is_gone(tmp_path: Path, kinds: str, share: float) -> None:
    hiding = Hiding.parse(kinds, share=share, seed=3)
    truth, stripped, _ = hidden(tmp_path, hiding)
    left = truth_of(stripped).statements
    told = [one for one in truth.statements.values() if one.kind not in NO_KEYWORD and one.location]
    gone = [one for one in told if hiding.hidden(one)]
    kept = [one for one in told if not hiding.hidden(one)]
    assert gone
    assert not [str(one) for one in gone if one.place in left and not _implied(one, truth)]
    assert not [str(one) for one in kept if one.place not in left and not one.location.startswith("401:")]


def _implied(one: TextStatement, truth: Truth) -> bool:
    """Allowed values that are texts tell the type, too; `recovery.run` counts such a type as not hidden."""
    known = truth.at(one.key, one.location)
    return one.kind == "type" and known is not None and bool(known.schema.enum)


def test_a_share_is_a_share_and_its_seed_decides(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    truth = truth_in(RecoveryPlan(SPECS), tmp_path / "a" / "truth")
    chosen = [
        {one.place for one in truth.statements.values() if Hiding(ALL, 0.5, seed).hidden(one)} for seed in (1, 1, 2)
    ]
    assert chosen[0] == chosen[1] != chosen[2]
    assert 0.3 < len(chosen[0]) / len(truth.statements) < 0.7


@pytest.mark.parametrize("text", ["", "typos", "types,typos"])
def test_what_cannot_be_hidden_is_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="one of all, descriptions"):
        Hiding.parse(text)
