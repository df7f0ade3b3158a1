"""An API that answers nothing but errors ends the run with one line and exit code 3, and no word of it is written."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from clikit import LIST_AND_ITEM, Done, docrev, here, spec
from servers import Answer, Received, Route, Server, reply

MANY = tuple(f"GET /things{number}" for number in range(24))
"""Enough for ten refusals in a row, whenever among them the one good answer comes."""
WRITING = (*LIST_AND_ITEM, "POST /items", "PUT /items/{id}", "DELETE /items/{id}")


def page(status: int, text: str = "Sign in") -> Answer:
    return Answer(status, f"<!doctype html><html><body>{text}</body></html>".encode(), {"Content-Type": "text/html"})


def mixed(statuses: tuple[int, ...]) -> Callable[[Received], Answer]:
    turns = itertools.count()
    return lambda request: reply({"error": "no"}, statuses[next(turns) % len(statuses)])


def to_login(request: Received) -> Answer:
    return page(200) if request.path == "/login" else Answer(302, headers={"Location": "/login"})


WAYS: dict[str, tuple[Route, tuple[str, ...]]] = {
    "500": (reply({"error": "boom"}, 500), ("nothing but errors: 500 to", "check that the service is well")),
    "501": (reply({"error": "off"}, 501), ("nothing but errors: 501 to", "check that the service is well")),
    "502 of a proxy": (page(502, "Bad Gateway"), ("502", "check that the service behind it runs")),
    "503 of a proxy": (page(503, "Unavailable"), ("503", "check that the service behind it runs")),
    "503": (reply({"error": "busy"}, 503), ("nothing but errors: 503 to", "check that the service is well")),
    "504 without a word": (Answer(504), ("nothing but errors: 504 to", "check that the service is well")),
    "4xx of every kind": (mixed((400, 404, 405, 409, 410, 415, 422, 451)), ("nothing but errors",)),
    "an error page": (page(404, "Not here"), ("pages, not JSON, with 404", "check --base-url")),
    "a login page": (page(200), ("pages, not JSON, with 200", "check --base-url")),
    "a redirect to a login page": (to_login, ("200", "check --base-url")),
    "an error with 200": (
        reply({"code": 500, "error": "boom", "data": None}),
        ("calls with 2xx and an error in the body", "check --base-url"),
    ),
    "errors with 200": (reply({"errors": [{"message": "no"}], "data": None}), ("2xx and an error in the body",)),
    "no success with 200": (reply({"success": False, "message": "Invalid key"}), ("2xx and an error in the body",)),
    "a redirect loop": (
        lambda request: Answer(302, headers={"Location": request.target}),
        ("nothing but errors: 302 to", "check --base-url"),
    ),
    **{
        str(status): (reply({"error": "no"}, status), (f"nothing but errors: {status} to",))
        for status in (400, 402, 404, 405, 406, 409, 410, 415, 422, 428, 451)
    },
    **{str(status): (reply({"error": "who?"}, status), (str(status), "credentials")) for status in (401, 403)},
}


def explore(folder: Path, url: str, file: Path, *words: str) -> Done:
    return here("explore", file, "--base-url", url, "--out", folder / "evidence", "--max-calls", "300", *words)


def words_written(folder: Path, file: Path) -> list[object]:
    """What any way of revising would change."""
    found: list[object] = []
    for words in (("--edit", "contract"), ("--edit", "docs"), ("--method", "draft"), ("--links",)):
        done = here("revise", file, "--evidence", folder / "evidence", "--json", *words)
        assert done.code == 0, done.err
        found += done.lines
    return found


@pytest.mark.parametrize("operations", [LIST_AND_ITEM, MANY, WRITING], ids=["two", "many", "writing"])
@pytest.mark.parametrize("way", WAYS)
def test_errors_alone_end_the_run_and_nothing_is_written(tmp_path: Path, way: str, operations: tuple[str, ...]) -> None:
    route, words = WAYS[way]
    file = spec(tmp_path, operations)
    with Server({f"{method} /*": route for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        done = explore(tmp_path, server.url, file, *(("--allow", "POST,PUT,DELETE") if operations is WRITING else ()))
        assert done.code == 3, done.out
        assert done.out == ""
        lines = done.err.splitlines()
        # What was answered with 2xx is counted on the way.
        assert len(lines) == 1 or "with 2xx" in lines[-1]
        assert lines[-1].startswith(f"docrev: {server.url}: ")
        for word in words:
            assert word in lines[-1]
    assert words_written(tmp_path, file) == []


def test_once_it_is_well_the_same_command_asks_again(tmp_path: Path) -> None:
    file = spec(tmp_path)
    with Server({"GET /*": reply({"error": "boom"}, 500)}) as server:
        assert explore(tmp_path, server.url, file).code == 3
        assert explore(tmp_path, server.url, file).code == 3
        server.routes = {"GET /items": reply([{"id": 7, "name": "x"}]), "GET /items/7": reply({"id": 7, "name": "x"})}
        done = explore(tmp_path, server.url, file, "--json")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == 2


def test_the_line_comes_from_the_process_itself(tmp_path: Path) -> None:
    file = spec(tmp_path)
    with Server({"GET /*": reply({"error": "boom"}, 500)}) as server:
        done = docrev("explore", file, "--base-url", server.url, cwd=tmp_path)
        other = docrev("explore", file, "--base-url", server.url, "--out", "some where", cwd=tmp_path)
    done.failed(3, f"{server.url}: returned nothing but errors: 500 to", "docrev evidence lists the answers")
    other.failed(3, "docrev evidence 'some where' lists the answers")


def test_of_two_tools_the_one_with_errors_alone_is_told_and_not_written_about(tmp_path: Path) -> None:
    spec(tmp_path / "specs", name="shop.json")
    spec(tmp_path / "specs", ("GET /rooms", "GET /rooms/{id}"), name="hotel.json")
    shop = {"GET /items": reply([{"id": 7, "name": "Ada Lovelace"}]), "GET /items/7": reply({"id": 7, "name": "x"})}
    with Server(shop) as good, Server({"GET /*": reply({"error": "boom"}, 500)}) as bad:
        bases = ("--base-url", f"shop={good.url}", "--base-url", f"hotel={bad.url}")
        done = here("explore", tmp_path / "specs", *bases, "--out", tmp_path / "evidence", "--json")
    assert done.code == 0, done.err
    assert any(text.startswith("hotel returned nothing but errors: 500") for text in done.json["findings"])
    lines = words_written(tmp_path, tmp_path / "specs")
    assert lines
    assert {line["file"] for line in lines if line["file"].endswith("hotel.json")} == set()
    told = here("revise", tmp_path / "specs", "--evidence", tmp_path / "evidence")
    assert "hotel returned nothing but errors" in told.err


@pytest.mark.parametrize(("status", "code"), [(401, 3), (403, 0)])
def test_nearly_all_refused_for_want_of_credentials_is_no_documentation(tmp_path: Path, status: int, code: int) -> None:
    file = spec(tmp_path, ("GET /health", *MANY))
    routes = {"GET /*": reply({"error": "no"}, status), "GET /health": reply({"status": "fine", "uptime": 3})}
    with Server(routes) as server:
        done = explore(tmp_path, server.url, file, "--json")
    assert done.code == code, done.err
    told = done.err if code else done.out
    assert "credentials" in told
    assert json.loads(here("facts", tmp_path / "evidence", "--json").out or "[]") == []
    assert words_written(tmp_path, file) == []
