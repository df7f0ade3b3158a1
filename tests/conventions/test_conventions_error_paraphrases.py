"""The same thing said of a name in many ways is read as the same hint."""

from __future__ import annotations

import pytest

from docrev.conventions.error_hints import read_hints

SENT = {"body:": {"title": "a b", "count": "ten", "kind": "zip", "owner_id": 7}}
SUBJECTS = (
    *("count", "The provided count", "the count you provided", "Your count", "the value for 'count'", "[count]"),
    *("count 'ten'", "count (=ten)", "The count of the item", "could not parse count:", "Problem with count:"),
    *("Invalid value 'ten' for count:", "bad count 'ten':", "'ten' is not a valid count. It"),
)
INTEGER = ("must be an integer", "is not a whole number", "is required to be an integer", "should have been an integer")
SAID = (
    *(("count", said, [("type", ("integer",))]) for said in (*INTEGER, "takes an integer", "accepts only integers")),
    ("count", "is a string, not an integer", [("type", ("integer",))]),
    ("count", "cannot be interpreted as an integer", [("type", ("integer",))]),
    ("count", "cannot go below 1", [("minimum", ("1",))]),
    ("count", "must be equal to or greater than 1", [("minimum", ("1",))]),
    ("count", "is capped at 50", [("maximum", ("50",))]),
    ("count", "must exceed 0", [("exclusive-minimum", ("0",))]),
    ("kind", "is neither file nor folder", [("allowed-values", ("file", "folder"))]),
    ("kind", "may be file or folder", [("allowed-values", ("file", "folder"))]),
    ("kind", "must be from the list: file, folder", [("allowed-values", ("file", "folder"))]),
    ("title", "has to comply with ^[a-z]+$", [("pattern", ("^[a-z]+$",))]),
    ("title", "should be prefixed with 'x-'", [("prefix", ("x-",))]),
    ("title", "is not allowed to contain spaces", [("forbidden-characters", ("[ ]",))]),
    *(("title", said, [("required", ())]) for said in ("cannot be omitted", "has no value", "is not optional")),
    *(("title", said, [("unknown", ())]) for said in ("is not writable", "is not part of the schema")),
    *(("title", said, [("exists", ())]) for said in ("is used by another item", "collides with an existing item")),
)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("predicate", INTEGER)
def test_a_demand_is_on_its_subject_however_that_is_named(subject: str, predicate: str) -> None:
    [hint] = read_hints(400, {}, {"error": f"{subject} {predicate}"}, SENT)
    assert (hint.kind, hint.name, hint.values) == ("type", "count", ("integer",))


@pytest.mark.parametrize(("name", "predicate", "wanted"), SAID, ids=[f"{name} {said}" for name, said, _ in SAID])
def test_a_demand_is_read_however_it_is_said(
    name: str, predicate: str, wanted: list[tuple[str, tuple[str, ...]]]
) -> None:
    hints = read_hints(400, {}, {"error": f"{name} {predicate}"}, SENT)
    assert [(hint.kind, hint.values) for hint in hints] == wanted
    assert {hint.name for hint in hints} == {name}


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
