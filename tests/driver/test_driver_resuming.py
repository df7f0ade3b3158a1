"""What a process that goes on with a run sees, looks at and undoes; the one before it was cut off in each test."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, NoModel, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.conventions.run_names import run_name
from docrev.driver import Budget, Driver
from docrev.driver.resuming import missing_item
from docrev.events import Notice
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem

MINE = run_name(1)


class Cut(Exception):
    """The process ends here."""


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


class Shop:
    """Items by id, as a service keeps them; ids count up."""

    def __init__(self, *names: str) -> None:
        self.items: dict[int, dict[str, Any]] = {}
        self._ids = itertools.count(1)
        for name in names:
            self.add({"name": name})

    def add(self, body: dict[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        self.items[number] = {"id": number, **body}
        return self.items[number]

    def create(self, request: Received) -> Answer:
        return reply(self.add(request.json), 201)

    def listed(self, request: Received) -> Answer:
        return reply([*self.items.values()])

    def one(self, request: Received) -> Answer:
        last = request.path.rpartition("/")[2]
        number = int(last) if last.isdecimal() else 0
        if number not in self.items:
            return reply({}, 404)
        if request.method == "DELETE":
            del self.items[number]
            return Answer(204)
        return reply(self.items[number])

    @property
    def routes(self) -> dict[str, Any]:
        collection = {"GET /items": self.listed, "POST /items": self.create}
        return collection | {"GET /items/*": self.one, "DELETE /items/*": self.one}


def steps(*invokes: Invoke, stop: bool = False) -> Steps[list[Call]]:
    calls = []
    for step in invokes:
        calls.append((yield step))
    if stop:
        raise Cut
    return calls


def post(name: str = MINE) -> Invoke:
    return invoke("POST /items", {"body:": {"name": name}})


def cut_off(api: Api, *invokes: Invoke) -> None:
    with pytest.raises(Cut):
        api.drive(steps(*invokes, stop=True))


def lose_answer(api: Api, *invokes: Invoke, sent: bool = True) -> None:
    """Make calls, and lose the last one's answer and all that came of it, as a kill before it came would; or, if it was
    not `sent`, as a kill just before that would.
    """
    cut_off(api, *invokes)
    with api.open() as evidence:
        [[lost]] = evidence._db.rows(
            "SELECT id FROM calls WHERE operation = ? ORDER BY number DESC LIMIT 1", (invokes[-1].key.operation,)
        )
        tables = ("journal",) if sent else ("journal", "intents")
        evidence._db.execute("DELETE FROM calls WHERE number >= (SELECT number FROM calls WHERE id = ?)", (lost,))
        for table in tables:
            evidence._db.execute(f"DELETE FROM {table}")


def notices(api: Api) -> list[str]:
    return [event.text for event in api.events if isinstance(event, Notice)]


def test_a_creation_whose_answer_was_lost_is_undone_and_sent_again(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post())
        assert [item["name"] for item in shop.items.values()] == ["theirs", MINE]
        [call] = live.drive(steps(post()))
        with live.open() as evidence:
            journal = {item.path: item.deleted for item in evidence.journal.items()}
    assert call.status == 201
    assert shop.items == {1: {"id": 1, "name": "theirs"}, 3: {"id": 3, "name": MINE}}
    assert journal == {"/items/2": True, "/items/3": False}
    assert notices(api) == ["shop POST /items: sent before, its answer was lost; sent again"]


@pytest.mark.parametrize("performed", [True, False])
def test_what_nothing_lists_is_found_by_the_id_before(api: Api, tmp_path: Path, performed: bool) -> None:
    """Ids count up: what was made just before the same request made another carries the same name, or is known."""
    blind = catalog(tmp_path, [line for line in CRUD if line != "GET /items"])
    names = [run_name(number) for number in (1, 2, 3)]
    shop = Shop("theirs")
    with Server({line: route for line, route in shop.routes.items() if line != "GET /items"}) as server:
        live = replace(api, url=server.url, catalog=blind)
        lose_answer(live, *map(post, names))
        if not performed:
            # Before it arrived, the number was not given.
            del shop.items[4]
            shop._ids = itertools.count(4)
        calls = live.drive(steps(*map(post, names)))
        with live.open() as evidence:
            left = {item.path: item.confirmed for item in evidence.journal.kept_items() if not item.deleted}
    assert [call.status for call in calls] == [201, 201, 201]
    last = "/items/5" if performed else "/items/4"
    assert left == {"/items/2": True, "/items/3": True, last: True}
    assert [item["name"] for item in shop.items.values()] == ["theirs", *names]


@pytest.mark.parametrize(("performed", "between"), [(True, 0), (False, 0), (True, 2)])
def test_the_first_creation_that_nothing_lists_is_found_too(
    api: Api, tmp_path: Path, performed: bool, between: int
) -> None:
    blind = catalog(tmp_path, [line for line in CRUD if line != "GET /items"])
    shop = Shop("theirs")
    with Server({line: route for line, route in shop.routes.items() if line != "GET /items"}) as server:
        live = replace(api, url=server.url, catalog=blind)
        lose_answer(live, post())
        if not performed:
            del shop.items[2]
            shop._ids = itertools.count(2)
        for _ in range(between):
            id = next(shop._ids)
            shop.items[id] = {"id": id, "name": "somebody's"}
        live.drive(steps(post()))
        with live.open() as evidence:
            left = [item.path for item in evidence.journal.kept_items() if not item.deleted]
    mine = [id for id, item in shop.items.items() if item["name"] == MINE]
    assert left == [f"/items/{id}" for id in mine]
    assert len(mine) == 1
    assert len(shop.items) == 2 + between


@pytest.mark.parametrize(("error", "left"), [("name is too long", []), ("name already exists", ["/items/?"])])
def test_what_is_refused_for_itself_when_it_is_sent_again_made_nothing_before(
    api: Api, tmp_path: Path, error: str, left: list[str]
) -> None:
    blind = catalog(tmp_path, [line for line in CRUD if line != "GET /items"])
    with Server({"POST /items": reply({"error": error}, 422), "GET /items/*": reply({}, 404)}) as server:
        live = replace(api, url=server.url, catalog=blind)
        lose_answer(live, post())
        live.drive(steps(post()))
        with live.open() as evidence:
            assert [item.path for item in evidence.journal.kept_items() if not item.deleted] == left


def test_a_creation_that_was_not_performed_is_sent_again(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post())
        del shop.items[2]
        [call] = live.drive(steps(post()))
    assert call.status == 201
    assert [*shop.items] == [1, 3]
    assert "DELETE" not in {request.method for request in server.requests}


@pytest.mark.parametrize("shown", ["GET /items/{id}", "OPTIONS /items/{id}"])
def test_a_deletion_whose_answer_was_lost_counts_as_answered_as_before(api: Api, shown: str) -> None:
    """Sent again it would find nothing, and the rest of the run would go another way. Its list will do for a look."""
    api = replace(api, catalog=catalog(api.folder, ["GET /items", "POST /items", "DELETE /items/{id}", shown]))
    shop = Shop("theirs")
    calls = [post(), post(run_name(2)), *(invoke("DELETE /items/{id}", {"path:id": n}) for n in (2, 3))]
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, *calls)
        answered = live.drive(steps(*calls))
        assert [call.status for call in answered] == [201, 201, 204, 204]
        assert server.changes.count("DELETE /items/3") == 1
        with live.open() as evidence:
            assert [item.deleted for item in evidence.journal.items()] == [True, True]
            details = [call.detail for call in evidence.calls.select(key=calls[-1].key)]
    assert sorted(details) == ["", "its answer was lost when the run was cut off; what it was to remove is gone"]
    assert [*shop.items] == [1]


def test_a_deletion_that_was_not_performed_is_sent_again(api: Api) -> None:
    shop = Shop("theirs")
    delete = invoke("DELETE /items/{id}", {"path:id": 2})
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post(), delete)
        shop.items[2] = {"id": 2, "name": MINE}
        [_, call] = live.drive(steps(post(), delete))
    assert call.status == 204
    assert [*shop.items] == [1]


def taken_up(api: Api) -> list[tuple[str, bool, bool]]:
    """What is in the journal once another process settled what the one before was doing: path, certain, deleted."""
    executor = api.executor()
    with api.open() as evidence:
        intents, epochs = evidence.intents.unsettled()
        assert [intent.key.method for intent in intents] == ["POST"]
        caller = Driver(executor, NoModel(), evidence, budget=Budget(100)).caller
        asyncio.run(_closing(executor, lambda: caller.take_up(intents[0], epochs)))
        return [(item.path, item.confirmed, item.deleted) for item in evidence.journal.kept_items()]


def test_what_a_request_made_whose_answer_was_lost_is_removed_without_sending_it_again(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post())
        assert len(shop.items) == 2
        assert taken_up(live) == [("/items/2", True, True)]
        assert server.changes == ["POST /items", "DELETE /items/2"]
    assert [item["name"] for item in shop.items.values()] == ["theirs"]


def test_what_a_request_made_whose_answer_alone_was_kept_is_the_run_s_own(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        cut_off(live, post())
        with live.open() as evidence:
            evidence._db.execute("DELETE FROM journal")
            [look] = [call.id for call in evidence.calls.select(key=invoke("GET /items").key) if len(call.body) == 2]
            evidence._db.execute("DELETE FROM calls WHERE id = ?", (look,))
        assert taken_up(live) == [("/items/2", True, False)]
        assert server.changes == ["POST /items"]


def test_what_cannot_be_removed_comes_into_the_journal(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url, allow=["POST"])
        lose_answer(live, post())
        assert taken_up(live) == [("/items/1", True, False)]


def test_what_was_not_performed_leaves_nothing(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post())
        del shop.items[2]
        shop.add({"name": "of somebody else"})
        assert taken_up(live) == [("/items/3", False, False)]
    assert [item["name"] for item in shop.items.values()] == ["theirs", "of somebody else"]


def test_what_somebody_else_created_meanwhile_is_not_taken_for_the_lost_item(api: Api) -> None:
    shop = Shop("theirs")
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post())
        del shop.items[2]
        shop.add({"name": "of somebody else"})
        live.drive(steps(post()))
        with live.open() as evidence:
            doubtful = [item.path for item in evidence.journal.items() if not item.confirmed]
    assert [item["name"] for item in shop.items.values()] == ["theirs", "of somebody else", MINE]
    assert "/items/3" in doubtful


def test_what_cannot_be_removed_is_not_sent_twice(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url, allow=["POST"])
        lose_answer(live, post())
        [call] = live.drive(steps(post()))
        [again] = live.drive(steps(post()))
        with live.open() as evidence:
            journal = [(item.path, item.confirmed, item.deleted) for item in evidence.journal.items()]
    assert (call.status, call.error) == (None, "network")
    assert again.id == call.id
    assert len(shop.items) == 1
    assert journal == [("/items/1", True, False)]
    assert notices(api) == ["shop POST /items: sent before, its answer was lost; not sent again"]


def test_looks_of_an_earlier_process_are_made_again_before_a_call_that_was_not_sent(api: Api) -> None:
    """Between them somebody created something: it is no item of the run's."""
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        lose_answer(live, post("plain"), sent=False)
        shop.items.clear()
        shop.add({"name": "of somebody else"})
        server.routes["POST /items"] = reply({}, 500)
        [call] = live.drive(steps(post("plain")))
        with live.open() as evidence:
            own = [item.path for item in evidence.journal.items() if item.confirmed]
    assert call.status == 500
    assert own == []


