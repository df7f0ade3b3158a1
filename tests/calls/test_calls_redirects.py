"""Redirects, waiting when asked to, and the rate: nothing leaves the base URL, nobody is hammered."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from patience import HANGS
from servers import Answer, Received, Route, Server, reply

from docrev.calls.credentials import parse_header
from docrev.calls.limits import Limits
from docrev.calls.rate import Rate, retry_after


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "", tmp_path, limits=Limits(timeout=HANGS, max_wait=2))


def to(location: str, status: int = 302) -> Answer:
    return Answer(status, headers={"Location": location})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_get_follows_within_the_origin(api: Api, status: int) -> None:
    with Server({"GET /items": to("/v2/items?x=1", status), "GET /v2/items": reply([1])}) as server:
        call = replace(api, url=server.url).get()
    assert (call.status, call.error, call.body) == (200, None, [1])
    assert server.seen == ["GET /items", "GET /v2/items?x=1"]
    assert (call.url, call.redirected) == (f"{server.url}/items", f"{server.url}/v2/items?x=1")


def test_a_slash_that_a_server_adds_leads_nowhere_else(api: Api) -> None:
    with Server({"GET /items": to("/items/", 307), "GET /items/": reply([1])}) as server:
        call = replace(api, url=server.url).get()
    assert (call.body, call.redirected) == ([1], "")


@pytest.mark.parametrize(
    "shape",
    [
        "http://127.0.0.1:{other}/items",
        "//127.0.0.1:{other}/items",
        "http://user:pw@127.0.0.1:{own}/items",
        "https://127.0.0.1:{own}/items",
        "http://localhost:{own}/items",
        "file:///etc/passwd",
        "http://[bad/items",
    ],
)
def test_a_redirect_off_scheme_host_or_port_is_never_followed(api: Api, shape: str) -> None:
    with Server({"GET *": reply([])}) as other, Server({}) as server:
        server.routes["GET /items"] = to(shape.format(other=other.port, own=server.port))
        header = parse_header("Authorization: Bearer verysecretvalue")
        call = replace(api, url=server.url, headers=[header]).get()
    assert (call.status, call.error, call.ok) == (302, "redirect", False)
    assert other.seen == []
    assert server.seen == ["GET /items"]


def test_an_unsafe_call_is_not_sent_again_elsewhere(api: Api) -> None:
    with Server({"POST /items": to("/items2", 307), "POST /items2": reply({"id": 1}, 201)}) as server:
        call = replace(api, url=server.url, allow=ALL).call(invoke("POST /items", {"body:": {}}))[0]
    assert (call.status, call.error) == (307, "redirect")
    assert server.seen == ["POST /items"]


def test_a_circle_of_redirects_ends(api: Api) -> None:
    with Server({"GET /items": to("/items")}) as server:
        call = replace(api, url=server.url).get()
    assert (call.status, call.error) == (302, "redirect")
    assert len(server.seen) == 1 + api.limits.redirects


def test_a_redirect_does_not_lead_to_what_is_on_the_deny_list(api: Api) -> None:
    with Server({"GET /items": to("/session/log%6fut"), "GET *": reply([])}) as server:
        call = replace(api, url=server.url).get()
    assert call.error == "redirect"
    assert server.seen == ["GET /items"]


def test_every_redirect_and_retry_is_asked_of_the_budget(api: Api) -> None:
    steps = iter([True, True, False])
    asked = []

    def spend() -> bool:
        asked.append(1)
        return next(steps)

    async def run(url: str) -> int | None:
        executor = replace(api, url=url).executor()
        request = executor.prepare(invoke("GET /items"))
        call = await executor.send(request, "x", spend)  # type: ignore[arg-type]
        await executor.close()
        return call.status

    with Server({"GET /items": to("/items")}) as server:
        assert asyncio.run(run(server.url)) == 302
    assert (len(server.seen), len(asked)) == (3, 3)


def busy(times: int, **headers: str) -> Route:
    count = itertools.count()

    def answer(request: Received) -> Answer:
        return reply({"error": "slow down"}, 429, **headers) if next(count) < times else reply([1])

    return answer


def test_429_waits_as_long_as_asked_and_tries_again(api: Api) -> None:
    with Server({"GET /items": busy(2, Retry_After="0.3")}) as server:
        start = time.monotonic()
        call = replace(api, url=server.url).get()
        assert time.monotonic() - start >= 0.6
    assert (call.status, len(server.seen)) == (200, 3)


def test_429_with_a_date(api: Api) -> None:
    # Both clocks are the server's: they may be wrong together.
    at = {"Retry_After": formatdate(1_000_001, usegmt=True), "Date": formatdate(1_000_000, usegmt=True)}
    with Server({"GET /items": busy(1, **at)}) as server:
        start = time.monotonic()
        call = replace(api, url=server.url).get()
        waited = time.monotonic() - start
    assert (call.status, len(server.seen)) == (200, 2)
    assert waited >= 0.9


def test_one_429_makes_every_call_wait(api: Api) -> None:
    async def run(url: str) -> list[float]:
        executor = replace(api, url=url).executor()
        ends = []

        async def one(line: str) -> None:
            request = executor.prepare(invoke(line, {"path:id": "1"}))
            await executor.send(request, line)  # type: ignore[arg-type]
            ends.append(time.monotonic())

        first = asyncio.create_task(one("GET /items"))
        while not server.seen or executor.rate.free:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        await asyncio.gather(first, one("GET /items/{id}"))
        await executor.close()
        return [end - start for end in ends]

    with Server({"GET /items": busy(1, Retry_After="0.5"), "GET /items/1": reply({})}) as server:
        ends = asyncio.run(run(server.url))
    assert min(ends) > 0.3


def test_a_pause_of_over_a_second_is_told_once() -> None:
    rate, told = Rate(), list[float]()
    rate.on_pause = told.append
    for seconds in (0.25, 6, 6, 5):
        rate.pause(seconds)
    assert [round(seconds) for seconds in told] == [6]
    assert round(rate.paused) == 6


def test_waiting_for_429_is_bounded_in_sum(api: Api) -> None:
    limits = replace(api.limits, max_paused=0.5)
    with Server({"GET /items": busy(99, Retry_After="0.2")}) as server:
        calls = replace(api, url=server.url, limits=limits).call(*[invoke("GET /items")] * 3)
        assert [call.status for call in calls] == [429] * 3
        assert len(server.seen) == 3 + 2


def test_429_that_asks_for_too_long_is_a_value(api: Api) -> None:
    with Server({"GET /items": busy(9, Retry_After="3600")}) as server:
        call = replace(api, url=server.url).get()
    assert (call.status, len(server.seen)) == (429, 1)


def test_429_without_end_is_a_value_after_some_retries(api: Api) -> None:
    with Server({"GET /items": busy(99, Retry_After="0")}) as server:
        call = replace(api, url=server.url).get()
    assert (call.status, len(server.seen)) == (429, 1 + api.limits.retries)


def test_503_is_tried_again_only_where_it_says_when(api: Api) -> None:
    with Server({"GET /items": reply({}, 503), "GET /items/1": reply({}, 503, Retry_After="0")}) as server:
        replace(api, url=server.url).call(invoke("GET /items"), invoke("GET /items/{id}", {"path:id": 1}))
    assert server.seen.count("GET /items") == 1
    assert server.seen.count("GET /items/1") == 1 + api.limits.retries


@pytest.mark.parametrize("text", ["soon", "-5", "", "Wed, 99 Foo", "nan"])
def test_a_retry_after_that_says_nothing(text: str) -> None:
    assert retry_after({"retry-after": text}) is None


def test_a_retry_after_in_the_past_is_now() -> None:
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0.0


def test_the_rate_is_kept() -> None:
    async def run() -> float:
        rate = Rate(50)
        start = time.monotonic()
        await asyncio.gather(*(rate.turn() for _ in range(11)))
        return time.monotonic() - start

    assert asyncio.run(run()) >= 0.199
