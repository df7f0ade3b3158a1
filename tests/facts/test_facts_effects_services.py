"""Small services that each do one thing with a parameter: what exploring them finds out, and what it must not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

from docrev import explore
from docrev.evidence import Evidence
from docrev.facts.registry import names

FROM_TRIALS = names(lambda kind: kind.from_trials is not None)

REGIONS = ("north", "south", "east")
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven")
ITEMS: list[dict[str, Any]] = [
    {
        "id": 100 + n,
        "name": f"{WORDS[n % 8]} {WORDS[(n * 3 + 1) % 8]}",
        "region": REGIONS[n % 3],
        "price": (n * 37) % 101,
        "made_on": f"2024-0{1 + n % 9}-1{n % 7}",
    }
    for n in range(24)
]

Query = dict[str, str]
Do = Callable[[Query], Any]
Facts = set[tuple[str, str, str]]


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., Facts]:
    """Explores one list whose answer `do` makes of the query; the facts as (kind, location, value in JSON)."""

    def run(do: Do, parameters: dict[str, dict[str, Any]], **options: Any) -> Facts:
        declared = [{"name": name, "in": "query", "schema": schema} for name, schema in parameters.items()]
        get = {"parameters": declared, "responses": {"200": {"description": "ok"}}}
        spec = {"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": {"/items": {"get": get}}}
        path = tmp_path / "shop.json"
        path.write_text(json.dumps(spec))

        def answer(request: Received) -> Answer:
            made = do({name: values[-1] for name, values in request.query.items()})
            return made if isinstance(made, Answer) else reply(made)

        with Server({"GET /items": answer}) as server:
            explore(path, base_urls=server.url, out=tmp_path / "out", **{"max_calls": 400, **options})
        with Evidence.open(tmp_path / "out", write=False) as evidence:
            facts = [f for f in evidence.facts() if f.kind in FROM_TRIALS and not f.location[:1].isdecimal()]
            assert all(fact.calls and fact.replays for fact in facts)
        return {(fact.kind, fact.location, json.dumps(fact.value)) for fact in facts}

    return run


TEXT, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def kinds(facts: Facts, location: str) -> set[str]:
    return {kind for kind, place, _ in facts if place == location} - {"type"}


def refuse(name: str, message: str) -> Answer:
    return reply({"detail": [{"loc": ["query", name], "msg": message}]}, 422)


def whole(query: Query, name: str, default: int, low: int = 1, high: int = 10**9) -> int | Answer:
    text = query.get(name, str(default))
    if not re.fullmatch(r"-?\d+", text):
        return refuse(name, "Input should be a valid integer")
    if int(text) < low:
        return refuse(name, f"Input should be greater than or equal to {low}")
    return refuse(name, f"Input should be less than or equal to {high}") if int(text) > high else int(text)


# Filters and searches


def test_a_filter_is_told_by_the_field_that_it_chooses_by(found: Any) -> None:
    def do(query: Query) -> Any:
        return {"data": [item for item in ITEMS if query.get("region") in (None, item["region"])]}

    facts = found(do, {"region": TEXT})
    assert ("filters", "query:region", '"200:/data/0/region"') in facts
    assert ("unknown-parameters", "", '"ignored"') in facts


def test_a_filter_by_what_the_answer_does_not_have_is_no_fact(found: Any) -> None:
    def do(query: Query) -> Any:
        wanted = query.get("region")
        return [{"id": item["id"], "name": item["name"]} for item in ITEMS if wanted in (None, item["region"])]

    assert "filters" not in kinds(found(do, {"region": TEXT}), "query:region")


def test_a_limit_of_one_is_no_filter_by_the_first_item(found: Any) -> None:
    def do(query: Query) -> Any:
        rows = [{"id": n + 1, "name": WORDS[n]} for n in range(8)]
        return rows[: int(query["first"])] if query.get("first", "").isdecimal() else rows

    assert "filters" not in kinds(found(do, {"first": TEXT}), "query:first")


def test_a_bound_is_told_from_an_exact_filter(found: Any) -> None:
    def do(query: Query) -> Any:
        low, since, price = query.get("min_price"), query.get("since"), query.get("price")
        for text in (low, price):
            if text is not None and not re.fullmatch(r"-?\d+", text):
                return refuse("min_price" if text == low else "price", "Input should be a valid integer")
        rows = [item for item in ITEMS if low is None or item["price"] >= int(low)]
        rows = [item for item in rows if price is None or item["price"] == int(price)]
        return [item for item in rows if since is None or item["made_on"] >= since]

    facts = found(do, {"min_price": INTEGER, "price": INTEGER, "since": TEXT})
    assert ("at-least", "query:min_price", '"200:/0/price"') in facts
    assert ("at-least", "query:since", '"200:/0/made_on"') in facts
    assert ("filters", "query:price", '"200:/0/price"') in facts


def test_a_bound_that_leaves_its_own_value_out_is_told_from_one_that_keeps_it(found: Any) -> None:
    def do(query: Query) -> Any:
        low, high = query.get("since"), query.get("before")
        rows = [item for item in ITEMS if low is None or item["made_on"] > low]
        return [item for item in rows if high is None or item["made_on"] < high]

    facts = found(do, {"since": TEXT, "before": TEXT})
    assert ("more-than", "query:since", '"200:/0/made_on"') in facts
    assert ("less-than", "query:before", '"200:/0/made_on"') in facts


def test_a_search_is_told_by_the_fields_that_it_looks_in(found: Any) -> None:
    def do(query: Query) -> Any:
        text = query.get("q", "")
        return {"results": [item for item in ITEMS if text in item["name"]]}

    facts = found(do, {"q": TEXT})
    assert ("searches", "query:q", '["200:/results/0/name"]') in facts


def test_a_search_that_finds_whatever_it_likes_is_no_fact(found: Any) -> None:
    def do(query: Query) -> Any:
        return ITEMS[:3] if query.get("q") else ITEMS

    assert not {"searches", "filters"} & kinds(found(do, {"q": TEXT}), "query:q")


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


# What does nothing


@pytest.mark.parametrize("what", ["filter", "rejected", "ignored"])
def test_what_unknown_parameters_do_is_told(found: Any, what: str) -> None:
    def do(query: Query) -> Any:
        unknown = query.keys() - {"region"}
        if unknown and what == "rejected":
            return reply({"message": f"unknown parameter {min(unknown)}"}, 400)
        if unknown and what == "filter":
            return {"data": []}
        return {"data": [item for item in ITEMS if query.get("region") in (None, item["region"])]}

    facts = found(do, {"region": TEXT})
    assert [value for kind, _, value in facts if kind == "unknown-parameters"] == [json.dumps(what)]


def test_names_with_the_sign_of_declared_ones_may_have_another_effect_than_others(found: Any) -> None:
    def do(query: Query) -> Any:
        filtered = {name for name in query if name.startswith("_") is False}
        items = [item for item in ITEMS if query.get("_region") in (None, item["region"])]
        return {"data": [] if filtered else items[: int(query.get("_limit", 99))]}

    facts = found(do, {"_region": TEXT, "_limit": {"type": "integer"}})
    assert {value for kind, _, value in facts if kind == "unknown-parameters"} == {'"filter"', '"ignored _"'}


# What is taken


def test_allowed_values_are_those_that_are_told_and_taken(found: Any) -> None:
    def do(query: Query) -> Any:
        if query.get("region", "north") not in REGIONS:
            return refuse("region", "Input should be 'north', 'south' or 'east'")
        return [item for item in ITEMS if query.get("region") in (None, item["region"])]

    facts = found(do, {"region": TEXT})
    assert ("allowed-values", "query:region", '["north", "south", "east"]') in facts


def test_a_message_that_lies_is_no_fact(found: Any) -> None:
    def do(query: Query) -> Any:
        if query.get("region", "north") not in REGIONS:
            return refuse("region", "Input should be 'north', 'south' or 'west'")
        limit = whole(query, "limit", 5)
        if isinstance(limit, Answer) and limit.status == 422:
            return refuse("limit", "Input should be greater than or equal to 3")
        return ITEMS[: limit if isinstance(limit, int) else 5]

    facts = found(do, {"region": TEXT, "limit": INTEGER})
    assert not {"allowed-values", "filters"} & kinds(facts, "query:region")
    assert ("range", "query:limit", '{"minimum": 3}') not in facts


def test_formats_lengths_patterns_and_types_are_told(found: Any) -> None:
    def do(query: Query) -> Any:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", query.get("day", "2024-01-01")):
            return refuse("day", "Input should be a valid date")
        if not 3 <= len(query.get("search", "abc")) <= 20:
            short = len(query["search"]) < 3
            return refuse("search", f"String should have at {'least 3' if short else 'most 20'} characters")
        if not re.fullmatch(r"[a-z]{2,5}", query.get("code", "abc")):
            return refuse("code", "String should match pattern '^[a-z]{2,5}$'")
        if query.get("all", "true") not in ("true", "false"):
            return refuse("all", "Input should be a valid boolean")
        if not re.fullmatch(r"-?\d+(\.\d+)?", query.get("ratio", "1")):
            return refuse("ratio", "Input should be a valid number")
        return [item for item in ITEMS if query.get("search", "") in item["name"]]

    schemas = {
        "day": TEXT,
        "search": TEXT,
        "code": TEXT | {"example": "abc"},
        "all": {"type": "boolean"},
        "ratio": NUMBER,
    }
    facts = found(do, schemas)
    assert facts >= {
        ("format", "query:day", '"date"'),
        ("length", "query:search", '{"minimum": 3, "maximum": 20}'),
        ("pattern", "query:code", '"^[a-z]{2,5}$"'),
        ("type", "query:all", '"boolean"'),
        ("type", "query:ratio", '"number"'),
    }


def test_what_must_be_there_is_told(found: Any) -> None:
    def do(query: Query) -> Any:
        if "region" not in query:
            return refuse("region", "Field required")
        return [item for item in ITEMS if item["region"] == query["region"]] or ITEMS[:1]

    facts = found(do, {"region": TEXT | {"enum": list(REGIONS)}})
    assert ("required", "query:region", "true") in facts


# Services that cannot be trusted


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
