"""The items of responses: which list or object is read, with which fields, and whether the list goes on."""

from __future__ import annotations

from typing import Any

import pytest
from driving import called

from docrev.planner.response_items import MAX_ITEMS, ResponseItems, read_items
from docrev.prompts.steps import Invoke
from docrev.records import OperationKey


def read(body: Any, path: str = "/books") -> ResponseItems:
    return read_items(called(Invoke(OperationKey("library", f"GET {path}"), {}), body))


TIDES, EMBERS = {"id": 1, "title": "Tides"}, {"id": 2, "title": "Embers"}
LISTS: dict[str, tuple[Any, str, str, str]] = {
    "bare": ([TIDES, EMBERS], "/books", "/0", ""),
    "envelope": ({"data": [TIDES, EMBERS]}, "/books", "/data/0", ""),
    "named": ({"books": [TIDES, EMBERS], "total": 2}, "/books", "/books/0", "book"),
    "paged in a section": ({"books": {"items": [TIDES, EMBERS], "total": 2}}, "/search", "/books/items/0", "book"),
    "GraphQL": ({"data": {"edges": [{"node": TIDES}, {"node": EMBERS}]}}, "/books", "/data/edges/0/node", ""),
}


@pytest.mark.parametrize("case", LISTS)
def test_a_list_is_read_item_by_item(case: str) -> None:
    body, path, pattern, noun = LISTS[case]
    found = read(body, path)
    assert (found.is_list, found.is_partial) == (True, False)
    assert [item.fields for item in found.items] == [TIDES, EMBERS]
    assert {(item.pattern, item.noun) for item in found.items} == {(pattern, noun)}


def test_items_of_a_map_have_their_key_in_the_pattern() -> None:
    found = read({"1042": TIDES, "1043": EMBERS})
    assert [item.pattern for item in found.items] == ["/1042", "/1043"]
    assert [item.fields["title"] for item in found.items] == ["Tides", "Embers"]


def test_an_object_that_has_lists_is_one_item_with_the_first_id_of_each() -> None:
    found = read(
        {"id": 7, "name": "Ada", "books": [TIDES], "home": {"city": "Oslo", "at": {"lat": 59.9}}}, "/authors/{id}"
    )
    assert not found.is_list
    assert [item.fields for item in found.items] == [
        {"id": 7, "name": "Ada", "home/city": "Oslo", "home/at/lat": 59.9, "books/0/id": 1}
    ]


def test_an_envelope_around_one_object_is_left_out() -> None:
    (item,) = read({"data": TIDES}, "/books/{id}").items
    assert (item.pattern, item.fields) == ("/data", TIDES)


@pytest.mark.parametrize(
    ("body", "is_partial"),
    [
        ({"data": [TIDES], "total": 9}, True),
        ({"data": [TIDES], "total": 1}, False),
        ({"data": [TIDES], "next": "/books?page=2"}, True),
        ({"data": [TIDES], "next": None}, False),
        ({"data": [TIDES] * (MAX_ITEMS + 1)}, True),
    ],
)
def test_a_list_is_partial_if_there_is_more(body: Any, is_partial: bool) -> None:
    found = read(body)
    assert found.is_partial is is_partial
    assert len(found.items) == min(len(body["data"]), MAX_ITEMS)


@pytest.mark.parametrize("body", [None, {}, {"data": []}, {"data": [None]}])
def test_nothing_that_can_be_named_is_no_item(body: Any) -> None:
    assert read(body).items == ()


def test_scalars_of_a_list_have_no_name() -> None:
    assert [item.fields for item in read({"data": ["novel", "essay"]}).items] == [{"": "novel"}, {"": "essay"}]
