"""Things that are addressed as a whole: by resource names (`users/7`), and by links (`/books/7/`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, document, key
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import texts

import docrev

USER, NOTE = "^users/[^/]+$", "^users/[^/]+/notes/[^/]+$"
NAMES: dict[str, dict[str, Any]] = {
    "GET /v1/users": {},
    "POST /v1/users": texts("title"),
    "GET /v1/{name}": {"name": USER},
    "PATCH /v1/{name}": {"name": USER, **texts("title")},
    "DELETE /v1/{name}": {"name": USER},
    "POST /v1/{name}:pause": {"name": USER},
    "GET /v1/{parent}/notes": {"parent": USER},
    "POST /v1/{parent}/notes": {"parent": USER, **texts("text")},
    "GET /v1/{name_1}": {"name_1": NOTE},
    "DELETE /v1/{name_1}": {"name_1": NOTE},
}
LINKS: dict[str, dict[str, Any]] = {
    "GET /v1/books/": {"tags": ["Books"]},
    "POST /v1/books/": {"tags": ["Books"], **texts("title")},
    "GET {book_href}": {"tags": ["Books"]},
    "PUT {book_href}": {"tags": ["Books"], **texts("title")},
    "PATCH {book_href}": {"tags": ["Books"], **texts("title")},
    "DELETE {book_href}": {"tags": ["Books"]},
    "POST {book_href}lend/": {"tags": ["Books"]},
    "GET {book_href}pages/": {"tags": ["Books: Pages"]},
    "POST {book_href}pages/": {"tags": ["Books: Pages"], **texts("text")},
    "GET {page_href}": {"tags": ["Books: Pages"]},
    "DELETE {page_href}": {"tags": ["Books: Pages"]},
}


class Addressed(Shop):
    """Things that say their own address: as `name`, without the beginning `/v1/`, or as a link in `BOOK_href`."""

    def __init__(self, kind: str, parts: str, *, links: bool) -> None:
        self._links = links
        super().__init__({f"/{kind}/2": {"title": "mine"}, f"/{kind}/2/{parts}/1": {"text": "mine, too"}})
        self.theirs = dict(self.things)
        self.refused: list[str] = []

    def shown(self, path: str) -> dict[str, Any]:
        *_, kind, _ = path.split("/")
        named = {f"{kind[:-1]}_href": f"/v1{path}/"} if self._links else {"name": path[1:]}
        return {**named, **self.things[path]}

    def __call__(self, request: Received) -> Answer:
        path = request.path.removeprefix("/v1").rstrip("/")
        if not request.path.startswith("/v1") or "%" in path or "//" in path:
            self.refused.append(request.target)
            return reply({"error": "no such page"}, 404)
        for ending in (":pause", "/lend"):
            if path.endswith(ending):
                there = path.removesuffix(ending) in self.things
                self.things[path.removesuffix(ending)] |= {"paused": "yes"} if there else {}
                return reply({"done": there}, 200 if there else 404)
        inner = Received(request.method, path, request.headers, request.body)
        return super().__call__(inner)


def spec(folder: Path, lines: dict[str, dict[str, Any]]) -> Path:
    """An OpenAPI document of lines, each with the patterns of its path parameters, its tags, and its body."""
    paths: dict[str, Any] = document(list(lines))
    for line, extras in lines.items():
        method, _, path = line.partition(" ")
        operation = paths["paths"][path][method.lower()]
        operation |= {name: extras[name] for name in ("tags", "requestBody") if name in extras}
        names = [name for name in ("name", "parent", "name_1") if name in extras]
        names += [part.partition("}")[0] for part in path.split("{")[1:] if "href" in part]
        operation["parameters"] = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string", **({"pattern": extras[name]} if name in extras else {})},
            }
            for name in names
        ]
    (folder / "shop.json").write_text(json.dumps(paths))
    return folder / "shop.json"


@pytest.fixture(scope="module", params=["names", "links"])
def explored(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Addressed, Server, docrev.Exploration]]:
    folder, links = tmp_path_factory.mktemp(request.param), request.param == "links"
    service = Addressed("books", "pages", links=True) if links else Addressed("users", "notes", links=False)
    file = spec(folder, LINKS if links else NAMES)
    with Server(service.routes) as server:
        found = docrev.explore(
            file, base_urls=server.url, allow="POST,PUT,PATCH,DELETE", max_calls=200, out=folder / "evidence"
        )
        yield service, server, found


def test_every_operation_on_an_address_is_reached(explored: tuple[Addressed, Server, docrev.Exploration]) -> None:
    service, _, found = explored
    assert found.summary["missed"] == []
    assert service.refused == []


def test_what_somebody_has_at_an_address_stays_and_nothing_else_is_left(
    explored: tuple[Addressed, Server, docrev.Exploration],
) -> None:
    service, _, found = explored
    assert service.things == service.theirs
    assert not found.summary["left"]


@pytest.mark.parametrize(
    ("line", "lines", "wanted"),
    [
        ("GET /v1/{name}", NAMES, "/v1/users/{}"),
        ("POST /v1/{name}:pause", NAMES, "/v1/users/{}:pause"),
        ("DELETE /v1/{name_1}", NAMES, "/v1/users/{}/notes/{}"),
        ("POST {book_href}lend/", LINKS, "/v1/books/{}/lend"),
        ("GET {page_href}", LINKS, "/v1/books/{}/pages/{}"),
    ],
)
def test_the_route_of_an_operation_on_an_address_is_written_out(
    line: str, lines: dict[str, dict[str, Any]], wanted: str, tmp_path: Path
) -> None:
    from docrev.language.path_templates import shape_of
    from docrev.spec import load

    operation = load([spec(tmp_path, lines)])[key(line.replace(" {", " /{"))]
    assert shape_of(operation.route.path) == wanted


@pytest.mark.parametrize("pattern", ["[^/]+", "^[a-z]+/[^/]+$", "users/.*", "^users$", "[^/]+/users"])
def test_a_pattern_that_says_no_certain_beginning_is_no_address(pattern: str, tmp_path: Path) -> None:
    schema = {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "pattern": pattern}}
    line = "GET /v1/{name}"
    operation = catalog(tmp_path, [line], **{line: {"parameters": [schema]}})[key(line)]
    assert operation.route == operation.key


def test_a_link_is_no_address_where_several_lists_may_be_meant(tmp_path: Path) -> None:
    tagged = {line: {"tags": ["all"]} for line in ("GET /books/", "GET /people/", "GET /{book_href}")}
    operation = catalog(tmp_path, list(tagged), **tagged)[key("GET /{book_href}")]
    assert operation.route == operation.key
