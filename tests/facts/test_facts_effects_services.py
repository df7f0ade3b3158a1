"""Small services that each do one thing with a parameter: what exploring them finds out, and what it must not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from one_list import INTEGER, ITEMS, NUMBER, REGIONS, TEXT, WORDS, Query, kinds, refuse, whole
from servers import Answer, reply

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


# What does nothing


@pytest.mark.parametrize(("what", "status"), [("filter", 0), ("rejected", 400), ("rejected", 500), ("ignored", 0)])
def test_what_unknown_parameters_do_is_told(found: Any, what: str, status: int) -> None:
    def do(query: Query) -> Any:
        unknown = query.keys() - {"region"}
        if unknown and what == "rejected":
            return reply({"message": f"unknown parameter {min(unknown)}"}, status)
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
