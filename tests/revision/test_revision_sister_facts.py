"""Lists that take the same parameters: what some of them show of one is stated at all, unless one shows otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from revisekit import call, explored, fact
from servers import Answer, Received, Server, reply
from test_revision_texts import revised

from docrev import explore, revise

NAMES = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven")
KITES, BOATS = ([{"name": name + end, "hue": ("red", "blue")[n % 2]} for n, name in enumerate(NAMES)] for end in "kb")
HUTS = [{"name": "reed", "hue": "red"}, {"name": "stone", "hue": "blue"}]
"""Too few to show an order."""
PARAMETERS = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("name", "hue", "order")]


def listing(items: list[dict[str, str]], *, orders: bool = True) -> Callable[[Received], Answer]:
    """A list that is filtered by name and hue, and sorted by the field in `order`, if it `orders`."""

    def answer(request: Received) -> Answer:
        query = {name: values[-1] for name, values in request.query.items()}
        found = [one for one in items if all(one[at] == query[at] for at in ("name", "hue") if at in query)]
        field = query.get("order", "").lstrip("-")
        if orders and field in ("name", "hue"):
            found = sorted(found, key=lambda one: one[field], reverse=query["order"].startswith("-"))
        return reply(found)

    return answer


@pytest.mark.parametrize("is_contradicted", [False, True])
def test_what_lists_alike_show_is_told_at_one_that_shows_less(tmp_path: Path, *, is_contradicted: bool) -> None:
    get = {"get": {"parameters": PARAMETERS, "responses": {"200": {"description": "ok"}}}}
    paths = {"/kites": get, "/boats": get, "/huts": get}
    spec = {"openapi": "3.0.3", "info": {"title": "shed", "version": "1"}, "paths": paths}
    path = tmp_path / "shed.json"
    path.write_text(json.dumps(spec))
    routes = {
        "GET /kites": listing(KITES),
        "GET /boats": listing(BOATS, orders=not is_contradicted),
        "GET /huts": listing(HUTS),
    }
    with Server(routes) as server:
        explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=400)
    revise(path, evidence=tmp_path / "out", write_to=tmp_path / "new")
    paths_now: dict[str, Any] = json.loads((tmp_path / "new" / "shed.json").read_text())["paths"]
    orders = {at: paths_now[at]["get"]["parameters"][2].get("description", "") for at in paths}
    assert "For example, `name`" in orders["/kites"]
    assert ("For example, `name`" in orders["/huts"]) is not is_contradicted


@pytest.mark.parametrize(("length", "is_told"), [(9, False), (5, True)])
def test_the_size_of_a_longer_page_is_not_what_another_list_shows(
    tmp_path: Path, length: int, *, is_told: bool
) -> None:
    names = ("page", "page_size", "query")
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]
    get = {"get": {"parameters": parameters, "responses": {"200": {"description": "ok"}}}}
    paths = {"/kites": get, "/boats": get}
    spec = {"openapi": "3.0.3", "info": {"title": "shed", "version": "1"}, "paths": paths}
    lists = [("/kites", KITES[:5]), ("/boats", [*BOATS, *HUTS][:length])]
    alike = (("limits", "200:"), ("unknown-values", "ignored"))
    facts = [fact(f"GET {path}", kind, "query:page_size", value) for path, _ in lists for kind, value in alike]
    facts.append(fact("GET /kites", "default", "query:page_size", 5))
    calls = [call(f"GET {path}", items) for path, items in lists]
    [document] = revised(*explored(tmp_path, json.dumps(spec), calls=calls, facts=facts)).documents.values()
    of_all = document.tree["info"].get("description", "")
    assert ("Lists return at most 5 items unless `page_size` is sent." in of_all) is is_told
