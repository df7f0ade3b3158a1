"""What must be shown by a GET before something is deleted or put, on the wire and in the journal that is kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, NoModel, catalog, invoke, key, with_operations
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.conventions.run_names import run_name
from docrev.driver import Budget, Driver
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


def post(tag: str = "t") -> Invoke:
    return invoke("POST /items", {"body:": {"tag": tag}})


def clear(**query: str) -> Invoke:
    return invoke("DELETE /items", {f"query:{name}": value for name, value in query.items()})


def put(id: str = "mine") -> Invoke:
    return invoke("PUT /items/{id}", {"path:id": id, "body:": {"tag": "new"}})


def folder(api: Api, name: str) -> Path:
    """A folder of its own in that of a test, for another run."""
    (found := api.folder / name).mkdir()
    return found


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
    with Server(Shop().routes) as server:
        calls = drive(replace(api, url=server.url), post(), post(), clear())
    assert [call.status for call in calls] == [201, 201, 204]
    assert server.changes == ["POST /items", "POST /items", "DELETE /items"]
    assert server.seen[-2:] == ["GET /items", "DELETE /items"]
    with api.open() as evidence:
        assert [item.deleted for item in evidence.journal.items()] == [True, True]
        assert len(list(evidence.calls.select())) == len(server.seen) == 8


def test_one_item_of_somebody_else_forbids_it(api: Api) -> None:
    shop = Shop({"/items/theirs": {"tag": "u"}})
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), post(), clear())
    assert (calls[1].error, calls[1].detail) == ("denied", "its GET twin lists an item that this run did not create")
    assert "DELETE /items" not in server.seen
    assert set(shop.things) == {"/items/theirs", "/items/1"}


def test_with_the_same_query_only_what_it_selects_counts(api: Api) -> None:
    shop = Shop({"/items/theirs": {"tag": "u"}})
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), post("t"), clear(tag="t"))
    assert calls[1].status == 204
    assert server.seen[-2:] == ["GET /items?tag=t", "DELETE /items?tag=t"]
    assert set(shop.things) == {"/items/theirs"}


@pytest.mark.parametrize("headers", [{"Next_Page": "http://x/items?p=2"}, {"X_Total_Count": "5"}])
def test_a_page_of_many_shows_nothing(api: Api, headers: dict[str, str]) -> None:
    shop = Shop()

    def paged(request: Received) -> Answer:
        shop.headers = headers if shop.things else {}
        return shop(request)

    with Server({**shop.routes, "GET /items": paged}) as server:
        calls = drive(replace(api, url=server.url), post(), clear())
    assert (calls[1].error, calls[1].detail) == ("denied", "its GET twin may be one page of many")
    assert server.changes == ["POST /items"]


def test_an_empty_collection_is_not_deleted_either(api: Api) -> None:
    with Server(Shop().routes) as server:
        assert drive(replace(api, url=server.url), clear())[0].error == "denied"
    assert server.seen == ["GET /items"]


LATE = ("POST /items/{item_id}/notes", "POST /items/{item_id}/close", "PUT /items/{item_id}/notes/{note_id}")


@pytest.mark.parametrize("line", LATE)
@pytest.mark.parametrize(("status", "sent"), [(404, True), (410, True), (200, False), (403, False), (500, False)])
def test_what_goes_to_nothing_is_sent_if_nothing_is_seen_to_be_there(
    api: Api, line: str, status: int, sent: bool
) -> None:
    """How it is refused is worth knowing: below what the run deleted; an item, also below an id that it made up.

    403, and a success with nothing in it, show that nobody has an id that the run made up, as before a PUT to one; not
    what became of another.
    """
    shop, nowhere = Shop(), run_name(9)
    acting = replace(api, catalog=catalog(api.folder, [*CRUD, LATE[1], LATE[2]]))
    shown = {f"GET /items/{id}": reply({}, status) for id in (1, nowhere)}
    refused = {f"{method} /items/*": reply({}, 404) for method in ("POST", "PUT")}

    def late(item: Json) -> Invoke:
        return invoke(line, {"path:item_id": item, "path:note_id": run_name(10)})

    with Server({**shop.routes, **shown, **refused}) as server:
        delete = invoke("DELETE /items/{id}", {"path:id": 1})
        calls = drive(replace(acting, url=server.url), post(), delete, late(1), late(nowhere), late(2))
    adds = not line.endswith("/close")
    below = adds and (sent or status in (200, 403))
    expected, added = None if sent else "denied", None if below else "denied"
    assert [call.error for call in calls[2:]] == [expected, added, "denied"], "item 2 was never the run's own"
    assert len(server.changes) == 2 + sent + below
    assert server.seen.index("DELETE /items/1") < server.seen.index("GET /items/1")
    assert (f"GET /items/{nowhere}" in server.seen) is adds


def test_what_was_listed_before_is_listed_again(api: Api) -> None:
    """Somebody else may have come in between: a memo shows how things were."""
    shop = Shop()

    def joined(request: Received) -> Answer:
        answer = shop(request)
        if len(server.seen) == 3:
            shop.things["/items/theirs"] = {"tag": "u"}
        return answer

    with Server({**shop.routes, "GET /items": joined}) as server:
        calls = drive(replace(api, url=server.url), post(), invoke("GET /items"), clear())
    assert [call.error for call in calls] == [None, None, "denied"]
    assert server.seen == ["GET /items", "POST /items", "GET /items", "GET /items"]
    assert set(shop.things) == {"/items/1", "/items/theirs"}


def test_without_a_get_twin_there_is_no_proof(api: Api) -> None:
    blind = replace(api, catalog=catalog(api.folder, [line for line in CRUD if line != "GET /items"]))
    with Server(Shop().routes) as server:
        calls = drive(replace(blind, url=server.url), post(), clear())
    assert calls[1].detail == "the collection may hold what this run did not create"
    assert server.changes == ["POST /items"]


def test_a_put_goes_to_a_chosen_id_where_nothing_is(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        calls = drive(replace(api, url=server.url), put(), put(), choose=("mine",))
    assert [call.status for call in calls] == [201, 200]
    look, change = "GET /items/mine", "PUT /items/mine"
    assert server.seen == [look, change, look, change], "the second PUT goes to what is the run's own"
    with api.open() as evidence:
        assert [(item.path, item.confirmed, item.deleted) for item in evidence.journal.items()] == [
            ("/items/mine", True, False)
        ]


def test_a_put_never_replaces_what_is_there(api: Api) -> None:
    shop = Shop({"/items/mine": {"tag": "theirs"}})
    with Server(shop.routes) as server:
        call = drive(replace(api, url=server.url), put(), choose=("mine",))[0]
    assert (call.error, call.detail) == ("denied", "there may already be something at the id that was chosen")
    assert server.seen == ["GET /items/mine"]
    assert shop.things == {"/items/mine": {"tag": "theirs"}}


@pytest.mark.parametrize(
    ("status", "put_sent"), [(404, True), (410, True), (403, False), (200, False), (500, False), (301, False)]
)
def test_only_a_clear_no_shows_that_nothing_is_there(api: Api, status: int, put_sent: bool) -> None:
    """With 403 a thing may be hidden, and an empty object may be one, unless nobody else can have given it its name."""
    for id in ("mine", run_name(1)):
        with Server({f"GET /items/{id}": reply({}, status), f"PUT /items/{id}": reply({}, 201)}) as server:
            drive(replace(api, url=server.url, folder=folder(api, id)), put(id), choose=(id,))
        sent = put_sent or (status in (200, 403) and id != "mine")
        assert (f"PUT /items/{id}" in server.seen) is sent


def test_an_id_that_nobody_chose_is_not_put_to(api: Api) -> None:
    with Server(Shop().routes) as server:
        call = drive(replace(api, url=server.url), put("other"), choose=("mine",))[0]
    assert (call.error, call.detail) == ("denied", "this run did not create it")
    assert server.seen == []


def test_a_put_that_failed_leaves_nothing_in_the_journal(api: Api) -> None:
    with Server({"PUT /items/mine": reply({"error": "bad"}, 400)}) as server:
        drive(replace(api, url=server.url), put(), choose=("mine",))
    with api.open() as evidence:
        assert [(item.confirmed, item.deleted) for item in evidence.journal.items()] == [(False, True)]


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
        calls = drive(replace(api, url=server.url, budget=4), post(), clear())
    assert [call.error for call in calls] == [None, "budget"]
    assert server.seen == ["GET /items", "POST /items", "GET /items"]


def test_a_put_goes_with_any_name_to_where_a_put_made_its_thing(api: Api) -> None:
    """Its ID is what the path says, and not what the body does; a PATCH may still be a change of both."""

    class Naming(Shop):
        def shown(self, path: str) -> dict[str, Any]:
            return {**super().shown(path), "name": path.rpartition("/")[2]}

    here, at = with_operations(api, [line for line in CRUD if line != "DELETE /items/{id}"]), {"path:id": run_name(1)}
    methods = ("PUT", "PUT", "PATCH")
    steps = [invoke(f"{m} /items/{{id}}", {**at, "body:": {"name": run_name(n)}}) for n, m in enumerate(methods, 2)]
    with Server(Naming().routes) as server:
        calls = drive(replace(here, url=server.url), *steps, choose=(run_name(1),))
    assert [call.error for call in calls] == [None, None, "denied"]
