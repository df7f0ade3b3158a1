"""Explorations on real schedulers and workers on loopback: what comes of them is what one process gives."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from clikit import docrev
from clusterkit import cluster_of
from patience import HANGS
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev as library
from docrev.cluster.exploration import clean, explore
from docrev.cluster.pool import Cluster
from docrev.errors import UnreachableError, UsageError
from docrev.events import Event, UnitAdvanced, UnitsStarted
from docrev.evidence import Evidence
from docrev.evidence.codec import call_json, fact_json
from docrev.sessions.exploration import Exploration
from docrev.settings.groups import ExploreSettings

NOUNS = ("parcels", "ferries", "glaciers")


class Service:
    """Things of one noun, with an optional delay; `seen` are the requests."""

    def __init__(self, noun: str) -> None:
        self.noun, self.delay, self.seen = noun, 0.0, list[str]()
        self.secrets = set[str]()

    def __call__(self, request: Received) -> Answer:
        time.sleep(self.delay)
        self.seen.append(request.target)
        self.secrets.add(request.headers.get("x-token", ""))
        things = [{f"{self.noun}_no": n, "weight": n * 1.5, "state": ["new", "old"][n % 2]} for n in range(1, 8)]
        _, noun, *rest = request.path.split("/")
        if noun != self.noun:
            return reply({"error": "not found"}, 404)
        if not rest:
            state = request.query.get("state", [""])[0]
            return reply([thing for thing in things if state in ("", thing["state"])])
        found = [thing for thing in things if str(thing[f"{self.noun}_no"]) == rest[0]]
        return reply(found[0]) if found else reply({"error": f"no such {self.noun}"}, 404)


class World:
    """Services on ports of their own, and a folder with their specs."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.specs = folder, folder / "specs"
        self.specs.mkdir()
        self.services = {noun: Service(noun) for noun in NOUNS}
        self.urls: list[str] = []
        for noun, service in self.services.items():
            server = stack.enter_context(Server({"GET *": service}))
            self.urls.append(f"{noun}={server.url}")
            state = {"name": "state", "in": "query", "schema": {"type": "string"}}
            spec = document([f"GET /{noun}", f"GET /{noun}/{{{noun}_no}}"], **{f"GET /{noun}": {"parameters": [state]}})
            item = spec["paths"][f"/{noun}/{{{noun}_no}}"]["get"]
            item["parameters"] = [{"name": f"{noun}_no", "in": "path", "required": True, "schema": {"type": "integer"}}]
            (self.specs / f"{noun}.json").write_text(json.dumps(spec))

    def explore(self, cluster: str, out: str, **more: Any) -> Exploration:
        handler = more.pop("on_event", lambda event: None)
        given = {"base_urls": tuple(self.urls), "out": str(self.folder / out), "max_calls": 120, **more}
        return explore(self.specs, ExploreSettings.build(given), Cluster.parse(cluster), on_event=handler)

    def shown(self, out: str) -> list[Any]:
        """All that is told of an exploration, but for its seconds."""
        with Evidence.open(self.folder / out, write=False) as evidence:
            calls = [call_json(call) for call in evidence.calls.select()]
            facts = [fact_json(fact) for fact in evidence.facts()]
            others = [evidence.scenarios(), evidence.nodes(), evidence.solutions(), evidence.missed()]
            summary = evidence.run.summary
        assert summary is not None
        told = {name: value for name, value in summary["told"].items() if name != "seconds"}
        changes = [str(change) for change in library.revise(self.specs, evidence=self.folder / out).changes]
        assert len(calls) > 30
        assert len(facts) > 3
        assert changes
        return [calls, facts, others, told, changes]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def test_units_are_explored_and_merged_in_one_process(world: World) -> None:
    events: list[Event] = []
    explored = world.explore("local:0", "one", on_event=events.append)
    assert (explored.summary["operations"], explored.summary["operations_2xx"]) == (6, 6)
    assert [event.units for event in events if isinstance(event, UnitsStarted)] == [3]
    advanced = [event for event in events if isinstance(event, UnitAdvanced)]
    assert sum(event.units for event in advanced) == 3
    assert sum(event.calls for event in advanced) == explored.summary["requests"]
    sent = {noun: len(service.seen) for noun, service in world.services.items()}
    assert sum(sent.values()) == explored.summary["requests"] <= 120
    again = world.explore("local:0", "one")
    assert (again.kept, again.summary) == (True, explored.summary)
    assert {noun: len(service.seen) for noun, service in world.services.items()} == sent