def test_a_denied_call_costs_the_same_when_the_run_goes_on(api: Api) -> None:
    """Its proof is kept, counted, and not made again."""
    routes = {"GET /items/*": reply({"name": "of somebody"}), "PUT /items/*": reply({})}
    put = invoke("PUT /items/{id}", {"path:id": MINE, "body:": {}})
    with Server(routes) as server:
        live = replace(api, url=server.url)
        _, first = live.drive_with(steps(put, invoke("GET /items/{id}", {"path:id": 5})))
        sent = list(server.seen)
        _, second = live.drive_with(steps(put, invoke("GET /items/{id}", {"path:id": 5})))
    assert server.seen == sent
    assert len(sent) == 2
    assert (first.budget.spent, first.caller.taken) == (second.budget.spent, second.caller.taken) == (2, 2)


def test_the_look_whether_items_are_there_leaves_no_trace(api: Api) -> None:
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        cut_off(live, post())
        with live.open() as evidence:
            before = {call.id for call in evidence.calls.select()}
            executor = live.executor()
            missing = asyncio.run(_closing(executor, lambda: missing_item(executor, evidence)))
            assert {call.id for call in evidence.calls.select()} == before
        assert missing is None
        assert executor.journal.items == ()
        shop.items.clear()
        with live.open() as evidence:
            executor = live.executor()
            missing = asyncio.run(_closing(executor, lambda: missing_item(executor, evidence)))
    assert missing is not None
    assert missing.path == "/items/1"


