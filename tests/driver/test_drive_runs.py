"""Memo, budget, resume: the same request is one call, and no finished call is made again."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, Api, NoModel, catalog, invoke, key
from patience import HANGS
from servers import Answer, Received, Server, closed_port, reply
from shop import Shop

from docrev.calls.credentials import parse_header
from docrev.calls.limits import Limits
from docrev.driver import Budget, Driver
from docrev.errors import CredentialsError, UnreachableError
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


# Storms


def many(count: int = 40) -> Steps[list[Call]]:
    lines = [invoke("GET /items"), invoke("GET /items/{item_id}/notes", {"path:item_id": 1})]
    return at_once(*lines, *[get(n) for n in range(count)])


@pytest.mark.parametrize("good", [0, 5])
def test_credentials_that_are_wrong_end_the_run_in_one_line(api: Api, good: int) -> None:
    """From the start, and from the middle on; with the right ones the same run goes on, and nothing is lost.

    The last good answer is to a request that was sent after the first one that is refused, and it comes later: since
    both were on their way together, it says nothing about the refusal.
    """
    right = "Bearer right-one-12345"
    sent_beside, answered = threading.Event(), threading.Event()
    refused, last = "/items/2", "/items/3"
    accepted = ["/items", "/items/1/notes", "/items/0", "/items/1", last][:good]
    permitted: list[str] = []

    def guarded(request: Received) -> Answer:
        if request.headers.get("authorization") == right:
            permitted.append(request.path)
            return reply({})
        if good and request.path == refused:
            assert sent_beside.wait(HANGS)
        elif good and request.path == last:
            sent_beside.set()
            assert answered.wait(HANGS)
        elif request.path not in accepted:
            # With two at a time, this one was sent when the first refusal had arrived.
            answered.set()
        return reply({}) if request.path in accepted else reply({"error": "unauthorized"}, 401)

    with Server({"GET *": guarded}) as server:
        live = replace(api, url=server.url, concurrency=2, headers=[parse_header("Authorization: Bearer wrong-123456")])
        with pytest.raises(CredentialsError) as caught:
            live.drive(many(200))
        sent = len(server.seen)
        # A busy machine takes in the last good answer late, and the refusals in a row are counted anew.
        assert sent <= good + 2 * 3 * live.limits.refusals + 4
        with live.open() as evidence:
            assert {call.status for call in evidence.calls.select()} == ({200} if good else set())
            assert len(list(evidence.calls.select())) == good
        calls = replace(live, headers=[parse_header(f"Authorization: {right}")]).drive(many(200))
    assert [call.status for call in calls] == [200] * 202
    # What was on its way when the first run ended may arrive later, and is none of these.
    assert len(permitted) == 202 - good
    line = str(caught.value)
    assert "401" in line
    assert "-H" in line
    assert "\n" not in line
    assert "wrong-123456" not in line
    assert caught.value.exit_code == 3


def test_credentials_that_were_not_given_are_asked_for(api: Api) -> None:
    with Server({"GET *": reply({}, 401)}) as server, pytest.raises(CredentialsError, match="give them with -H"):
        replace(api, url=server.url).drive(many())


def test_what_was_always_refused_does_not_end_the_run_when_it_is_asked_again(api: Api) -> None:
    # Some operations are the administrator's: asked one after the other, they look like credentials that ended.
    closed = [invoke("GET /items/{item_id}/notes", {"path:item_id": 7}), invoke("GET /items")]
    again = [replace(step, repeat=n) for n in range(1, 50) for step in closed]
    with Server({"GET *": reply({}, 401), "GET /items/1": reply({})}) as server:
        live = replace(api, url=server.url)
        calls = live.drive(one_by_one(get(), *closed, get(repeat=1), *again))
        assert {call.status for call in calls[4:]} == {401}
        with pytest.raises(CredentialsError):
            replace(live, folder=live.folder / "other").drive(one_by_one(get(), *(get(n) for n in range(2, 50))))


def test_operations_that_were_never_answered_end_the_run_late_where_more_were(tmp_path: Path) -> None:
    lines = [f"GET /items{number}" for number in range(80)]
    api = Api(catalog(tmp_path, lines), "http://127.0.0.1:9", tmp_path, allow=ALL)
    for answered, most in ((1, 10), (12, 13), (40, 30), (80, 10)):
        accepted = {f"/items{number}" for number in range(answered)}
        counts: dict[str, int] = {}

        def once(request: Received, accepted: set[str] = accepted, counts: dict[str, int] = counts) -> Answer:
            counts[request.path] = counts.get(request.path, 0) + 1
            return reply({}) if request.path in accepted and counts[request.path] == 1 else reply({}, 401)

        steps = one_by_one(*(invoke(line) for line in lines), *(invoke(line, repeat=1) for line in lines))
        with Server({"GET *": once}) as server:
            live = replace(api, url=server.url, folder=tmp_path / str(answered), concurrency=1)
            with pytest.raises(CredentialsError):
                live.drive(steps)
        assert sum(counts.values()) == answered + most


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


def test_an_operation_behind_a_key_does_not_end_the_run(api: Api) -> None:
    def one_closed(request: Received) -> Answer:
        return reply({}, 401) if request.path.endswith("/notes") else reply({})

    def steps() -> Steps[list[Call]]:
        closed = [invoke("GET /items/{item_id}/notes", {"path:item_id": n}) for n in range(20)]
        return at_once(*(step for pair in zip(closed, [get(n) for n in range(20)], strict=True) for step in pair))

    with Server({"GET *": one_closed}) as server:
        calls = replace(api, url=server.url).drive(steps())
    assert sorted({call.status for call in calls}) == [200, 401]
    with api.open() as evidence:
        assert len(list(evidence.calls.select())) == 40


def test_nobody_there_ends_the_run_in_one_line(api: Api) -> None:
    with closed_port() as url, pytest.raises(UnreachableError) as caught:
        replace(api, url=url).drive(many())
    assert "refused" in str(caught.value)
    assert url in str(caught.value)
    assert caught.value.exit_code == 3
    with api.open() as evidence:
        assert list(evidence.calls.select()) == []


def test_an_api_that_stops_answering_ends_the_run_and_what_was_found_is_kept(api: Api) -> None:
    counter = itertools.count()

    def dies(request: Received) -> Answer:
        return reply({}) if next(counter) < 5 else Answer(raw=b"")

    with Server({"GET *": dies}) as server:
        live = replace(api, url=server.url, concurrency=1)
        with pytest.raises(UnreachableError):
            live.drive(many())
        with live.open() as evidence:
            assert [call.status for call in evidence.calls.select()] == [200] * 5


def test_pages_instead_of_an_api_end_the_run_in_one_line(api: Api) -> None:
    page = Answer(body=b"<html>", headers={"Content-Type": "text/html"})
    told = "pages, not JSON, with 200; check --base-url"
    with Server({"GET *": page}) as server, pytest.raises(UnreachableError, match=told):
        replace(api, url=server.url).drive(many())


def test_429_to_everything_ends_the_run_in_one_line(api: Api) -> None:
    with Server({"GET *": reply({}, 429, Retry_After="9999")}) as server:
        with pytest.raises(UnreachableError, match="429 to call after call; wait"):
            replace(api, url=server.url).drive(many())
        with api.open() as evidence:
            assert list(evidence.calls.select()) == []


def test_429_to_one_operation_alone_ends_no_run(api: Api) -> None:
    """It may have a limit of its own: an export once an hour."""
    limited = {"GET /items/*": reply({}, 429, Retry_After="0"), "GET /items": reply({})}
    with Server(limited) as server:
        live = replace(api, url=server.url, concurrency=1)
        *busy, last = live.drive(at_once(*[get(n) for n in range(12)], invoke("GET /items")))
    assert [call.status for call in busy] == [429] * 12
    assert last.ok


def test_500s_throughout_are_all_kept(api: Api) -> None:
    with Server({"GET *": reply({"error": "x"}, 500)}) as server:
        calls = replace(api, url=server.url).drive(many())
    assert {call.status for call in calls} == {500}
    with api.open() as evidence:
        assert len(list(evidence.calls.select())) == 42


def test_a_timeout_here_and_there_is_kept_as_such(api: Api) -> None:
    def sometimes(request: Received) -> Answer:
        if request.path.endswith("/1"):
            time.sleep(3)
        return reply({})

    with Server({"GET *": sometimes}) as server:
        live = replace(api, url=server.url, limits=Limits(timeout=1.5))
        calls = live.drive(one_by_one(get(0), get(1), get(2)))
    assert [call.error for call in calls] == [None, "timeout", None]
    with api.open() as evidence:
        assert sorted(call.error or "" for call in evidence.calls.select()) == ["", "", "timeout"]


def test_what_is_blocked_beside_one_call_is_one_silence(api: Api) -> None:
    released = threading.Event()

    def blocks(request: Received) -> Answer:
        if not request.path.endswith("00"):
            released.wait(HANGS)
        return reply({})

    def calls() -> Steps[list[Call]]:
        before = yield get(100)
        blocked = yield [get(n) for n in range(1, 17)]
        after = yield get(200)
        return [before, *blocked, after]

    with Server({"GET *": blocks}) as server:
        found = replace(api, url=server.url, limits=Limits(timeout=1.5)).drive(calls())
        released.set()
    assert [call.error for call in found] == [None, *["timeout"] * 16, None]


def test_an_api_that_keeps_everybody_waiting_ends_the_run(api: Api) -> None:
    released = threading.Event()

    def waits(request: Received) -> Answer:
        released.wait(HANGS)
        return reply({})

    with Server({"GET *": waits}) as server:
        live = replace(api, url=server.url, limits=Limits(timeout=0.2))
        with pytest.raises(UnreachableError, match=r"no answer \(timeout"):
            live.drive(many())
        released.set()
    assert len(server.requests) <= 3 * 16
