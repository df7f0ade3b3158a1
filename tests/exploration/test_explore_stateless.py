"""What is reached where nothing is stored: media types, passwords in paths, pairs in one segment, errors with 200."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Route, Server, reply

import docrev
from docrev.exploration.path_shapes import fill
from docrev.language.path_templates import heads_of

COMMITS = [{"sha": "a1b2c3d", "line": "trunk"}, {"sha": "e4f5a6b", "line": "next"}]


def of_type(kind: str, request: Received) -> Answer:
    wanted = request.headers["accept"]
    if kind not in wanted:
        return reply({"message": f"only {kind} is offered"}, 406)
    return Answer(200, b"<a/>", {"Content-Type": kind})


def compared(request: Received) -> Answer:
    names = {value for commit in COMMITS for value in commit.values()}
    found = set(request.path.rpartition("/")[2].split("...")) <= names
    return reply({"ahead": 2}) if found else reply({"error": "no such commit"}, 404)


def answered(request: Received) -> Answer:
    code = request.path.rpartition("/")[2]
    if not code.isdigit() or not 200 <= int(code) < 600:
        return reply({"error": "Invalid status code"}, 400)
    return reply({"code": code}, int(code))


def basic(request: Received) -> Answer:
    pair = ":".join(request.path.rsplit("/", 2)[1:])
    if request.headers.get("authorization") == "Basic " + base64.b64encode(pair.encode()).decode():
        return reply({"user": pair})
    return reply({}, 401, WWW_Authenticate='Basic realm="r"')


def hashed(*texts: str) -> str:
    return hashlib.md5(":".join(texts).encode()).hexdigest()


def digest(request: Received) -> Answer:
    """RFC 7616 §3.4.1."""
    given = dict(re.findall(r'(\w+)="?([^",\s]+)', request.headers.get("authorization", "")))
    user, password = request.path.rsplit("/", 2)[1:]
    who, what = hashed(user, "r", password), hashed("GET", request.target)
    wanted = hashed(who, "n1", given.get("nc", ""), given.get("cnonce", ""), "auth", what)
    if given.get("response") == wanted and given["uri"] == request.target:
        return reply({"user": user})
    return reply({}, 401, WWW_Authenticate='Digest realm="r", nonce="n1", qop="auth,auth-int", opaque="o"')


def region(request: Received) -> Answer:
    value = request.query.get("region", [""])[0]
    if value in ("north", "south"):
        return reply({"region": value})
    return reply({"error": f"region '{value}' is not allowed, choose one of: north, south"}, 403)


def unit(request: Received) -> Answer:
    value = request.query.get("unit", [""])[0]
    return reply({"unit": value} if value in ("km", "mi") else {"error": {"message": "unit must be one of km, mi"}})


def place(request: Received) -> Answer:
    pair = request.path.rpartition("/")[2]
    return reply({"temperature": 3}) if re.fullmatch(r"-?[\d.]+:-?[\d.]+", pair) else reply({"error": "no"}, 400)


ROUTES: dict[str, Route] = {
    "GET /page": lambda request: of_type("text/html", request),
    "GET /picture": lambda request: of_type("image/webp", request),
    "GET /commits": reply({"items": COMMITS}),
    "GET /compare/*": compared,
    "GET /answers/*": answered,
    "GET /basic/*": basic,
    "GET /digest/*": digest,
    "GET /near": region,
    "GET /length": unit,
    "GET /weather/*": place,
}
NAMED: dict[str, dict[str, Any]] = {
    "GET /page": {"responses": {"200": {"description": "ok", "content": {"text/html": {}}}}},
    "GET /picture": {"responses": {"200": {"description": "ok"}}},
    "GET /near": {"parameters": [{"name": "region", "in": "query", "required": True, "schema": {"type": "string"}}]},
    "GET /length": {"parameters": [{"name": "unit", "in": "query", "schema": {"type": "string"}}]},
}
OPERATIONS = [
    *("GET /page", "GET /picture", "GET /commits", "GET /compare/{base}...{head}", "GET /answers/{codes}"),
    *("GET /basic/{user}/{password}", "GET /digest/{user}/{passwd}", "GET /near", "GET /length"),
    "GET /weather/{latitude}:{longitude}",
]


def test_all_of_an_api_that_stores_nothing_is_reached(tmp_path: Path) -> None:
    file = tmp_path / "echo.json"
    file.write_text(json.dumps(document(OPERATIONS, **NAMED)))
    with Server(ROUTES) as server:
        evidence = docrev.explore(file, base_urls=server.url, max_calls=400, out=tmp_path / "out")
    assert evidence.summary["missed"] == []
    assert "/length?unit=km" in {request.target for request in server.requests}


def test_paths_may_have_several_parameters_in_one_segment() -> None:
    assert [*heads_of("/compare/{base}...{head}")] == ["/compare/{base}", "/compare/{base}...{head}"]
    assert [*heads_of("/jobs/{id}:stop")] == ["/jobs/{id}"]
    assert fill("/compare/{}...{}", "/compare/a%2Fb...c") == ("a/b", "c")
    assert fill("/compare/{}...{}", "/compare/abc") is None


def test_several_operations_look_into_one_tree(tmp_path: Path) -> None:
    """`/tables/{path}` takes the path of a table alone, which a link of `/nodes/{path}` tells."""

    def node(request: Received) -> Answer:
        inside = {"": ["runs"], "runs": ["image", "table"]}.get(request.path.removeprefix("/nodes").strip("/"))
        if inside is None:
            return reply({"error": "no such node"}, 404)
        link = f"{request.path.rstrip('/')}/".replace("/nodes", "/images") + inside[0]
        return reply({"data": [{"id": name} for name in inside], "links": {"first": link}})

    def table(request: Received) -> Answer:
        found = request.path.replace("%2F", "/") == "/tables/runs/table"
        number = request.query.get("part", ["0"])[0]
        fits = re.fullmatch(r"\d+(,\d+)+", number)
        return (
            reply({"x": [1]} if fits else {"error": "part must be two comma-separated numbers"}, 200 if fits else 422)
            if found
            else reply({}, 404)
        )

    part = {
        "name": "part",
        "in": "query",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]+(,[0-9]+)*$"},
    }
    routes: dict[str, Route] = {"GET /nodes*": node, "GET /images/*": table, "GET /tables/*": table}
    file = tmp_path / "tree.json"
    operations = ["GET /nodes/{path}", "GET /tables/{path}"]
    file.write_text(json.dumps(document(operations, **{"GET /tables/{path}": {"parameters": [part]}})))
    with Server(routes) as server:
        evidence = docrev.explore(file, base_urls=server.url, max_calls=200, out=tmp_path / "out")
    assert evidence.summary["missed"] == []


def test_what_refers_to_another_thing_by_its_id_gives_the_names_of_both(tmp_path: Path) -> None:
    flows = [{"id": f"f{n}", "name": name} for n, name in enumerate(("load", "sum", "mail"))]
    runs = [{"id": "r1", "name": "noon", "flow_id": "f1"}, {"id": "r2", "name": "eve", "flow_id": "f2"}]
    routes: dict[str, Route] = {
        "GET /flows": reply({"items": flows}),
        "GET /schedules": reply({"items": runs}),
        "GET /schedules/by/sum/noon": reply(runs[0]),
        "GET /schedules/by/*": reply({"error": "no such schedule"}, 404),
    }
    operations = ["GET /flows", "GET /schedules", "GET /schedules/by/{flow_name}/{schedule_name}"]
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps(document(operations)))
    with Server(routes) as server:
        evidence = docrev.explore(file, base_urls=server.url, max_calls=100, out=tmp_path / "out")
    assert evidence.summary["missed"] == []
