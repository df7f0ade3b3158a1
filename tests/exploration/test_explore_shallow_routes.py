"""Things that are created below another one and have a path of their own: what their creation refuses is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
LINES = (
    "GET /crews",
    "POST /crews",
    "GET /crews/{id}",
    "DELETE /crews/{id}",
    "GET /harbours",
    "GET /docks",
    "POST /docks",
    "GET /docks/{id}",
    "DELETE /docks/{id}",
    "GET /crews/{id}/boats",
    "POST /crews/{id}/boats",
    "GET /boats/{boat_id}",
    "DELETE /boats/{boat_id}",
)


def sent(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "required": [*properties], "properties": properties}
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


BOAT = {
    "type": "object",
    "required": ["name", "mark"],
    "properties": {"name": TEXT, "mark": TEXT, "harbour_id": WHOLE, "dock_id": WHOLE},
}


class Wharf(Shop):
    """Keeps boats at `/boats`, each of a crew; one mark is of one boat, which has a harbour or a dock that tells it."""

    docks_tell = False

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        crew, _, below = path.rpartition("/")
        if below == "boats" and crew:
            if crew not in self.things:
                return Answer(404)
            if request.method == "POST":
                return self._launch(crew, request)
            return reply({"data": self.listed("/boats", crew=[crew])})
        made = request.json if path == "/crews" and request.body else {}
        if made and self._is_marked("/crews/", made.get("mark")):
            return reply({"errors": ["Mark has already been taken"]}, 422)
        return super().__call__(request)

    def _is_marked(self, above: str, mark: str) -> bool:
        return any(mark == one.get("mark") for at, one in self.things.items() if at.startswith(above))

    def _launch(self, crew: str, request: Received) -> Answer:
        boat = (request.json if request.body else {}).get("boat", {})
        errors = [f"{name.title()} can't be blank" for name in ("name", "mark") if not boat.get(name)]
        is_told = self.docks_tell and f"/docks/{boat.get('dock_id')}" in self.things
        if not is_told and f"/harbours/{boat.get('harbour_id')}" not in self.things:
            errors.append("Harbour can't be blank")
        if self.docks_tell and {"harbour_id", "dock_id"} <= boat.keys():
            errors.append("Boat is invalid")
        if self._is_marked("/boats/", boat.get("mark")):
            errors.append("Mark has already been taken")
        if errors:
            return reply({"errors": errors}, 422)
        number = next(self._numbers)
        self.things[f"/boats/{number}"] = {**boat, "crew": crew}
        return reply({"boat": self.shown(f"/boats/{number}")}, 201)


@pytest.mark.parametrize("docks_tell", [False, True])
def test_what_is_made_below_another_thing_is_created_there(tmp_path: Path, docks_tell: bool) -> None:
    wharf = Wharf({f"/harbours/{number}": {"name": f"harbour {number}"} for number in (81, 82)})
    wharf.docks_tell = docks_tell
    extras = {
        "POST /crews": sent(name=TEXT, mark=TEXT),
        "POST /docks": sent(name=TEXT),
        "POST /crews/{id}/boats": sent(boat=BOAT),
    }
    file = tmp_path / "wharf.json"
    file.write_text(json.dumps(document([*LINES], **extras)))
    with Server(wharf.routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path, allow="POST,DELETE", max_calls=400)
    assert [*wharf.things] == ["/harbours/81", "/harbours/82"]
    with Evidence.open(tmp_path, write=False) as evidence:
        facts = evidence.facts()
    known = {fact.key.operation: fact.value for fact in facts if fact.kind == "exists"}
    # Of what lies in another thing, the words of an error do not say whether it is within that alone.
    assert known["POST /crews"] == {"status": 422, "by": "/mark"}
    assert known["POST /crews/{id}/boats"] == {"status": 422}
    required = {fact.location for fact in facts if fact.kind == "required" and "boats" in fact.key.path}
    # With the ID of something that tells the harbour, none is needed.
    assert ("body:/boat/harbour_id" in required) is not docks_tell
