"""A service with items and notes for tests of the clean-up, and what a clean-up leaves on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from callkit import ALL, Api, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.calls.executor import Executor
from docrev.driver.cleaning import CleanUp, clean_up
from docrev.evidence.queries import left_items
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem

OPERATIONS = (
    *("GET /items", "POST /items", "GET /items/{id}", "PATCH /items/{id}", "DELETE /items/{id}"),
    *("GET /items/{id}/notes", "POST /items/{id}/notes", "GET /items/{id}/notes/{note}"),
    *("DELETE /items/{id}/notes/{note}", "POST /items/{id}/archive", "GET /labels"),
)


@dataclass
class Shop:
    """A service with things by path; `delete` decides what a DELETE does."""

    things: dict[str, dict[str, Any]] = field(default_factory=lambda: {"/items/1": {"id": "1", "name": "theirs"}})
    delete: Callable[[Shop, str], Answer] | None = None
    removed: list[str] = field(default_factory=list)
    marked: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What a GET of one thing shows otherwise than the list."""

    def __call__(self, request: Received) -> Answer:
        path = request.path
        if request.method == "POST":
            return self._create(path, request)
        if request.method == "DELETE":
            self.removed.append(path)
            return self.delete(self, path) if self.delete else self.drop(path)
        if path.count("/") % 2:
            listed = [thing for name, thing in self.things.items() if name.rpartition("/")[0] == path]
            return reply({"data": listed})
        shown = self.things | self.marked
        return reply(shown[path]) if path in shown else reply({"error": "gone"}, 404)

    def _create(self, path: str, request: Received) -> Answer:
        if path.endswith("/archive"):
            return reply({"archived": True})
        thing = {**request.json, "id": str(len(self.things) + 1)}
        self.things[f"{path}/{thing['id']}"] = thing
        return reply(thing, 201)

    def drop(self, path: str) -> Answer:
        self.things = {name: thing for name, thing in self.things.items() if not f"{name}/".startswith(f"{path}/")}
        return Answer(204)

    @property
    def routes(self) -> dict[str, Any]:
        return {f"{method} /*": self for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}


def shop_api(folder: Path) -> Api:
    """An exploration that may write; `cleaned` puts the address of a shop in."""
    return Api(catalog(folder, OPERATIONS), "http://127.0.0.1:9", folder, allow=ALL)


def made(number: int) -> Any:
    return {"body:": {"name": f"docrev-00000000-{number}"}}


def cleaned(api: Api, shop: Shop, steps: Sequence[Any] | None = None) -> tuple[CleanUp, list[tuple[str, str]]]:
    """Make calls (by default: two items, a note below the first), clean up; what is left, with the reasons."""
    calls = steps or [
        invoke("POST /items", made(1)),
        invoke("POST /items/{id}/notes", {"path:id": "2", **made(2)}),
        invoke("POST /items", made(3)),
    ]
    found: list[Executor] = []

    def run() -> Steps[CleanUp]:
        for step in calls:
            call: Call = yield step
            assert call.key == step.key
        [executor] = found
        return (yield from clean_up(executor, keep=kept.append))

    kept: list[JournalItem] = []
    with Server(shop.routes) as server:
        there = replace(api, url=server.url)
        executor = there.executor()
        there.executor = lambda: executor  # type: ignore[method-assign]
        found.append(executor)
        outcome = there.drive(run())
        with there.open() as evidence:
            told = {item.id for item in kept}
            for item in executor.journal.items:
                if item.id in told:
                    evidence.journal.put(item)
            left = left_items(evidence)
        base = server.url
    return outcome, [(f"{item.path} {(item.removal or '').replace(base, '')}".strip(), item.reason) for item in left]


class Paged(Shop):
    """Shows two things a page unless it is asked for more, and does not say so."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "GET" and request.path.count("/") == 1:
            size = int(request.query.get("limit", ["2"])[0])
            listed = [thing for name, thing in self.things.items() if name.rpartition("/")[0] == request.path]
            return reply(listed[:size])
        return super().__call__(request)


def paged(api: Api, operations: Sequence[str], by: str = "limit") -> Api:
    limit = {"parameters": [{"name": by, "in": "query", "schema": {"type": "integer"}}]}
    return replace(api, catalog=catalog(api.folder, operations, **{"GET /items": limit}))
