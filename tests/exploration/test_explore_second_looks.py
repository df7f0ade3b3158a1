"""GETs that change what they read: never called where they say so, found out at the second look where they do not."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, document, key
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.calls.journal import Journal
from docrev.calls.routes import Routes
from docrev.exploration.second_looks import SecondLooks, differences
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

OPERATIONS = ("GET /watches", "GET /watches/{id}")


class Watches:
    """Two watches of somebody's. `react` is called with a watch and the request before each answer about it."""

    def __init__(self, react: Callable[[dict[str, Any], Received], None]) -> None:
        self.react = react
        self.items: dict[str, dict[str, Any]] = {
            name: {"id": name, "title": f"watch {name}", "paused": False, "muted": False, "uses": 0}
            for name in ("w1", "w2")
        }

    def answer(self, request: Received) -> Answer:
        _, _, *rest = request.path.split("/")
        if not rest:
            return reply(list(self.items.values()))
        item = self.items.get(rest[0])
        if item is None:
            return reply({"message": "no such watch"}, 404)
        self.react(item, request)
        return reply(item if len(rest) == 1 else {"of": rest[0], "text": "content"})

    def server(self) -> Server:
        return Server({"GET /watches*": self.answer, "GET /unsubscribe/*": reply({"done": True})})


def explored(
    folder: Path, server: Server, *operations: str, allow: Sequence[str] = (), **extras: Any
) -> dict[str, Any]:
    """The summary of an exploration that may read, and what is named."""
    folder.mkdir(exist_ok=True)
    file = folder / "shop.json"
    file.write_text(json.dumps(document([*OPERATIONS, *operations], **extras)))
    found = docrev.explore(file, base_urls=server.url, out=folder / "evidence", max_calls=200, allow=allow)
    return found.summary


