"""Things that one operation calls by their name, and another one at the same place by their ID."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

import docrev

LINES = (
    "GET /agents",
    "POST /agents",
    "GET /agents/{agent_name}",
    "DELETE /agents/{agent_id}",
    "GET /agents/{agent_id}/runs",
    "POST /agents/{agent_id}/start",
)
BODY = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


class Agents:
    """Agents, two of them somebody's: a GET of one takes its name, everything else its ID."""

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name, self.next = id, name, 8
        self.there = [{id: f"ag-{number}", name: f"bob {number}"} for number in (6, 7)]

    def answer(self, request: Received) -> Answer:
        place = request.path.split("/")[2:]
        if not place:
            return reply(self.there) if request.method == "GET" else self.made(request.json)
        key = self.name if request.method == "GET" and len(place) == 1 else self.id
        found = next((agent for agent in self.there if agent[key] == place[0].replace("%20", " ")), None)
        if found is None:
            return reply({"message": "not found"}, 404)
        if request.method == "DELETE":
            self.there.remove(found)
            return Answer(204)
        return reply(found)

    def made(self, body: dict[str, str]) -> Answer:
        self.there.append({self.id: f"ag-{self.next}", self.name: body["name"]})
        self.next += 1
        return reply(self.there[-1], 201)


@pytest.mark.parametrize(("id", "name"), [("agent_id", "agent_name"), ("id", "name")])
def test_what_is_removed_by_its_id_is_the_runs_own_by_that(tmp_path: Path, id: str, name: str) -> None:
    file, agents = tmp_path / "agents.json", Agents(id, name)
    theirs = json.dumps(agents.there)
    body = {"requestBody": {"content": {"application/json": {"schema": BODY}}}}
    file.write_text(json.dumps(document(LINES, **{"POST /agents": body})))
    with Server({f"{method} /*": agents.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=60, allow=["POST,DELETE"]
        ).summary
    assert (summary["missed"], summary["left"]) == ([], [])
    assert json.dumps(agents.there) == theirs
