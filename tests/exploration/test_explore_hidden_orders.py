"""Lists that are sorted by a time that they do not show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

TIMES = [f"2026-0{month}-03T10:00:00Z" for month in (4, 2, 6, 1, 5, 3)]
NOTES = [{"id": at, "text": f"note {at}", "created": time} for at, time in enumerate(TIMES)]
SORT = {"name": "sort", "in": "query", "description": "The field to sort by.", "schema": {"type": "string"}}
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer"}}


def listed(request: Received, shown: tuple[str, ...], orders: tuple[str, ...]) -> Answer:
    """The notes with some of their fields, beside a link that repeats the query."""
    sent = request.query.get("sort", [""])[0]
    by = sent.removeprefix("-")
    found = sorted(NOTES, key=lambda note: str(note[by]), reverse=sent != by) if by in orders else NOTES
    limit = request.query.get("limit", [""])[0]
    rows = [{name: note[name] for name in shown} for note in found[: int(limit) if limit.isdigit() else 10]]
    return reply({"self": f"{request.path}?sort={sent}", "results": rows})


@pytest.mark.parametrize("orders", [(), ("created",)])
def test_a_sort_is_ignored_only_if_hidden_times_do_not_sort_either(tmp_path: Path, orders: tuple[str, ...]) -> None:
    """That it is ignored needs the times that other lists of the service show."""
    sorting = {"parameters": [SORT, LIMIT]}
    file, out = tmp_path / "notes.json", tmp_path / "evidence"
    file.write_text(json.dumps(document(["GET /notes", "GET /texts"], **{"GET /texts": sorting})))
    routes = {
        "GET /notes": lambda request: listed(request, ("id", "text", "created"), ()),
        "GET /texts": lambda request: listed(request, ("id", "text"), orders),
    }
    with Server(routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, max_calls=200)
    with Evidence.open(out, write=False) as evidence:
        found = [str(fact.value) for fact in evidence.facts() if fact.kind == "ignored"]
    assert len(found) == (0 if orders else 1), found