def query(*parameters: tuple[str, Json]) -> dict[str, Any]:
    return {"parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in parameters]}


def sent(server: Server, text: str) -> list[str]:
    return [line for line in server.seen if text in line]


def test_a_parameter_that_says_that_it_pauses_is_never_sent_to_an_item_of_others(tmp_path: Path) -> None:
    def react(watch: dict[str, Any], request: Received) -> None:
        watch["paused"] = watch["paused"] or "paused" in request.query
        watch["muted"] = watch["muted"] or "muted" in request.query

    watches = Watches(react)
    names = query(
        ("paused", {"type": "string", "enum": ["paused", "unpaused"]}),
        ("muted", {"type": "boolean"}),
        ("depth", {"type": "integer"}),
    )
    with watches.server() as server:
        explored(tmp_path, server, **{"GET /watches/{id}": names})
    assert sent(server, "depth=")
    assert sent(server, "paused=") == sent(server, "muted=") == []
    assert [item["paused"] or item["muted"] for item in watches.items.values()] == [False, False]


def test_a_parameter_that_says_nothing_is_found_out_at_the_second_look(tmp_path: Path) -> None:
    def react(watch: dict[str, Any], request: Received) -> None:
        watch["uses"] += "level" in request.query

    watches = Watches(react)
    level = query(("level", {"type": "integer"}), ("depth", {"type": "integer"}))
    with watches.server() as server:
        summary = explored(tmp_path, server, **{"GET /watches/{id}": level})
    assert [
        text
        for text in summary["findings"]
        if re.match(r"/uses had changed after \w+ GET /watches/\{id\} when it was sent with", text)
    ]
    # The survey tries two values before it looks; after the look, none is sent.
    assert 1 <= len(sent(server, "level=")) <= 2
    assert sum(item["uses"] for item in watches.items.values()) == len(sent(server, "level="))


def test_a_part_that_changes_its_item_is_read_once(tmp_path: Path) -> None:
    def react(watch: dict[str, Any], request: Received) -> None:
        watch["uses"] += request.path.endswith("/preview")

    watches = Watches(react)
    with watches.server() as server:
        summary = explored(tmp_path, server, "GET /watches/{id}/preview", "GET /watches/{id}/content")
    assert sent(server, "/w1/preview") + sent(server, "/w2/preview") == ["GET /watches/w1/preview"]
    assert len(sent(server, "/content")) > 1
    assert (
        sum(
            bool(re.match(r"/uses had changed after \w+ GET /watches/\{id\}/preview", text))
            for text in summary["findings"]
        )
        == 1
    )
    assert not any("/content" in text for text in summary["findings"])


@pytest.mark.parametrize("allow", [[], ["DELETE"]])
def test_a_get_that_makes_what_a_list_beside_it_shows_is_sent_once_and_told(tmp_path: Path, allow: list[str]) -> None:
    exports = {"e1": {"id": "e1", "of": "w1"}}

    def answer(request: Received) -> Answer:
        *_, watch, part = request.path.split("/")
        if part == "export" and watch in watches.items:
            exports[f"e{len(exports) + 1}"] = {"id": f"e{len(exports) + 1}", "of": watch}
            return reply({"text": "content"})
        if part == "exports" and watch in watches.items:
            return reply([export for export in exports.values() if export["of"] == watch])
        if request.method == "DELETE":
            return Answer(204) if exports.pop(part, None) else Answer(404)
        return reply(exports[part]) if part in exports else Answer(404)

    watches = Watches(lambda watch, request: None)
    below = [f"GET /watches/{{id}}/{part}" for part in ("export", "exports", "exports/{export_id}")]
    routes = {"GET /watches": watches.answer, "GET /watches/w1": watches.answer, "GET /watches/w2": watches.answer}
    with Server({**routes, "GET /watches/*": answer, "DELETE /watches/*": answer}) as server:
        summary = explored(tmp_path, server, *below, below[2].replace("GET", "DELETE"), allow=allow)
    assert [line for line in server.seen if line.endswith(("w1/export", "w2/export"))] == ["GET /watches/w1/export"]
    assert any("had changed after" in text and "GET /watches/{id}/export when" in text for text in summary["findings"])
    assert ([item["path"] for item in summary["left"]], [*exports]) == (
        ([], ["e1"]) if allow else (["/watches/w1/exports/e2"], ["e1", "e2"])
    )


def test_what_changes_by_itself_is_no_change(tmp_path: Path) -> None:
    def react(watch: dict[str, Any], request: Received) -> None:
        watch["uses"] += 1

    watches = Watches(react)
    depth = query(("depth", {"type": "integer"}))
    with watches.server() as server:
        summary = explored(tmp_path, server, "GET /watches/{id}/content", **{"GET /watches/{id}": depth})
    assert len(sent(server, "depth=")) > 2
    assert not any("changed /uses" in text for text in summary["findings"])


@pytest.mark.parametrize("operation", ["GET /watches/{id}/delete", "GET /watches/{id}/pause", "GET /unsubscribe/{id}"])
def test_a_get_that_says_that_it_acts_is_called_only_by_name(tmp_path: Path, operation: str) -> None:
    watches = Watches(lambda watch, request: None)
    tail = operation.rpartition("/")[2] if "watches" in operation else "unsubscribe"
    with watches.server() as server:
        explored(tmp_path, server, operation)
        assert sent(server, tail) == []
        explored(tmp_path / "named", server, operation, allow=[operation])
    assert sent(server, tail)


def call(body: Json, status: int = 200) -> Call:
    return Call(
        id="x",
        key=key("GET /items"),
        arguments={},
        url="",
        status=status,
        headers={},
        body=body,
        media_type="application/json",
        purpose="survey",
    )


def test_what_could_not_be_looked_at_again_says_nothing(tmp_path: Path) -> None:
    lines = catalog(tmp_path, ["GET /items"])
    looks = SecondLooks(lines, Journal(Routes(lines.operations)), lambda text, calls: None)
    unsent = replace(call(None), status=None, error="budget")
    steps = looks.changed([call({"a": 1})], [Invoke(key("GET /items"), {}, "survey")])
    next(steps)
    steps.send([call({"a": 2})])
    with pytest.raises(StopIteration) as end:
        steps.send([unsent])
    assert end.value.value is None


def test_differences_are_of_values_at_a_place_in_any_order_and_not_of_times() -> None:
    before = call({"items": [{"id": 1, "on": True}, {"id": 2, "on": False}], "at": "2026-01-02T03:04:05Z"})
    turned = call({"items": [{"id": 2, "on": False}, {"id": 1, "on": True}], "at": "2026-01-02T03:04:06Z"})
    assert differences(before, turned) == set()
    switched = call({"items": [{"id": 1, "on": False}, {"id": 2, "on": False}], "at": ""})
    assert differences(before, switched) == {"/items/0/on", "/at"}
    assert differences(before, call({"items": []})) == {"/items/0/id", "/items/0/on", "/at"}
    assert differences(before, call({}, 404)) == {""}
    assert differences(before, call({}, 503)) == set()


class Jobs(Shop):
    """Jobs of somebody's, of which `do` takes, claims or counts on when a GET of a word beside them comes."""

    def __init__(self, word: str, do: Callable[[dict[str, dict[str, Any]]], Answer]) -> None:
        super().__init__({f"/jobs/{number}": {"name": f"job {number}", "state": "new"} for number in range(501, 506)})
        self.word, self.do = word, do

    def __call__(self, request: Received) -> Answer:
        return self.do(self.things) if request.path == f"/jobs/{self.word}" else super().__call__(request)


def take(things: dict[str, dict[str, Any]]) -> Answer:
    return reply(things.pop(min(things)))


def claim(things: dict[str, dict[str, Any]]) -> Answer:
    first = next(thing for thing in things.values() if thing["state"] == "new")
    first["state"] = "claimed"
    return reply(first)


@pytest.mark.parametrize(
    ("word", "do", "most"),
    [
        ("next", take, 1),
        ("upcoming", claim, 1),
        ("next-number", lambda things, n=itertools.count(7): reply(next(n)), 2),
    ],
)
def test_a_word_beside_items_that_takes_one_or_counts_on_is_called_no_more(
    tmp_path: Path, word: str, do: Callable[[dict[str, dict[str, Any]]], Answer], most: int
) -> None:
    lines = ["GET /jobs", "POST /jobs", "GET /jobs/{id}", "DELETE /jobs/{id}", f"GET /jobs/{word}"]
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document(lines)))
    with Server(Jobs(word, do).routes) as server:
        found = docrev.explore(file, base_urls=server.url, out=tmp_path, max_calls=200, allow="POST,DELETE")
    assert len(sent(server, f"/jobs/{word}")) == most
    assert any(
        f"had changed after shop GET /jobs/{word} when it was called" in line for line in found.summary["findings"]
    )


