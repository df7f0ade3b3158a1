"""What is made where no list at its own path shows it, where a query says what it is, and where files have a type."""

from __future__ import annotations

import itertools
import re
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts


class Wallets(Shop):
    """`/wallet` answers one wallet, that of the key; all are listed elsewhere, and a wallet has no GET of its own."""

    def __init__(self, listed_at: str) -> None:
        super().__init__({"/wallet/ruth": {"name": "Ruth's"}})
        self.listed_at = listed_at

    def __call__(self, request: Received) -> Answer:
        if request.path == self.listed_at:
            return reply(self.listed("/wallet"))
        if request.method == "GET":
            return reply({"name": "Ruth's", "balance": 9}) if request.path == "/wallet" else reply({}, 405)
        return super().__call__(request)


@pytest.mark.parametrize("listed_at", ["/wallets", "/wallet/list", "/wallet/paginated"])
def test_what_is_listed_elsewhere_is_the_run_s_own_and_removed(tmp_path: Path, listed_at: str) -> None:
    lines = [f"GET {listed_at}", "GET /wallet", "POST /wallet", "DELETE /wallet/{wallet_id}"]
    shop = Wallets(listed_at)
    reached, _ = explored(tmp_path, shop, lines, **{"POST /wallet": texts("name")})
    assert reached == set(lines)
    assert shop.things == {"/wallet/ruth": {"name": "Ruth's"}}


class Shared(Wallets):
    """The list elsewhere shows only wallets that are shared, and a new one is not."""

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        return []


def test_a_list_elsewhere_that_does_not_show_it_shows_nothing(tmp_path: Path) -> None:
    shop = Shared("/wallet/list")
    lines = ["GET /wallet/list", "GET /wallet", "POST /wallet", "DELETE /wallet/{wallet_id}"]
    reached, server = explored(tmp_path, shop, lines, **{"POST /wallet": texts("name")})
    assert "DELETE /wallet/{wallet_id}" not in reached
    assert not [line for line in server.changes if line.startswith("DELETE")]


class Links(Shop):
    """A short link for an address in the query, the same for the same one; nothing lists them."""

    def __init__(self) -> None:
        super().__init__({"/links/ours": {"url": "https://example.org/ours"}})

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            sent = {"url": request.query["url"][0]}
            there = [path for path, thing in self.things.items() if thing == sent]
            path = there[0] if there else f"/links/L{len(self.things)}x"
            self.things[path] = sent
            return reply(self.shown(path))
        return super().__call__(request) if request.path != "/links" else reply({}, 405)


def test_what_a_query_makes_is_made_twice_where_nothing_lists_it(tmp_path: Path) -> None:
    lines = ["POST /links", "GET /links/{link_id}", "DELETE /links/{link_id}"]
    url = {"name": "url", "in": "query", "required": True, "schema": {"type": "string", "format": "uri"}}
    shop = Links()
    reached, _ = explored(tmp_path, shop, lines, **{"POST /links": {"parameters": [url], "requestBody": None}})
    assert reached == set(lines)
    assert list(shop.things) == ["/links/ours"]


