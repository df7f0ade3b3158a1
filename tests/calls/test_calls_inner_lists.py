"""The list in a thing that a path below it is called after."""

from __future__ import annotations

import pytest
from callkit import key

from docrev.calls.inner_lists import as_inner_list, inner_list
from docrev.records import Call, Json

ITEMS: list[Json] = [{"id": 1}]


@pytest.mark.parametrize(
    ("body", "collection", "found"),
    [
        ({"id": 7, "items": ITEMS}, "/carts/7/items", ITEMS),
        ({"cart": {"id": 7, "items": ITEMS}}, "/carts/7/items", ITEMS),
        ({"cart": {"id": 7, "items": ITEMS}, "ok": True}, "/carts/7/items", ITEMS),
        ({"id": 7, "lineItems": ITEMS}, "/carts/7/line-items", ITEMS),
        ({"id": 7, "items": ITEMS}, "/carts/7/line-items", ITEMS),
        # What else is in a thing, or beside it, is something else.
        ({"id": 7, "line_items": ITEMS}, "/carts/7/items", []),
        ({"id": 7, "items": ITEMS}, "/carts/7/notes", []),
        ({"user": {"items": ITEMS}, "ok": True}, "/carts/7/items", []),
        ({"id": 7, "item": ITEMS, "items": ITEMS}, "/carts/7/items", []),
        ({"id": 7, "items": None}, "/carts/7/items", []),
    ],
)
def test_a_list_is_called_as_the_path_is(body: Json, collection: str, found: list[Json]) -> None:
    assert inner_list(body, collection) == found


def test_a_long_answer_shows_nothing_of_a_list_in_it() -> None:
    def shown(*, sampled: bool) -> Call:
        body: Json = {"id": 7, "items": ITEMS}
        call = Call("1", key("GET /carts/{id}"), {}, "", 200, {}, body, "application/json", "survey", sampled=sampled)
        return as_inner_list(call, "/carts/7/items")

    assert shown(sampled=False).ok
    assert not shown(sampled=True).ok
