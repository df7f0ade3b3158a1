"""What a small budget is spent on."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

from servers import Server, reply
from shop import Shop

import docrev
from docrev.events import CallFinished, Event
from docrev.evidence import Evidence
from docrev.exploration.reaching import STEP

LISTS = [f"/list{number}" for number in range(10)]


def test_of_few_requests_enough_are_left_to_show_again_what_every_operation_returns(tmp_path: Path) -> None:
    """To read all of them twice in a row there is too little: then it is not begun."""
    document = {
        "openapi": "3.0.3",
        "info": {"title": "lists", "version": "1"},
        "paths": {path: {"get": {"responses": {"200": {"description": "ok"}}}} for path in LISTS},
    }
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(document))
    with Server({f"GET {path}": reply({"items": [{"id": 1, "size": 2}]}) for path in LISTS}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=30)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        shown = {fact.key.path for fact in evidence.facts(kind="field")}
    assert shown == {*LISTS}


def test_what_answers_as_long_before_is_read_once_more_and_what_does_not_twice(tmp_path: Path) -> None:
    counted = itertools.count(1)
    routes = {f"GET {path}": reply({"items": [{"id": 1, "size": 2}]}) for path in LISTS}
    routes["GET /time"] = lambda _: reply({"now": next(counted)})
    ok = {"responses": {"200": {"description": "ok"}}}
    paths = {path: {"get": ok} for path in [*LISTS, "/time"]}
    file = tmp_path / "lists.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "lists", "version": "1"}, "paths": paths}))
    with Server(routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=400)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        replays = Counter(call.key.path for call in evidence.calls.select(purpose="replay"))
    assert [replays[path] for path in LISTS] == [1] * len(LISTS)
    assert replays["/time"] == 2


def test_what_reaches_nothing_more_gives_way_to_what_is_asked_about_what_is_reached(tmp_path: Path) -> None:
    get: dict[str, Any] = {"get": {"responses": {"200": {"description": "ok"}}}}
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    paths = {f"/closed{n}/{{id}}": {"parameters": [id], **get} for n in range(150)}
    paths |= {path: {"parameters": [limit], **get} for path in LISTS}
    file = tmp_path / "lists.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "lists", "version": "1"}, "paths": paths}))
    purposes: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, CallFinished) and event.wire:
            purposes.append(event.call.purpose)

    with Server({f"GET {path}": reply({"items": [{"id": 1, "size": 2}]}) for path in LISTS}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=400, on_event=note)
    assert purposes.index("probe") <= 400 - 100 - 400 // 3 + STEP + len(LISTS)


def test_some_scenarios_are_tried_where_reaching_could_use_every_request(tmp_path: Path) -> None:
    """And those that no request was left for do not count as tried in vain."""
    many = [f"/list{number}" for number in range(120)]
    shop = Shop({f"{path}/1": {"name": "first", "size": 2} for path in many})
    thing = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
    body = {"content": {"application/json": {"schema": thing}}}
    ok = {"responses": {"200": {"description": "ok"}}}
    paths = {path: {"get": ok, "post": {"requestBody": body, **ok}} for path in many}
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        told = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=300, allow=("POST,PUT,PATCH,DELETE",)
        )
    assert 2 * told.summary["solved"] > told.summary["scenarios"] > 0


def test_of_what_was_never_tried_no_value_is_wanted(tmp_path: Path) -> None:
    get: dict[str, Any] = {"get": {"responses": {"200": {"description": "ok"}}}}
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    paths = {f"/things{n}/{{id}}": {"parameters": [id], **get} for n in range(10)}
    paths |= dict.fromkeys(LISTS, get)
    file = tmp_path / "things.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "things", "version": "1"}, "paths": paths}))

    def summary(max_calls: int) -> Any:
        out = tmp_path / str(max_calls)
        with Server({"GET /list*": reply([])}) as server:
            return docrev.explore(file, base_urls=server.url, out=out, max_calls=max_calls).summary

    small = summary(8)
    assert {row["kind"] for row in small["missed"]} == {"budget"}
    assert small["wanted_values"] == []
    assert summary(400)["wanted_values"] != []


def test_clean_up_does_not_take_the_requests_that_show_facts_again(tmp_path: Path) -> None:
    """The more is created, the more has to be removed: probing ends before both have to share what is left."""
    shop = Shop({f"/list{number}/1": {"name": "first", "size": 2} for number in range(4)})
    thing = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
    body = {"content": {"application/json": {"schema": thing}}}
    ok = {"200": {"description": "ok"}}
    id = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    paths: dict[str, Any] = {}
    for number in range(4):
        for path in (f"/list{number}", f"/list{number}/{{list_id}}/notes"):
            above = [{**id[0], "name": "list_id"}] if "notes" in path else []
            paths[path] = {
                "parameters": above,
                "get": {"responses": ok},
                "post": {"requestBody": body, "responses": ok},
            }
            item: dict[str, Any] = {method: {"responses": ok} for method in ("get", "put", "patch", "delete")}
            paths[f"{path}/{{id}}"] = {"parameters": [*above, *id], **item}
            item["put"]["requestBody"] = item["patch"]["requestBody"] = body
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        told = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=400, allow=("POST,PUT,PATCH,DELETE",)
        )
    assert told.summary["facts"] > 2.5 * told.summary["facts_dropped"]


def test_of_many_lists_facts_are_shown_again_before_the_clean_up_looks_through_all_of_them(tmp_path: Path) -> None:
    many = [f"/list{number}" for number in range(60)]
    shop = Shop({f"{path}/1": {"name": "first", "size": 2} for path in many})
    thing = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
    body = {"content": {"application/json": {"schema": thing}}}
    ok = {"responses": {"200": {"description": "ok"}}}
    id = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    paths: dict[str, Any] = {}
    for path in many:
        paths[path] = {"get": ok, "post": {"requestBody": body, **ok}}
        paths[f"{path}/{{id}}"] = {"parameters": id, "get": ok, "delete": ok}
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        told = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=300, allow=("POST,PUT,PATCH,DELETE",)
        )
    assert 3 * told.summary["facts"] > told.summary["facts_dropped"]
    assert len(shop.things) == len(many)
