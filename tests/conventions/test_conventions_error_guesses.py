"""What is guessed of a message that no reader understands, by the names that were sent."""

from __future__ import annotations

import pytest

from docrev.conventions.error_hints import read_hints
from docrev.records import Json

SENT = {"body:": {"deck": "a", "crew_size": 4, "rig": "sloop", "tags": ["x", "x"], "gear_id": 7}}
FOREIGN = [{"campo": "/deck", "mensaje": "no debe ser eso"}, {"campo": "/rig", "mensaje": "debe ser otra cosa"}]


def read(text: str, status: int = 400) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(hint.kind, hint.pointer, hint.values) for hint in read_hints(status, {}, {"error": text}, SENT)]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("deck may not be combined with rig", ("excluded-by", "/deck", ("rig",))),
        ("you can look by deck or by rig, but not by both", ("at-most-one-of", "", ("deck", "rig"))),
        ("We hit a snag with the option 'rig'.", ("invalid", "/rig", ())),
        ("The crew size is nowhere near what a deck of this age bears", ("invalid", "/crew_size", ())),
        ("query parameter is not an operation or a recognised field: rig", ("unknown", "/rig", ())),
        ("gear_id page doesn't exist", ("not-found", "/gear_id", ())),
        ("The property 'tags' contained duplicated array values", ("unique-items", "/tags", ())),
        ("[stow] ID is missing", ("required", "/ID", ())),
        ("No Sail-Plan supplied.", ("required", "/Sail-Plan", ())),
        (":anchor is missing in Hash input", ("required", "/anchor", ())),
    ],
)
def test_a_message_is_on_the_sent_names_that_it_speaks_of(text: str, hint: tuple[str, str, tuple[str, ...]]) -> None:
    assert read(text) == [hint]


@pytest.mark.parametrize(
    "text",
    ["You have no permission to rig", "No such method: stow.all", "Nothing went well today"],
)
def test_nothing_is_guessed_of_what_is_on_no_value(text: str) -> None:
    assert all(not pointer for _, pointer, _ in read(text))


def test_a_message_beside_others_is_guessed_if_it_begins_with_its_name() -> None:
    body: Json = {
        "errors": ["crew_size must be at most 3", "Rig is not two capitals", "More on the deck than was wished"]
    }
    found = {(hint.kind, hint.name) for hint in read_hints(422, {}, body, SENT)}
    assert found == {("maximum", "crew_size"), ("invalid", "rig")}


def test_lists_of_errors_are_read_whatever_their_members_are_called() -> None:
    found = [(hint.kind, hint.pointer) for hint in read_hints(400, {}, {"errores": [*FOREIGN]}, SENT)]
    assert found == [("invalid", "/deck"), ("invalid", "/rig")]
    assert read_hints(400, {}, {"errores": [*FOREIGN]}, {"body:": {"hull": 1}}) == []


def test_what_a_response_asks_for_under_a_name_that_was_not_sent_is_missing() -> None:
    found = read_hints(422, {}, {"errors": {"anchor": ["With a rig, tell how many there are."]}}, SENT)
    assert [(hint.kind, hint.pointer) for hint in found] == [("required", "/anchor")]


@pytest.mark.parametrize(
    "text", ["rig: mast is required", "Field 'mast' is required for type 'Rig', but it was missing at path: $.rig"]
)
def test_what_an_object_that_was_sent_lacks_is_missing_in_it(text: str) -> None:
    [hint] = read_hints(400, {}, {"error": text}, {"body:": {"rig": {"sails": 2}}})
    assert (hint.kind, hint.pointer) == ("required", "/rig/mast")


@pytest.mark.parametrize("sent", [{"body:": {"deck": "a"}}, {"path:": ["", "boats"]}])
def test_an_object_that_holds_a_response_is_no_name(sent: dict[str, Json]) -> None:
    body: Json = {"hull": {"error": "invalid argument", "message": "'deck' must be a list", "trace": "#0 0x55"}}
    assert [(hint.kind, hint.pointer) for hint in read_hints(400, {}, body, sent)] == [("type", "/deck")]


@pytest.mark.parametrize(
    ("status", "text", "hint"),
    [
        (200, "FAIL - Invalid rig", ("invalid", "/rig", ())),
        (400, "Unexpected rig", ("unknown", "/rig", ())),
        (400, "Mandatory parameters 'anchor' missing in call to sail", ("required", "/anchor", ())),
        (400, "Unsupported deck date", ("invalid", "", ())),
    ],
)
def test_a_plain_text_tells_what_is_wrong(status: int, text: str, hint: tuple[str, str, tuple[str, ...]]) -> None:
    assert [(found.kind, found.pointer, found.values) for found in read_hints(status, {}, text, SENT)] == [hint]
