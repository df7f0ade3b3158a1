"""Answers that are kept: recorded, replayed without a server, shared by whoever asks the same at a time."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Body, ChatServer, Reply

from docrev.errors import InputError, LockedError, ModelError, NotRecordedError, StoreError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.budgets import Budgets
from docrev.models.chat import ChatBackend
from docrev.models.recorded import RecordedBackend, RememberingBackend
from docrev.models.rendering import fence
from docrev.models.store import Answers, Kept, Seat, question

SETTINGS = CompletionSettings(retries=0)


def request(text: str = "Hello?", **changes: object) -> CompletionRequest:
    whole = CompletionRequest("NextPlan", ({"role": "user", "content": text},), None, 100)
    return replace(whole, **changes)  # type: ignore[arg-type]


def echo(body: Body) -> Reply:
    return Reply(f"to {body['messages'][-1]['content']} at {body['temperature']}")


def counting() -> Callable[[Body], Reply]:
    """Another answer each time."""
    served: list[Body] = []

    def reply(body: Body) -> Reply:
        served.append(body)
        return Reply(f"answer {len(served)}")

    return reply


def asks(
    file: Path | None,
    *requests: CompletionRequest,
    url: str,
    settings: CompletionSettings = SETTINGS,
    run: str = "",
    records: bool = False,
) -> list[Completion]:
    """What a model that remembers in `file` answers, all asked at once."""

    async def work() -> list[Completion]:
        answers = Answers.open(file, write=True) if file else None
        if answers is not None:
            answers.records = records
        backend = RememberingBackend(ChatBackend("m", url=url, settings=settings), answers, Budgets(), run=run)
        try:
            return list(await asyncio.gather(*(backend.complete(one) for one in requests)))
        finally:
            await backend.close()
            if answers is not None:
                answers.seat("plan", Seat("openai:m", settings))
                answers.close()

    return asyncio.run(work())


def replayed(file: Path, *requests: CompletionRequest) -> list[Completion]:
    async def work() -> list[Completion]:
        answers = Answers.open(file, write=False)
        backend = RememberingBackend(RecordedBackend(answers.seats()["plan"], str(file)), answers, Budgets(), run=None)
        try:
            return [await backend.complete(one) for one in requests]
        finally:
            answers.close()

    return asyncio.run(work())


def test_a_replay_gives_the_same_answers_with_their_tokens_and_no_server(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    questions = [request("one"), request("two é"), request("one", max_tokens=50)]
    with ChatServer(echo) as server:
        live = asks(file, *questions, url=server.url)
        assert len(server.asked) == 3
    assert replayed(file, *questions) == live
    assert live[0].tokens_out > 0


def test_a_recording_is_one_file(tmp_path: Path) -> None:
    with ChatServer(counting()) as server:
        asks(tmp_path / "kept.db", request(), url=server.url)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.db"]
    assert b"Hello?" not in (tmp_path / "kept.db").read_bytes()


def test_a_question_that_was_not_recorded_is_named(tmp_path: Path) -> None:
    with ChatServer(echo) as server:
        asks(tmp_path / "kept.db", request(), url=server.url)
    with pytest.raises(NotRecordedError, match=r"NextPlan.*--record FILE"):
        replayed(tmp_path / "kept.db", request("Something else?"))


def test_what_decides_an_answer_is_in_its_key() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    turned = {"properties": {"b": {}, "a": {}}, "type": "object"}
    base = request(schema=schema)
    key = question(base, "openai:m", SETTINGS)
    assert question(request(schema=turned), "openai:m", SETTINGS) == key
    others = {
        question(replace(base, prompt="ConstructCall"), "openai:m", SETTINGS),
        question(replace(base, max_tokens=99), "openai:m", SETTINGS),
        question(replace(base, schema=None), "openai:m", SETTINGS),
        question(base, "openai:n", SETTINGS),
        question(base, "openai:m", replace(SETTINGS, temperature=0.5)),
        question(base, "openai:m", replace(SETTINGS, seed=1)),
        key,
    }
    assert len(others) == 7
    assert question(base, "openai:m", replace(SETTINGS, timeout=1.0, concurrency=1)) == key


def test_equal_questions_at_a_time_are_asked_once(tmp_path: Path) -> None:
    with ChatServer(counting()) as server:
        found = asks(tmp_path / "kept.db", *[request()] * 6, url=server.url)
        assert len(server.asked) == 1
    assert {one.text for one in found} == {"answer 1"}
    assert sorted(one.cached for one in found) == [False, *[True] * 5]
    assert sum(one.tokens_in for one in found) == max(one.tokens_in for one in found) > 0


def test_without_a_file_equal_questions_are_asked_each_time() -> None:
    with ChatServer(counting()) as server:
        found = asks(None, *[request()] * 3, url=server.url)
        assert {one.text for one in found} == {"answer 1", "answer 2", "answer 3"}
        assert len(server.asked) == 3


def test_what_another_run_was_answered_is_free(tmp_path: Path) -> None:
    with ChatServer(counting()) as server:
        [first] = asks(tmp_path / "kept.db", request(), url=server.url, run="one")
        [again] = asks(tmp_path / "kept.db", request(), url=server.url, run="two")
        [mine] = asks(tmp_path / "kept.db", request(), url=server.url, run="one")
        assert len(server.asked) == 1
    assert (again.text, again.cached, again.tokens_in) == (first.text, True, 0)
    # The run goes on where it was cut off: it has paid for this.
    assert mine == first


def test_above_temperature_0_only_the_run_itself_and_a_replay_get_the_answers(tmp_path: Path) -> None:
    warm = replace(SETTINGS, temperature=0.7)
    file = tmp_path / "kept.db"
    with ChatServer(counting()) as server:
        first = asks(file, request(), request(), url=server.url, settings=warm, run="one")
        again = asks(file, request(), request(), url=server.url, settings=warm, run="one")
        assert again == first
        assert len(server.asked) == 2
        assert replayed(file, request(), request()) == first
        other = asks(file, request(), url=server.url, settings=warm, run="two")
    assert {one.text for one in first} == {"answer 1", "answer 2"}
    assert other[0].text == "answer 3"


def test_a_refused_request_is_replayed_as_refused_and_asked_again_by_another_run(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    script = [Reply("fine"), Reply("the prompt displeases", 422)]
    with ChatServer(script) as server:
        asks(file, request("first"), url=server.url)
        # It has answered before, and so it is this request that it refuses.
        with pytest.raises(ModelError, match="displeases"):
            asks(file, request("first"), request("bad"), url=server.url)
        with pytest.raises(ModelError, match="displeases"):
            replayed(file, request("bad"))
        asked = len(server.asked)
        with pytest.raises(ModelError):
            asks(file, request("bad"), url=server.url)
        assert len(server.asked) > asked


def test_no_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file of recorded answers; record one with --record"):
        Answers.open(tmp_path / "none.db", write=False)


@pytest.mark.parametrize("write", [True, False])
def test_what_is_not_a_file_of_answers_is_told(tmp_path: Path, write: bool) -> None:
    (tmp_path / "text.db").write_text("not a database at all, but a text of some length " * 40)
    with pytest.raises(StoreError, match=r"text\.db.*damaged"):
        Answers.open(tmp_path / "text.db", write=write)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE mine (a)")
    other.close()
    with pytest.raises(StoreError, match="not a docrev answers file"):
        Answers.open(tmp_path / "other.db", write=write)


def test_a_newer_file_is_told(tmp_path: Path) -> None:
    Answers.open(tmp_path / "new.db", write=True).close()
    with sqlite3.connect(tmp_path / "new.db") as newer:
        newer.execute("PRAGMA user_version = 9")
    newer.close()
    with pytest.raises(StoreError, match=r"newer docrev.*upgrade"):
        Answers.open(tmp_path / "new.db", write=False)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises((InputError, LockedError), match=str(tmp_path)):
        Answers.open(tmp_path, write=True)


def test_two_processes_may_keep_answers_in_one_file(tmp_path: Path) -> None:
    one, two = (Answers.open(tmp_path / "kept.db", write=True) for _ in range(2))
    one.put("a", 0, "NextPlan", Kept(Completion("one")))
    two.put("b", 0, "NextPlan", Kept(Completion("two")))
    one.close()
    assert (two.get("a"), two.get("b")) == (Kept(Completion("one")), Kept(Completion("two")))
    two.close()
    assert [path.name for path in tmp_path.iterdir()] == ["kept.db"]


def quoted(time: str, count: int, word: str = "ok") -> CompletionRequest:
    """A question that quotes an API's answer, behind a fence as prompts have it."""
    body = {"status": 200, "body": {"state": word, "time": time, "request_count": count, "airports": 572}}
    return request(f"What of this?\n{fence(json.dumps(body))}\nNumber 7.")


def test_a_replay_answers_what_differs_only_in_what_an_api_counts_and_times(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    asked = quoted("2026-11-21T11:51:28.718+00:00", 1)
    with ChatServer(counting()) as server:
        live = asks(file, asked, url=server.url, records=True)
    assert replayed(file, quoted("2027-01-02T01:02:03Z", 44)) == live
    for other in (quoted("2027-01-02T01:02:03Z", 44, "down"), request(asked.messages[0]["content"].replace("7", "8"))):
        with pytest.raises(NotRecordedError):
            replayed(file, other)


def test_of_several_alike_the_one_that_differs_least_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    with ChatServer(counting()) as server:
        live = asks(
            file, *(quoted(f"2026-11-{day}T11:51:28Z", day) for day in (20, 21, 22)), url=server.url, records=True
        )
    assert replayed(file, quoted("2026-12-01T00:00:00Z", 21)) == live[1:2]