@pytest.mark.parametrize(
    ("answered", "later", "missed"), [(False, False, False), (True, False, False), (True, True, True)]
)
def test_what_an_unsettled_delete_may_have_removed_is_not_missed(
    api: Api, answered: bool, later: bool, missed: bool
) -> None:
    """Its answer was lost, or kept when the process was killed before the journal had what it shows."""
    delete = invoke("DELETE /items/{id}", {"path:id": "1"})
    with Server({"GET *": reply({}, 404)}) as server:
        live = replace(api, url=server.url)
        with live.open() as evidence:
            executor = live.executor()
            evidence.journal.put(JournalItem("shop /items/1", "shop", "/items/1", {"path:id": "1"}, "c1"))
            evidence.intents.put("c2", delete.key, delete.arguments)
            if answered:
                evidence.calls.put(replace(executor.denied(delete, ""), id="c2", status=204, error=None))
            if later:
                evidence.intents.put("c3", invoke("POST /items").key, {})
                evidence.calls.put(replace(executor.denied(invoke("POST /items"), ""), id="c3", status=409, error=None))
            missing = asyncio.run(_closing(executor, lambda: missing_item(executor, evidence)))
    assert (missing is not None) == missed
    assert len(server.seen) == missed


async def _closing(executor: Any, work: Callable[[], Any]) -> Any:
    try:
        return await work()
    finally:
        await executor.close()
