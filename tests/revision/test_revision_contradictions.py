"""Sentences of docrev that an API has left behind."""

from __future__ import annotations

import pytest

from docrev.records import Change
from docrev.revision.contradictions import contradiction
from docrev.spec.marks import Mark, Marks, short_hash

PLACE = "/info/description"


def change(before: str, after: str) -> Change:
    return Change("a.yaml", PLACE, before, after, None)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("Defaults to `5`.", "Defaults to `7`.", ("Defaults to `5`.", "Defaults to `7`.")),
        ("At most 100. Sorted.", "Cut to `9`. At most 50.", ("At most 100.", "At most 50.")),
        ("Defaults to `5`.", "An integer.", None),
        ("Observed values: `a`, `b`.", "Observed values: `a`, `c`.", None),
        ("Defaults to `5`.", "Defaults to `5`. Any other value returns 422.", None),
    ],
)
def test_a_sentence_with_other_values_is_one(before: str, after: str, found: tuple[str, str] | None) -> None:
    marks = Marks({}, {PLACE: Mark((short_hash(before),))})
    assert contradiction(change(f"By a person 1. {before}", f"By a person 1. {after}"), {"a.yaml": marks}) == found


def test_what_a_person_wrote_is_none() -> None:
    assert contradiction(change("Defaults to `5`.", "Defaults to `7`."), {"a.yaml": Marks({}, {})}) is None
