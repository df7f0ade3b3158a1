"""Storms: credentials refused again and again, nobody there, pages, limits and silence end a run in one line."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from patience import HANGS
from servers import Answer, Received, Server, closed_port, reply
from test_drive_runs import at_once, get, one_by_one

from docrev.calls.credentials import parse_header
from docrev.calls.limits import Limits
from docrev.errors import CredentialsError, UnreachableError
from docrev.prompts.steps import Steps
from docrev.records import Call


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


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
