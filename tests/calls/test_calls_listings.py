"""What a list shows of what is in it, and whether that is all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, invoke, key

from docrev.calls.bystanders import disturbs
from docrev.calls.listings import Listed, first_page, read_list
from docrev.calls.looks import Look
from docrev.conventions.run_names import run_name
from docrev.records import Call, Json
from docrev.spec.operation import Operation

MINE = run_name(1)
OFFSET = {"name": "offset", "in": "query", "schema": {"type": "integer"}}
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer"}}


def listing(tmp_path: Path, *parameters: dict[str, Any]) -> Operation:
    found = catalog(tmp_path, ["GET /items"], **{"GET /items": {"parameters": list(parameters)}})
    return found[key("GET /items")]


def read(
    operation: Operation, body: Json, status: int = 200, arguments: dict[str, Json] | None = None
) -> Listed | None:
    call = Call("c", operation.key, arguments or {}, "", status, {}, body, "application/json", "clean-up")
    return read_list(operation, "/items", call)


@pytest.mark.parametrize(
    ("body", "id"),
    [
        ([{"id": 4, "name": "n"}], "4"),
        ([{"uuid": "u-u", "name": MINE}], MINE),
        ([{"id": "u-u", "name": MINE}], "u-u"),
        ([{"item_id": 3, "item_name": MINE}], MINE),
        ([{"id": "u-u", "key": "k"}], "k"),
        (["a", "b"], "a"),
        ({"a@1": {"id": "a@1"}, "b@1": {"id": "b@1"}, "c@1": {"id": "c@1"}, "d@1": {"id": "d@1"}}, "c@1"),
        ({"data": [{"id": "=2E", "name": ""}]}, "=2E"),
    ],
)
def test_a_thing_is_found_by_its_id_its_key_and_the_name_that_the_run_gave_it(
    tmp_path: Path, body: Json, id: str
) -> None:
    listed = read(listing(tmp_path), body)
    assert listed is not None
    assert listed.find(id) not in (None, False)
    assert listed.find("another") is False


def test_what_refers_to_a_thing_is_not_that_thing(tmp_path: Path) -> None:
    listed = read(listing(tmp_path), [{"id": 1, "owner": MINE}])
    assert listed is not None
    assert listed.find(MINE) is False


@pytest.mark.parametrize(
    ("parameters", "arguments", "body", "whole"),
    [
        ([], {}, [{"id": 1}], True),
        ([OFFSET], {}, [{"id": 1}], False),
        ([OFFSET], {}, {"data": [{"id": 1}], "total": 1}, True),
        ([OFFSET], {}, {"data": [{"id": 1}], "next": None}, True),
        ([OFFSET], {}, {"data": [{"id": 1}], "has_more": False}, True),
        ([OFFSET], {}, {"data": [{"id": 1}], "total": 2}, False),
        ([LIMIT], {}, [{"id": 1}], False),
        ([LIMIT], {"query:limit": 100}, [{"id": 1}], True),
        ([LIMIT], {"query:limit": 1}, [{"id": 1}], False),
        ([], {}, [{"size": 1}], False),
    ],
)
def test_a_page_is_all_only_if_that_shows(
    tmp_path: Path, parameters: list[dict[str, Any]], arguments: dict[str, Json], body: Json, whole: bool
) -> None:
    listed = read(listing(tmp_path, *parameters), body, arguments=arguments)
    assert listed is not None
    assert listed.whole is whole
    assert listed.find("another") is (False if whole else None)


def test_what_is_not_there_lists_nothing_and_what_fails_shows_nothing(tmp_path: Path) -> None:
    assert read(listing(tmp_path), {"error": "gone"}, 404) == Listed()
    assert read(listing(tmp_path), []) == Listed()
    assert read(listing(tmp_path), {"error": "down"}, 500) is None
    assert read(listing(tmp_path), {"name": "one thing"}) is None


def test_a_large_page_is_asked_for_first(tmp_path: Path) -> None:
    look = invoke("GET /items", {"query:tag": "x"})
    most = {**LIMIT, "schema": {"type": "integer", "maximum": 40}}
    assert list(first_page(listing(tmp_path), look)) == [look]
    sized, plain = first_page(listing(tmp_path, LIMIT), look)
    assert (sized.arguments, plain) == ({"query:tag": "x", "query:limit": 100}, look)
    assert next(first_page(listing(tmp_path, most), look)).arguments["query:limit"] == 40


def test_what_others_have_is_unchanged_though_the_links_of_two_things_end_alike(tmp_path: Path) -> None:
    operation = listing(tmp_path)
    feeds = [{"name": name, "url": f"http://{name}.test/feed"} for name in ("anna", "ben")]
    renamed = [feeds[0], {**feeds[1], "name": "bill"}]

    def is_disturbed(after: list[dict[str, str]]) -> bool:
        calls = (Call("c", operation.key, {}, "", 200, {}, body, "application/json", "look") for body in (feeds, after))
        before, now = calls
        look = Look(invoke("GET /items"), listing=operation)
        return disturbs("shop", "/items", [(look, before, now)], lambda tool, path: False)

    mine = {"name": MINE, "url": f"http://{MINE}.test/feed"}
    assert not is_disturbed([mine, *feeds])
    assert is_disturbed([mine, *renamed])
    assert is_disturbed([mine])


def test_how_long_something_has_been_going_on_is_no_change_of_it(tmp_path: Path) -> None:
    operation = listing(tmp_path)

    def is_disturbed(before: dict[str, Json], after: dict[str, Json]) -> bool:
        calls = [
            Call("c", operation.key, {}, "", 200, {}, [{"id": "r1", **run}], "application/json", "look")
            for run in (before, after)
        ]
        look = Look(invoke("GET /items"), listing=operation)
        return disturbs("shop", "/items", [(look, calls[0], calls[1])], lambda tool, path: False)

    assert not is_disturbed({"estimated_run_time": 132.06}, {"estimated_run_time": 132.38})
    assert is_disturbed({"cooking_time": 30}, {"cooking_time": 45})
    assert is_disturbed({"price": 132.06}, {"price": 132.38})
