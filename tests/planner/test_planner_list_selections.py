"""What filters and sorts were seen to do; a parameter that changes nothing selects nothing."""

from __future__ import annotations

from typing import Any

import pytest
from driving import called
from plannerkit import AUTHORS, BOOKS, knowledge_of, respond

from docrev.planner.list_selections import ListSelection, distance_order, list_selections
from docrev.planner.response_items import read_items
from docrev.prompts.steps import Invoke
from docrev.records import Call


def selections(*calls: Call) -> list[ListSelection]:
    return list_selections(knowledge_of(calls).views[BOOKS])


def books(arguments: dict[str, Any], *rows: tuple[str, int]) -> Call:
    return called(Invoke(BOOKS, arguments), {"data": [{"title": title, "page_count": count} for title, count in rows]})


THREE = (("Ash", 10), ("Birch", 30), ("Cedar", 20))


@pytest.mark.parametrize(
    ("value", "rows", "descending"),
    [("title", THREE, False), ("-title", THREE[::-1], True), ("page_count", (THREE[0], THREE[2], THREE[1]), False)],
)
def test_a_sort_is_known_by_the_order_of_the_items(value: str, rows: Any, descending: bool) -> None:
    expected = ListSelection((("query:sort", value),), (), value.lstrip("-"), descending)
    assert selections(books({"query:sort": value}, *rows)) == [expected]


@pytest.mark.parametrize("value", ["page_count", "colour"])
def test_a_sort_that_is_ignored_selects_nothing(value: str) -> None:
    assert selections(books({"query:sort": value}, *THREE)) == []


def test_two_items_show_no_order() -> None:
    assert selections(books({"query:sort": "title"}, *THREE[:2])) == []


def test_a_filter_counts_beside_an_order_if_others_were_left_out() -> None:
    novels = respond(BOOKS, genre="novel", sort="page_count")
    chosen = (("query:genre", "novel"), ("query:sort", "page_count"))
    assert selections(respond(BOOKS), novels) == [ListSelection(chosen, ("query:genre",), "page_count")]
    assert selections(novels) == []
    assert selections(respond(BOOKS), respond(BOOKS, genre="novel")) == []


@pytest.mark.parametrize(
    ("distances", "order"), [([0.5, 1.5, 2.5], "distance_km"), ([2.5, 0.5, 1.5], ""), ([0.5, 1.5], "")]
)
def test_a_list_of_what_is_near_is_ordered_by_its_distance(distances: list[float], order: str) -> None:
    call = called(Invoke(AUTHORS, {}), {"data": [{"name": "x", "distance_km": one} for one in distances]})
    assert distance_order(read_items(call).items) == order
