"""A service that keeps what is deleted, or refuses to delete: few things are made there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.calls.kept_things import MOST_BARRED, MOST_KEPT

TEXT = {"type": "string"}
PROPERTIES = {"name": TEXT, "note": TEXT, "colour": TEXT, "size": {"type": "integer"}}
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": PROPERTIES}}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Marking(Shop):
    """Marks what is deleted, and shows it further on."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and request.path in self.things:
            self.things[request.path]["deleted"] = True
            return Answer(204)
        return super().__call__(request)


class Refusing(Shop):
    """Deletes nothing that is open, and everything is."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and request.path in self.things:
            return reply({"message": "Only closed projects can be deleted"}, 400)
        return super().__call__(request)


def explored(shop: Shop, folder: Path) -> tuple[int, int]:
    """How many things are there after an exploration that were not there before, and how often one was to be made."""
    shop.things = {"/orders/1": {"name": "first"}, "/orders/2": {"name": "second"}}
    parameters = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    item = {"parameters": parameters, "get": OK, "delete": OK, "put": {"requestBody": BODY, **OK}}
    paths = {"/orders": {"get": OK, "post": {"requestBody": BODY, **OK}}, "/orders/{id}": item}
    file = folder / "library.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "library", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=folder / "evidence", allow=("POST,PUT,DELETE",), max_calls=400)
        made = sum(request.method == "POST" for request in server.requests)
    return len(shop.things) - 2, made


@pytest.mark.parametrize("shop", [Marking(), Refusing()], ids=["marks", "refuses"])
def test_of_what_stays_after_its_deletion_few_are_made(shop: Shop, tmp_path: Path) -> None:
    left, _ = explored(shop, tmp_path)
    # Some more may be there when it shows.
    assert 1 <= left <= 2 * MOST_KEPT


class Barring(Shop):
    """Lets nobody delete anything."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE":
            return reply({"message": "Only the owner can delete orders"}, 403)
        return super().__call__(request)


def test_of_what_nobody_may_delete_fewer_are_made(tmp_path: Path) -> None:
    left, _ = explored(Barring(), tmp_path)
    assert 1 <= left <= 2 * MOST_BARRED


def test_of_what_goes_as_many_are_made_as_are_needed(tmp_path: Path) -> None:
    left, made = explored(Shop(), tmp_path)
    assert left == 0
    assert made > 2 * MOST_KEPT
