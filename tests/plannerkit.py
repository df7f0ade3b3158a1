"""Two small services for tests of the planner: a library that is read, and boxes on trays that are written."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from driving import called

from docrev.graph.tool_graph import ToolGraph
from docrev.planner.knowledge import Knowledge
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json, Node, OperationKey, Plan
from docrev.spec import Catalog, load

LIBRARY = """
openapi: 3.0.3
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses: {200: {description: ok}}
  /authors/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {200: {description: ok}}
  /authors/{author_id}/books:
    get:
      parameters: [{name: author_id, in: path, required: true, schema: {type: integer}}]
      responses: {200: {description: ok}}
  /books:
    get:
      parameters:
        - {name: genre, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
      responses: {200: {description: ok}}
  /books/{isbn}:
    get:
      parameters: [{name: isbn, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: ok}}
  /status:
    get:
      responses: {200: {description: ok}}
"""
AUTHORS, AUTHOR, WORKS, BOOKS, BOOK, STATUS = (
    OperationKey("library", f"GET {path}")
    for path in ("/authors", "/authors/{id}", "/authors/{author_id}/books", "/books", "/books/{isbn}", "/status")
)
PEOPLE: list[dict[str, Any]] = [
    {"id": 101, "name": "Ada Lark"},
    {"id": 102, "name": "Bo Finch"},
    {"id": 103, "name": "Cy Wren"},
    {"id": 104, "name": "Di Crane"},
]
VOLUMES: list[dict[str, Any]] = [
    {"isbn": "9-01", "title": "Tides", "author_id": 101, "genre": "novel", "page_count": 310},
    {"isbn": "9-02", "title": "Embers", "author_id": 101, "genre": "poetry", "page_count": 120},
    {"isbn": "9-03", "title": "Hollow", "author_id": 102, "genre": "novel", "page_count": 250},
    {"isbn": "9-04", "title": "Quarry", "author_id": 103, "genre": "novel", "page_count": 480},
    {"isbn": "9-05", "title": "Sparks", "author_id": 103, "genre": "essay", "page_count": 90},
    {"isbn": "9-06", "title": "Umbra", "author_id": 103, "genre": "essay", "page_count": 140},
]


def respond(key: OperationKey, **arguments: Json) -> Call:
    """The call of an operation of the library with its response; 404 if the item does not exist."""
    place = "path" if "{" in key.path else "query"
    body = _body(key, arguments)
    sent = {f"{place}:{name}": value for name, value in arguments.items()}
    return called(Invoke(key, sent), {"detail": "not found"} if body is None else body, 404 if body is None else 200)


def _body(key: OperationKey, arguments: dict[str, Json]) -> Json:
    if key == AUTHORS:
        return {"data": [one for one in PEOPLE if arguments.get("q", "").lower() in one["name"].lower()]}
    if key == AUTHOR:
        people = [one | {"birth_year": 1800 + one["id"]} for one in PEOPLE if one["id"] == arguments["id"]]
        return next(iter(people), None)
    if key == WORKS:
        return {"data": [_brief(one) for one in VOLUMES if one["author_id"] == arguments["author_id"]]}
    if key == BOOKS:
        books = [_brief(one) for one in VOLUMES if arguments.get("genre") in (None, one["genre"])]
        order = arguments.get("sort")
        return {"data": sorted(books, key=lambda one: one[order]) if order else books}
    if key == BOOK:
        return next((one for one in VOLUMES if one["isbn"] == arguments["isbn"]), None)
    return {"healthy": True, "uptime": 17}


def _brief(volume: dict[str, Any]) -> dict[str, Any]:
    return {name: volume[name] for name in ("isbn", "title", "genre", "page_count")}


EVIDENCE = (
    respond(AUTHORS),
    respond(AUTHORS, q="Bo Finch"),
    *(respond(AUTHOR, id=number) for number in (101, 102, 103)),
    *(respond(WORKS, author_id=number) for number in (101, 102, 103)),
    respond(BOOKS),
    respond(BOOKS, genre="novel"),
    respond(BOOKS, sort="page_count"),
    *(respond(BOOK, isbn=isbn) for isbn in ("9-01", "9-03", "9-04")),
)


BOXES = """
swagger: "2.0"
info: {title: Boxes, version: "1"}
paths:
  /trays:
    get: {responses: {200: {description: ok}}}
    post:
      parameters: [{name: body, in: body, schema: {type: object}}]
      responses: {201: {description: ok}}
  /trays/{id}:
    parameters: [{name: id, in: path, required: true, type: string}]
    get: {responses: {200: {description: ok}}}
    put:
      parameters: [{name: body, in: body, schema: {type: object}}]
      responses: {201: {description: ok}}
    delete: {responses: {204: {description: gone}}}
  /trays/{tray_id}/boxes:
    parameters: [{name: tray_id, in: path, required: true, type: string}]
    get: {responses: {200: {description: ok}}}
    post:
      parameters: [{name: body, in: body, schema: {type: object}}]
      responses: {201: {description: ok}}
    delete: {responses: {200: {description: ok}}}
"""
TRAYS, TRAY, TRAY_BOXES = "/trays", "/trays/{id}", "/trays/{tray_id}/boxes"


def box_key(method: str, path: str) -> OperationKey:
    """An operation of the boxes."""
    return OperationKey("boxes", f"{method} {path}")


def box_call(method: str, path: str, answer: Json, status: int = 200, **arguments: Json) -> Call:
    """A call of an operation of the boxes with its response; `body` is the request's body."""
    sent = {"body:" if name == "body" else f"path:{name}": value for name, value in arguments.items()}
    return called(Invoke(box_key(method, path), sent), answer, status)


TRAYED = {"data": {"id": "a1", "colour": "red"}}
BOXED = {"data": {"id": "b1", "title": "old", "tray": "a1"}}
SEEN_BOXES = (
    box_call("POST", TRAYS, TRAYED, 201, body={}),
    box_call("PUT", TRAY, {"data": {"id": "docrev-tray-1", "colour": "red"}}, 201, id="docrev-tray-1", body={}),
    box_call("GET", TRAYS, {"data": [TRAYED["data"], {"id": "docrev-tray-1", "colour": "red"}]}),
    box_call("GET", TRAY, TRAYED, id="a1"),
    box_call("POST", TRAY_BOXES, BOXED, 201, tray_id="a1", body={"data": {"title": "old"}}),
    box_call("GET", TRAY_BOXES, {"data": [BOXED["data"]]}, tray_id="a1"),
    box_call("DELETE", TRAY_BOXES, {"data": []}, tray_id="a1"),
    box_call("DELETE", TRAY, None, 204, id="a1"),
)


def catalog_of(text: str, name: str = "library") -> Catalog:
    """The catalog of one spec; the file's stem is the tool."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        path.write_text(text, "utf-8")
        return load([path])


def knowledge_of(calls: Iterable[Call] = EVIDENCE, text: str = LIBRARY, name: str = "library") -> Knowledge:
    """What the planner knows of a spec after some calls."""
    catalog = catalog_of(text, name)
    graph = ToolGraph(catalog)
    knowledge = Knowledge(catalog, graph)
    calls = list(calls)
    for call in calls:
        graph.observe(call)
    knowledge.learn(calls)
    return knowledge


def history(*calls: Call, answer: Json = None) -> tuple[Node, ...]:
    """The nodes of a search that made these calls and, if there is an answer, gave it."""
    nodes: list[Node] = []
    plans = [Plan(f"Thought {number}.", call.key, dict(call.arguments)) for number, call in enumerate(calls, 1)]
    for plan, call in [*zip(plans, calls, strict=True), *([(Plan("", answer=answer), None)] if answer else [])]:
        parent = nodes[-1].id if nodes else "s001/bfs/0"
        nodes.append(Node(f"{parent}.1", parent, "s001", "bfs", len(nodes) + 1, plan, call))
    return tuple(nodes)
