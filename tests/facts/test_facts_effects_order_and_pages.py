"""Small services that sort a list or give it in pages: what exploring them finds out, and what it must not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from one_list import INTEGER, ITEMS, TEXT, WORDS, Query, kinds, refuse, whole
from servers import Answer, reply

# Order


def sorted_by(sort: str) -> list[dict[str, Any]]:
    field = sort.lstrip("-")
    known = sorted(ITEMS, key=lambda item: item[field]) if field in ITEMS[0] else list(ITEMS)
    return known[::-1] if sort.startswith("-") else known


def test_each_value_that_sorts_is_a_fact_and_an_unknown_one_is_ignored(found: Any) -> None:
    facts = found(lambda query: {"data": sorted_by(query.get("sort", "id"))}, {"sort": TEXT})
    down = {"value": "-price", "field": "200:/data/0/price", "order": "descending"}
    up = {"value": "price", "field": "200:/data/0/price", "order": "ascending"}
    assert {("sorts", "query:sort", json.dumps(down)), ("sorts", "query:sort", json.dumps(up))} <= facts
    assert ("default", "query:sort", '"id"') in facts
    assert ("unknown-values", "query:sort", '"ignored"') in facts


@pytest.mark.parametrize(
    ("state", "is_told"),
    [({}, False), ({"hidden_by": []}, False), ({"hidden_by": ["ann"]}, True), ({"is": "hidden"}, True)],
)
def test_a_switch_without_effect_is_ignored_only_where_it_had_to_have_one(
    found: Any, state: dict[str, Any], is_told: bool
) -> None:
    def do(query: Query) -> Any:
        return [{**item, "state": state} for item in ITEMS if query.get("region") in (None, item["region"])]

    facts = found(do, {"show_hidden": {"type": "boolean"}, "region": TEXT})
    assert ("ignored" in kinds(facts, "query:show_hidden")) is is_told


@pytest.mark.parametrize("form", ["{field}:{word}", "{word}:{field}", "{field},{word}"])
@pytest.mark.parametrize("refuses", [False, True])
def test_a_direction_may_be_said_by_a_word_beside_the_name(found: Any, form: str, refuses: bool) -> None:
    forms = {form.format(field=field, word=word): (field, word) for field in ITEMS[0] for word in ("asc", "desc")}

    def do(query: Query) -> Any:
        sort = query.get("sort", "id")
        if sort not in {*forms, *ITEMS[0]}:
            return reply({"error": "no such field"}, 400) if refuses else {"data": ITEMS}
        field, word = forms.get(sort, (sort, "asc"))
        return {"data": sorted_by(f"-{field}" if word == "desc" else field)}

    orders = [json.loads(value) for kind, _, value in found(do, {"sort": TEXT}) if kind == "sorts"]
    assert {forms[one["value"]][1]: one["order"] for one in orders if one["value"] in forms} == {
        "asc": "ascending",
        "desc": "descending",
    }


def test_of_fields_with_the_same_words_the_nearest_is_searched(found: Any) -> None:
    people = [{"login": word, "profile": {"name": word.title()}} for word in (*WORDS, "amberley", "fjordson")]

    def do(query: Query) -> Any:
        return {"data": [one for one in people if query.get("q", "").lower() in one["login"]]}

    assert ("searches", "query:q", '["200:/data/0/login"]') in found(do, {"q": TEXT})


def test_a_sort_that_does_nothing_is_ignored(found: Any) -> None:
    def do(query: Query) -> Any:
        return [item for item in ITEMS if query.get("region") in (None, item["region"])]

    facts = found(do, {"sort": TEXT, "region": TEXT})
    assert ("ignored", "query:sort", "true") in facts
    assert kinds(facts, "query:sort") == {"ignored"}
    assert "ignored" not in kinds(facts, "query:region")


def test_directions_alone_are_told_by_the_one_field_that_turns(found: Any) -> None:
    def do(query: Query) -> Any:
        return sorted_by("-price" if query.get("order") == "desc" else "price")

    facts = found(do, {"order": TEXT})
    assert (
        "sorts",
        "query:order",
        json.dumps({"value": "desc", "field": "200:/0/price", "order": "descending"}),
    ) in facts


@pytest.mark.parametrize(("by", "direction"), [("order_by", "direction"), ("sort", "order"), ("sortBy", "sortOrder")])
def test_a_direction_is_tried_beside_the_field_that_it_turns(found: Any, by: str, direction: str) -> None:
    def do(query: Query) -> Any:
        if (field := query.get(by)) not in ITEMS[0]:
            return list(ITEMS)
        return sorted_by(field if query.get(direction) == "asc" else f"-{field}")

    facts = found(do, {by: TEXT, direction: TEXT})
    orders = [json.loads(value) for kind, place, value in facts if (kind, place) == ("sorts", f"query:{direction}")]
    assert {one["value"]: one["order"] for one in orders} == {"asc": "ascending", "desc": "descending"}
    assert ("default", f"query:{direction}", '"desc"') in facts
    assert "ignored" not in kinds(facts, f"query:{direction}")


def test_a_direction_that_turns_no_order_is_ignored(found: Any) -> None:
    def do(query: Query) -> Any:
        return sorted_by(query.get("order_by", "id"))

    assert "ignored" in kinds(found(do, {"order_by": TEXT, "direction": TEXT}), "query:direction")


# Pages


def test_a_limit_that_clamps_is_told_with_its_default_and_its_range(found: Any) -> None:
    def do(query: Query) -> Any:
        limit = whole(query, "limit", 5)
        return limit if isinstance(limit, Answer) else {"data": ITEMS[: min(limit, 10)], "total": len(ITEMS)}

    facts = found(do, {"limit": INTEGER})
    assert facts >= {
        ("type", "query:limit", '"integer"'),
        ("limits", "query:limit", '"200:/data"'),
        ("clamps", "query:limit", '{"maximum": 10}'),
        ("range", "query:limit", '{"minimum": 1}'),
        ("default", "query:limit", "5"),
    }


def test_a_limit_that_refuses_is_a_range_and_no_clamp(found: Any) -> None:
    def do(query: Query) -> Any:
        limit = whole(query, "limit", 5, high=12)
        return limit if isinstance(limit, Answer) else {"data": ITEMS[:limit], "total": len(ITEMS)}

    facts = found(do, {"limit": INTEGER})
    assert ("range", "query:limit", '{"minimum": 1, "maximum": 12}') in facts
    assert "clamps" not in kinds(facts, "query:limit")


def test_all_that_there_is_is_no_clamp_and_no_default(found: Any) -> None:
    def do(query: Query) -> Any:
        limit = whole(query, "limit", 500)
        return limit if isinstance(limit, Answer) else {"data": ITEMS[:limit]}

    facts = found(do, {"limit": INTEGER})
    assert "limits" in kinds(facts, "query:limit")
    assert not {"clamps", "default"} & kinds(facts, "query:limit")


@pytest.mark.parametrize(("name", "by"), [("page", "page"), ("offset", "offset")])
def test_pages_and_offsets_are_told_apart(found: Any, name: str, by: str) -> None:
    def do(query: Query) -> Any:
        number = whole(query, name, 1 if by == "page" else 0, low=1 if by == "page" else 0)
        if isinstance(number, Answer):
            return number
        start = (number - 1) * 6 if by == "page" else number
        return {"items": ITEMS[start : start + 6]}

    facts = found(do, {name: INTEGER})
    assert ("pages", f"query:{name}", json.dumps({"by": by, "list": "200:/items"})) in facts
    assert ("range", f"query:{name}", json.dumps({"minimum": 1 if by == "page" else 0})) in facts


def test_a_cursor_is_told_with_where_it_comes_from(found: Any) -> None:
    def do(query: Query) -> Any:
        cursor = query.get("cursor", "c0")
        if not re.fullmatch(r"c\d+", cursor):
            return refuse("cursor", "Not a cursor")
        start = int(cursor[1:])
        return {"items": ITEMS[start : start + 6], "next": f"c{start + 6}"}

    pages = {"by": "cursor", "list": "200:/items", "next": "200:/next"}
    assert ("pages", "query:cursor", json.dumps(pages)) in found(do, {"cursor": TEXT})


def test_selecting_fields_is_told(found: Any) -> None:
    def do(query: Query) -> Any:
        names = {"id", *query["fields"].split(",")} if "fields" in query else set(ITEMS[0])
        return {"data": [{name: value for name, value in item.items() if name in names} for item in ITEMS]}

    assert ("selects", "query:fields", '"200:/data"') in found(do, {"fields": TEXT})
