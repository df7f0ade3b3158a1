"""Bodies that nothing declares, things that are added to others, and paths that begin as their namesakes do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored

TEXT = {"type": "string"}


def body(*names: str) -> dict[str, Any]:
    schema = {"type": "object", "required": list(names), "properties": dict.fromkeys(names, TEXT)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


class Club(Shop):
    """Rowers, whose creation declares no body, and badges, which are made on their own and given to rowers."""

    def __init__(self) -> None:
        super().__init__({"/rowers/901": {"nick": "anna"}, "/badges/902": {"title": "gold"}})
        self.given: set[tuple[str, str]] = {("901", "902")}

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if parts[2:3] == ["badges"] and f"/rowers/{parts[1]}" in self.things:
            return self._badges(request, parts)
        if (request.method, request.path) == ("POST", "/rowers") and "nick" not in (request.json or {}):
            missing = {"type": "missing", "loc": ["body", "nick"], "msg": "Field required"}
            return reply({"detail": [missing if request.body else {**missing, "loc": ["body"]}]}, 422)
        return super().__call__(request)

    def _badges(self, request: Received, parts: list[str]) -> Answer:
        badge = str(request.json.get("id")) if request.method == "POST" else parts[-1]
        if request.method != "GET" and f"/badges/{badge}" not in self.things:
            return reply({"detail": "BADGE_UNKNOWN"}, 400)
        if request.method == "POST":
            self.given.add((parts[1], badge))
        mine = sorted(badge for rower, badge in self.given if rower == parts[1])
        return reply({"data": [self.shown(f"/badges/{id}") for id in mine if f"/badges/{id}" in self.things]})


def test_a_body_that_nothing_declares_is_filled_and_a_thing_of_the_runs_own_is_added_to_another(tmp_path: Path) -> None:
    lines = ["GET /rowers", "POST /rowers", "GET /rowers/{id}", "DELETE /rowers/{id}", "GET /badges", "POST /badges"]
    lines += ["GET /badges/{id}", "DELETE /badges/{id}", "GET /rowers/{id}/badges", "POST /rowers/{id}/badges"]
    extras = {"POST /badges": body("title"), "POST /rowers/{id}/badges": body("id")}
    shop = Club()
    reached, server = explored(tmp_path, shop, lines, **extras)
    assert reached == set(lines)
    assert not [line for line in server.changes if "/901" in line or "/902" in line]
    assert not [pair for pair in shop.given if ("901" in pair) != ("902" in pair)]


class Works(Shop):
    """Runs with jobs, whose attempts are counted from 0, for a whole job and for one part of it."""

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if "attempts" not in parts:
            return super().__call__(request) if len(parts) < 5 else self._part(parts)
        if parts[4:5] not in (["attempts"], ["-1"]) or parts[-1] not in ("attempts", "0"):
            return reply({"error": "no such attempt"}, 404)
        if self._part(parts[:4]).status != 200:
            return reply({"error": "no such job"}, 404)
        return reply({"data": []} if parts[-1] == "attempts" else {"state": "queued"})

    def _part(self, parts: list[str]) -> Answer:
        job = "/" + "/".join(parts[:4])
        there = job in self.things and parts[4:] in ([], ["-1"])
        return reply({**self.things[job], "part": -1}) if there else reply({"error": "no such job"}, 404)


def test_a_path_that_begins_as_its_namesake_does_has_the_same_values_there(tmp_path: Path) -> None:
    job = "/runs/{run_id}/jobs/{job_id}"
    lines = ["GET /runs", "GET /runs/{run_id}", "GET /runs/{run_id}/jobs", f"GET {job}", f"GET {job}/{{part}}"]
    lines += [f"GET {job}/attempts/{{attempt_number}}", f"GET {job}/{{part}}/attempts/{{attempt_number}}"]
    number = {"in": "path", "required": True, "schema": {"type": "integer"}}
    attempt = {**number, "name": "attempt_number"}
    part = {**number, "name": "part"}
    extras: dict[str, Any] = {lines[4]: {"parameters": [part]}, lines[5]: {"parameters": [attempt]}}
    extras[lines[6]] = {"parameters": [part, attempt]}
    run = {"/runs/monday": {"note": "x"}, "/runs/tuesday": {"note": "y"}}
    shop = Works({**run, "/runs/monday/jobs/oak": {"part": -1}, "/runs/tuesday/jobs/elm": {"part": -1}})
    reached, _ = explored(tmp_path, shop, lines, **extras)
    assert reached == set(lines)
