"""What most lists of a service do alike: what is behind the last page, and which switch fills in fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Received, Server, reply

import docrev
from docrev.evidence import Evidence

KINDS = ("boats", "crews", "decks", "masts", "oars", "sails")
OK = {"responses": {"200": {"description": "ok"}}}
PARAMETERS = [
    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1, "default": 1}},
    {"name": "detailed", "in": "query", "schema": {"type": "boolean", "default": False}},
]


def listing(past: int, *, fills: bool) -> Any:
    """One page, behind which it returns a status; with `fills`, notes are null unless details are asked for."""

    def answer(request: Received) -> Any:
        page = request.query.get("page", ["1"])[0]
        if not page.isdecimal() or page == "0":
            return reply({"message": "page must be a number from 1 on"}, 422)
        if page != "1":
            return reply({"message": f"Invalid page {page}"}, past) if past != 200 else reply({"items": [], "total": 4})
        is_full = not fills or request.query.get("detailed") == ["true"]
        notes = "kept dry" if is_full else None
        names = [f"{request.path[1:]} {number}" for number in range(4)]
        return reply(
            {"items": [{"id": int(name[-1]) + 70, "name": name, "notes": notes} for name in names], "total": 4}
        )

    return answer


def explored(folder: Path, past: int, *, fills: bool) -> tuple[dict[str, Any], str]:
    """The facts of both kinds on boats, and what is written for the whole API."""
    file, out = folder / "boats.json", folder / "evidence"
    paths = {f"/{kind}": {"get": {"parameters": PARAMETERS, **OK}} for kind in KINDS}
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "n", "version": "1"}, "paths": paths}))
    with Server({f"GET /{kind}": listing(past, fills=fills) for kind in KINDS}) as server:
        docrev.explore(file, base_urls=server.url, out=out, max_calls=400)
    with Evidence.open(out, write=False) as evidence:
        found = {fact.kind: fact for fact in evidence.facts() if fact.key.operation == "GET /boats"}
    text = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes if "info" in one.pointer)
    return {kind: (found[kind].location, found[kind].value) for kind in ("past-end", "fills") if kind in found}, text


def test_a_refused_page_behind_the_last_and_a_switch_that_fills_in_are_told_once(tmp_path: Path) -> None:
    found, text = explored(tmp_path, 404, fills=True)
    assert found == {
        "past-end": ("", {"status": 404, "parameter": "query:page"}),
        "fills": ("query:detailed", {"value": "true", "fields": ["notes"], "null": True, "listed": True}),
    }
    assert "If `page` is past the last page, lists return 404, not an empty page." in text
    assert "`detailed`: `notes` of each item is null unless this is `true`." in text


@pytest.mark.parametrize("past", [200, 401])
def test_an_empty_page_is_no_news_and_neither_is_a_switch_that_does_nothing(tmp_path: Path, past: int) -> None:
    found, text = explored(tmp_path, past, fills=False)
    assert found == {}
    assert "past the last page" not in text
    assert "unless this is" not in text
