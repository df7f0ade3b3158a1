"""Rules that an API states in its refusals, at operations that worked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_revision_mended_texts import MAKE, call, observations

from docrev.records import Fact, Json, OperationKey
from docrev.revision.error_rules import error_rules

GOOD = call(MAKE, 201, {}, "a", {"name": "x"})


def rules(folder: Path, *messages: str, facts: tuple[Fact, ...] = (), sent: Json = None) -> list[str]:
    sent = sent or {"name": "docrev-00000000-7", "note": "dark"}
    refused = [call(MAKE, 422, {"message": text}, f"r{at}", sent) for at, text in enumerate(messages)]
    good = call(MAKE, 201, {}, "b", {"starts_at": 2, "ends_at": 2, "low": 1, "high": 3})
    found = observations(folder, GOOD, good, *refused, facts=facts).by_key[OperationKey("shelf", MAKE)]
    return [statement.text for statement in error_rules(found)]


TIMES = {"starts_at": 5, "ends_at": 4, "low": 7, "high": 6, "name": "x", "size": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ends_at must be after starts_at", "`ends_at` must be after `starts_at`"),
        (
            "The 'starts at' must be less than or equal to ends at.",
            "`starts_at` must be less than or equal to `ends_at`",
        ),
        ("low should be earlier than high", "`low` must be before `high`"),
        ("The fields name, size must make a unique set.", "`name` and `size` must be unique in combination"),
        # What an accepted call breaks, the refused one keeps, or is of what was not sent; and what is no rule on two.
        ("starts_at must be less than ends_at", ""),
        ("starts_at must be greater than ends_at", ""),
        ("ends_at must be after the end of the term", ""),
        ("Name is out of size", ""),
        ("Must specify size of names as 'x' or 'y'", ""),
    ],
)
def test_what_the_value_of_one_property_must_be_to_another_is_told_in_words_of_our_own(
    tmp_path: Path, text: str, told: str
) -> None:
    assert rules(tmp_path, text, sent=TIMES) == ([f"{told}: otherwise returns 422."] if told else [])


def test_two_properties_that_a_rule_excludes_are_named(tmp_path: Path) -> None:
    told = ["`name` and `note` cannot be sent together: returns 422."]
    assert rules(tmp_path, "You cannot give name AND note to a box.") == told


def test_a_rule_that_is_explained_or_written_is_not_told_again(tmp_path: Path) -> None:
    text = "ends_at must be after starts_at"
    fact = Fact(OperationKey("shelf", MAKE), "exists", "", {"status": 422}, (call(MAKE, 422, {}, "r0", TIMES).id,))
    assert rules(tmp_path, text, facts=(fact,), sent=TIMES) == []
    found = observations(tmp_path, GOOD, call(MAKE, 422, {"message": text}, "r", TIMES)).by_key[GOOD.key]
    [rule] = error_rules(found)
    described = replace(found.operation, description=f"Makes boxes. {rule.text}")
    assert [*error_rules(replace(found, operation=described))] in ([], [rule])
