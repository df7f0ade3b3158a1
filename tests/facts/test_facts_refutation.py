"""Which calls refute a fact, a table by kind; and the typed values of facts, there and back."""

from __future__ import annotations

from typing import Any

import pytest

from docrev.facts.registry import kind_of, refutes, value_of
from docrev.records import Call, Fact, Json, OperationKey

KEY = OperationKey("shop", "GET /items")
ITEMS = [{"id": 1, "region": "north", "tags": ["a"], "sold": False}, {"id": 2, "region": "south", "sold": True}]


def call(arguments: dict[str, Json], body: Json = None, status: int = 200) -> Call:
    return Call("1", KEY, arguments, "http://x/items", status, {}, body, "application/json", "scenario")


def fact(kind: str, location: str, value: Json) -> Fact:
    return Fact(KEY, kind, location, value, ("1",))


REFUTING: list[tuple[str, str, Json, Call]] = [
    ("field", "200:/0/tags", True, call({}, ITEMS)),
    ("type", "200:/0/id", "string", call({}, ITEMS)),
    ("type", "query:page", "integer", call({"query:page": "first"})),
    ("type", "body:/n", "integer", call({"body:": {"n": "1"}})),
    ("format", "200:/0/region", "date", call({}, ITEMS)),
    ("allowed-values", "query:sort", ["name"], call({"query:sort": "size"})),
    ("range", "query:page", {"minimum": 1}, call({"query:page": 0})),
    ("range", "query:page", {"maximum": 9}, call({"query:page": "10"})),
    ("length", "body:/name", {"maximum": 2}, call({"body:": {"name": "abc"}})),
    ("pattern", "query:code", "^[A-Z]+$", call({"query:code": "abc"})),
    ("required", "query:q", True, call({})),
    ("required", "body:/owner/name", True, call({"body:": {"owner": {}}})),
    ("filters", "query:region", "200:/0/region", call({"query:region": "north"}, ITEMS)),
    ("filters", "query:tag", "200:/0/tags/0", call({"query:tag": "a"}, [{"tags": ["a"]}, {"tags": ["b"]}])),
    ("at-least", "query:min", "200:/0/id", call({"query:min": 2}, ITEMS)),
    ("more-than", "query:min", "200:/0/id", call({"query:min": 1}, ITEMS)),
    ("at-most", "query:max", "200:/0/id", call({"query:max": "1"}, ITEMS)),
    ("less-than", "query:max", "200:/0/id", call({"query:max": 2}, ITEMS)),
    ("in-year", "query:year", "200:/0/made", call({"query:year": "1999"}, [{"made": "2001-01-01"}])),
    ("excludes", "query:without_tags", "200:/0/tags/0", call({"query:without_tags": "a"}, ITEMS)),
    ("includes", "query:sold", "200:/0/sold", call({}, ITEMS)),
    ("limits", "query:limit", "200:", call({"query:limit": 1}, ITEMS)),
    ("needs-credentials", "", {"status": 401}, call({"header:Authorization": None})),
    ("broken", "", {"status": 500}, call({})),
]
ALLOWING: list[tuple[str, str, Json, Call]] = [
    ("field", "200:/0/id", True, call({}, ITEMS)),
    ("field", "404:/detail", True, call({}, ITEMS)),
    ("type", "query:page", "integer", call({"query:page": "first"}, status=422)),
    ("type", "query:page", "string", call({"query:page": 1})),
    ("allowed-values", "query:sort", ["name", "size"], call({"query:sort": "size,name"})),
    ("range", "query:page", {"minimum": 1}, call({"query:page": 1})),
    ("required", "body:/owner/name", True, call({"body:": {}})),
    # A value that no item has may be taken for none.
    ("filters", "query:region", "200:/0/region", call({"query:region": "docrev-zzz"}, ITEMS)),
    ("filters", "query:tag", "200:/0/tags/0", call({"query:tag": "a"}, [{"tags": ["a", "b"]}, {"tags": ["a"]}])),
    ("at-least", "query:min", "200:/0/id", call({"query:min": "docrev-zzz"}, ITEMS)),
    ("includes", "query:sold", "200:/0/sold", call({"query:sold": True}, ITEMS)),
    ("limits", "query:limit", "200:", call({"query:limit": 2}, ITEMS)),
    ("nullable", "200:/0/id", True, call({}, ITEMS)),
    ("observed-values", "200:/0/region", ["east"], call({}, ITEMS)),
]


@pytest.mark.parametrize(("kind", "location", "value", "other"), REFUTING)
def test_a_call_refutes_a_fact(kind: str, location: str, value: Json, other: Call) -> None:
    assert refutes(fact(kind, location, value), other)


@pytest.mark.parametrize(("kind", "location", "value", "other"), ALLOWING)
def test_a_call_is_compatible_with_a_fact(kind: str, location: str, value: Json, other: Call) -> None:
    assert not refutes(fact(kind, location, value), other)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("required", True),
        ("type", "integer"),
        ("allowed-values", ["a", 1]),
        ("default", None),
        ("range", {"maximum": 9}),
        ("sorts", {"value": "-name", "field": "200:/0/name", "order": "descending"}),
        ("pages", {"by": "page", "list": "200:"}),
        ("comes-from", {"operation": "shop GET /items", "field": "200:/0/id"}),
        ("creates", {"operation": "shop GET /items/{id}", "replaces": True}),
        ("needs-first", {"operation": "shop POST /items", "status": 404}),
        ("status", {"status": 404, "cause": "unknown id", "parameter": "path:id"}),
        ("empty", {"status": 200}),
    ],
)
def test_a_typed_value_is_stored_as_it_was(kind: str, value: Json) -> None:
    stored = fact(kind, "", value)
    assert kind_of(stored).fact(KEY, "", value_of(stored), ("1",)) == stored


@pytest.mark.parametrize(
    ("kind", "value"), [("required", 1), ("type", 5), ("searches", "name"), ("sorts", {"value": "x"}), ("range", [])]
)
def test_a_value_of_another_type_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        value_of(fact(kind, "", value))
