"""Small services whose answers change by themselves or say what is not so: nothing false is found out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from one_list import INTEGER, ITEMS, TEXT, Facts, Query, kinds, whole
from servers import Answer


def test_what_moves_by_itself_is_left_out(found: Any) -> None:
    clock = count()

    def do(query: Query) -> Any:
        rows = [item for item in ITEMS if query.get("region") in (None, item["region"])]
        return {"data": rows, "served": next(clock), "at": f"t{next(clock)}"}

    facts = found(do, {"region": TEXT, "lang": TEXT})
    assert ("ignored", "query:lang", "true") in facts
    assert ("filters", "query:region", '"200:/data/0/region"') in facts


def test_of_what_answers_differently_each_time_nothing_is_said(found: Any) -> None:
    dice = random.Random(7)

    def do(query: Query) -> Any:
        return {"data": dice.sample(ITEMS, dice.randint(1, len(ITEMS)))}

    facts = found(do, {"region": TEXT, "sort": TEXT, "limit": INTEGER, "page": INTEGER, "q": TEXT})
    assert {kind for kind, _, _ in facts} <= {"type"}


def test_a_page_that_is_always_the_same_shows_nothing(found: Any) -> None:
    facts = found(lambda query: {"data": ITEMS}, {"region": TEXT, "sort": TEXT, "limit": INTEGER, "q": TEXT})
    assert {kind for kind, _, _ in facts} <= {"type"}


def test_a_budget_is_kept_and_a_denied_operation_is_left_alone(found: Any) -> None:
    asked: list[Query] = []

    def do(query: Query) -> Any:
        asked.append(query)
        return {"data": ITEMS}

    found(do, {"region": TEXT, "sort": TEXT, "limit": INTEGER}, max_calls=9)
    # What a whole experiment would take is more than the last request.
    assert 7 <= len(asked) <= 9
    asked.clear()
    found(do, {"region": TEXT}, deny="GET /items", fresh=True)
    assert asked == []


def test_links_that_say_what_was_asked_do_not_hide_a_default_or_an_offset(found: Any) -> None:
    def do(query: Query) -> Any:
        limit, offset = whole(query, "limit", 5, high=50), whole(query, "offset", 0, low=0)
        if isinstance(limit, Answer) or isinstance(offset, Answer):
            return limit if isinstance(limit, Answer) else offset
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return {"href": f"https://shop.example/items?{asked}", "items": ITEMS[offset : offset + limit]}

    facts = found(do, {"limit": {}, "offset": {}})
    assert ("default", "query:limit", "5") in facts
    assert ("pages", "query:offset", '{"by": "offset", "list": "200:/items"}') in facts


def test_what_a_text_chooses_by_is_a_text(found: Any) -> None:
    def do(query: Query) -> Any:
        return [item for item in ITEMS if query.get("region") in (None, item["region"])]

    assert ("type", "query:region", '"string"') in found(do, {"region": {}})


def test_two_letters_that_stand_in_codes_are_no_search(found: Any) -> None:
    codes = ["usqaz", "kdeus", "deusx", "usdek", "xdeqq", "deqqz", "usqqk", "qusmk"]

    def do(query: Query) -> Any:
        text = query.get("market", "")
        return [{"id": n, "code": code} for n, code in enumerate(codes) if text in code]

    assert "searches" not in kinds(found(do, {"market": {"type": "string", "enum": ["us", "de"]}}), "query:market")


def test_a_value_that_is_passed_over_does_not_sort_by_the_order_of_the_list(found: Callable[..., Facts]) -> None:
    newest = sorted(ITEMS, key=lambda item: -item["id"])

    def listed(query: Query) -> Any:
        name = query.get("sort", "")
        known = {"price", "-price"}
        return sorted(newest, key=lambda item: item["price"], reverse=name[0] == "-") if name in known else newest

    facts = found(listed, {"sort": TEXT})
    values = {json.loads(value)["value"] for kind, _, value in facts if kind == "sorts"}
    assert {"price", "-price"} <= values
    assert not {"id", "-id"} & values


def test_a_sign_that_is_passed_over_does_not_sort_downwards_by_the_order_of_the_list(
    found: Callable[..., Facts],
) -> None:
    newest = sorted(ITEMS, key=lambda item: -item["id"])

    def listed(query: Query) -> Any:
        name, _, way = query.get("sort", "").partition(":")
        is_known = name in ("id", "price") and way in ("", "desc")
        return sorted(newest, key=lambda item: item[name], reverse=way == "desc") if is_known else newest

    facts = found(listed, {"sort": {**TEXT, "example": "id:desc"}})
    values = {json.loads(value)["value"] for kind, _, value in facts if kind == "sorts"}
    assert {"id", "price", "id:desc"} <= values
    assert not {"-id", "-price"} & values


def test_of_forms_that_change_nothing_none_is_told(found: Callable[..., Facts]) -> None:
    """The newest come first by themselves: what is passed over looks sorted downwards."""
    rows = [{"id": 40 - n, "colour": "red"} for n in range(18)]

    def listed(query: Query) -> Any:
        return rows[::-1] if query.get("sort") == "id" else rows

    facts = found(listed, {"sort": TEXT})
    assert {json.loads(value)["value"] for kind, _, value in facts if kind == "sorts"} <= {"id"}


def test_what_chooses_the_moment_before_a_time_is_no_bound(found: Callable[..., Facts]) -> None:
    rows = [{"id": n, "made_at": f"2024-03-01T10:00:{n:02}Z"} for n in range(24)]

    def listed(query: Query) -> Any:
        when = query.get("made_at")
        return [row for row in rows if when is None or row["made_at"] == f"{when[:17]}{int(when[17:19]) - 1:02}Z"]

    assert not {"less-than", "at-most"} & kinds(found(listed, {"made_at": TEXT}), "query:made_at")


def test_the_id_of_one_thing_is_not_chosen_by_that_of_another(found: Callable[..., Facts]) -> None:
    rows = [{"id": 40 + n, "status": {"id": 1 + n % 5, "name": "s"}, "user": {"id": 1 + n % 3}} for n in range(12)]

    def listed(query: Query) -> Any:
        # Only the thing with the status 4 is of the version 4.
        return [rows[3]] if query.get("version_id") == "4" else [] if "version_id" in query else rows

    facts = found(listed, {"version_id": {"type": "integer", "enum": [4, 9]}})
    assert "filters" not in kinds(facts, "query:version_id")


def test_what_chooses_among_the_things_of_one_owner_alone_is_not_called_ignored(found: Callable[..., Facts]) -> None:
    rows = [{"id": n, "room": {"id": 1 + n % 4}, "project": {"id": 70 + n % 2}} for n in range(16)]

    def listed(query: Query) -> Any:
        own = [row for row in rows if query.get("project_id") in (None, str(row["project"]["id"]))]
        return (
            own
            if "project_id" not in query
            else [r for r in own if query.get("room_id") in (None, str(r["room"]["id"]))]
        )

    facts = found(listed, {"project_id": TEXT, "room_id": TEXT, "lang": TEXT})
    assert ("ignored", "query:lang", "true") in facts
    assert not {"ignored", "filters"} & kinds(facts, "query:room_id")


def test_as_many_items_as_a_number_says_by_chance_are_no_limit(found: Callable[..., Facts]) -> None:
    # Four things have the status 4, three the status 3: none has the status 9.
    states = [4, 4, 4, 4, 3, 3, 3, *[1] * 9]
    rows = [{"id": 40 + n, "status": {"id": state}} for n, state in enumerate(states)]

    def listed(query: Query) -> Any:
        return [row for row in rows if query.get("status_id") in (None, str(row["status"]["id"]))]

    facts = found(listed, {"status_id": {"type": "array", "items": TEXT, "explode": False, "example": 9}})
    assert "limits" not in kinds(facts, "query:status_id")
    assert ("filters", "query:status_id", '"200:/0/status/id"') in facts
    assert ("type", "query:status_id", '"integer"') not in facts


def test_how_a_search_is_made_is_not_called_ignored_after_one_text(found: Callable[..., Facts]) -> None:
    def listed(query: Query) -> Any:
        text = query.get("q", "")
        some = any if query.get("all_words") == "0" else all
        return [item for item in ITEMS if text and some(word in item["name"] for word in text.split())]

    facts = found(listed, {"q": {**TEXT, "example": "amber"}, "all_words": {"type": "integer", "enum": [0, 1]}})
    assert "ignored" not in kinds(facts, "query:all_words")
    # Without a text nothing is found: no single text tells what is left out.
    assert "reveals" not in kinds(facts, "query:q")


def test_a_choice_of_what_a_list_leaves_out_is_told(found: Callable[..., Facts]) -> None:
    rows = [{"id": 40 + n, "state": "open" if n % 3 else "closed"} for n in range(18)]

    def listed(query: Query) -> Any:
        return [row for row in rows if row["state"] == query.get("state", "open")]

    facts = found(listed, {"state": {**TEXT, "enum": ["closed", "held"]}})
    assert ("reveals", "query:state", '{"value": "closed"}') in facts
    assert ("reveals", "query:state", '{"value": "held"}') not in facts


@pytest.mark.parametrize("is_sorted", [True, False])
def test_a_page_shows_what_its_list_leaves_out_if_it_is_sorted(found: Callable[..., Facts], is_sorted: bool) -> None:
    rows = [{"id": 90 - n, "state": "open" if n % 3 else "closed"} for n in range(60)]
    if not is_sorted:
        rows.sort(key=lambda row: row["id"] * 37 % 101)

    def listed(query: Query) -> Any:
        chosen = [row for row in rows if row["state"] == query.get("state", "open")]
        size = int(query.get("limit", 10))
        return {"items": chosen[:size], "total": len(chosen), "limit": size}

    facts = found(listed, {"state": {**TEXT, "enum": ["closed", "held"]}})
    assert (("reveals", "query:state", '{"value": "closed"}') in facts) == is_sorted


def test_what_an_id_that_is_chosen_by_is_called_is_told_with_it(found: Callable[..., Facts]) -> None:
    names = {1: "New", 5: "Closed"}
    rows = [{"id": 40 + n, "status": {"id": id, "name": names[id]}} for n, id in enumerate([1, 5] * 9)]

    def listed(query: Query) -> Any:
        return [row for row in rows if str(row["status"]["id"]) == query.get("status_id", "1")]

    facts = found(listed, {"status_id": {"type": "integer", "enum": [5, 7]}})
    assert ("reveals", "query:status_id", '{"value": "5", "called": "Closed"}') in facts