def test_a_unit_that_fails_holds_up_no_other_and_is_tried_again(world: World) -> None:
    good = list(world.urls)
    world.urls[1] = "ferries=http://127.0.0.1:1"
    with pytest.raises(UnreachableError, match=r"1 of 3 units failed"):
        world.explore("local:0", "part")
    with Evidence.open(world.folder / "part", write=False) as evidence:
        assert {call.key.tool for call in evidence.calls.select(ok=True)} == {"parcels", "glaciers"}
        assert not evidence.run.finished
    world.urls = good
    world.explore("local:0", "whole")
    assert world.shown("whole")


class Crates(Shop):
    """A shop that chooses ids itself."""

    def shown(self, path: str) -> dict[str, Any]:
        return {**self.things[path], "id": int(path.rpartition("/")[2])}


def test_what_units_of_an_unfinished_run_created_is_removed(tmp_path: Path) -> None:
    shop = Crates()
    specs = tmp_path / "specs"
    specs.mkdir()
    lines = ["GET /crates", "POST /crates", "GET /crates/{id}", "DELETE /crates/{id}"]
    (specs / "crates.json").write_text(json.dumps(document(lines)))
    (specs / "ferries.json").write_text(json.dumps(document(["GET /ferries"])))
    with Server(shop.routes) as server:
        urls = (f"crates={server.url}", "ferries=http://127.0.0.1:1")
        values = {"base_urls": urls, "out": str(tmp_path / "out"), "max_calls": 120}
        with pytest.raises(UnreachableError):
            explore(specs, ExploreSettings.build({**values, "allow": "POST"}), Cluster())
        assert shop.things
        urls = (f"crates={server.url}", f"ferries={server.url}")
        settings = ExploreSettings.build({**values, "base_urls": urls, "allow": "POST,DELETE"})
        cleaned = asyncio.run(clean(specs, settings))
        assert (shop.things, cleaned.left) == ({}, ())


def test_wrong_use_is_one_line(world: World) -> None:
    for text in ("remote", "local:x", "tcp://host", "http://host:1"):
        with pytest.raises(UsageError, match="is no cluster"):
            Cluster.parse(text)
    with pytest.raises(UsageError, match="a credential is not sent to workers"):
        world.explore("local:0", "out", headers=("parcels=X-Token: literal-token",))
    with pytest.raises(UsageError, match="too few for 3 units"):
        world.explore("local:0", "out", max_calls=2)


@pytest.mark.long
def test_a_scheduler_that_does_not_answer_is_waited_for_and_then_one_line(world: World) -> None:
    with pytest.raises(UnreachableError, match="no scheduler answers"):
        world.explore("tcp://127.0.0.1:1", "out")


@pytest.mark.long
def test_workers_of_this_machine_give_the_same_as_one_process(world: World) -> None:
    world.explore("local:0", "one")
    words = [word for url in world.urls for word in ("--base-url", url)]
    done = docrev("explore", world.specs, *words, "--out", world.folder / "two", "--max-calls", "120",
                  "--cluster", "local:2", "--json")  # fmt: skip
    assert done.code == 0, done.err
    assert "units: 3 of 3 done" in done.err
    assert done.json["operations_2xx"] == 6
    assert world.shown("two") == world.shown("one")


@pytest.mark.long
def test_a_killed_worker_loses_nothing_and_secrets_are_read_where_workers_are(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = ("ferries=X-Token: env:FERRY_TOKEN",)
    monkeypatch.setenv("FERRY_TOKEN", "from-the-worker")
    world.explore("local:0", "one", headers=headers)
    monkeypatch.delenv("FERRY_TOKEN")
    for service in world.services.values():
        service.seen.clear()
        service.delay = 0.02
    with cluster_of(2, FERRY_TOKEN="from-the-worker") as (address, workers):
        killed: list[int] = []

        def kill() -> None:
            # In the middle of the unit that one of them explores.
            end = time.monotonic() + HANGS
            while sum(len(service.seen) for service in world.services.values()) < 30 and time.monotonic() < end:
                time.sleep(0.01)
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        explored = world.explore(address, "two", headers=headers)
        killer.join()
    assert killed
    assert explored.summary["operations_2xx"] == 6
    assert world.services["ferries"].secrets == {"", "from-the-worker"}
    assert world.services["parcels"].secrets == {""}
    assert world.shown("two") == world.shown("one")
    sent = {noun: len(service.seen) for noun, service in world.services.items()}
    # What was kept is not asked again: at most what was on the wire.
    assert sum(sent.values()) <= explored.summary["requests"] + 8
    for file in (world.folder / "two").rglob("*"):
        assert not file.is_file() or b"from-the-worker" not in file.read_bytes()
