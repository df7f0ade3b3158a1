"""A member that must be the e-mail address of an account that exists: the run's own, and never somebody's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Server, reply

import docrev

TEXT = {"type": "string"}
EMAIL = {"type": "string", "format": "email"}
LINES = (
    "GET /me",
    "GET /users",
    "GET /teams",
    "POST /teams",
    "GET /teams/{team_id}",
    "DELETE /teams/{team_id}",
    "GET /teams/{team_id}/members",
    "POST /teams/{team_id}/members",
    "POST /invitations",
    "GET /invitations",
    "DELETE /invitations/{invitation_id}",
)


def body(**members: dict[str, str]) -> dict[str, Any]:
    schema = {"type": "object", "required": [*members], "properties": members}
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


class Teams:
    """Teams to which accounts are added that exist; `ruth` is somebody, `dana` calls."""

    def __init__(self) -> None:
        self.teams: dict[int, list[str]] = {1: ["ruth@corp.test"]}
        self.names, self.named = {1: "theirs"}, list[str]()

    def answer(self, request: Received) -> Answer:
        kind, *rest = request.path.strip("/").split("/")
        if request.method == "POST" and "email" in (request.json or {}):
            self.named.append(request.json["email"])
        if kind == "me":
            return reply({"id": 8, "email": "dana@corp.test"})
        if kind == "users":
            return reply([{"id": 7, "email": "ruth@corp.test"}, {"id": 8, "email": "dana@corp.test"}])
        if kind == "invitations":
            return reply([]) if request.method == "GET" else reply({"message": "try another one"}, 422)
        return self.of_teams(request, rest)

    def of_teams(self, request: Received, rest: list[str]) -> Answer:
        if not rest and request.method == "POST":
            id = max(self.teams) + 1
            self.teams[id], self.names[id] = [], request.json["name"]
            return reply(self.shown(id), 201)
        if not rest:
            return reply([*map(self.shown, self.teams)])
        id = int(rest[0]) if rest[0].isdecimal() else 0
        if id not in self.teams:
            return reply({"message": "no such team"}, 404)
        if request.method == "DELETE":
            return reply({"id": id, "members": self.teams.pop(id)})
        if request.method == "POST":
            if request.json.get("email") not in ("ruth@corp.test", "dana@corp.test"):
                return reply({"message": "no account has this address"}, 422)
            self.teams[id].append(request.json["email"])
        return reply(self.shown(id) if len(rest) == 1 else [{"email": member} for member in self.teams[id]])

    def shown(self, id: int) -> dict[str, Any]:
        return {"id": id, "name": self.names[id]}


def test_the_account_that_calls_is_added_to_a_team_of_the_run_and_nobody_else_anywhere(tmp_path: Path) -> None:
    file, teams = tmp_path / "teams.json", Teams()
    bodies = {
        "POST /teams": body(name=TEXT),
        "POST /teams/{team_id}/members": body(email=EMAIL),
        "POST /invitations": body(email=EMAIL),
    }
    file.write_text(json.dumps(document(LINES, **bodies)))
    with Server({f"{method} /*": teams.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=120, allow=["POST,DELETE"]
        ).summary
    missed = {one["operation"] for one in summary["missed"]}
    assert missed == {"POST /invitations", "DELETE /invitations/{invitation_id}"}
    assert "ruth@corp.test" not in teams.named
    assert teams.teams == {1: ["ruth@corp.test"]}
