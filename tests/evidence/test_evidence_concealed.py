"""A run that goes on sees of its calls and items what it has come to again; the rest is concealed, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from driving import called

from docrev.evidence import Evidence
from docrev.prompts.steps import Invoke
from docrev.records import JournalItem, OperationKey

KEY = OperationKey("shop", "GET /items/{id}")


@pytest.fixture
def evidence(tmp_path: Path) -> Iterator[Evidence]:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({"test": True})
        yield evidence


def test_a_call_is_shown_when_it_is_recalled_or_put_again(evidence: Evidence) -> None:
    calls = [called(Invoke(KEY, {"path:id": n}), {"id": n}) for n in range(3)]
    for call in calls:
        evidence.calls.put(call)
    evidence.conceal()
    assert (list(evidence.calls.select()), evidence.calls.endings(), evidence.calls.get(calls[0].id)) == ([], {}, None)
    assert evidence.calls.recall(calls[0].id) == calls[0]
    evidence.calls.put(calls[1])
    assert {call.id for call in evidence.calls.select(key=KEY)} == {calls[0].id, calls[1].id}
    assert evidence.calls.recall("of another run") is None
    evidence.reveal()
    assert len(list(evidence.calls.select())) == 3


def test_an_intent_whose_call_is_concealed_was_answered(evidence: Evidence) -> None:
    call = called(Invoke(KEY, {}), {})
    evidence.intents.put(call.id, KEY, {})
    evidence.intents.put("lost", KEY, {})
    evidence.calls.put(call)
    evidence.conceal()
    assert [intent.id for intent in evidence.intents.unanswered()] == ["lost"]


def test_a_later_state_of_an_item_is_not_undone_by_an_earlier_one(evidence: Evidence) -> None:
    """Items are taken in again in the order of the run; a second kill in between must find the latest."""
    first, second = (called(Invoke(KEY, {"path:id": n}), {}) for n in range(2))
    evidence.calls.put(first)
    evidence.calls.put(second)
    states = [_item(first.id, confirmed=False), _item(first.id), _item(first.id, deleted=True), _item(second.id)]
    for item in states:
        evidence.journal.put(item)
    evidence.conceal()
    assert evidence.journal.items() == []
    seen = []
    for call, item in zip((first, first, first, second), states, strict=True):
        evidence.calls.recall(call.id)
        evidence.journal.put(item, again=True)
        seen.append((evidence.journal.items(), evidence.journal.kept_items()))
    assert seen == [([item], [states[-1]]) for item in states]


def test_an_item_that_was_not_kept_in_time_is_kept_when_the_run_goes_on(evidence: Evidence) -> None:
    call = called(Invoke(KEY, {}), {})
    evidence.calls.put(call)
    evidence.journal.put(_item(call.id, confirmed=False))
    evidence.conceal()
    evidence.calls.recall(call.id)
    evidence.journal.put(_item(call.id), again=True)
    assert [item.confirmed for item in evidence.journal.kept_items()] == [True]


def test_what_is_adopted_is_kept_and_the_run_does_not_see_it(evidence: Evidence) -> None:
    evidence.conceal()
    evidence.journal.adopt(_item("lost"))
    assert evidence.journal.items() == []
    assert [item.path for item in evidence.journal.kept_items()] == ["/items/1"]


def _item(call: str, *, confirmed: bool = True, deleted: bool = False) -> JournalItem:
    return JournalItem("shop /items/1", "shop", "/items/1", {"path:id": "1"}, call, confirmed, deleted)
