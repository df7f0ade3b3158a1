"""Things without a path or a list of their own, things of several sorts in one map, and lists that a POST reads too."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
OK = {"responses": {"200": {"description": "ok"}}}


def _in_path(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": TEXT, **more}


def _body(**properties: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}}


def _explored(tmp_path: Path, paths: dict[str, Any], answer: Any, **more: Any) -> tuple[Any, set[str]]:
    file, out = tmp_path / "api.json", tmp_path / "evidence"
    spec = {"openapi": "3.0.3", "info": {"title": "m", "version": "1"}, "paths": paths, **more}
    file.write_text(json.dumps(spec))
    with Server({f"{method} *": answer for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}) as server:
        found = docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PUT,PATCH,DELETE",), max_calls=300)
    with Evidence.open(out, write=False) as evidence:
        reached = {call.key.operation for call in evidence.calls.select(ok=True)}
    return found, reached


class Clubs:
    """Clubs that `POST /createClub` makes and nothing removes; the caller's are listed, and whoever left one is out."""

    def __init__(self) -> None:
        self.clubs: dict[str, dict[str, Any]] = {"!a1": {"in": True, "posts": {}}, "!b2": {"in": True, "posts": {}}}
        self.refused = 0

    def __call__(self, request: Received) -> Answer:
        first, *rest = unquote(request.path).strip("/").split("/")
        if first == "createClub":
            id = f"!q{len(self.clubs):02d}zzk"
            self.clubs[id] = {"in": True, "posts": {}, **request.json}
            return reply({"club_id": id})
        if first.startswith("joined"):
            return reply({"joined_clubs": [id for id, club in self.clubs.items() if club["in"]]})
        return self._inside(request, self.clubs.get(rest[0]), rest[1:])

    def _inside(self, request: Received, club: dict[str, Any] | None, rest: list[str]) -> Answer:
        if club is None or not club["in"]:
            self.refused += club is not None
            return reply({"error": "you are not in this club"}, 403 if club else 404)
        if rest == ["leave"]:
            club["in"] = False
            return reply({})
        if rest[0] == "posts":
            if rest[1] not in ("notice", "offer"):
                return reply({"error": "there are no such posts"}, 400)
            club["posts"]["/".join(rest[1:])] = request.json
            return reply({"post_id": "p1"})
        return reply({"members": [{"name": "ann", "club": club.get("name", "")}]})


def _clubs(*, lists: bool = True, says: str = "createClub") -> dict[str, Any]:
    club, sort = _in_path("club_id"), _in_path("sort", example="notice")
    listed = {"/joined_clubs" if lists else "/joined": {"get": OK}}
    return {
        f"/{says}": {"post": {"operationId": says, **_body(name=TEXT), **OK}},
        **listed,
        "/clubs/{club_id}/members": {"parameters": [club], "get": OK},
        "/clubs/{club_id}/leave": {"parameters": [club], "post": OK},
        "/clubs/{club_id}/posts/{sort}/{key}": {
            "parameters": [club, sort, _in_path("key")],
            "put": {**_body(text=TEXT), **OK},
        },
    }


def test_what_has_neither_path_nor_list_of_its_own_is_made_and_used_and_left_at_last(tmp_path: Path) -> None:
    clubs = Clubs()
    others = copy.deepcopy(clubs.clubs)
    found, reached = _explored(tmp_path, _clubs(), clubs)
    own = [id for id in clubs.clubs if id not in others]
    assert {id: clubs.clubs[id] for id in others} == others
    assert {"POST /createClub", "PUT /clubs/{club_id}/posts/{sort}/{key}", "POST /clubs/{club_id}/leave"} <= reached
    assert len(own) == 1
    assert own[0][1:] in str(found.summary["left"])
    # All that can be done in a club was done before it was left.
    assert clubs.clubs[own[0]]["posts"]
    assert clubs.refused == 0


@pytest.mark.parametrize(("lists", "says"), [(False, "createClub"), (True, "mergeClub")])
def test_what_no_list_would_show_or_does_not_say_that_it_makes_is_not_sent(
    tmp_path: Path, lists: bool, says: str
) -> None:
    clubs = Clubs()
    before = copy.deepcopy(clubs.clubs)
    _, reached = _explored(tmp_path, _clubs(lists=lists, says=says), clubs)
    assert clubs.clubs == before
    assert f"POST /{says}" not in reached


