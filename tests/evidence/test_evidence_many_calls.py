"""A store of many calls: nothing is kept in memory for each, and what is not needed can be pruned."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from services import bundled_services

import docrev
from docrev.errors import UsageError
from docrev.evidence import Evidence
from docrev.evidence.queries import consented_changes, left_items, statuses
from docrev.evidence.usefulness import useless_tools
from docrev.facts import infer
from docrev.facts.pruning import prune
from docrev.records import Call, OperationKey
from docrev.spec import load

__all__ = ["bundled_services"]
SPEC = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"
KEY = OperationKey("shop", "GET /items/{id}")


def item(number: int) -> Call:
    arguments, body = {"path:id": number}, {"id": number, "name": f"item {number}"}
    return Call(f"{number:06}", KEY, arguments, "http://127.0.0.1/items", 200, {}, body, "application/json", "survey")


def test_memory_does_not_grow_with_the_number_of_calls(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(20_000):
            evidence.calls.put(item(number))
    tracemalloc.start()
    try:
        with Evidence.open(tmp_path, write=True) as evidence:
            evidence.begin({})
            evidence.conceal()
            assert (list(evidence.calls.select()), evidence.calls.kept("012345"), "012345" in evidence.calls) == (
                [],
                True,
                False,
            )
            recalled = evidence.calls.recall("012345")
            assert (recalled, list(evidence.calls.select())) == (item(12_345), [item(12_345)])
            evidence.reveal()
            assert evidence.calls.endings().total() == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # 25 bytes a call: an entry in a dict alone would be a hundred.
    assert peak < 500_000


@pytest.mark.long
def test_reading_many_calls_holds_equal_bodies_once_and_few_of_what_was_read(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(20_000):
            evidence.calls.put(replace(item(number), body={"items": ["a", "b"]}))
    tracemalloc.start()
    try:
        with Evidence.open(tmp_path, write=False) as evidence:
            one, other = map(evidence.calls.__getitem__, ("000001", "000002"))
            assert one.body is other.body
            assert sum(1 for _ in evidence.calls.select()) == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # 2 MB; with the memory of a run that goes on 14.
    assert peak < 6_000_000


def test_calls_are_listed_whole_however_many_are_read_together(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in reversed(range(1_500)):
            evidence.calls.put(item(number))
        for listed in (evidence.calls.select(), evidence.calls.select(key=KEY), evidence.calls.select(ok=True)):
            assert [call.id for call in listed] == [f"{number:06}" for number in range(1_500)]
        # What comes while they are read is of the next listing.
        listed = evidence.calls.select()
        assert next(listed).id == "000000"
        evidence.calls.put(replace(item(0), id="000000a"))
        assert [call.id for call in listed] == [f"{number:06}" for number in range(1, 1_500)]


@pytest.mark.long
def test_facts_and_revisions_are_the_same_after_pruning(bundled_services: dict[str, str], tmp_path: Path) -> None:
    options = {"base_urls": [f"atlas={bundled_services['atlas']}"], "out": tmp_path, "max_calls": 200}
    explored = docrev.explore(SPEC, **options)  # type: ignore[arg-type]
    catalog = load([SPEC])

    def shown() -> list[object]:
        with Evidence.open(tmp_path, write=False) as evidence:
            told = [infer(catalog, evidence), evidence.facts(), evidence.experiences(), evidence.solutions()]
            counts = [statuses(evidence), useless_tools(evidence), left_items(evidence), consented_changes(evidence)]
        return [*told, *counts, [str(one) for one in docrev.revise(SPEC, evidence=tmp_path).changes]]

    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.select(evidence.runs()[-1])
        for call in evidence.calls.select(purpose="survey"):
            for number in range(100):
                evidence.calls.put(replace(call, id=f"{call.id}-{number}"))
    before, size = shown(), (tmp_path / "evidence.db").stat().st_size
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.select(evidence.runs()[-1])
        removed = prune(evidence)
        assert removed > len(list(evidence.calls.select())) > 0
        assert prune(evidence) == 0
    assert shown() == before
    assert (tmp_path / "evidence.db").stat().st_size < size / 2
    again = docrev.explore(SPEC, **options)  # type: ignore[arg-type]
    assert (again.kept, again.summary) == (True, explored.summary)
    with pytest.raises(UsageError, match="cannot go on"):
        docrev.explore(SPEC, **options | {"max_calls": 300})  # type: ignore[arg-type]
