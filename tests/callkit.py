"""Puts real parts together for the tests of calls and of the driver: a spec on disk, an executor, a driver."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from patience import HANGS
from servers import Server, reply

from docrev.calls.credentials import Header
from docrev.calls.executor import Executor
from docrev.calls.limits import Limits
from docrev.calls.policy import Policy
from docrev.conventions.run_names import RunNames
from docrev.driver import Budget, Driver
from docrev.events import Event
from docrev.evidence import Evidence
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json, OperationKey
from docrev.spec import Catalog, load

CRUD = (
    "GET /items",
    "POST /items",
    "DELETE /items",
    "GET /items/{id}",
    "PUT /items/{id}",
    "PATCH /items/{id}",
    "DELETE /items/{id}",
    "GET /items/{item_id}/notes",
    "POST /items/{item_id}/notes",
    "DELETE /items/{item_id}/notes",
    "DELETE /items/{item_id}/notes/{note_id}",
)
ALL = ("POST,PUT,PATCH,DELETE",)


def document(operations: Sequence[str], **extras: dict[str, Any]) -> dict[str, Any]:
    """An OpenAPI document of `METHOD /path` lines; `extras` are merged into the operations by `METHOD_path` names."""
    paths: dict[str, Any] = {}
    for line in operations:
        method, _, path = line.partition(" ")
        found: dict[str, Any] = {"responses": {"200": {"description": "ok", "content": {"application/json": {}}}}}
        if method in ("POST", "PUT", "PATCH"):
            found["requestBody"] = {"content": {"application/json": {"schema": {"type": "object"}}}}
        paths.setdefault(path, {})[method.lower()] = {**found, **extras.get(line, {})}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths}


def catalog(folder: Path, operations: Sequence[str] = CRUD, **extras: dict[str, Any]) -> Catalog:
    """The catalog of such a document; its tool is called `shop`."""
    file = folder / "shop.json"
    file.write_text(json.dumps(document(operations, **extras)))
    return load([file])


def key(line: str) -> OperationKey:
    return OperationKey("shop", line)


def invoke(line: str, arguments: dict[str, Json] | None = None, **more: Any) -> Invoke:
    """`invoke("GET /items/{id}", {"path:id": 1})`."""
    return Invoke(key(line), arguments or {}, **more)


@dataclass
class Api:
    """A catalog and where it lives; `call` sends calls without a driver, `make` and `drive` with one."""

    catalog: Catalog
    url: str
    folder: Path
    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    read_only: Sequence[str] = ()
    headers: Sequence[Header] = ()
    limits: Limits = field(default_factory=lambda: Limits(timeout=HANGS))
    rate: float | None = None
    budget: int = 1000
    concurrency: int = 8
    names: RunNames = field(default_factory=RunNames)
    events: list[Event] = field(default_factory=list)

    def executor(self) -> Executor:
        return Executor(
            self.catalog,
            {"shop": self.url},
            headers=self.headers,
            policy=Policy.parse(self.allow, self.deny, self.read_only),
            limits=self.limits,
            rate=self.rate,
            concurrency=self.concurrency,
            names=self.names,
        )

    def call(self, *invokes: Invoke) -> list[Call]:
        """Judge, send and take in calls, one after the other."""

        async def run() -> list[Call]:
            executor = self.executor()
            calls = []
            for number, step in enumerate(invokes):
                request = executor.prepare(step)
                call = request if isinstance(request, Call) else await executor.send(request, f"call{number}")
                executor.observe(call, step)
                calls.append(call)
            await executor.close()
            return calls

        return asyncio.run(run())

    def get(self, arguments: dict[str, Json] | None = None) -> Call:
        """One `GET /items`."""
        return self.call(invoke("GET /items", arguments))[0]

    @contextmanager
    def open(self) -> Iterator[Evidence]:
        with Evidence.open(self.folder / "evidence", write=True) as evidence:
            evidence.begin({"test": True})
            yield evidence

    def make(self, *invokes: Invoke) -> list[Call]:
        """Make calls with a driver, one after the other: with the looks before and after a creation."""

        def steps() -> Steps[list[Call]]:
            calls: list[Call] = []
            for step in invokes:
                calls.append((yield step))
            return calls

        made: list[Call] = self.drive(steps())
        return made

    def drive(self, steps: Steps[Any]) -> Any:
        """Run steps on the evidence of this folder; a second time, the same run goes on."""
        return self.drive_with(steps)[0]

    def drive_with(self, steps: Steps[Any], budget: Budget | None = None) -> tuple[Any, Driver]:
        async def run(evidence: Evidence) -> tuple[Any, Driver]:
            executor = self.executor()
            driver = Driver(
                executor,
                NoModel(),
                evidence,
                budget=budget or Budget(self.budget),
                concurrency=self.concurrency,
                emit=self.events.append,
            )
            try:
                return await driver.run(steps), driver
            finally:
                await executor.close()

        with self.open() as evidence:
            return asyncio.run(run(evidence))


class NoModel:
    """For steps that ask nothing."""

    name = "none"

    async def ask(self, prompt: Any) -> Any:
        raise AssertionError(f"asked {prompt!r}")


def sent(api: Api, line: str, arguments: dict[str, Json] | None = None) -> tuple[str, list[str]]:
    """The reason of the denial ("" if none) of a call, and what arrived."""
    with Server({f"{method} *": reply({}) for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")}) as server:
        call = replace(api, url=server.url).call(invoke(line, arguments))[0]
    assert (call.error == "denied") == (not server.seen)
    return call.detail if call.error == "denied" else "", server.seen


def with_operations(api: Api, operations: Sequence[str], **extras: dict[str, Any]) -> Api:
    return replace(api, catalog=catalog(api.folder, operations, **extras))
