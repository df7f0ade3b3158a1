"""What must be shown by a GET before something is deleted or put, on the wire and in the journal that is kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, NoModel, catalog, invoke, key
from servers import Answer, Received, Server, reply

from docrev.driver import Budget, Driver
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


class Shop:
    """A service with items, some of which are somebody else's."""

    def __init__(self, **others: Json) -> None:
        self.items: dict[str, Json] = dict(others)
        self.extra: dict[str, str] = {}

    def list(self, request: Received) -> Answer:
        tag = request.query.get("tag", [None])[0]
        found = [{"id": id, **item} for id, item in sorted(self.items.items()) if tag in (None, item.get("tag"))]
        return reply({"data": found}, 200, **self.extra)

    def create(self, request: Received) -> Answer:
        id = f"n{len(self.items)}"
        self.items[id] = request.json
        return reply({"data": {"id": id, **request.json}}, 201)

    def clear(self, request: Received) -> Answer:
        tag = request.query.get("tag", [None])[0]
        self.items = {id: item for id, item in self.items.items() if tag not in (None, item.get("tag"))}
        return Answer(204)

    def one(self, request: Received) -> Answer:
        id = request.path.rpartition("/")[2]
        if request.method == "PUT":
            status = 200 if id in self.items else 201
            self.items[id] = request.json
            return reply({"id": id}, status)
        if id not in self.items:
            return reply({"error": "not found"}, 404)
        if request.method == "DELETE":
            del self.items[id]
            return Answer(204)
        return reply({"id": id, **self.items[id]})

    @property
    def routes(self) -> dict[str, Any]:
        whole = {"GET /items": self.list, "POST /items": self.create, "DELETE /items": self.clear}
        return whole | {f"{method} /items/*": self.one for method in ("GET", "PUT", "DELETE")}


def post(tag: str = "t") -> Invoke:
    return invoke("POST /items", {"body:": {"tag": tag}})


def clear(**query: str) -> Invoke:
    return invoke("DELETE /items", {f"query:{name}": value for name, value in query.items()})


def put(id: str = "mine") -> Invoke:
    return invoke("PUT /items/{id}", {"path:id": id, "body:": {"tag": "new"}})


def drive(api: Api, *invokes: Invoke, choose: tuple[str, ...] = ()) -> list[Call]:
    async def go() -> list[Call]:
        with api.open() as evidence:
            executor = api.executor()
            for id in choose:
                executor.journal.choose(api.catalog[key("PUT /items/{id}")], {"path:id": id})
            driver = Driver(executor, NoModel(), evidence, budget=Budget(api.budget), emit=api.events.append)
            try:
                return await driver.run(steps())
            finally:
                await executor.close()

    def steps() -> Steps[list[Call]]:
        calls = []
        for step in invokes:
            calls.append((yield step))
        return calls

    return asyncio.run(go())


def test_a_collection_with_own_items_and_nothing_else_is_deleted(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), post(), post(), clear())
    assert [call.status for call in calls] == [201, 201, 204]
    assert server.seen == ["POST /items", "POST /items", "GET /items", "DELETE /items"]
    with api.open() as evidence:
        assert [item.deleted for item in evidence.journal()] == [True, True]
        assert len(evidence.calls()) == 4


def test_one_item_of_somebody_else_forbids_it(api: Api) -> None:
    shop = Shop(theirs={"tag": "u"})
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), post(), clear())
    assert (calls[1].error, calls[1].detail) == ("denied", "its GET twin lists an item that this run did not create")
    assert "DELETE /items" not in server.seen
    assert set(shop.items) == {"theirs", "n1"}


def test_with_the_same_query_only_what_it_selects_counts(api: Api) -> None:
    shop = Shop(theirs={"tag": "u"})
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), post("t"), clear(tag="t"))
    assert calls[1].status == 204
    assert server.seen[1:] == ["GET /items?tag=t", "DELETE /items?tag=t"]
    assert set(shop.items) == {"theirs"}


