"""A change of things by IDs in its body that answers as if it had found them, though nothing has these IDs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.evidence import Evidence
from docrev.facts import infer
from docrev.records import Call, Json, OperationKey
from docrev.spec import load

_LIST = {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "string"}}}}
_OPERATION: dict[str, Any] = {
    "requestBody": {"content": {"application/json": {"schema": _LIST}}},
    "responses": {"200": {"description": "OK"}},
}


@pytest.mark.parametrize(
    ("verb", "sent", "status", "found"),
    [
        ("update", ["docrev-00000000-7", "docrev-00000000-8"], 200, True),
        ("remove", ["docrev-00000000-7", "docrev-00000000-8"], 200, True),
        # What was added is there.
        ("update", ["docrev-00000000-7", "docrev-00000000-1"], 200, False),
        ("update", ["docrev-00000000-7", "docrev-00000000-8"], 404, False),
        ("upsert", ["docrev-00000000-7", "docrev-00000000-8"], 200, False),
        ("update", ["A7", "A8"], 200, False),
    ],
)
def test_ids_in_a_body_that_nothing_has_may_be_answered_as_if_they_were_there(
    tmp_path: Path, verb: str, sent: list[str], status: int, found: bool
) -> None:
    paths = {f"/books/{name}": {"post": _OPERATION} for name in ("add", verb)}
    path = tmp_path / "shelf.json"
    path.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "shelf", "version": "1"}, "paths": paths}))
    with Evidence.open(tmp_path / "out", write=True) as evidence:
        evidence.begin({})

        def call(name: str, id: str, answered: int) -> None:
            key, body = OperationKey("shelf", f"POST /books/{name}"), {"ids": [id]}
            arguments: dict[str, Json] = {"body:": body}
            made = Call(f"{name}{id}", key, arguments, "http://a", answered, {}, {}, "application/json", "probe")
            evidence.calls.put(made)

        call("add", "docrev-00000000-1", 200)
        for id in sent:
            call(verb, id, status)
        facts = [fact.value for fact in infer(load(path), evidence) if fact.kind == "missing"]
    assert facts == ([{"parameter": "body:/ids", "status": 200}] if found else [])
