"""IDs of things that lie elsewhere, or are listed above, where a path wants something else."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key

from docrev.calls.effects import Effects
from docrev.calls.routes import Routes
from docrev.exploration.candidates import Candidates
from docrev.exploration.contexts import Contexts
from docrev.exploration.given_values import GivenValues
from docrev.graph.tool_graph import ToolGraph
from docrev.records import Call, Json

DAY = "2022-07-12"
DRAWN = "0ecd1339-c212-4447-82bc-0ccf5acbd6e4"


def tried(folder: Path, listing: str, **parameter: Any) -> list[Json]:
    """What is tried for `/my/visits/{date}`, once a visit was listed."""
    extras = {"GET /my/visits/{date}": {"parameters": [{"name": "date", "in": "path", "required": True, **parameter}]}}
    found = catalog(folder, ["GET /visits", "GET /visits/{id}", "GET /my/visits", *extras], **extras)
    graph = ToolGraph(found)
    contexts = Contexts(found, graph)
    body = {"data": [{"id": DRAWN, "note": "first"}]}
    contexts.observe(Call("1", key(listing), {}, "http://a", 200, {}, body, "application/json", "survey"))
    candidates = Candidates(graph, contexts, GivenValues(()), Effects(Routes(found.operations)))
    paths = candidates.paths.of(next(operation for operation in found.operations if "{date}" in operation.path))
    return [path["path:date"] for path in islice(paths, 8)]


@pytest.mark.parametrize("listing", ["GET /visits", "GET /my/visits"])
def test_a_day_is_tried_where_one_is_documented_before_the_id_of_a_visit(tmp_path: Path, listing: str) -> None:
    values = tried(tmp_path, listing, schema={"type": "string", "format": "date"}, example=DAY)
    assert values[0] == DAY
    # The document may be wrong.
    assert DRAWN in values


def test_an_id_that_is_listed_is_tried_first_where_nothing_tells_what_is_wanted(tmp_path: Path) -> None:
    assert tried(tmp_path, "GET /my/visits", schema={"type": "string"})[0] == DRAWN
