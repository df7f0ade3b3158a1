"""What misleads readers of an API: scales, codes, searches of beginnings, ends of ranges, defaults that leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_facts_states import ITEM, Calls

from docrev.evidence import Evidence
from docrev.facts.kinds import default
from docrev.facts.observations import Observations
from docrev.facts.registry import refutes, shows
from docrev.facts.samples import STATES
from docrev.facts.trial_inference import operation_facts
from docrev.facts.trials import OperationTrials, Trial
from docrev.records import Call, Json, OperationKey

PATCH = OperationKey("shelf", "PATCH /boxes/{id}")
SPEC = "    patch: {requestBody: {content: {application/json: {schema: {}}}}, responses: {'200': {description: ok}}}\n"
KEY = OperationKey("shop", "GET /things")
Row = dict[str, Json]
THINGS: list[Row] = [
    {"id": 1, "name": "Red ball bearing", "tags": ["a", "b"], "at": "2026-01-03T08:00:00Z"},
    {"id": 2, "name": "Red roller chain", "tags": ["a"], "at": "2026-01-04T09:00:00Z"},
    {"id": 3, "name": "Blue ball bearing", "tags": ["b"], "at": "2026-01-05T10:00:00Z"},
    {"id": 4, "name": "Green bearing", "tags": ["c"], "at": "2026-01-06T10:00:00Z"},
]


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        yield Calls(store, tmp_path, item=SPEC)


def facts(answer: Callable[[str], Json], name: str, *values: str, base: Mapping[str, Json] | None = None) -> Row:
    """The facts on a query parameter by kind, of a service that answers its values; "" stands for none."""
    location, given = f"query:{name}", dict(base or {})
    found = {"": _call("base", given, answer(""))}
    found |= {value: _call(value, {**given, location: value}, answer(value)) for value in values}
    trials = [Trial(location, value, "base", value) for value in values]
    told = operation_facts(OperationTrials.of(KEY, trials, lambda id: found["" if id == "base" else id]))
    return {fact.kind: fact.value for fact in told}


def _call(id: str, arguments: dict[str, Json], body: Json) -> Call:
    return Call(id, KEY, arguments, "http://a/things", 200, {}, body, "application/json", "probe")


def chosen(wanted: Callable[[Row], bool]) -> Json:
    return {"items": [one for one in THINGS if wanted(one)]}


# In responses


def test_a_number_beside_a_text_with_a_hundredth_of_it_is_scaled(calls: Calls) -> None:
    calls(ITEM, 200, {"price": 5695, "price_text": "56.95 EUR"}, path__id="a")
    assert calls.told("scaled") == set()
    other = calls(ITEM, 200, {"price": 120, "price_text": "1.20 EUR"}, path__id="b")
    [fact] = calls.facts("scaled")
    assert (fact.location, fact.value["factor"], fact.value["by"]) == ("200:/price", 100, "price_text")
    assert shows(fact, other)
    false = calls(ITEM, 200, {"price": 3, "price_text": "3.00 EUR"}, path__id="c")
    assert refutes(fact, false)
    assert calls.told("scaled") == set()


def test_a_number_for_which_a_name_stands_beside_it_is_a_code(calls: Calls) -> None:
    for id, number, name in [("a", 1, "urgent"), ("b", 4, "low"), ("c", 1, "urgent")]:
        calls(ITEM, 200, {"priority": number, "priority_name": name}, path__id=id)
    [fact] = calls.facts("coded")
    assert (fact.location, fact.value["names"]) == ("200:/priority", {"1": "urgent", "4": "low"})
    assert refutes(fact, calls(ITEM, 200, {"priority": 1, "priority_name": "low"}, path__id="d"))
    assert calls.told("coded") == set()


def test_a_list_that_a_change_replaces(calls: Calls) -> None:
    for number in range(3):
        text = f"docrev-00000000-l{number}"
        calls(PATCH, 200, {"updated": True}, path__id="a", sent={"tags": [text]})
        calls(ITEM, 200, {"id": "a", "tags": [text]}, path__id="a")
    assert calls.told("rewrites") == {(PATCH.operation, "body:/tags", "replaced")}


def test_looks_that_show_what_writes_did_are_kept_however_often_the_thing_is_looked_at() -> None:
    look = Call("c", ITEM, {"path:id": "a"}, "http://a/v1/boxes/a", 200, {}, {"id": "a"}, "application/json", "probe")
    seen = Observations(ITEM)
    taken = [seen.add(replace(look, id=f"c{number}", scenario=STATES)) for number in range(10)]
    assert taken == [True] * 10
    assert [seen.add(replace(look, id=f"d{number}")) for number in range(10)][-1] is False


def test_a_list_that_a_change_adds_to(calls: Calls) -> None:
    held = []
    for number in range(3):
        held.append(f"docrev-00000000-l{number}")
        calls(PATCH, 200, {"updated": True}, path__id="a", sent={"tags": held[-1:]})
        calls(ITEM, 200, {"id": "a", "tags": list(held)}, path__id="a")
    assert calls.told("rewrites") == {(PATCH.operation, "body:/tags", "added")}


@pytest.mark.parametrize(("text", "fate"), [("Note to add.", {"replaced"}), ("A note.", set())])
def test_a_text_that_is_replaced_is_a_fact_where_it_is_said_to_be_added(
    tmp_path: Path, text: str, fate: set[str]
) -> None:
    body = f"{{properties: {{note: {{type: string, description: {text}}}}}}}"
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        calls = Calls(store, tmp_path, item=SPEC.replace("{schema: {}}", f"{{schema: {body}}}"))
        for number in range(3):
            calls(PATCH, 200, {"updated": True}, path__id="a", sent={"note": f"docrev-00000000-{number}"})
            calls(ITEM, 200, {"id": "a", "note": f"docrev-00000000-{number}"}, path__id="a")
        assert {value for _, _, value in calls.told("rewrites")} == fate


@pytest.mark.parametrize(
    ("stored", "most"), [(lambda sent: min(sent, 100), 100), (lambda sent: sent, None), (lambda sent: 100, None)]
)
def test_a_number_that_is_stored_smaller_than_it_was_sent_is_cut(
    calls: Calls, stored: Callable[[int], int], most: int | None
) -> None:
    for quantity in (2, 500, 1_000_000):
        calls(PATCH, 200, {"updated": True}, path__id="a", sent={"lines": [{"sku": "a", "quantity": quantity}]})
        held = {"id": "a", "lines": [{"sku": "a", "quantity": stored(quantity)}]}
        calls(ITEM, 200, held, path__id="a")
    found = [(fact.location, fact.value) for fact in calls.facts("clamps")]
    assert found == ([("body:/lines/0/quantity", {"maximum": most})] if most else [])


def test_an_answer_that_is_a_part_of_the_thing_does_not_show_that_the_rest_was_removed(calls: Calls) -> None:
    for number in range(3):
        calls(PATCH, 200, {"id": "a", "updated": True}, path__id="a", sent={"name": f"docrev-00000000-{number}"})
        calls(ITEM, 200, {"id": "a", "name": f"docrev-00000000-{number}", "size": 2}, path__id="a")
        calls(PATCH, 200, {"id": "a", "updated": True}, path__id="a", sent={"size": 2})
    assert calls.told("left-out") == set()


# Of parameters


@pytest.mark.parametrize(
    ("found", "mode"),
    [
        (lambda text, name: name.startswith(text), "beginning"),
        (lambda text, name: text in name.split(), "words"),
        (lambda text, name: text in name, None),
    ],
)
def test_how_much_of_a_name_a_search_must_have(found: Callable[[str, str], bool], mode: str | None) -> None:
    told = facts(lambda text: chosen(lambda one: found(text, one["name"]) or not text), "q", "Red", "bearing", "earing",
                 "Blue", "zzzz")  # fmt: skip
    assert told.get("matches", {}).get("mode") == mode


@pytest.mark.parametrize(("combine", "mode"), [(all, "all"), (any, "any")])
def test_several_values_mean_all_or_any(combine: Callable[[Iterator[bool]], bool], mode: str) -> None:
    def answer(text: str) -> Json:
        return chosen(lambda one: not text or combine(part in one["tags"] for part in text.split(",")))

    assert facts(answer, "tags", "a", "b", "a,b")["combines"] == mode


def test_a_day_that_ends_a_range_and_is_left_out() -> None:
    days = ["2026-01-04", "2026-01-05", "2026-01-06"]
    told = facts(lambda day: chosen(lambda one: one["at"][:10] < (day or "9")), "to", *days)
    assert told["less-than"] == "200:/items/0/at"
    told = facts(lambda day: chosen(lambda one: one["at"][:10] <= (day or "9")), "to", *days[:2])
    assert told["at-most"] == "200:/items/0/at"


def test_a_day_of_one_of_two_times() -> None:
    rows = [{**one, "local": one["at"].replace("-0", "-1", 1).replace("Z", "+09:00")} for one in THINGS]

    def answer(day: str) -> Json:
        return {"items": [one for one in rows if one["at"].startswith(day)]}

    assert facts(answer, "date", "2026-01-03", "2026-01-04")["in-day"] == "200:/items/0/at"


def test_a_value_that_a_list_has_alone_if_nothing_is_sent_is_the_default_though_the_list_goes_on() -> None:
    rows = [{"id": number, "status": "open" if number % 2 else "sent"} for number in range(1, 41)]

    def answer(text: str) -> Json:
        wanted = text if text in ("open", "sent") else "open"
        return {"items": [one for one in rows if one["status"] == wanted][:8], "has_more": True}

    told = facts(answer, "status", "open", "sent", "new", "docrev-00000000-z0", "zz-docrev-00000000-9")
    assert told["default"] == "open"
    assert told["unrecognised"] == {"ignored": ["new"], "others": ["open", "sent"]}


def test_a_word_that_finds_what_other_values_find_apart_leaves_nothing_out() -> None:
    rows = [{"id": number, "status": ("sent", "lost", "open")[number // 8]} for number in range(24)]

    def answer(text: str) -> Json:
        chosen = [one for one in rows if text == "all" or one["status"] == (text or "open")]
        return {"items": chosen[:12], "has_more": True}

    told = facts(answer, "status", "open", "sent", "lost", "all", "docrev-00000000-z0", "zz-docrev-00000000-9")
    assert (told["catch-all"], told["filters"]) == ("all", "200:/items/0/status")
    assert "catch-all" not in facts(lambda text: answer(text.replace("all", "sent")), "status", "open", "sent", "all")


def test_listed_words_that_find_nothing_are_told_with_those_that_do() -> None:
    rows = [{"id": number, "group": ("public", "trade")[number % 2]} for number in range(8)]
    told = facts(
        lambda text: {"items": [one for one in rows if one["group"] == (text or one["group"])]},
        "group", "trade", "public", "business", "docrev-00000000-z0", "zz-docrev-00000000-9",
    )  # fmt: skip
    assert told["unrecognised"] == {"ignored": ["business"], "others": ["public", "trade"], "empty": True}


def test_a_number_of_items_beyond_all_that_there_is_is_no_default() -> None:
    """Meanwhile somebody changes a thing: it was not left out before."""
    rows: list[Row] = [{"id": number, "seen": 0} for number in range(1, 7)]

    def answer(text: str) -> Json:
        return {"items": [row | {"seen": int(text == "999" and row["id"] == 3)} for row in rows[: int(text or 6)]]}

    told = facts(answer, "limit", "1000000", "1", "2", "999")
    assert told["limits"] == "200:/items"
    assert "default" not in told


def test_a_first_page_of_equal_values_is_no_default() -> None:
    rows = [{"id": number, "status": "open" if number < 21 else "sent"} for number in range(1, 41)]

    def answer(text: str) -> Json:
        return {"items": [one for one in rows if one["status"] == (text or one["status"])][:8], "has_more": True}

    assert "default" not in facts(answer, "status", "open", "sent", "new")


@pytest.mark.parametrize(
    ("field", "others", "expected"),
    [
        ("name", {}, "name"),
        # In the order in which people made and named them, sorted or not.
        ("id", {}, None),
        ("name", {"facts": {"made": {"on": 5}}}, None),
        ("created_at", {}, None),
        ("updated_at", {}, None),
        # A part of the same.
        ("name", {"link": "/things/"}, "name"),
    ],
)
def test_a_list_is_sorted_by_default_only_if_no_other_order_explains_it(
    field: str, others: Row, expected: str | None
) -> None:
    rows: list[Row] = [{field: f"scan_00{at}", "size": at % 3, **_rising(others, at)} for at in range(1, 6)]

    def answer(text: str) -> Json:
        wanted = text.lstrip("-")
        items = sorted(rows, key=lambda one: str(one[wanted])) if wanted in rows[0] else rows
        return {"items": items[::-1] if text.startswith("-") else items}

    told = facts(answer, "sort", field, f"-{field}", "size", "-size")
    assert told.get("default") == expected


def _rising(value: Any, at: int) -> Any:
    """Members that rise from item to item: numbers by their place, texts by the name of the item."""
    if isinstance(value, dict):
        return {name: _rising(member, at) for name, member in value.items()}
    return value + at if isinstance(value, int) else f"{value}scan_00{at}"


def test_a_single_day_that_finds_something_shows_that_the_last_day_counts() -> None:
    def answer(to: str) -> Json:
        return {"count": 2 if to >= "2026-01-03" else 0, "sum": 12 if to >= "2026-01-03" else 0}

    base = {"query:from": "2026-01-03"}
    assert facts(answer, "to", "2026-01-03", "1900-01-01", base=base)["whole-days"] is True
    assert "whole-days" not in facts(lambda to: answer("2"), "to", "2026-01-03", "1900-01-01", base=base)


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, True])
def test_what_has_no_order_lies_between_nothing(value: Json) -> None:
    one: Any = SimpleNamespace(fields_before={"gone": [value] * 4}, fields={"gone": [value]})
    assert not default._lie_between(one, "gone", [0])
    numbers: Any = SimpleNamespace(fields_before={"n": [1, 2, 4, 5]}, fields={"n": [3]})
    assert default._lie_between(numbers, "n", [0])


def test_texts_lie_between_others_by_the_rank_that_their_list_is_in() -> None:
    names = ["apple", "Banana", "cherry", "Elder"]
    one: Any = SimpleNamespace(fields_before={"name": names}, fields={"name": ["Date", "fig"]})
    assert default._lie_between(one, "name", [0])
    assert not default._lie_between(one, "name", [1])


@pytest.mark.parametrize(
    ("message", "is_required"),
    [
        ("pad is not a string", True),
        ("pad is required", True),
        ("rate limit exceeded", False),
        ("no or wrong API Key", False),
        ("pad does not exist", False),
    ],
)
def test_an_error_under_a_status_of_success_is_a_refusal_if_it_says_what_is_wrong(
    message: str, is_required: bool
) -> None:
    base = _call("base", {"query:pad": "a"}, {"code": 0, "message": "ok", "data": {"text": "x"}})
    bare = _call("bare", {}, {"code": 1, "message": message, "data": None})
    trial = Trial("query:pad", None, "base", "bare", sent=False)
    told = operation_facts(OperationTrials.of(KEY, [trial], {"base": base, "bare": bare}.get))
    assert [fact.location for fact in told if fact.kind == "required"] == ["query:pad"] * is_required
    assert not any(refutes(fact, bare) for fact in told)