class Rules:
    """Rules of several sorts in one map, each at a path of its scope, its sort and its name."""

    def __init__(self) -> None:
        self.rules: dict[str, Any] = {"common": {"allow": {"r7": {"id": "r7"}}, "deny": {}, "mute": {}}}
        self.asked: list[str] = []

    def __call__(self, request: Received) -> Answer:
        _, *rest = request.path.strip("/").split("/")
        if not rest:
            return reply(
                {
                    scope: {sort: [*there.values()] for sort, there in sorts.items()}
                    for scope, sorts in self.rules.items()
                }
            )
        self.asked.append(f"{request.method} {request.path}")
        scope, sort, id = rest
        there = self.rules.get(scope, {}).get(sort)
        if there is None:
            return reply({"error": "unrecognised"}, 400)
        if request.method == "PUT":
            there[id] = {"id": id, **request.json}
        elif id not in there:
            return reply({"error": "no such rule"}, 404)
        return reply(there.pop(id) if request.method == "DELETE" else there[id])


@pytest.mark.parametrize("documented", [True, False])
def test_a_map_of_maps_tells_what_the_paths_below_it_take(tmp_path: Path, documented: bool) -> None:
    sorts = {"enum": ["allow", "deny", "mute"]} if documented else {}
    scope = _in_path("scope", **({"example": "common"} if documented else {}))
    sort = {**_in_path("sort"), "schema": {**TEXT, **sorts}}
    one = {"parameters": [scope, sort, _in_path("id")], "get": OK, "put": {**_body(text=TEXT), **OK}, "delete": OK}
    rules = Rules()
    before = copy.deepcopy(rules.rules)
    _, reached = _explored(tmp_path, {"/rules": {"get": OK}, "/rules/{scope}/{sort}/{id}": one}, rules)
    all_of_it = {f"{method} /rules/{{scope}}/{{sort}}/{{id}}" for method in ("GET", "PUT", "DELETE")}
    assert rules.rules == before
    assert (all_of_it <= reached) is documented
    # The first try is a rule that is there.
    assert (rules.asked[0] == "GET /rules/common/allow/r7") is documented


@pytest.mark.parametrize("same", [True, False])
def test_a_post_that_returns_what_the_get_of_its_path_returns_reads(tmp_path: Path, same: bool) -> None:
    posted: list[Any] = []

    def answer(request: Received) -> Answer:
        if request.method == "POST":
            posted.append(request.json)
        return reply({"halls": [{"id": 1, "name": "north"}], "total": 1})

    def returns(name: str) -> dict[str, Any]:
        schema = {"schema": {"$ref": f"#/components/schemas/{name}"}}
        return {"responses": {"200": {"description": "ok", "content": {"application/json": schema}}}}

    halls = {"type": "object", "properties": {"halls": {"type": "array", "items": {"type": "object"}}}}
    asks = {
        "operationId": "queryHalls",
        "summary": "Lists the halls, with a filter.",
        **_body(limit={"type": "integer"}),
    }
    paths = {"/openHalls": {"get": returns("Halls"), "post": {**asks, **returns("Halls" if same else "Others")}}}
    components = {"schemas": {"Halls": halls, "Others": halls}}
    _, reached = _explored(tmp_path, paths, answer, components=components)
    assert ({} in posted) is same
    assert ("POST /openHalls" in reached) is same


class Bans(Rules):
    """Rules of which those that deny need a reason, and the others none."""

    def __call__(self, request: Received) -> Answer:
        is_denial = "/deny/" in request.path and request.method == "PUT"
        if is_denial and "reason" not in request.json:
            return reply({"error": "denial lacks 'reason'"}, 400)
        return super().__call__(request)


def test_what_one_sort_of_things_in_a_path_needs_is_told_of_that_sort(tmp_path: Path) -> None:
    sort = {**_in_path("sort"), "schema": {**TEXT, "enum": ["allow", "deny", "mute"]}}
    parameters = [_in_path("scope", example="common"), sort, _in_path("id")]
    one = {"parameters": parameters, "get": OK, "put": {**_body(text=TEXT, reason=TEXT), **OK}, "delete": OK}
    rules = Bans()
    before = copy.deepcopy(rules.rules)
    _explored(tmp_path, {"/rules": {"get": OK}, "/rules/{scope}/{sort}/{id}": one}, rules)
    changes = docrev.revise(tmp_path / "api.json", evidence=tmp_path / "evidence").changes
    told = " ".join(str(change.after) for change in changes if "reason" in change.pointer)
    assert rules.rules == before
    assert "Required if `sort` is `deny`." in told
