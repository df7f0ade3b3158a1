"""What only experiments on whole services show: refusals of writes, of what is gone, and of strangers."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence
from docrev.records import Call, Fact

KEY = "s3cret"
STAGES = ("draft", "public")


class Notes:
    """Notes that can be written by whom the key names; what is seen of it is kept."""

    def __init__(self) -> None:
        self.notes: dict[str, dict[str, Any]] = {"old": {"id": "old", "text": "theirs", "stage": "draft", "stars": 1}}
        self.numbers = count(1)
        self.seen: list[Received] = []

    def __call__(self, request: Received) -> Answer:
        self.seen.append(request)
        if request.path == "/secret":
            known = request.headers.get("x-key") == KEY
            return reply({"plan": "none"}) if known else reply({"error": "who are you?"}, 401)
        if request.path == "/open":
            return reply({"hello": "world"})
        id = request.path.removeprefix("/notes").strip("/")
        if id and id not in self.notes:
            return reply({"error": "no such note"}, 404)
        if request.method == "DELETE":
            del self.notes[id]
            return Answer(204)
        if request.method == "GET":
            return reply(self.notes[id] if id else {"data": [{"id": note} for note in self.notes]})
        return self.write(request, id)

    def write(self, request: Received, id: str) -> Answer:
        try:
            body = json.loads(request.body)
        except ValueError:
            return reply({"error": "no body"}, 400)
        if faults := list(self.faults(body, partial=request.method == "PATCH")):
            return reply({"error": "not valid", "errors": faults}, 400)
        fresh = id or f"n{next(self.numbers)}"
        before = self.notes[id] if request.method == "PATCH" else {"stage": "draft", "stars": None}
        self.notes[fresh] = {**before, "id": fresh, **body}
        return reply(self.notes[fresh], 201 if request.method == "POST" else 200)

    @staticmethod
    def faults(body: dict[str, Any], *, partial: bool) -> Any:
        if not partial and "text" not in body:
            yield {"field": "text", "message": "this field is required"}
        if not isinstance(body.get("text", ""), str):
            yield {"field": "text", "message": "must be a string"}
        if body.get("stage", "draft") not in STAGES:
            yield {"field": "stage", "message": "must be one of 'draft', 'public'"}
        stars = body.get("stars")
        if stars is not None and not isinstance(stars, int):
            yield {"field": "stars", "message": "must be an integer"}
        elif stars is not None and not 1 <= stars <= 5:
            way = "greater than or equal to 1" if stars < 1 else "less than or equal to 5"
            yield {"field": "stars", "message": f"must be {way}"}


def document(*, security: bool) -> dict[str, Any]:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {n: {} for n in FIELDS}}}}}
    answers = {"default": {"description": ""}}
    id = {"name": "id", "in": "path", "required": True, "schema": {}}
    paths: dict[str, Any] = {
        "/notes": {"get": {"responses": answers}, "post": {"requestBody": body, "responses": answers}},
        "/notes/{id}": {
            "parameters": [id],
            **{method: {"requestBody": body, "responses": answers} for method in ("put", "patch")},
            **{method: {"responses": answers} for method in ("get", "delete")},
        },
        "/secret": {"get": {"responses": answers}},
        "/open": {"get": {"responses": answers}},
    }
    schemes = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}} if security else {}
    info = {"title": "notes", "version": "1"}
    return {"openapi": "3.0.3", "info": info, "paths": paths, "components": {"securitySchemes": schemes}}


FIELDS = ("text", "stage", "stars")
Told = tuple[list[Fact], dict[str, Call], Notes]


def explored(folder: Path, *, security: bool = True) -> Told:
    notes = Notes()
    path = folder / "notes.json"
    path.write_text(json.dumps(document(security=security)))
    routes = {f"{method} /*": notes for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}
    with Server(routes) as server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("NOTES_KEY", KEY)
        docrev.explore(
            path,
            base_urls=(server.url,),
            headers=("X-Key: env:NOTES_KEY",),
            allow=("POST,PUT,PATCH,DELETE",),
            out=str(folder / "out"),
            max_calls=600,
        )
    with Evidence.open(folder / "out", write=False) as evidence:
        return evidence.facts(), {call.id: call for call in evidence.calls.select()}, notes


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return explored(tmp_path_factory.mktemp("notes"))


def values(told: Told, operation: str, location: str) -> dict[str, Any]:
    """kind → value of the facts at a place."""
    return {f.kind: f.value for f in told[0] if f.key.operation == operation and f.location == location}


def test_a_body_is_required_where_none_was_refused(told: Told) -> None:
    for operation in ("POST /notes", "PUT /notes/{id}", "PATCH /notes/{id}"):
        assert values(told, operation, "body:")["required"] is True
    assert values(told, "POST /notes", "body:/text")["required"] is True
    assert "required" not in values(told, "PATCH /notes/{id}", "body:/text")


def test_what_properties_take_is_told_for_each_way_of_writing(told: Told) -> None:
    for operation in ("POST /notes", "PUT /notes/{id}", "PATCH /notes/{id}"):
        stars, stage = values(told, operation, "body:/stars"), values(told, operation, "body:/stage")
        assert stars["range"] == {"minimum": 1, "maximum": 5}
        assert stars["type"] == "integer"
        assert stage["allowed-values"] == ["draft", "public"]
        assert stage["type"] == "string"


def test_a_put_falls_back_to_the_default_and_a_patch_keeps_what_is_there(told: Told) -> None:
    assert values(told, "POST /notes", "body:/stage")["default"] == "draft"
    assert values(told, "PUT /notes/{id}", "body:/stage")["default"] == "draft"
    assert "default" not in values(told, "PATCH /notes/{id}", "body:/stage")


@pytest.mark.parametrize("operation", ["GET /notes/{id}", "PATCH /notes/{id}", "DELETE /notes/{id}"])
def test_what_is_gone_is_answered_so(told: Told, operation: str) -> None:
    statuses = {f.value["status"] for f in told[0] if f.key.operation == operation and f.kind == "status"}
    assert 404 in statuses
    assert values(told, operation, "404:") == {"type": "object"}
    assert values(told, operation, "404:/error") == {"field": True, "type": "string"}


def test_only_what_the_run_made_was_ever_changed_and_nothing_is_left(told: Told) -> None:
    notes = told[2]
    assert set(notes.notes) == {"old"}
    assert notes.notes["old"]["text"] == "theirs"
    changed = {r.path for r in notes.seen if r.method in ("PUT", "PATCH", "DELETE")}
    assert "/notes/old" not in changed
    # What was deleted is only touched again right after it was seen to be gone.
    there: set[str] = set()
    for before, request in zip([None, *notes.seen], notes.seen, strict=False):
        if request.method == "DELETE" and request.path in there:
            assert before is not None
            assert (before.method, before.path) == ("GET", request.path)
        there |= {request.path} if request.method == "DELETE" else set()


def test_who_does_not_say_who_he_is_is_refused_where_it_matters(told: Told) -> None:
    facts, calls, notes = told
    needing = {f.key.operation: f for f in facts if f.kind == "needs-credentials"}
    assert needing.keys() == {"GET /secret"}
    fact = needing["GET /secret"]
    assert fact.value == {"status": 401}
    assert all(calls[id].status == 401 and calls[id].anonymous for id in (*fact.calls, *fact.replays))
    assert values(told, "GET /secret", "401:/error") == {"field": True, "type": "string"}
    without = {(r.method, r.path) for r in notes.seen if "x-key" not in r.headers}
    assert ("GET", "/secret") in without
    assert {method for method, _ in without} == {"GET"}


def test_a_few_requests_are_sent_without_credentials_where_no_document_speaks_of_them(tmp_path: Path) -> None:
    facts, calls, notes = explored(tmp_path, security=False)
    without = {f"{request.method} {request.path}" for request in notes.seen if request.headers.get("x-key") != KEY}
    assert 0 < len(without) <= 4
    assert {name.partition(" ")[0] for name in without} == {"GET"}
    needing = {fact.key.operation for fact in facts if fact.kind == "needs-credentials"}
    assert needing == {"GET /secret"} & {call.key.operation for call in calls.values() if call.anonymous}
