"""Refusals that do not say where: of dates under several names, and of the items of what is no list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body

TEXT = {"type": "string"}
LINES = [
    "GET /calendar",
    "POST /rules/validate",
    "GET /users",
    "GET /badges",
    "GET /clubs",
    "GET /models/list",
    "GET /models/model",
]
TIMED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
QUERIED: dict[str, list[str]] = {"GET /calendar": ["start", "end"], "GET /models/model": ["id"]}
RULE = {
    "type": "object",
    "required": ["operator", "name"],
    "properties": {"operator": TEXT, "name": TEXT, "value": TEXT, "values": {"type": "array", "items": TEXT}},
}


def served(request: Received) -> Answer:
    path, query = request.path.rstrip("/"), {name: values[0] for name, values in request.query.items()}
    if path == "/calendar":
        fine = all(TIMED.match(query.get(name, "")) for name in ("start", "end"))
        said = "Invalid date format. Use ISO 8601 (e.g. 2026-04-01T00:00:00)"
        return reply([]) if fine else reply({"detail": said}, 400)
    if path == "/rules/validate":
        values = request.json.get("values") if request.body else []
        said = '"value" must contain at least 1 items. You provided [].'
        return reply({"fine": True}) if values else reply({"details": [{"message": said}]}, 400)
    if path in ("/users", "/badges", "/clubs"):
        return reply([{"id": f"u-{number}", "name": f"user {number}"} for number in range(9)])
    if path == "/models/list":
        return reply({"items": [{"id": "helper", "title": "one that helps"}]})
    return reply({"id": "helper"}) if query.get("id") == "helper" else reply({"detail": "not what you look for"}, 404)


class Unplaced(Shop):
    @property
    def routes(self) -> dict[str, Any]:
        return {f"{method} *": served for method in ("GET", "POST")}


def test_what_a_refusal_does_not_place_is_found_by_names_and_kinds(tmp_path: Path) -> None:
    queried = {
        line: {"parameters": [{"name": name, "in": "query", "required": True, "schema": TEXT} for name in names]}
        for line, names in QUERIED.items()
    }
    reached, _ = explored(tmp_path, Unplaced(), LINES, **queried, **{"POST /rules/validate": of_body(RULE)})
    assert reached == set(LINES)