class Boards(Shop):
    """Boards have no ID but what they are called, in `board`."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            board = request.json.get("board") if request.body else None
            path = f"/boards/{board}"
            if not isinstance(board, str) or path in self.things:
                return reply({"error": "bad request"}, 400)
            self.things[path] = dict(request.json)
            return reply(self.things[path], 201)
        return super().__call__(replace(request, target=unquote(request.target)))

    def shown(self, path: str) -> dict[str, Any]:
        return self.things[path]


def test_what_is_called_by_the_word_for_its_kind_gets_a_name_of_the_run(tmp_path: Path) -> None:
    lines = ["GET /boards", "POST /boards", "GET /boards/{id}", "PATCH /boards/{id}", "DELETE /boards/{id}"]
    shop = Boards({"/boards/ours": {"board": "ours"}, "/boards/yours": {"board": "yours"}})
    reached, _ = explored(tmp_path, shop, lines, **{"POST /boards": texts("board"), "PATCH /boards/{id}": texts()})
    assert reached == set(lines)
    assert shop.things == {"/boards/ours": {"board": "ours"}, "/boards/yours": {"board": "yours"}}


class Profiles(Shop):
    """Each user has one profile, which no list shows and whose ID the service chooses; nothing in it is a name."""

    numbers = itertools.count(1000)

    def __call__(self, request: Received) -> Answer:
        if request.path != "/profiles":
            return super().__call__(request)
        if request.method != "POST":
            return Answer(405)
        user = request.json.get("user_id") if request.body else None
        if f"/users/{user}" not in self.things:
            return reply({"error": "no such user"}, 422)
        there = next((path for path, thing in self.things.items() if thing.get("user_id") == user), None)
        path = there or f"/profiles/{uuid.UUID(int=next(self.numbers))}"
        self.things[path] = {"user_id": user, "user": self.things[f"/users/{user}"]}
        return reply(self.shown(path), 200)


def test_what_has_no_name_is_made_for_two_things_where_nothing_lists_it(tmp_path: Path) -> None:
    users = ["GET /users", "POST /users", "GET /users/{id}", "DELETE /users/{id}"]
    lines = [*users, "POST /profiles", "GET /profiles/{id}", "DELETE /profiles/{id}"]
    shop = Profiles({"/users/90": {"name": "ruth"}, "/profiles/x": {"user_id": 90, "user": {"name": "ruth"}}})
    theirs = dict(shop.things)
    user_id = {"type": "object", "required": ["user_id"], "properties": {"user_id": {"type": "integer"}}}
    reached, _ = explored(tmp_path, shop, lines, **{"POST /users": texts("name"), "POST /profiles": of_body(user_id)})
    assert reached == set(lines)
    assert shop.things == theirs


class Steps(Shop):
    """A step belongs to a flow, named by its ID; a flow in its place is refused without a word on where."""

    def __call__(self, request: Received) -> Answer:
        is_step = request.method == "POST" and request.path == "/steps"
        if is_step and f"/flows/{request.json.get('flow') if request.body else ''}" not in self.things:
            return reply({"error": "invalid foreign key"}, 400)
        return super().__call__(request)


def test_a_thing_that_is_there_is_sent_by_its_id_where_a_new_one_could_be_sent_whole(tmp_path: Path) -> None:
    lines = [f"{method} /{kind}" for kind in ("flows", "steps") for method in ("GET", "POST")]
    lines += [f"{method} /{kind}/{{id}}" for kind in ("flows", "steps") for method in ("GET", "DELETE")]
    flow = {"type": "object", "properties": {"name": {"type": "string"}}}
    step = {"type": "object", "required": ["flow"], "properties": {"flow": {"oneOf": [{"type": "string"}, flow]}}}
    shop = Steps({"/flows/90": {"name": "theirs"}})
    reached, server = explored(tmp_path, shop, lines, **{"POST /flows": texts("name"), "POST /steps": of_body(step)})
    assert reached == set(lines)
    steps = [request.json for request in server.requests if request.body and request.path == "/steps"]
    assert not any(isinstance(step.get("flow"), dict) for step in steps)
    assert shop.things == {"/flows/90": {"name": "theirs"}}


class Tables(Shop):
    """A table whose columns nobody describes, and which wants none of what could be made up."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.json.get("columns") != []:
            return reply({"error": "bad request"}, 400)
        return super().__call__(request)


def test_a_list_of_what_the_schema_does_not_describe_is_sent_empty_once_it_is_refused(tmp_path: Path) -> None:
    lines = ["GET /tables", "POST /tables", "DELETE /tables/{id}"]
    columns = {"type": "array", "items": {"type": "object"}}
    table = {"type": "object", "required": ["name", "columns"], "properties": {"name": {}, "columns": columns}}
    reached, _ = explored(tmp_path, Tables(), lines, **{"POST /tables": of_body(table)})
    assert reached == set(lines)


class Pictures(Shop):
    """Takes pictures only, and says so of anything else."""

    def __call__(self, request: Received) -> Answer:
        if request.method != "POST":
            return super().__call__(request)
        kind = re.search(rb"Content-Type: (\S+)", request.body)
        if kind is None or kind[1] != b"image/png":
            return reply({"detail": "This file is not supported."}, 400)
        assert b"\x89PNG" in request.body
        name = re.search(rb'filename="([^"]+)"', request.body)
        assert name is not None
        path = f"/pictures/{len(self.things) + 1}"
        self.things[path] = {"name": name[1].decode()}
        return reply(self.shown(path), 201)


def test_a_file_that_is_refused_is_sent_as_one_of_another_type(tmp_path: Path) -> None:
    lines = ["GET /pictures", "POST /pictures", "GET /pictures/{id}", "DELETE /pictures/{id}"]
    form = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
    upload = {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": form}}}}
    shop = Pictures()
    reached, _ = explored(tmp_path, shop, lines, **{"POST /pictures": upload})
    assert reached == set(lines)
    assert not shop.things
