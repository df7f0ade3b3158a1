"""Serving a world over HTTP, and walking it as an agent would."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from patience import HANGS
from walker import Walker

from docrev.errors import UnreachableError, UsageError
from docrev.records import OperationKey
from docrev.simulator import World, serve_simulated, simulate
from docrev.spec import load

LIBRARY = Path(__file__).parents[1] / "library.yaml"
TMDB = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "restbench" / "tmdb_oas.json"
PATHS = {
    "When was Grace Hopper born?": ["GET /search/author", "GET /authors/{author_id}"],
    "Which reviews has a book by Grace Hopper?": [
        "GET /search/author",
        "GET /authors/{author_id}/books",
        "GET /books/{book_id}/reviews",
    ],
    "Put a book of Grace Hopper on my shelf": ["GET /search/author", "GET /authors/{author_id}/books", "PUT /me/books"],
    "Take the first book off my shelf": ["GET /me/books", "DELETE /me/books"],
    "Who wrote the first book?": ["GET /books", "GET /books/{book_id}", "GET /authors/{author_id}"],
}


def test_paths_are_walked_with_ids_of_the_answers_before() -> None:
    catalog = load(LIBRARY)
    with serve_simulated(LIBRARY, seed=2) as base, httpx2.Client(base_url=base, timeout=HANGS) as client:
        walker = Walker(catalog, client)
        for task, steps in PATHS.items():
            walk = walker.walk(task, [OperationKey("library", step) for step in steps])
            assert [call.status // 100 for call in walk.calls if call.status] == [2] * len(steps), task
            assert len(walk.bound) == len(steps) - 1, task
            assert not walk.lookups, task
            assert {source for _, _, source in walk.bound} <= {call.id for call in walk.calls}


def test_over_http_it_is_the_same_world() -> None:
    world = World(load(LIBRARY), seed=4)
    with serve_simulated(LIBRARY, seed=4) as base, httpx2.Client(base_url=base, timeout=HANGS) as client:
        for path in (
            "/books?limit=3&sort=title",
            "/authors/77",
            "/books/1",
            "/books?limit=x",
            "/search/author?query=G%C3%B6del",
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.content) == (
                world.respond("GET", path)[0],
                world.respond("GET", path)[2],
            )
        assert client.head("/books").headers["content-length"] == str(len(client.get("/books").content))
        assert client.options("/books").headers["allow"] == "GET, POST, HEAD, OPTIONS"
        made = client.post("/books", json={"title": "Emma"})
        assert client.get(f"/books/{made.json()['id']}").json() == made.json()
        assert client.post("/books", content=b"x" * (3 * 2**20)).status_code == 413


def test_it_stops_with_its_block() -> None:
    with serve_simulated(LIBRARY) as base:
        assert httpx2.get(f"{base}/me", timeout=HANGS).status_code == 200
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{base}/me", timeout=HANGS)


def test_a_spec_that_is_none_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("{}")
    with pytest.raises(UnreachableError), serve_simulated(tmp_path / "none.json"):
        pass


def test_an_app_of_several_specs_is_refused(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_bytes(LIBRARY.read_bytes())
    with pytest.raises(UsageError):
        simulate(tmp_path)


def test_a_world_starts_without_what_only_explorers_need() -> None:
    code = "import sys, docrev.simulator.serve; print(sorted({'networkx', 'httpx2', 'jinja2'} & {*sys.modules}))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.shared
@pytest.mark.skipif(not TMDB.exists(), reason="RestBench is not at ../shared/data/restbench")
def test_a_large_spec_is_served() -> None:
    with serve_simulated(TMDB) as base, httpx2.Client(base_url=base, timeout=HANGS) as client:
        assert client.get("/movie/550").json()["title"] == "Fight Club"
        popular = json.loads(client.get("/movie/popular").content)
        assert len(popular["results"]) == 20
