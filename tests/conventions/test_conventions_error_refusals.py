"""Refusals that name a value in plain words, or none at all."""

from __future__ import annotations

import pytest

from docrev.conventions.error_hints import read_hints

SENT = {"body:": {"title": "a b", "count": "ten", "kind": "zip", "owner_id": 7}}


@pytest.mark.parametrize("modal", ["must", "has to", "needs to", "is required to", "is supposed to"])
def test_a_demand_is_one_whatever_its_modal_is(modal: str) -> None:
    [hint] = read_hints(400, {}, {"error": f"count {modal} be an integer"}, SENT)
    assert (hint.kind, hint.name, hint.values) == ("type", "count", ("integer",))


@pytest.mark.parametrize("text", ["Bad CQL text", "invalid package", "improper label name", "numeric field overflow"])
def test_a_refusal_of_no_name_is_read_where_a_response_says_nothing_else(text: str) -> None:
    [hint] = read_hints(400, {}, {"error": text}, SENT)
    assert (hint.kind, hint.place, hint.pointer) == ("invalid", "", "")
    [hint] = read_hints(400, {}, {"errors": [text, "count must be an integer"]}, SENT)
    assert (hint.kind, hint.name) == ("type", "count")


@pytest.mark.parametrize(
    "text", ["Invalid request", "Something went wrong: bad luck", "Unknown error", "Invalid params."]
)
def test_what_says_no_more_than_its_status_says_nothing(text: str) -> None:
    assert read_hints(400, {}, {"error": text}, SENT) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ticket zz not found", ()),
        ("No such handle 77", ()),
        ("owner with id 7 not found", ("owner", "7")),
        ("owner group with id 7 not found", ("owner group", "7")),
        ("The owner does not exist", ("owner",)),
    ],
)
def test_a_thing_is_told_by_a_word_and_an_id_that_was_sent(text: str, values: tuple[str, ...]) -> None:
    [hint] = read_hints(400, {}, {"error": text}, {"query:group": 7, "query:kind": "zip"})
    assert (hint.kind, hint.values) == ("not-found", values)


def test_what_is_not_there_keeps_the_value_beside_its_name() -> None:
    [hint] = read_hints(404, {}, {"error": 'The bucket "photos" does not exist'}, {})
    assert (hint.kind, hint.values) == ("not-found", ("bucket", "photos"))


def test_a_text_under_a_name_refuses_its_value_whatever_its_words_are() -> None:
    body = {"errors": {"ring": ["A ring reads like BE-1234."]}}
    [hint] = read_hints(422, {}, body, {"body:": {"ring": "be1234"}})
    assert (hint.kind, hint.name) == ("invalid", "ring")
    assert read_hints(422, {}, body, {"body:": {"loft": 1}}) == []


def test_a_token_under_a_name_is_a_value_and_no_credential() -> None:
    [hint] = read_hints(400, {}, {"errors": {"jwt": ["Invalid JWT"]}}, {"body:": {"jwt": "a.b"}})
    assert (hint.kind, hint.name) == ("invalid", "jwt")


def test_numbers_may_be_written_with_commas() -> None:
    [hint] = read_hints(422, {}, {"errors": {"gauge": "gauge must be 1,676 or less"}}, {"body:": {"gauge": 1700}})
    assert (hint.kind, hint.values) == ("maximum", ("1676",))


def test_the_values_that_are_known_say_more_than_that_one_is_unknown() -> None:
    [hint] = read_hints(400, {}, {"error": "kind is unknown (expected file or folder)"}, SENT)
    assert (hint.kind, hint.values) == ("allowed-values", ("file", "folder"))


def test_columns_that_are_unique_together_exist_together() -> None:
    body = {"detail": "Key (stop_id, built)=(1, 2024-01-01) already exists."}
    hints = read_hints(409, {}, body, {"body:": {"stop_id": 1, "built": "2024-01-01"}})
    assert [(hint.kind, hint.name) for hint in hints] == [("exists", "stop_id"), ("exists", "built")]


@pytest.mark.parametrize("text", ["The owner_id was not found", "owner_id - does not exist"])
def test_an_article_is_no_noun_and_a_label_no_id(text: str) -> None:
    [hint] = read_hints(400, {}, {"error": text}, SENT)
    assert (hint.kind, hint.name) == ("not-found", "owner_id")
    assert hint.values in ((), ("owner_id",))


@pytest.mark.parametrize(("sent", "name"), [({"mail": "x"}, "mail"), ({"mail": "x", "work_email": "y"}, "")])
def test_a_name_that_is_half_of_a_sent_one_is_that_one_if_no_other_is(sent: dict[str, str], name: str) -> None:
    [hint] = read_hints(422, {}, {"errors": ["Email has already been taken"]}, {"body:": sent})
    assert (hint.kind, hint.name) == ("exists", name)


@pytest.mark.parametrize(
    ("text", "kind", "name", "values"),
    [
        (".count: Expected to be in the [2; 9] range (got ten)", "minimum", "count", ("2",)),
        (".size: Expected a string (got undefined)", "required", "size", ()),
        ('Must be an integer (in $args->{"count"})', "type", "count", ("integer",)),
        ("count: Double value found, but an integer is required", "type", "count", ("integer",)),
        ('Field "Query" is missing', "required", "Query", ()),
        ("There is no page with ID 7.", "not-found", "", ("page", "7")),
        ("The port must be in range [1..65534]", "minimum", "", ("1",)),
    ],
)
def test_what_validators_in_further_languages_say_is_read(
    text: str, kind: str, name: str, values: tuple[str, ...]
) -> None:
    hint, *_ = read_hints(400, {}, {"error": text}, SENT)
    assert (hint.kind, hint.name, hint.values) == (kind, name, values)


def test_the_lines_of_a_program_beside_a_message_name_no_value() -> None:
    data = {"message": "Expected number smaller or equal to 100, not 150", "trace": 'Trace:\n  File "count.py", line 1'}
    [hint] = read_hints(400, {}, {"error": {"message": "It failed", "data": data}}, SENT)
    assert (hint.kind, hint.pointer, hint.values) == ("maximum", "", ("100",))


def test_a_location_may_be_an_object_with_a_path() -> None:
    errors = [{"message": "must be integer", "location": {"in": "request", "name": "body", "path": "/count"}}]
    [hint] = read_hints(400, {}, {"errors": errors}, SENT)
    assert (hint.kind, hint.name, hint.values) == ("type", "count", ("integer",))
