"""What a small budget is spent on."""

from __future__ import annotations

import json
from pathlib import Path

from servers import Server, reply

import docrev
from docrev.evidence import Evidence

LISTS = [f"/list{number}" for number in range(10)]


def test_of_few_requests_enough_are_left_to_show_again_what_every_operation_returns(tmp_path: Path) -> None:
    """To read all of them twice in a row there is too little: then it is not begun."""
    document = {
        "openapi": "3.0.3",
        "info": {"title": "lists", "version": "1"},
        "paths": {path: {"get": {"responses": {"200": {"description": "ok"}}}} for path in LISTS},
    }
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(document))
    with Server({f"GET {path}": reply({"items": [{"id": 1, "size": 2}]}) for path in LISTS}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=30)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        shown = {fact.key.path for fact in evidence.facts(kind="field")}
    assert shown == {*LISTS}
