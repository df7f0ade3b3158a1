"""Small services of one list that each do one thing with a parameter, explored: `found` gives the facts.

The fixture is that of all tests of facts; what such services are made of is imported from here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

from docrev import explore
from docrev.evidence import Evidence
from docrev.facts.registry import names

FROM_TRIALS = names(lambda kind: kind.from_trials is not None)

REGIONS = ("north", "south", "east")
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven")
ITEMS: list[dict[str, Any]] = [
    {
        "id": 100 + n,
        "name": f"{WORDS[n % 8]} {WORDS[(n * 3 + 1) % 8]}",
        "region": REGIONS[n % 3],
        "price": (n * 37) % 101,
        "made_on": f"2024-0{1 + n % 9}-1{n % 7}",
    }
    for n in range(24)
]

Query = dict[str, str]
Do = Callable[[Query], Any]
Facts = set[tuple[str, str, str]]


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., Facts]:
    """Explores one list whose answer `do` makes of the query; the facts as (kind, location, value in JSON)."""

    def run(do: Do, parameters: dict[str, dict[str, Any]], **options: Any) -> Facts:
        declared = [{"name": name, "in": "query", "schema": schema} for name, schema in parameters.items()]
        get = {"parameters": declared, "responses": {"200": {"description": "ok"}}}
        spec = {"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": {"/items": {"get": get}}}
        path = tmp_path / "shop.json"
        path.write_text(json.dumps(spec))

        def answer(request: Received) -> Answer:
            made = do({name: values[-1] for name, values in request.query.items()})
            return made if isinstance(made, Answer) else reply(made)

        with Server({"GET /items": answer}) as server:
            explore(path, base_urls=server.url, out=tmp_path / "out", **{"max_calls": 400, **options})
        with Evidence.open(tmp_path / "out", write=False) as evidence:
            facts = [f for f in evidence.facts() if f.kind in FROM_TRIALS and not f.location[:1].isdecimal()]
            assert all(fact.calls and fact.replays for fact in facts)
        return {(fact.kind, fact.location, json.dumps(fact.value)) for fact in facts}

    return run


TEXT, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def kinds(facts: Facts, location: str) -> set[str]:
    return {kind for kind, place, _ in facts if place == location} - {"type"}


def refuse(name: str, message: str) -> Answer:
    return reply({"detail": [{"loc": ["query", name], "msg": message}]}, 422)


def whole(query: Query, name: str, default: int, low: int = 1, high: int = 10**9) -> int | Answer:
    text = query.get(name, str(default))
    if not re.fullmatch(r"-?\d+", text):
        return refuse(name, "Input should be a valid integer")
    if int(text) < low:
        return refuse(name, f"Input should be greater than or equal to {low}")
    return refuse(name, f"Input should be less than or equal to {high}") if int(text) > high else int(text)
