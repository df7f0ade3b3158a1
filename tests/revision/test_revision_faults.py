"""Server errors as what an API returns for invalid values, in place of a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev

KINDS = ("boxes", "lamps", "tools", "wires")
TOLD = "Invalid or missing values return 500, not 400."


def service(request: Received, *, bad: int) -> Answer:
    """Things by their numbers; whatever is sent instead is answered with a status."""
    number = request.query.get("number", [""])[0]
    if not number.isdecimal() or int(number) > len(KINDS):
        return reply({"error": "Internal server error"}, bad)
    kind = request.path.strip("/")
    return reply({"number": int(number), kind: {"label": f"{kind} no. {number}"}})


def document() -> dict[str, Any]:
    number = {"name": "number", "in": "query", "required": True, "schema": {"type": "integer"}}
    get = {"parameters": [number], "responses": {"200": {"description": "OK"}}}
    paths = {f"/{kind}": {"get": get} for kind in KINDS}
    return {"openapi": "3.0.3", "info": {"title": "store", "version": "1"}, "paths": paths}


@pytest.mark.parametrize(("bad", "told"), [(500, True), (400, False)])
def test_an_api_that_fails_for_whatever_is_invalid_says_so_once(tmp_path: Path, bad: int, told: bool) -> None:
    spec = tmp_path / "store.json"
    spec.write_text(json.dumps(document()))
    routes = {f"GET /{kind}": lambda request: service(request, bad=bad) for kind in KINDS}
    with Server(routes) as server:
        docrev.explore(spec, base_urls=server.url, out=tmp_path / "evidence", max_calls=200)
    revision = docrev.revise(spec, evidence=tmp_path / "evidence")
    heads = [str(change.after) for change in revision.changes if change.pointer == "/info/description"]
    assert any(TOLD in text for text in heads) is told
