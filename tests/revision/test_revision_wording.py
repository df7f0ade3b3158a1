"""What stands between a person's text and what is added, and what values are called after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrev.records import OperationKey
from docrev.revision.composition import compose, taken_apart
from docrev.revision.head_topics import by_topic
from docrev.revision.notes import Statement
from docrev.revision.places import Spot
from docrev.revision.profiles import DEFAULT
from docrev.revision.value_sources import ValueSource
from docrev.spec import Place
from docrev.spec.marks import WrittenText, written

LONG = f"Deletes a box{' and what it is in' * 20}"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Deletes a box", "Deletes a box. Also deletes its pens."),
        ("Deletes a box.\n\nNote: it is gone.", "Deletes a box.\n\nNote: it is gone. Also deletes its pens."),
        ("Deletes a box.\n\nScope: boxes.write", "Deletes a box.\n\nScope: boxes.write\n\nAlso deletes its pens."),
        ("Scope: boxes.write", "Scope: boxes.write. Also deletes its pens."),
        ("Deletes a box.\n \n        DELETE /box", "Deletes a box.\n \n        DELETE /box\n\nAlso deletes its pens."),
        ("Deletes a box\n    for good", "Deletes a box\n    for good. Also deletes its pens."),
        (
            "Deletes a box.\n\nRaises:\n    BoxError: If it is locked",
            "Deletes a box. Also deletes its pens.\n\nRaises:\n    BoxError: If it is locked",
        ),
        (
            "Deletes a box.\n\nExamples:\n    >>> delete(box)\n    True",
            "Deletes a box. Also deletes its pens.\n\nExamples:\n    >>> delete(box)\n    True",
        ),
        (LONG, f"{LONG}\n\nAlso deletes its pens."),
    ],
)
def test_a_label_and_its_value_are_no_sentence_to_go_on_behind(text: str, whole: str) -> None:
    spot = Spot("operation", Place("a.yaml", "/paths/~1boxes/delete"), "", text, ())
    draft = compose(spot, WrittenText(text), [Statement("Also deletes its pens.", "also-deletes", "trap")], DEFAULT)
    assert draft is not None
    assert draft.text == whole
    assert written(draft.added).split(whole).added == draft.added


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/boxes", "A box ID, as in `id` of `GET /boxes`."),
        ("/search-deep", "An ID, as in `id` of `GET /search-deep`."),
    ],
)
def test_what_an_operation_does_is_no_thing_with_an_id(path: str, text: str) -> None:
    user, operation = OperationKey("shelf", "GET /things/{path}"), OperationKey("shelf", f"GET {path}")
    assert next(ValueSource(user, "path:path", operation, "200:/0/id").phrases()) == text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("200:/0/artists/0/id", "An artist ID, as in `artists.id` of `GET /tracks`."),
        ("200:/0/event_ref_list/0/ref", "An event ref, as in `event_ref_list.ref` of `GET /tracks`."),
        ("200:/data/0/id", "A track ID, as in `id` of `GET /tracks`."),
    ],
)
def test_what_is_in_a_list_of_a_thing_is_none_of_these_things(field: str, text: str) -> None:
    user, operation = OperationKey("shelf", "GET /things/{one}"), OperationKey("shelf", "GET /tracks")
    assert next(ValueSource(user, "path:one", operation, field).phrases()) == text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("200:/networks/0/id", "A network ID, as in `networks.id` of `GET /tv/latest`."),
        ("200:/first_network/id", "A network ID, as in `first_network.id` of `GET /tv/latest`."),
        ("200:/results/0/id", "A TV ID, as in `id` of `GET /tv/latest`."),
    ],
)
def test_an_id_is_called_after_the_parameter_where_what_is_around_the_field_says_so_too(field: str, text: str) -> None:
    user, operation = OperationKey("shelf", "GET /networks/{network_id}"), OperationKey("shelf", "GET /tv/latest")
    assert next(ValueSource(user, "path:network_id", operation, field).phrases()) == text


def test_what_holds_for_a_whole_api_is_not_cut_to_the_length_of_an_operation() -> None:
    told = [Statement(f"Statement {number} {'holds ' * 20}everywhere.", "", "trap") for number in range(9)]
    draft = compose(Spot("document", Place("api.json", "/info"), "", "", ()), WrittenText(""), told, DEFAULT)
    assert draft is not None
    assert draft.statements == tuple(told)
    assert len(draft.text) > DEFAULT.operation


def test_what_holds_for_a_whole_api_is_told_by_topic_each_in_its_own_paragraph() -> None:
    told = [
        Statement("Most errors are JSON objects with `error`.", "", "undeclared"),
        Statement("In a `PUT`, properties that are left out are removed.", "left-out", "trap"),
        Statement("Unknown query parameters are ignored.", "unknown-parameters", "trap"),
        Statement("A `PUT` of something that does not exist creates it.", "creates", "trap"),
        Statement("Most requests without credentials return 403.", "needs-credentials", "trap"),
    ]
    assert by_topic(told) == [told[number] for number in (4, 2, 1, 3, 0)]
    draft = compose(Spot("document", Place("api.json", "/info"), "", "", ()), WrittenText(""), by_topic(told), DEFAULT)
    assert draft is not None
    assert [text.count(".") for text in draft.text.split("\n\n")] == [1, 1, 2, 1]


def test_topics_of_a_long_head_are_named_and_the_head_is_known_again() -> None:
    kinds = ("needs-credentials", "missing", "pages", "creates")
    told = [Statement(f"Holds {number} of {kind}.", kind, "trap") for kind in kinds for number in range(2)]
    spot = Spot("document", Place("api.json", "/info"), "", "A shelf.", ())
    draft = compose(spot, WrittenText("A shelf."), told, DEFAULT)
    assert draft is not None
    _, *paragraphs = draft.text.split("\n\n")
    assert [text.partition(" Holds")[0] for text in paragraphs] == [
        "**Credentials.**",
        "**Missing things.**",
        "**Lists.**",
        "**Changes.**",
    ]
    assert all(text.count("**") == 2 and text.count("Holds") == 2 for text in paragraphs)
    assert taken_apart(replace(spot, text=draft.text), told) == WrittenText("A shelf.", draft.added)
    short = compose(spot, WrittenText("A shelf."), told[1:], DEFAULT)
    assert short is not None
    assert "**" not in short.text
