"""What is done to one of the run's own things within another: `PATCH /crews/{crew_id}/boats/attach/{boat_id}`."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body

LINES = [
    *("GET /crews", "POST /crews", "GET /crews/{crew_id}", "DELETE /crews/{crew_id}"),
    *("GET /boats", "POST /boats", "GET /boats/{boat_id}", "DELETE /boats/{boat_id}"),
    *("PATCH /crews/{crew_id}/boats/attach/{boat_id}", "PATCH /crews/{crew_id}/boats/detach/{boat_id}"),
    "POST /crews/{crew_id}/boats/{boat_id}/launch",
    *("GET /crews/{crew_id}/flags", "POST /crews/{crew_id}/flags", "DELETE /crews/{crew_id}/flags/{flag_id}"),
    *("GET /flags", "POST /flags", "GET /flags/{flag_id}", "DELETE /flags/{flag_id}"),
]


DEEDS = ("attach", "detach", "launch")


class Harbour(Shop):
    """A crew takes boats and flags that are there; what it did to which is kept in `done`."""

    def __init__(self, ids: Iterator[Any]) -> None:
        self.ids = ids
        places = [f"/{kind}/{next(ids)}" for kind in ("crews", "boats", "flags")]
        super().__init__({place: {"name": "theirs"} for place in places})
        self.theirs = {place.rpartition("/")[2] for place in places}
        self.flown: dict[str, list[str]] = {}
        self.done: list[list[str]] = []

    def __call__(self, request: Received) -> Answer:
        path, sent = request.path.rstrip("/"), request.json if request.body else {}
        kind, *rest = path.strip("/").split("/")
        if request.method == "POST" and not rest:
            if not isinstance(sent.get("name"), str):
                return reply({"error": "name is required"}, 422)
            place = f"{path}/{next(self.ids)}"
            self.things[place] = {"name": sent["name"]}
            return reply(self.shown(place), 201)
        if kind == "crews" and len(rest) > 1:
            return self._within(request, *rest)
        return super().__call__(request)

    def _within(self, request: Received, crew: str, kind: str, *rest: str) -> Answer:
        flown = self.flown.setdefault(crew, [])
        if f"/crews/{crew}" not in self.things:
            return reply({"error": "crew not found"}, 404)
        if kind == "flags" and not rest and request.method == "GET":
            return reply({"data": [self.shown(f"/flags/{flag}") for flag in flown if f"/flags/{flag}" in self.things]})
        named = next((part for part in rest if part not in DEEDS), "") if rest else str(request.json.get("flag_id"))
        if f"/{kind}/{named}" not in self.things:
            return reply({"error": f"{kind[:-1]} not found"}, 400 if not rest else 404)
        self.done.append([request.method, crew, named])
        if kind == "flags":
            flown.remove(named) if request.method == "DELETE" else flown.append(named)
        return reply({"crew": crew, "name": "done"}, 201 if not rest else 200)


@pytest.mark.parametrize("ids", ["numbers", "UUIDs"])
def test_the_runs_own_is_attached_to_its_own_and_nobody_elses(tmp_path: Path, ids: str) -> None:
    drawn = (str(uuid.UUID(int=number << 64 | number, version=4)) for number in itertools.count(7001))
    harbour = Harbour(itertools.count(7001) if ids == "numbers" else drawn)
    before = dict(harbour.things)
    type = "integer" if ids == "numbers" else "string"
    named = of_body({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}})
    flag = of_body({"type": "object", "required": ["flag_id"], "properties": {"flag_id": {"type": type}}})
    bodies = {f"POST /{kind}": named for kind in ("crews", "boats", "flags")}
    reached, _ = explored(tmp_path, harbour, LINES, **bodies, **{"POST /crews/{crew_id}/flags": flag})
    assert reached == {*LINES}
    assert harbour.things == before
    assert {method for method, *_ in harbour.done} == {"PATCH", "POST", "DELETE"}
    assert not harbour.theirs & {id for _, *named in harbour.done for id in named}
