"""What a GET returned is sent back, and read again: what is refused, passed over, withheld, and not ready yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
SORT = {"type": "string", "enum": ["round", "square", "long"]}
TABLE = {
    "type": "object",
    "properties": {"name": TEXT, "sort": SORT, "folds": {"type": "boolean"}},
    "required": ["name"],
}
BODY = {"content": {"application/json": {"schema": TABLE}}}
OK = {"responses": {"200": {"description": "ok"}}}
ITEM = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "carpenter", "version": "1"},
    "paths": {
        "/tables": {"get": OK, "post": {"requestBody": BODY, **OK}},
        "/tables/{id}": {
            "parameters": ITEM,
            "get": OK,
            "put": {"requestBody": BODY, **OK},
            "patch": {"requestBody": BODY, **OK},
            "delete": OK,
        },
    },
}


class Carpenter(Shop):
    """Its tables are round and stiff unless a body says more."""

    def _collection(self, request: Received, path: str) -> Answer:
        answer = super()._collection(request, path)
        self._complete()
        return answer if request.method == "GET" else reply(self.shown(next(reversed(self.things))), 201)

    def _item(self, request: Received, path: str) -> Answer:
        answer = super()._item(request, path)
        self._complete()
        return reply(self.shown(path), answer.status) if answer.status in (200, 201) else answer

    def _complete(self) -> None:
        for thing in self.things.values():
            thing.setdefault("sort", "round")
            thing.setdefault("folds", False)


class Strict(Carpenter):
    """Refuses the ID that it returns itself."""

    def _item(self, request: Received, path: str) -> Answer:
        if request.method == "PUT" and path in self.things and "id" in request.json:
            return reply({"error": "id is not allowed here"}, 422)
        return super()._item(request, path)


class Bound(Strict):
    """Its refusals name another thing of the run."""

    def _item(self, request: Received, path: str) -> Answer:
        answer = super()._item(request, path)
        other = f"{str(self.things.get(path, {}).get('name', '')).rpartition('-')[0]}-99"
        return answer if answer.status != 422 else reply({"error": f"{other} is required"}, 422)


class Wordy(Carpenter):
    """Refuses what it returns itself, in more words than can be quoted."""

    def _item(self, request: Received, path: str) -> Answer:
        if request.method == "PUT" and path in self.things and "id" in request.json:
            text = f"Failed to take over the request body, since its sort may be set by the server alone{' here' * 20}"
            return reply({"error": text}, 422)
        return super()._item(request, path)


class Deaf(Carpenter):
    """Its PATCH changes the name alone; its PUT changes everything."""

    def _item(self, request: Received, path: str) -> Answer:
        kept = {name: value for name, value in self.things.get(path, {}).items() if name != "name"}
        answer = super()._item(request, path)
        if request.method != "PATCH" or path not in self.things:
            return answer
        self.things[path] |= kept
        return reply(self.shown(path))


class Terse(Carpenter):
    """The answers to its changes say no sort."""

    def _item(self, request: Received, path: str) -> Answer:
        answer = super()._item(request, path)
        if request.method in ("PUT", "PATCH") and path in self.things:
            return reply({**self.shown(path), "sort": None})
        return answer


class Slow(Carpenter):
    """Its tables are planned at first, and built once somebody looks."""

    def shown(self, path: str) -> dict[str, Any]:
        return {**super().shown(path), "state": "planned"}

    def _item(self, request: Received, path: str) -> Answer:
        answer = super()._item(request, path)
        if request.method != "GET" or path not in self.things:
            return answer
        return reply({**super().shown(path), "state": "built"})


def explored(shop: Shop, folder: Path) -> tuple[dict[tuple[str, str], list[Any]], str]:
    """The values of facts by kind and operation, and all that is written."""
    file, out = folder / "carpenter.json", folder / "evidence"
    file.write_text(json.dumps(DOCUMENT))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PUT,PATCH,DELETE",))
    assert shop.things == {}
    facts: dict[tuple[str, str], list[Any]] = {}
    with Evidence.open(out, write=False) as evidence:
        for fact in evidence.facts():
            facts.setdefault((fact.kind, fact.key.operation), []).append(fact.value)
    return facts, "\n".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)


KINDS = ("sent-back", "becomes", "withheld", "no-effect")


@pytest.mark.parametrize(
    ("shop", "kind", "operation", "text"),
    [
        (
            Strict,
            "sent-back",
            "PUT /tables/{id}",
            "Returns 422 for the unchanged response of `GET /tables/{id}`: `id` is not accepted.",
        ),
        (
            Wordy,
            "sent-back",
            "PUT /tables/{id}",
            "Returns 422 for the unchanged response of `GET /tables/{id}`, because of `sort`.",
        ),
        (
            Deaf,
            "no-effect",
            "PATCH /tables/{id}",
            "Ignores `folds` and `sort` in the request body; `PUT /tables/{id}` sets them.",
        ),
        (Terse, "withheld", "PUT /tables/{id}", "In the response, `sort` may be null; `GET /tables/{id}` returns it."),
        (Slow, "becomes", "POST /tables", "At first `state` is `planned`; later `GET /tables/{id}` returns `built`."),
    ],
)
def test_what_sending_back_shows_is_told(
    shop: type[Carpenter], kind: str, operation: str, text: str, tmp_path: Path
) -> None:
    facts, written = explored(shop(), tmp_path)
    assert (kind, operation) in facts
    assert text in written
    assert "docrev-" not in written


def test_a_refusal_for_what_the_run_itself_added_is_no_trap(tmp_path: Path) -> None:
    facts, written = explored(Bound(), tmp_path)
    assert ("sent-back", "PUT /tables/{id}") in facts
    assert "as `GET /tables/{id}` returns it" not in written


def test_of_what_takes_back_what_it_returns_nothing_is_told(tmp_path: Path) -> None:
    facts, _ = explored(Carpenter(), tmp_path)
    assert not [key for key in facts if key[0] in KINDS and key[1] != "POST /tables"]
