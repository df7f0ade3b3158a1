"""Rules that an API states in its refusals, at operations that worked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_revision_mended_texts import MAKE, call, observations

from docrev.records import Fact, OperationKey
from docrev.revision.error_rules import error_rules

GOOD = call(MAKE, 201, {}, "a", {"name": "x"})


def rules(folder: Path, *messages: str, facts: tuple[Fact, ...] = ()) -> list[str]:
    sent = {"name": "docrev-00000000-7", "note": "dark"}
    refused = [call(MAKE, 422, {"message": text}, f"r{at}", sent) for at, text in enumerate(messages)]
    found = observations(folder, GOOD, *refused, facts=facts).by_key[OperationKey("shelf", MAKE)]
    return [statement.text for statement in error_rules(found)]


def test_rules_of_refusals_are_quoted_once_without_what_was_sent(tmp_path: Path) -> None:
    texts = "Names must match the note of their box", "Name (docrev-00000000-7) is before all other notes: bad text"
    shown = "`Names must match the note of their box` and `Name (…) is before all other notes`"
    assert rules(tmp_path, *texts, texts[0]) == [f"Errors with 422 include {shown}."]


def test_a_rule_on_what_exists_already_stands_with_that(tmp_path: Path) -> None:
    text = "Names must match the note of their box"
    sent = {"path:room": "r0", "body:": {"name": "docrev-00000000-7", "note": "dark"}}
    fact = Fact(OperationKey("shelf", MAKE), "exists", "", {"status": 422}, (f"422{sent}",))
    assert rules(tmp_path, text, facts=(fact,)) == []


def test_a_rule_behind_what_was_sent_is_quoted_without_that(tmp_path: Path) -> None:
    text = "Box docrev-00000000-7 IN HALL: Name is outside the walls of its note"
    # With another subject that was not sent: the same rule, of which the shorter form holds for both.
    for texts in (
        [text],
        [text, "Box IN MUD: Name is outside the walls of its note"],
        ["Box IN MUD: Name is outside the walls of its note", text],
    ):
        assert rules(tmp_path, *texts) == ["Errors with 422 include `Name is outside the walls of its note`."]


def test_two_properties_that_a_rule_excludes_are_named(tmp_path: Path) -> None:
    told = ["`name` and `note` cannot be sent together: returns 422."]
    assert rules(tmp_path, "You cannot give name AND note to a box.") == told


@pytest.mark.parametrize(
    "text",
    [
        "name is not a string at all",
        "The name docrev-00000000-7 cannot be found here",
        "Bad Request",
        "'note' request parameter value 'dark' is not supported",
        "At least one",
        "A name or note must be sent, at least",
        "The box must be made unless the same name is there",
        "Cannot make boxes of dark wood here, only outside",
        "The name must be within the room",
    ],
)
def test_what_is_no_rule_or_is_said_elsewhere_is_not_quoted(tmp_path: Path, text: str) -> None:
    needed = Fact(GOOD.key, "alternatives", "", {"rule": "at-least-one-of", "names": ["name", "note"]}, ("c1",))
    assert rules(tmp_path, text, facts=(needed,)) == []


def test_a_message_about_what_is_missing_stands_at_what_is_missing(tmp_path: Path) -> None:
    text = "A box of that name and note must have a size"
    refused = call(MAKE, 422, {"message": text}, "r0", {"name": "docrev-00000000-7", "note": "dark"})
    cause = {"status": 422, "cause": "size missing", "parameter": "body:/size"}
    assert rules(tmp_path, text, facts=(Fact(GOOD.key, "status", "", cause, (refused.id,)),)) == []
    assert rules(tmp_path, text) != []


def test_a_message_about_a_parameter_stands_at_the_parameter(tmp_path: Path) -> None:
    text = "The size must be larger than 0"
    refused = call(MAKE, 422, {"message": text}, "r0", {"name": "docrev-00000000-7", "note": "dark"})
    cause = {"status": 422, "cause": "size not valid", "parameter": "query:size", "message": text}
    assert rules(tmp_path, text, facts=(Fact(GOOD.key, "status", "", cause, (refused.id,)),)) == []


def test_a_rule_that_was_written_is_found_again(tmp_path: Path) -> None:
    text = "The name must precede that note alphabetically inside their catalogue"
    sent = {"name": "docrev-00000000-7", "note": "dark"}
    found = observations(tmp_path, GOOD, call(MAKE, 422, {"message": text}, "r", sent)).by_key[GOOD.key]
    [rule] = error_rules(found)
    described = replace(found.operation, description=f"Makes boxes. {rule.text}")
    assert [*error_rules(replace(found, operation=described))] == [rule]


def test_a_sentence_on_a_status_that_stands_already_is_not_written_again_with_other_rules(tmp_path: Path) -> None:
    text = "The name must precede that note alphabetically inside their catalogue"
    refused = call(MAKE, 422, {"message": text}, "r", {"name": "docrev-00000000-7", "note": "dark"})
    found = observations(tmp_path, GOOD, refused).by_key[GOOD.key]
    stands = "Errors with 422 include `Name is out of room`."
    described = replace(found.operation, description=f"Makes boxes. {stands}")
    assert [one.text for one in error_rules(replace(found, operation=described))] == [stands]