@pytest.mark.parametrize("extra", [{"Next_Page": "http://x/items?p=2"}, {"X_Total_Count": "5"}])
def test_a_page_of_many_shows_nothing(api: Api, extra: dict[str, str]) -> None:
    shop = Shop()
    shop.extra = extra
    with Server(shop.routes) as server:
        assert drive(replace(api, url=server.url), post(), clear())[1].error == "denied"
    assert "DELETE /items" not in server.seen


def test_an_empty_collection_is_not_deleted_either(api: Api) -> None:
    with Server(Shop().routes) as server:
        assert drive(replace(api, url=server.url), clear())[0].error == "denied"
    assert server.seen == ["GET /items"]


def test_what_was_listed_before_is_listed_again(api: Api) -> None:
    """Somebody else may have come in between: a memo shows how things were."""
    shop = Shop()

    def joined(request: Received) -> Answer:
        answer = shop.list(request)
        shop.items["theirs"] = {"tag": "u"}
        return answer

    with Server({**shop.routes, "GET /items": joined}) as server:
        calls = drive(replace(api, url=server.url), post(), invoke("GET /items"), clear())
    assert [call.error for call in calls] == [None, None, "denied"]
    assert server.seen == ["POST /items", "GET /items", "GET /items"]


def test_without_a_get_twin_there_is_no_proof(api: Api) -> None:
    blind = replace(api, catalog=catalog(api.folder, [line for line in CRUD if line != "GET /items"]))
    with Server(Shop().routes) as server:
        calls = drive(replace(blind, url=server.url), post(), clear())
    assert calls[1].detail == "the collection may hold what this run did not create"
    assert server.seen == ["POST /items"]


def test_a_put_goes_to_a_chosen_id_where_nothing_is(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), put(), put(), choose=("mine",))
    assert [call.status for call in calls] == [201, 200]
    assert server.seen == ["GET /items/mine", "PUT /items/mine", "PUT /items/mine"]
    with api.open() as evidence:
        assert [(item.path, item.confirmed, item.deleted) for item in evidence.journal()] == [
            ("/items/mine", True, False)
        ]


def test_a_put_never_replaces_what_is_there(api: Api) -> None:
    shop = Shop(mine={"tag": "theirs"})
    with Server(shop.routes) as server:
        call = drive(replace(api, url=server.url), put(), choose=("mine",))[0]
    assert (call.error, call.detail) == ("denied", "there may already be something at the id that was chosen")
    assert server.seen == ["GET /items/mine"]
    assert shop.items == {"mine": {"tag": "theirs"}}


@pytest.mark.parametrize(
    ("status", "put_sent"), [(404, True), (410, True), (403, True), (200, False), (500, False), (301, False)]
)
def test_only_a_clear_no_shows_that_nothing_is_there(api: Api, status: int, put_sent: bool) -> None:
    with Server({"GET /items/mine": reply({}, status), "PUT /items/mine": reply({}, 201)}) as server:
        drive(replace(api, url=server.url), put(), choose=("mine",))
    assert ("PUT /items/mine" in server.seen) is put_sent


def test_an_id_that_nobody_chose_is_not_put_to(api: Api) -> None:
    with Server(Shop().routes) as server:
        call = drive(replace(api, url=server.url), put("other"), choose=("mine",))[0]
    assert (call.error, call.detail) == ("denied", "this run did not create it")
    assert server.seen == []


def test_a_put_that_failed_leaves_nothing_in_the_journal(api: Api) -> None:
    with Server({"PUT /items/mine": reply({"error": "bad"}, 400)}) as server:
        drive(replace(api, url=server.url), put(), choose=("mine",))
    with api.open() as evidence:
        assert [(item.confirmed, item.deleted) for item in evidence.journal()] == [(False, True)]


def test_proofs_count_and_are_not_made_again_when_a_run_goes_on(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        first = drive(live, post(), clear())
        sent = list(server.seen)
        assert [call.id for call in drive(live, post(), clear())] == [call.id for call in first]
        assert server.seen == sent


def test_a_proof_without_budget(api: Api) -> None:
    with Server(Shop().routes) as server:
        calls = drive(replace(api, url=server.url, budget=2), post(), clear())
    assert [call.error for call in calls] == [None, "budget"]
    assert server.seen == ["POST /items"]
