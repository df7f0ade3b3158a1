"""The gold paths of RestBench, walked in simulated worlds with ids taken from the answers before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from patience import HANGS
from walker import Walk, Walker

from docrev.records import OperationKey
from docrev.simulator import serve_simulated
from docrev.spec import Catalog, fixed, load

BENCH = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "restbench"
MENDED = {  # what RestBench itself has wrong
    "GET /person/{movie_id}/movie_credits": "GET /person/{person_id}/movie_credits",
    "GET /track/{id}": "GET /tracks/{id}",
}
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BENCH.is_dir(), reason="RestBench is not at ../shared/data/restbench"),
]


def repaired(name: str, folder: Path) -> tuple[Catalog, Path]:
    """A copy of a RestBench spec with what `docrev lint --fix` repairs."""
    catalog, _ = fixed(load(BENCH / f"{name}_oas.json"))
    path = folder / f"{name}.json"
    path.write_bytes(next(iter(catalog.documents.values())).to_bytes())
    return load(path), path


@pytest.fixture(scope="module")
def walkers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Walker]]:
    folder = tmp_path_factory.mktemp("worlds")
    with ExitStack() as stack:
        found = {}
        for name in ("tmdb", "spotify"):
            catalog, path = repaired(name, folder)
            base = stack.enter_context(serve_simulated(path, seed=1))
            found[name] = Walker(catalog, stack.enter_context(httpx2.Client(base_url=base, timeout=HANGS)))
        yield found


def walks(walker: Walker, name: str) -> list[tuple[str, Walk]]:
    """Every task of a benchmark with the walk along its mended path."""
    tool = walker.catalog.tools[0]
    found = []
    for task in json.loads((BENCH / f"{name}.json").read_text("utf-8")):
        steps = [" ".join(step.split()) for step in task["solution"]]
        path = [OperationKey(tool, MENDED.get(step, step)) for step in steps]
        found.append((task["query"], walker.walk(task["query"], path)))
    return found


@pytest.mark.parametrize(("name", "count", "straight"), [("tmdb", 100, 95), ("spotify", 57, 50)])
def test_every_gold_path_is_walked(walkers: dict[str, Walker], name: str, count: int, straight: int) -> None:
    done = walks(walkers[name], name)
    failed = [(task, call.url, call.status) for task, walk in done for call in walk.calls if not call.ok]
    assert not failed
    assert len(done) == count
    assert sum(not walk.lookups for _, walk in done) >= straight
    print(
        name,
        len(done),
        "walked,",
        sum(not walk.lookups for _, walk in done),
        "without a look-up,",
        sum(len(walk.calls) for _, walk in done),
        "steps,",
        sum(len(walk.bound) for _, walk in done),
        "ids",
    )


@pytest.mark.long
def test_a_search_finds_what_is_named_and_its_id_works(walkers: dict[str, Walker]) -> None:
    for task, walk in walks(walkers["tmdb"], "tmdb"):
        for call in walk.calls:
            if call.key.path.startswith("/search/"):
                first = call.body["results"][0]
                assert walk.name.casefold() == str(first.get("title") or first["name"]).casefold(), task
