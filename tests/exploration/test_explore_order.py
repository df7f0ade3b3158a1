"""What is tried first: nobody spends the requests on one thing while another one waits that is likelier to answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, document
from servers import Received, Server, reply
from shop import Shop

import docrev
from docrev.exploration.subjects import Subject
from docrev.exploration.survey import WORTH_OF_READINGS
from docrev.records import Json

NAMED = {"type": "object", "properties": {"name": {"type": "string"}}}
BODY = {"requestBody": {"content": {"application/json": {"schema": NAMED}}}}


def explored(folder: Path, answer: Any, operations: list[str], calls: int = 300, **extras: Any) -> Server:
    file = folder / "shop.json"
    file.write_text(json.dumps(document(operations, **extras)))
    server = Server({f"{method} *": answer for method in ("GET", "POST", "PUT", "PATCH", "DELETE")})
    with server:
        docrev.explore(file, base_urls=server.url, allow="POST,PUT,PATCH,DELETE", max_calls=calls, out=folder / "ev")
    return server


def test_a_thing_is_made_before_it_is_looked_for(tmp_path: Path) -> None:
    server = explored(tmp_path, Shop(), ["GET /items", "POST /items", "GET /items/{id}", "DELETE /items/{id}"])
    methods = [(request.method, request.path) for request in server.requests]
    read = next(at for at, (method, path) in enumerate(methods) if method == "GET" and path.startswith("/items/"))
    assert methods.index(("POST", "/items")) < read


@pytest.mark.parametrize("waiting", [(), ({"query:kind": "b"},)])
def test_what_is_refused_again_and_again_waits_for_trials_of_posts_that_read(
    tmp_path: Path, waiting: tuple[dict[str, Json], ...]
) -> None:
    subject = Subject(catalog(tmp_path).operations[0])
    subject.mended.extend(waiting)
    assert subject.worth > WORTH_OF_READINGS
    subject.stale = 7
    assert subject.worth < WORTH_OF_READINGS


def test_posts_that_read_come_before_deletions(tmp_path: Path) -> None:
    """What was made is removed at the end in any case."""
    shop = Shop()

    def answer(request: Received) -> Any:
        return reply({"total": len(shop.things)}) if request.path == "/items/count" else shop(request)

    counts = "POST /items/count"
    lines = ["GET /items", "POST /items", "GET /items/{id}", "DELETE /items/{id}", counts]
    server = explored(tmp_path, answer, lines, **{counts: BODY, "POST /items": BODY})
    methods = [(request.method, request.path) for request in server.requests]
    removed = next(at for at, (method, _) in enumerate(methods) if method == "DELETE")
    assert methods.index(("POST", "/items/count")) < removed


def test_where_nothing_is_known_to_be_there_a_guess_comes_last(tmp_path: Path) -> None:
    lines = ["GET /items", "POST /items", "DELETE /items/{id}", "PATCH /items/{id}", "GET /notes/{note}"]
    server = explored(tmp_path, Shop(), lines, **{"POST /items": BODY, "PATCH /items/{id}": BODY})
    asked = [(request.method, request.path.split("/")[1]) for request in server.requests]
    assert asked.index(("PATCH", "items")) < asked.index(("GET", "notes"))


def test_where_the_api_chooses_ids_a_chosen_one_is_tried_at_two_operations(tmp_path: Path) -> None:
    """Nothing can be created here, and a PUT changes what is there."""

    def answer(request: Received) -> Any:
        if request.method == "POST":
            return reply({"error": "quota exceeded"}, 400)
        return reply([]) if request.path.count("/") == 1 else reply({"error": "not found"}, 404)

    kinds = ("cars", "boats", "trains", "planes", "bikes", "carts")
    lines = [
        f"{method} /{kind}{tail}"
        for kind in kinds
        for method, tail in (("GET", ""), ("POST", ""), ("GET", "/{id}"), ("PUT", "/{id}"))
    ]
    server = explored(tmp_path, answer, lines)
    assert len({request.path.split("/")[1] for request in server.requests if request.method == "PUT"}) == 2


def test_what_lies_below_things_that_are_known_is_read_before_anything_is_made(tmp_path: Path) -> None:
    shop = Shop({"/items/7": {"name": "theirs"}})

    def answer(request: Received) -> Any:
        return reply({"state": "fine"}) if request.path == "/items/7/state" else shop(request)

    lines = ["GET /items", "GET /items/{id}/state", "POST /items", "POST /notes", "GET /notes", "DELETE /notes/{id}"]
    server = explored(tmp_path, answer, lines, **{"POST /items": BODY, "POST /notes": BODY})
    asked = [(request.method, request.path) for request in server.requests]
    first_made = next(at for at, (method, _) in enumerate(asked) if method == "POST")
    assert asked.index(("GET", "/items/7/state")) < first_made


def test_how_lists_are_paged_is_tried_before_what_most_operations_return_for_unknown_ids(tmp_path: Path) -> None:
    """Of many like lists two show what the others do, and so do a few single things that nobody has."""
    names = [f"{colour}s" for colour in ("red", "blue", "green", "grey", "pink", "teal", "lime", "gold")]
    limit = {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}, "description": "Limit."}]}

    def answer(request: Received) -> Any:
        kind, _, id = request.path.strip("/").partition("/")
        things = [{"id": f"{kind}-{number}", "size": number * 7 % 31} for number in range(14)]
        if id:
            found = [thing for thing in things if thing["id"] == id]
            return reply(found[0]) if found else reply({"error": "no such thing"}, 404)
        text = request.query.get("limit", ["10"])[-1]
        return reply({"items": things[: int(text) if text.isdecimal() else 10], "total": len(things)})

    lines = [line for name in names for line in (f"GET /{name}", f"GET /{name}/{{{name[:-1]}_id}}")]
    server = explored(tmp_path, answer, lines, calls=110, **{f"GET /{name}": limit for name in names})
    asked = {(request.path, *request.query.get("limit", ())) for request in server.requests}
    assert any(sent == ["1000000"] for _, *sent in asked)
