"""The driver's steps: order, side by side, deep, failing, cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, Api, NoModel, catalog, invoke
from patience import HANGS
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.driver import Budget, Driver
from docrev.events import CallFinished
from docrev.prompts.questions import Prompt, Same
from docrev.prompts.steps import Ask, Steps
from docrev.records import Call


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path)


class Question(Prompt[Same]):
    n: int


class Even(NoModel):
    """Answers whether a number is even, later numbers sooner."""

    async def ask(self, prompt: Any) -> Any:
        await asyncio.sleep(0.002 * (10 - prompt.n))
        return Same(same=prompt.n % 2 == 0)


def run(api: Api, steps: Steps[Any], model: Any = None) -> Any:
    async def go() -> Any:
        with api.open() as evidence:
            executor = api.executor()
            driver = Driver(executor, model or NoModel(), evidence, budget=Budget(100), emit=api.events.append)
            try:
                return await driver.run(steps)
            finally:
                await executor.close()

    return asyncio.run(go())


def items(*ids: int) -> list[Any]:
    return [invoke("GET /items/{id}", {"path:id": n}) for n in ids]


def slow_first(request: Received) -> Answer:
    n = int(request.path.rpartition("/")[2])
    time.sleep(max(0.0, 0.1 - 0.02 * n))
    return reply({"id": n})


def test_answers_come_in_the_order_of_the_list(api: Api) -> None:
    def steps() -> Steps[Any]:
        calls = yield items(0, 1, 2, 3, 4)
        answers = yield [Ask(Question(n=n)) for n in range(6)]
        mixed = yield [Ask(Question(n=2)), *items(7), inner(5), [inner(1), inner(0)]]
        return [c.body["id"] for c in calls], [a.same for a in answers], (mixed[0].same, mixed[1].body, mixed[2:])

    def inner(n: int) -> Steps[int]:
        answer = yield Ask(Question(n=n))
        return n + answer.same

    with Server({"GET /items/*": slow_first}) as server:
        ids, answers, mixed = run(replace(api, url=server.url), steps(), Even())
    assert ids == [0, 1, 2, 3, 4]
    assert answers == [True, False, True, False, True, False]
    assert mixed == (True, {"id": 7}, [5, [1, 1]])


def test_requests_run_side_by_side_up_to_the_concurrency(api: Api) -> None:
    lock, now, peak = threading.Lock(), [0], [0]

    def count(request: Received) -> Answer:
        with lock:
            now[0] += 1
            peak[0] = max(peak[0], now[0])
        time.sleep(0.03)
        with lock:
            now[0] -= 1
        return reply({})

    def one(n: int) -> Steps[Any]:
        return (yield items(n)[0])

    def steps() -> Steps[Any]:
        return (yield [one(n) for n in range(30)])

    with Server({"GET /items/*": count}) as server:
        replace(api, url=server.url, concurrency=4).drive(steps())
    assert peak[0] == 4


def test_generators_nest_without_bound(api: Api) -> None:
    def down(n: int) -> Steps[int]:
        if n == 0:
            return 0
        return 1 + (yield down(n - 1))

    assert run(api, down(20_000)) == 20_000


def test_lists_nest_deep(api: Api) -> None:
    def down(n: int) -> Steps[int]:
        if n == 0:
            return 0
        first, _ = yield [down(n - 1), leaf()]
        return 1 + int(first)

    def leaf() -> Steps[int]:
        return 1
        yield

    assert run(api, down(300)) == 300


def test_a_list_of_thousands(api: Api) -> None:
    def leaf(n: int) -> Steps[int]:
        return n
        yield

    def steps() -> Steps[Any]:
        return (yield [leaf(n) for n in range(5000)])

    assert run(api, steps()) == list(range(5000))


def test_an_empty_list(api: Api) -> None:
    def steps() -> Steps[Any]:
        return (yield [])

    assert run(api, steps()) == []


def test_unsafe_calls_of_a_list_come_last_alone_and_in_order(api: Api) -> None:
    now: list[int] = []
    shop = Shop({"/items/1": {}, "/items/2": {}})

    def alone(request: Received) -> Answer:
        now.append(1)
        time.sleep(0.02)
        assert len(now) == 1
        now.clear()
        return shop(request)

    def reading(request: Received) -> Answer:
        time.sleep(0.02)
        assert not now
        return shop(request)

    def steps() -> Steps[Any]:
        post = [invoke("POST /items", {"body:": {"n": n}}) for n in (1, 2, 3)]
        return (yield [post[0], *items(1), post[1], *items(2), post[2]])

    with Server({"GET *": reading, "POST /items": alone}) as server:
        calls = replace(api, url=server.url, allow=ALL).drive(steps())
    assert [call.status for call in calls] == [201, 200, 201, 200, 201]
    assert sorted(server.seen[:2]) == ["GET /items/1", "GET /items/2"]
    assert [request.json["n"] for request in server.requests[2:] if request.method == "POST"] == [1, 2, 3]


def test_what_a_generator_raises_comes_to_its_parent_and_out(api: Api) -> None:
    def bad() -> Steps[None]:
        yield Ask(Question(n=1))
        raise ValueError("mine")

    def careful() -> Steps[str]:
        try:
            yield bad()
        except ValueError as error:
            return f"caught {error}"
        return "not raised"

    def careless() -> Steps[Any]:
        return (yield [careful(), bad()])

    assert run(api, careful(), Even()) == "caught mine"
    with pytest.raises(ValueError, match="mine"):
        run(api, careless(), Even())


def test_the_first_failure_by_place_wins_and_the_rest_is_closed(api: Api) -> None:
    closed: list[int] = []

    def waits(n: int) -> Steps[None]:
        try:
            yield Ask(Question(n=0))
            yield Ask(Question(n=0))
        finally:
            closed.append(n)

    def bad(text: str) -> Steps[None]:
        raise ValueError(text)
        yield

    def steps() -> Steps[Any]:
        yield [waits(1), bad("first"), bad("second"), waits(2)]

    with pytest.raises(ValueError, match="first"):
        run(api, steps(), Even())
    assert sorted(closed) == [1, 2]


def test_something_that_is_no_step(api: Api) -> None:
    def steps() -> Steps[Any]:
        yield "GET /items"

    with pytest.raises(TypeError, match="not a step: str"):
        run(api, steps())


def test_cancelled_it_closes_every_generator_and_keeps_what_was_finished(api: Api) -> None:
    closed: list[str] = []
    release = threading.Event()

    def hang(request: Received) -> Answer:
        release.wait(HANGS)
        return reply({})

    def strand(n: int) -> Steps[None]:
        try:
            yield items(n)[0]
            yield items(100 + n)[0]
        finally:
            closed.append(f"strand {n}")

    def steps() -> Steps[None]:
        try:
            yield [strand(1), strand(2)]
        finally:
            closed.append("top")

    async def go(evidence: Any, url: str) -> None:
        executor = replace(api, url=url).executor()
        driver = Driver(executor, NoModel(), evidence, budget=Budget(100))
        task = asyncio.create_task(driver.run(steps()))
        while len(server.seen) < 4:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await executor.close()

    routes = {"GET /items/1": reply({}), "GET /items/2": reply({}), "GET /items/*": hang}
    with Server(routes) as server, api.open() as evidence:
        asyncio.run(go(evidence, server.url))
        release.set()
        assert sorted(closed) == ["strand 1", "strand 2", "top"]
        assert sorted(call.arguments["path:id"] for call in evidence.calls.select()) == [1, 2]


def test_calls_are_told_as_they_end(api: Api) -> None:
    def steps() -> Steps[Any]:
        yield items(1)[0]
        yield items(1)[0]
        yield invoke("POST /items")

    with Server({"GET /items/1": reply({})}) as server:
        replace(api, url=server.url).drive(steps())
    told = [(e.call.key.method, e.wire, e.call.error) for e in api.events if isinstance(e, CallFinished)]
    assert told == [("GET", True, None), ("GET", False, None), ("POST", False, "denied")]


def test_a_driver_takes_generators_of_any_kind(api: Api) -> None:
    class Steps2(Generator[Any, Any, int]):
        def send(self, value: Any) -> Any:
            raise StopIteration(3)

        def throw(self, *error: Any) -> Any:
            raise error[0]

    def steps() -> Steps[Any]:
        one = yield Steps2()
        return one

    assert run(api, steps()) == 3


def test_a_call_is_always_a_value(api: Api) -> None:
    def steps() -> Steps[list[Call]]:
        return (yield [invoke("GET /nowhere"), invoke("GET /items/{id}"), *items(1)])

    calls = api.drive(steps())
    assert [call.error for call in calls] == ["denied", "denied", "refused"]
