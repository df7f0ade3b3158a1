"""Memo, budget, resume: the same request is one call, and no finished call is made again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, Api, NoModel, catalog, invoke, key
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.driver import Budget, Driver
from docrev.events import Notice
from docrev.evidence import Evidence
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


def get(n: object = 1, **more: Any) -> Invoke:
    return invoke("GET /items/{id}", {"path:id": n}, **more)


def post(n: int = 1) -> Invoke:
    return invoke("POST /items", {"body:": {"n": n}})


def one_by_one(*invokes: Invoke) -> Steps[list[Call]]:
    calls = []
    for step in invokes:
        calls.append((yield step))
    return calls


def at_once(*invokes: Invoke) -> Steps[list[Call]]:
    return (yield list(invokes))


def test_equal_requests_are_one_call_until_something_is_changed(api: Api) -> None:
    counter = itertools.count()
    with Server({**Shop().routes, "GET /items/1": lambda r: reply({"n": next(counter)})}) as server:
        calls = replace(api, url=server.url).drive(one_by_one(get(), get(), post(7), get(), get()))
    assert [call.body.get("n") for call in calls] == [0, 0, 7, 1, 1]
    assert calls[0].id == calls[1].id != calls[3].id == calls[4].id
    assert server.seen == ["GET /items/1", "GET /items", "POST /items", "GET /items", "GET /items/1"]


def test_equal_requests_at_once_fly_once(api: Api) -> None:
    def slow(request: Received) -> Answer:
        time.sleep(0.05)
        return reply({})

    with Server({"GET /items/1": slow}) as server:
        calls = replace(api, url=server.url).drive(at_once(*[get()] * 20))
    assert len({call.id for call in calls}) == 1
    assert len(server.seen) == 1


def test_a_repeat_is_a_request_of_its_own(api: Api) -> None:
    with Server({"GET /items/1": reply({})}) as server:
        calls = replace(api, url=server.url).drive(at_once(get(), get(repeat=1), get(repeat=2), get(repeat=1)))
    assert len({call.id for call in calls}) == 3
    assert len(server.seen) == 3


def test_two_equal_creations_are_two(api: Api) -> None:
    with Server(Shop().routes) as server:
        calls = replace(api, url=server.url).drive(one_by_one(post(), post()))
    assert [call.body["id"] for call in calls] == [1, 2]


def test_a_shared_call_belongs_to_the_first_scenario_whoever_came_first(api: Api) -> None:
    with Server({"GET /items/1": reply({})}) as server:
        replace(api, url=server.url).drive(one_by_one(get(scenario="s10"), get(scenario="s2"), get(scenario="s3")))
    with api.open() as evidence:
        assert [call.scenario for call in evidence.calls.select()] == ["s2"]


def test_a_read_that_waited_for_a_change_shows_what_is_there_after_it(api: Api) -> None:
    counter = itertools.count()

    def slow(request: Received) -> Answer:
        time.sleep(0.1)
        return reply({"id": 9}, 201)

    def writes() -> Steps[Any]:
        return (yield post())

    def reads() -> Steps[Any]:
        yield invoke("GET /items")
        return (yield get())

    def steps() -> Steps[Any]:
        first = yield get()
        return first, (yield [writes(), reads()])

    routes = {"GET /items/1": lambda r: reply({"n": next(counter)}), "GET /items": reply([]), "POST /items": slow}
    with Server(routes) as server:
        first, (_, after) = replace(api, url=server.url).drive(steps())
    assert (first.body, after.body) == ({"n": 0}, {"n": 1})


# Budget


def test_the_budget_counts_every_request_and_refuses_the_rest(api: Api) -> None:
    with Server({"GET /items/*": reply({})}) as server:
        calls, driver = replace(api, url=server.url, budget=3).drive_with(at_once(*[get(n) for n in range(5)]))
    assert [call.error for call in calls] == [None, None, None, "budget", "budget"]
    assert len(server.seen) == 3
    assert (driver.budget.spent, driver.budget.left) == (3, 0)
    with api.open() as evidence:
        assert len(list(evidence.calls.select())) == 3


@pytest.mark.parametrize("budget", [1, 3, 7, 12, 30, 100])
def test_who_gets_the_last_requests_is_no_matter_of_speed(api: Api, budget: int) -> None:
    """Strands ask for different amounts, share some requests, and nest; delays are turned around the second time."""

    def strand(n: int) -> Steps[list[str | None]]:
        own = yield from one_by_one(*[get(f"{n}-{k}") for k in range(n + 1)], get("shared"))
        inner = yield [pair(f"{n}a"), pair(f"{n}b")]
        return [call.error for call in (*own, *inner[0], *inner[1])]

    def pair(name: str) -> Steps[list[Call]]:
        return one_by_one(get(name), get("common"))

    def steps() -> Steps[Any]:
        return (yield [strand(n) for n in (3, 0, 5, 1)])

    def answers(folder: str, delay: Callable[[str], float]) -> Any:
        def wait(request: Received) -> Answer:
            time.sleep(delay(request.path))
            return reply({})

        (api.folder / folder).mkdir()
        with Server({"GET *": wait}) as server:
            live = replace(api, url=server.url, folder=api.folder / folder, budget=budget)
            found = live.drive(steps())
        assert len(server.seen) <= budget
        return found

    early = answers("early", lambda path: 0.008 if path.startswith("/items/3") else 0.0)
    late = answers("late", lambda path: 0.0 if path.startswith("/items/3") else 0.008)
    assert early == late
    denied = sum(error == "budget" for errors in early for error in errors)
    # 23 different requests, and each strand may come to wait for what another one leaves.
    assert (denied == 0) is (budget >= 30)


def test_retries_count(api: Api) -> None:
    with Server({"GET /items/*": reply({}, 429, Retry_After="0")}) as server:
        calls, driver = replace(api, url=server.url, budget=6).drive_with(one_by_one(get(1), get(2), get(3)))
    assert [call.status for call in calls] == [429, 429, None]
    assert len(server.seen) == driver.budget.spent == 6


def test_redirects_count(api: Api) -> None:
    with Server({"GET /items/1": Answer(302, headers={"Location": "/b"}), "GET /b": reply({})}) as server:
        _, driver = replace(api, url=server.url).drive_with(one_by_one(get()))
    assert driver.budget.spent == len(server.seen) == 2


def test_what_was_sent_before_the_run_was_cut_off_counts(api: Api) -> None:
    counter = itertools.count()

    def busy_once(request: Received) -> Answer:
        return reply({}) if next(counter) else reply({}, 429, Retry_After="0")

    with Server({"GET /items/1": busy_once, "GET /items/*": reply({})}) as server:
        live = replace(api, url=server.url)
        assert live.drive_with(one_by_one(get(1), get(2)))[1].budget.spent == 3
        calls, driver = replace(live, budget=4).drive_with(one_by_one(get(1), get(2), get(3), get(4)))
    assert [call.error for call in calls] == [None, None, None, "budget"]
    assert driver.budget.spent == len(server.seen) == 4


def test_a_larger_budget_goes_on(api: Api) -> None:
    with Server({"GET /items/*": reply({})}) as server:
        live = replace(api, url=server.url)
        replace(live, budget=2).drive(at_once(*[get(n) for n in range(4)]))
        calls = replace(live, budget=10).drive(at_once(*[get(n) for n in range(4)]))
    assert [call.ok for call in calls] == [True] * 4
    assert len(server.seen) == 4


def test_a_delete_is_kept_back_for_every_top_level_item(api: Api) -> None:
    def steps() -> Steps[list[str | None]]:
        calls = yield from one_by_one(post(), invoke("POST /items/{item_id}/notes", {"path:item_id": 1}))
        calls += yield from one_by_one(post(), get(7), get(8), get(9), post())
        calls += yield from one_by_one(
            invoke("DELETE /items/{id}", {"path:id": 3}, purpose="clean-up"),
            invoke("DELETE /items/{id}", {"path:id": 1}, purpose="clean-up"),
        )
        return [call.error for call in calls]

    with Server(Shop().routes) as server:
        errors, driver = replace(api, url=server.url, budget=13).drive_with(steps())
    # Thirteen: three creations, each with a look before and after, two reads, and the removals that were kept back.
    assert errors == [None, None, None, None, None, "budget", "budget", None, None]
    assert driver.budget.spent == len(server.seen) == 13
    assert server.seen[-2:] == ["DELETE /items/3", "DELETE /items/1"]


def test_nothing_is_created_that_could_not_be_removed(api: Api) -> None:
    """Nor what could not be looked at afterwards: three requests for a creation, and one for its removal."""

    def error(budget: int, *allow: str) -> str | None:
        folder = api.folder / f"{budget}-{len(allow)}"
        folder.mkdir()
        with Server(Shop().routes) as server:
            live = replace(api, url=server.url, folder=folder, budget=budget, allow=allow)
            call: Call = live.drive(one_by_one(post()))[0]
        assert len(server.seen) <= budget
        assert len(server.changes) == (call.error is None)
        return call.error

    assert [error(budget, "POST", "DELETE") for budget in range(5)] == ["budget"] * 4 + [None]
    assert [error(budget, "POST") for budget in range(4)] == ["budget"] * 3 + [None]


# Resume


def test_finished_calls_are_never_made_again(api: Api) -> None:
    def steps() -> Steps[list[tuple[str, int | None]]]:
        calls = yield from one_by_one(get(50), post(), get(50), post(), get(50))
        calls += yield from one_by_one(invoke("DELETE /items/{id}", {"path:id": calls[1].body["id"]}), get(50))
        return [(call.id, call.status) for call in calls]

    with Server({**Shop().routes, "GET /items/50": reply({})}) as server:
        live = replace(api, url=server.url)
        first = live.drive(steps())
        sent = list(server.seen)
        again = live.drive(steps())
    assert again == first
    assert len({id for id, _ in first}) == 7
    assert server.seen == sent


def test_a_run_goes_on_where_it_was_cut_off(api: Api) -> None:
    class Cut(Exception):
        pass

    def steps(stop: bool) -> Steps[list[int | None]]:
        created = yield post()
        if stop:
            raise Cut
        calls = yield from one_by_one(
            invoke("PATCH /items/{id}", {"path:id": created.body["id"], "body:": {}}),
            invoke("DELETE /items/{id}", {"path:id": created.body["id"]}),
        )
        return [call.status for call in calls]

    with Server(Shop().routes) as server:
        live = replace(api, url=server.url)
        with pytest.raises(Cut):
            live.drive(steps(True))
        assert live.drive(steps(False)) == [200, 204]
    assert server.seen == ["GET /items", "POST /items", "GET /items", "PATCH /items/1", "DELETE /items/1"]


def delete(n: int) -> Invoke:
    return invoke("DELETE /items/{id}", {"path:id": n}, purpose="clean-up")


def test_what_the_end_of_a_smaller_budget_removed_is_not_the_run_s_own_any_more(api: Api) -> None:
    """Many services give the IDs of what was removed again."""
    shop = Shop()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        live.drive(one_by_one(post(), delete(1)))
        theirs = shop.things["/items/1"] = {"id": 1, "name": "somebody's"}
        change = invoke("PATCH /items/{id}", {"path:id": 1, "body:": {"n": 2}})
        calls = live.drive(one_by_one(post(), change, delete(1)))
    assert [call.error for call in calls] == [None, "denied", "denied"]
    assert shop.things == {"/items/1": theirs}


def test_a_removal_of_an_earlier_end_does_not_stand_for_a_later_one(api: Api) -> None:
    class Reusing(Shop):
        def __call__(self, request: Received) -> Answer:
            self._numbers = itertools.count(len(self.things) + 1)
            return super().__call__(request)

    shop = Reusing()
    with Server(shop.routes) as server:
        live = replace(api, url=server.url)
        live.drive(one_by_one(post(1), post(2), delete(2), delete(1)))
        assert shop.things == {}
        shop.things["/items/1"] = {"id": 1, "name": "somebody's"}
        calls = live.drive(one_by_one(post(1), post(3), delete(2)))
    assert [call.status for call in calls] == [201, 201, 204]
    assert list(shop.things) == ["/items/1"]


def test_what_was_denied_then_is_denied_again(api: Api) -> None:
    def steps() -> Steps[list[str | None]]:
        delete = invoke("DELETE /items/{id}", {"path:id": 1})
        calls = yield from one_by_one(delete, post(), delete)
        return [call.error for call in calls]

    with Server(Shop().routes) as server:
        live = replace(api, url=server.url)
        assert live.drive(steps()) == ["denied", None, None]
        assert live.drive(steps()) == ["denied", None, None]
    assert server.changes == ["POST /items", "DELETE /items/1"]


def test_what_was_refused_for_the_budget_is_refused_again_though_it_was_made_later(api: Api) -> None:
    """Otherwise a run that goes on would spend its first part on other calls than the one that was cut off."""

    def steps(budget: Budget) -> Steps[list[Call]]:
        budget.hold(2)
        early = yield from at_once(get(1), get(2), get(3))
        budget.hold(0)
        return [*early, *(yield from at_once(get(3), get(2)))]

    with Server({"GET /items/*": reply({})}) as server:
        live = replace(api, url=server.url)
        for owed in (0, 3):
            budget = Budget(4, owed=owed)
            calls, _ = live.drive_with(steps(budget), budget)
            assert [call.error for call in calls] == [None, None, "budget", None, None]
            assert (budget.spent, budget.owed, budget.left) == (3, 0, 1)
    assert len(server.seen) == 3


def test_a_run_that_goes_on_elsewhere_sends_no_more_than_its_budget(api: Api) -> None:
    others = [invoke("POST /items", {"body:": {"n": n}}) for n in range(100, 110)]
    with Server(Shop().routes) as server:
        live = replace(api, url=server.url)
        budget = Budget(10)
        first, _ = live.drive_with(one_by_one(post(), post(2)), budget)
        assert [call.error for call in first] == [None, None]
        sent = len(server.seen)
        owed = Budget(10, owed=budget.spent)
        calls, _ = live.drive_with(one_by_one(get(8), *others), owed)
    assert {call.error for call in calls} == {None, "budget"}
    # One look is made again, to see that the run may go on: it is not counted.
    assert sent < len(server.seen) <= 10 + 1
    assert owed.left == 0


def cut_off(api: Api, server: Server, steps: Steps[Any], *, at: str) -> None:
    """Run steps, and stop as Ctrl-C does when the request `at` has arrived and was not answered."""

    async def go(evidence: Evidence) -> None:
        executor = api.executor()
        driver = Driver(executor, NoModel(), evidence, budget=Budget(100))
        task = asyncio.create_task(driver.run(steps))
        while at not in server.seen:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await executor.close()

    with api.open() as evidence:
        asyncio.run(go(evidence))


def hang(request: Received) -> Answer:
    time.sleep(0.3)
    return Answer(raw=b"")


def test_a_request_whose_answer_was_lost_is_sent_again_and_told(api: Api) -> None:
    shop = Shop()
    with Server({**shop.routes, "GET /items/2": reply({}), "POST /items": hang}) as server:
        live = replace(api, url=server.url)
        cut_off(live, server, one_by_one(get(2), post()), at="POST /items")
        with live.open() as evidence:
            assert [intent.key.operation for intent in evidence.intents.unanswered()] == ["POST /items"]
        server.routes["POST /items"] = shop
        assert [call.ok for call in live.drive(one_by_one(get(2), post()))] == [True, True]
        with live.open() as evidence:
            assert evidence.intents.unanswered() == []
    assert server.seen[:3] == ["GET /items/2", "GET /items", "POST /items"]
    assert server.changes == ["POST /items", "POST /items"]
    told = [event.text for event in api.events if isinstance(event, Notice)]
    assert told == ["shop POST /items: sent before, its answer was lost; sent again"]


def test_a_put_whose_answer_was_lost_is_in_the_journal_and_is_no_stranger(api: Api) -> None:
    def steps(driver_api: Api) -> Steps[list[Call]]:
        return one_by_one(invoke("PUT /items/{id}", {"path:id": "mine", "body:": {}}))

    def choosing(live: Api, at: str | None = None) -> list[Call]:
        """As a survey does: the id is chosen again when the run goes on."""

        async def go(evidence: Evidence) -> list[Call]:
            executor = live.executor()
            operation = live.catalog[key("PUT /items/{id}")]
            executor.journal.choose(operation, {"path:id": "mine"})
            driver = Driver(executor, NoModel(), evidence, budget=Budget(100))
            task = asyncio.create_task(driver.run(steps(live)))
            while at and at not in server.seen:
                await asyncio.sleep(0.005)
            if at:
                task.cancel()
            try:
                return await task
            except asyncio.CancelledError:
                return []
            finally:
                await executor.close()

        with live.open() as evidence:
            return asyncio.run(go(evidence))

    with Server({"PUT /items/mine": hang}) as server:
        live = replace(api, url=server.url)
        assert choosing(live, at="PUT /items/mine") == []
        with live.open() as evidence:
            assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [("/items/mine", False)]
        # It was performed after all: the item is there.
        server.routes |= {"GET /items/mine": reply({}), "PUT /items/mine": reply({}, 200)}
        assert [call.status for call in choosing(live)] == [200]
        with live.open() as evidence:
            assert [(item.path, item.confirmed) for item in evidence.journal.items()] == [("/items/mine", True)]
