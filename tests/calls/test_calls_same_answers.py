"""What the same answers have in common: what was read of one holds for all, and nothing that is a call's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from callkit import Api, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.calls.executor import Executor
from docrev.calls.redact import MASK
from docrev.conventions.run_names import PLACEHOLDER, RunNames
from docrev.records import Call, Json

NONCE = "12345678"


@contextmanager
def served(tmp_path: Path, answer: Answer) -> Iterator[Api]:
    with Server({"GET /items": answer}) as server:
        yield Api(catalog(tmp_path), server.url, tmp_path)


async def sent(executor: Executor, *arguments: dict[str, Json]) -> list[Call]:
    """The calls of `GET /items` with these arguments."""
    requests = [executor.build(invoke("GET /items", given)) for given in arguments]
    return [await executor.send(request, f"call{number}") for number, request in enumerate(requests)]


def kept(call: Call) -> list[str]:
    return [call.id]


def test_what_is_read_of_an_answer_holds_for_the_same_one_to_the_same_request(tmp_path: Path) -> None:
    with served(tmp_path, reply({"a": [1]})) as api:
        first, again, other = api.call(*(invoke("GET /items", {"query:q": q}) for q in ("x", "x", "y")))
    assert first.body == {"a": [1]}
    assert first.body is again.body is other.body
    assert first.read(kept) == again.read(kept) == [first.id]
    assert other.read(kept) == [other.id]


def test_what_is_read_of_an_answer_does_not_hold_for_another_one_to_the_same_request(tmp_path: Path) -> None:
    counted = iter(range(9))

    def answer(request: Received) -> Answer:
        return reply({"a": [1]}, x_count=str(next(counted) // 2))

    with served(tmp_path, answer) as api:
        first, again, third = api.call(*[invoke("GET /items")] * 3)
    assert [call.read(kept) for call in (first, again, third)] == [[first.id], [first.id], [third.id]]
    assert (first.headers["x-count"], third.headers["x-count"]) == ("0", "1")


def test_arguments_of_different_types_are_different_requests(tmp_path: Path) -> None:
    with served(tmp_path, reply({"a": [1]})) as api:
        number, text = api.call(*(invoke("GET /items", {"query:q": q}) for q in (7, "7")))
    assert number.url == text.url
    assert [call.read(kept) for call in (number, text)] == [[number.id], [text.id]]


def test_a_secret_that_is_learned_later_is_redacted_in_what_came_before_too(tmp_path: Path) -> None:
    async def run(api: Api) -> list[Call]:
        executor = api.executor()
        before = await sent(executor, {})
        executor.redactor.learn("opensesame-4711")
        return [*before, *await sent(executor, {})]

    with served(tmp_path, reply({"note": "opensesame-4711"}, x_note="opensesame-4711")) as api:
        before, after = asyncio.run(run(api))
    assert before.body == {"note": "opensesame-4711"}
    assert (after.body, after.headers["x-note"]) == ({"note": MASK}, MASK)


def test_the_same_answer_is_translated_anew_for_another_run(tmp_path: Path) -> None:
    async def run(api: Api) -> list[Call]:
        executor = api.executor()
        before = await sent(executor, {})
        executor.names = RunNames(NONCE)
        return [*before, *await sent(executor, {})]

    with served(tmp_path, reply({"name": f"docrev-{NONCE}-1"})) as api:
        before, after = asyncio.run(run(api))
    assert [call.body["name"] for call in (before, after)] == [f"docrev-{NONCE}-1", f"docrev-{PLACEHOLDER}-1"]
