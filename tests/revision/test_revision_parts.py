"""Specs that have nothing to do with each other are revised one after the other, each as if it were alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from revisekit import call, experience, keep, key, write_spec
from test_revision_texts import revised, texts

from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.grouping import connected
from docrev.records import Call, Fact
from docrev.revision.parts import divided
from docrev.spec import load

SPEC = """\
openapi: "3.0.3"
info: {title: Boxes, version: "1"}
paths:
  /boxes/{code}:
    get:
      parameters: [{name: code, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: OK}}
"""
BOX = {f"{side}_side": at for at, side in enumerate("upper lower left right front back inner outer first last".split())}
READ = "GET /boxes/{code}"


def boxes(tool: str) -> list[Call]:
    return [replace(call(READ, BOX, tool=tool, path_code=code), id=f"{tool} {code}") for code in ("b-1", "b-2")]


def fed(location: str = "path:code") -> Fact:
    """The shed takes a value that the barn returned."""
    value = {"operation": f"barn {READ}", "field": "200:/upper_side"}
    return Fact(key(READ, "shed"), "comes-from", location, value, ("barn b-1", "shed b-1"))


def test_what_a_service_returns_is_nothing_to_others(tmp_path: Path) -> None:
    specs = [write_spec(tmp_path / "specs", SPEC, f"{tool}.yaml") for tool in ("barn", "shed")]
    both = keep(tmp_path / "both", load(specs), [*boxes("barn"), *boxes("shed")])
    together = revised(tmp_path / "specs", both)
    assert len(together.changes) == 2
    for path in specs:
        alone = revised(path, keep(tmp_path / path.stem, load([path]), boxes(path.stem)))
        assert alone.documents[str(path)].text == together.documents[str(path)].text
        assert "upper_side" in alone.documents[str(path)].text


def test_what_was_revised_is_read_again_once_it_is_asked_for(tmp_path: Path) -> None:
    path, other = (write_spec(tmp_path / "specs", SPEC, f"{tool}.yaml") for tool in ("barn", "shed"))
    evidence = keep(tmp_path / "evidence", load([path, other]), [*boxes("barn"), *boxes("shed")])
    document = revised(tmp_path / "specs", evidence).documents[str(path)]
    [change] = texts(revised(path, evidence)).values()
    assert "tree" not in vars(document)
    assert document.get(change.pointer) == change.after
    assert document.line(change.pointer) > 1


def test_what_is_in_no_spec_any_more_is_said_once(tmp_path: Path) -> None:
    specs = [write_spec(tmp_path / "specs", SPEC, f"{tool}.yaml") for tool in ("barn", "cellar", "shed")]
    evidence = keep(tmp_path / "evidence", load(specs), [call_ for tool in ("barn", "cellar") for call_ in boxes(tool)])
    specs[1].unlink()
    found = revised(tmp_path / "specs", evidence)
    assert [finding.id for finding in found.findings] == ["operation-gone"]
    assert [(missed.tool, why) for missed, why in found.missed] == [("shed", "never called")]


@pytest.mark.parametrize(
    ("facts", "parts"),
    [
        ([], [["barn"], ["cellar"], ["shed"]]),
        ([fed()], [["barn", "shed"], ["cellar"]]),
        # Nobody needs another service's word to filter a list of this one.
        ([fed("query:state")], [["barn"], ["cellar"], ["shed"]]),
    ],
)
def test_specs_are_revised_together_if_one_needs_the_values_of_another(
    tmp_path: Path, facts: list[Fact], parts: list[list[str]]
) -> None:
    for tool in ("shed", "barn", "cellar"):
        write_spec(tmp_path / "specs", SPEC, f"{tool}.yaml")
    assert names(tmp_path, facts) == parts


def test_specs_are_revised_together_if_they_refer_to_the_same_file_or_share_a_name(tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    for tool in ("barn", "shed"):
        write_spec(specs, SPEC.replace("{description: OK}", "{$ref: 'parts/answers.yaml#/ok'}"), f"{tool}.yaml")
    write_spec(specs, "ok: {description: OK}\n", "parts/answers.yaml")
    for place in ("", "old/", "older/"):
        write_spec(specs, SPEC, f"{place}cellar.yaml")
    write_spec(specs, SPEC, "attic.yaml")
    assert names(tmp_path) == [["attic"], ["barn", "shed"], ["cellar", "cellar-2", "cellar-3"]]


def test_specs_are_revised_together_if_one_is_chosen_in_place_of_the_other(tmp_path: Path) -> None:
    for tool in ("barn", "cellar", "shed"):
        write_spec(tmp_path / "specs", SPEC, f"{tool}.yaml")
    scenario, learned = experience()
    catalog = load([tmp_path / "specs"])
    learned = replace(learned, key=key(READ, "barn"), wrong=key(READ, "barn"), right=key(READ, "shed"))
    folder = keep(tmp_path / "evidence", catalog, boxes("barn"), lessons=[(scenario, learned)])
    with Evidence.open(folder, write=False) as evidence:
        found = [[*part.tools] for part, _ in divided(catalog, EvidencePart(evidence))]
        [whole] = [[*part.tools] for part, _ in divided(catalog, EvidencePart(evidence), whole=True)]
    assert found == [["barn", "shed"], ["cellar"]]
    assert whole == ["barn", "cellar", "shed"]


def names(folder: Path, facts: list[Fact] | None = None) -> list[list[str]]:
    """The tools of each part of the specs in a folder."""
    catalog = load([folder / "specs"])
    calls = [*boxes("barn"), *boxes("shed")]
    with Evidence.open(keep(folder / "evidence", catalog, calls, facts=facts), write=False) as evidence:
        return [[*part.tools] for part, _ in divided(catalog, EvidencePart(evidence))]


def test_values_are_connected_by_pairs_in_their_order() -> None:
    assert connected("abcdef", [("e", "b"), ("b", "b"), ("f", "c"), ("c", "e")]) == [["a"], ["b", "c", "e", "f"], ["d"]]
    assert connected("", []) == []
