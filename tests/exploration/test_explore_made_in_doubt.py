"""What is made where no list at its own path shows it, where a query says what it is, and where files have a type."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts


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