def test_a_word_beside_items_that_only_reads_is_called_on(tmp_path: Path) -> None:
    lines = ["GET /jobs", "POST /jobs", "GET /jobs/{id}", "DELETE /jobs/{id}", "GET /jobs/next"]
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document(lines)))
    with Server(Jobs("next", lambda things: reply(things[min(things)])).routes) as server:
        found = docrev.explore(file, base_urls=server.url, out=tmp_path, max_calls=200, allow="POST,DELETE")
    assert len(sent(server, "/jobs/next")) > 2
    assert not any("had changed after" in line for line in found.summary["findings"])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("GET /jobs/fresh", "Returns the unread jobs and marks them as read."),
        ("GET /jobs/first", "Removes the oldest job from the queue and returns it."),
        ("GET /report", "Returns the counts since the last call and resets them."),
        ("GET /secret", "The secret can be retrieved only once."),
        ("GET /jobs/pop", ""),
        ("GET /jobs/dequeue", ""),
    ],
)
def test_a_get_that_says_what_it_changes_is_never_sent(tmp_path: Path, line: str, text: str) -> None:
    file = tmp_path / "shop.json"
    lines = ["GET /jobs", "GET /jobs/{id}", line]
    file.write_text(json.dumps(document(lines, **{line: {"description": text}})))
    with Server({"GET *": reply([{"id": "1", "name": "first"}])}) as server:
        found = docrev.explore(file, base_urls=server.url, out=tmp_path, max_calls=200)
    assert line not in server.seen
    missed = {row["operation"]: row["why"] for row in found.summary["missed"]}
    assert "it says that it acts, though by GET" in missed[line]
