"""Clean-up on the wire: by what it is known whether something that was removed is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import Api, catalog, invoke
from cleaning_shop import Paged, Shop, cleaned, made, paged, shop_api
from servers import Answer, Received, Server, reply

from docrev.driver.cleaning import CleanUp, clean_up
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return shop_api(tmp_path)


def test_a_default_in_place_of_what_is_gone_is_not_the_item(api: Api) -> None:
    class Defaults(Shop):
        """A GET of whatever is not there shows a default, which is also listed, without an id."""

        def __call__(self, request: Received) -> Answer:
            if request.method == "GET" and request.path == "/items":
                return reply([*self.things.values(), {"action": "read"}])
            gone = request.method == "GET" and request.path not in self.things
            return reply({"action": "read"}) if gone else super().__call__(request)

    outcome, left = cleaned(api, Defaults(), [invoke("POST /items", made(1)), invoke("POST /items", made(3))])
    assert outcome.created == 2
    assert left == []


@pytest.mark.parametrize("nothing", [{}, {"parts": [], "total": 0}, {"data": None}])
@pytest.mark.parametrize(("is_listed", "count"), [(True, 0), (False, 2)])
def test_an_empty_object_in_place_of_what_no_list_shows_is_not_the_item(
    api: Api, is_listed: bool, count: int, nothing: Json
) -> None:
    class Emptying(Shop):
        """A GET of whatever is not there shows an empty object or list; its list may be closed by then."""

        def __call__(self, request: Received) -> Answer:
            gone = request.method == "GET" and request.path.count("/") == 2 and request.path not in self.things
            closed = not is_listed and request.path == "/items" and request.method == "GET" and self.removed
            return reply({"error": "no"}, 500) if closed else reply(nothing) if gone else super().__call__(request)

    steps = [invoke("POST /items", made(1)), invoke("POST /items", made(3))]
    assert len(cleaned(api, Emptying(), steps)[1]) == count


def driven(api: Api, steps: Sequence[Any]) -> tuple[list[Call], tuple[JournalItem, ...]]:
    """Make calls and clean up: the calls, and the journal."""
    executor = api.executor()
    api.executor = lambda: executor  # type: ignore[method-assign]

    def run() -> Steps[list[Call]]:
        calls = []
        for step in steps:
            call: Call = yield step
            calls.append(call)
        yield from clean_up(executor)
        return calls

    return api.drive(run()), executor.journal.items


def test_where_nothing_shows_an_item_that_is_said(api: Api) -> None:
    blind = replace(api, catalog=catalog(api.folder, ["GET /items", "POST /items", "DELETE /items/{id}"]))

    class Paged(Shop):
        def __call__(self, request: Received) -> Answer:
            if self.removed and request.method == "GET":
                return reply({"error": "down"}, 500)
            return super().__call__(request)

    outcome, left = cleaned(blind, Paged(), [invoke("POST /items", made(1))])
    assert (outcome, left) == (CleanUp(created=1, unseen=1), [])


def test_where_no_route_leads_to_an_item_its_absence_is_not_shown(api: Api) -> None:
    class Unrouted(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.method == "GET" and request.path != "/items":
                return reply({"message": f"Cannot GET {request.path}"}, 404)
            if request.method == "GET" and self.removed:
                return reply({"error": "down"}, 500)
            return super().__call__(request)

    outcome, left = cleaned(api, Unrouted(), [invoke("POST /items", made(1))])
    assert (outcome, left) == (CleanUp(created=1, unseen=1), [])


def test_what_a_list_shows_is_there_whatever_a_get_of_it_says(api: Api) -> None:
    class Unaddressable(Shop):
        def __call__(self, request: Received) -> Answer:
            if request.path.count("/") == 2 and request.method in ("GET", "DELETE"):
                return reply({"error": "not found"}, 404)
            return super().__call__(request)

    _, left = cleaned(api, Unaddressable(), [invoke("POST /items", made(1))])
    assert left == [("/items/2 DELETE /items/2", "its removal was answered 404, but it is there")]


@pytest.mark.parametrize("form", ["map", "uuid"])
def test_an_item_is_found_in_a_list_by_its_key_and_by_its_name(api: Api, form: str) -> None:
    """Addressed by its name, and listed by something else."""
    blind = replace(api, catalog=catalog(api.folder, ["GET /items", "PUT /items/{id}", "DELETE /items/{id}"]))

    class Named(Shop):
        def __call__(self, request: Received) -> Answer:
            name = request.path.rpartition("/")[2]
            if request.method == "PUT":
                self.things[request.path] = {"name": name, "id": f"0-{len(self.things)}"}
                return reply({}, 201)
            if request.method == "DELETE":
                return Answer(204)
            things = list(self.things.values())
            return reply({thing["name"]: {"size": 1} for thing in things} if form == "map" else things)

    there = {f"/items/{name}": {"name": name, "id": f"0-{name}"} for name in ("t1", "t2", "t3", "t4")}
    shop = Named(there)
    steps = [invoke("PUT /items/{id}", {"path:id": "docrev-00000000-1", "body:": {}})]
    with Server({"PUT *": shop, "GET *": shop, "DELETE *": shop}) as server:
        calls, items = driven(replace(blind, url=server.url), steps)
    assert [call.status for call in calls] == [201]
    [(path, reason)] = [(item.path, item.reason) for item in items if not item.deleted]
    assert (path, reason) == ("/items/docrev-00000000-1", "its removal was answered 204, but it is there")


def test_a_whole_page_is_asked_for_when_it_is_looked_whether_an_item_is_gone(api: Api) -> None:
    there = {f"/items/{n}": {"id": str(n), "name": "theirs"} for n in range(1, 2)}
    blind = paged(api, ["GET /items", "POST /items", "DELETE /items/{id}"])
    steps = [invoke("POST /items", made(1)), invoke("DELETE /items/{id}", {"path:id": "2"})]

    def lie(shop: Shop, path: str) -> Answer:
        # Somebody adds a thing before it, which takes its place on the first page.
        shop.things = {"/items/0": {"id": "0", "name": "theirs"}} | shop.things
        return Answer(204)

    _, left = cleaned(blind, Paged(there, delete=lie), steps)
    assert left == [("/items/2 DELETE /items/2", "it was removed, but it is there")]
