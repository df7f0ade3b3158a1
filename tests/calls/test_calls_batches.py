"""An operation that carries other requests is judged by what it carries."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, sent, with_operations
from servers import Answer, Received, Server, reply
from shop import Shop

from docrev.prompts.steps import Invoke
from docrev.records import Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


BATCH = (*CRUD, "POST /batch", "POST /tokens", "GET /token/reset")


@pytest.fixture
def batching(api: Api) -> Api:
    return with_operations(api, BATCH)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"requests": [{"path": "/items", "method": "GET"}]}, ""),
        ({"requests": [{"path": "/items?x=1"}]}, ""),
        ({"requests": [{"path": "/prefix/items"}]}, ""),
        ({"requests": []}, "it carries nothing by which it could be judged"),
        ({"defaults": {"method": "POST", "path": "/items"}, "requests": [{"body": {}}, {"path": "/items"}]}, ""),
        (
            {"requests": [{"path": "/items/1", "method": "DELETE"}]},
            "carried DELETE /items/1: this run did not",
        ),
        (
            {"requests": [{"path": "/items/1", "method": "delete"}]},
            "carried DELETE /items/1: this run did not",
        ),
        ({"defaults": {"method": "DELETE"}, "requests": [{"path": "/items/1"}]}, "carried DELETE /items/1: this run"),
        ({"requests": [{"path": "/items", "method": "DELETE"}]}, "carried DELETE /items: the collection may hold"),
        ({"requests": [{"path": "/items/9", "method": "PUT"}]}, "carried PUT /items/9: this run did not create it"),
        ({"requests": [{"path": "/secret/1", "method": "GET"}]}, "carried GET /secret/1: not in the catalog"),
        ({"requests": [{"path": "/items"}, {"path": "/token/reset"}]}, "carried GET /token/reset: 'token' is on"),
        ({"requests": [{"path": "/items/..%2f..", "method": "GET"}]}, "carried GET /items/..%2f..: a path argument"),
        ({"requests": [{"path": "http://evil.invalid/items"}]}, "carried GET http://evil.invalid/items: not in"),
        ({"requests": [{"path": "//evil.invalid/items"}]}, "carried GET //evil.invalid/items: not in"),
        ({"requests": [{"path": "/items", "headers": {"Authorization": "x"}}]}, "carried GET /items: the header Auth"),
        ({"requests": [{"path": "/batch", "method": "POST", "body": {}}]}, "carried POST /batch: a batch in a batch"),
        ({"requests": [{"what": "DELETE /items/1"}]}, "it carries requests that cannot be read"),
        ("DELETE /items/1", "it carries requests that cannot be read"),
        ([{"relative_url": "/items/1", "method": "DELETE"}], "carried DELETE /items/1: this run did not"),
    ],
)
def test_a_batch_is_judged_by_what_it_carries(batching: Api, body: Json, reason: str) -> None:
    with Server({"POST /prefix/batch": reply({"responses": []})}) as server:
        call = replace(batching, url=f"{server.url}/prefix").call(invoke("POST /batch", {"body:": body}))[0]
    assert call.detail.startswith(reason) if reason else call.error is None
    assert len(server.seen) == (0 if reason else 1)


def test_so_is_any_body_with_method_and_path(api: Api) -> None:
    forward = {"forward": {"to": [{"method": "DELETE", "url": "/items/1"}]}}
    assert sent(api, "POST /items", {"body:": forward})[0].startswith("carried DELETE /items/1")


def test_a_body_with_links_carries_nothing(api: Api) -> None:
    assert sent(api, "POST /items", {"body:": {"links": [{"url": "http://a.example/x"}], "path": "/home"}})[0] == ""


def test_a_batch_may_change_what_this_run_created(batching: Api) -> None:
    shop = Shop({"/items/8": {}})

    def batch(request: Received) -> Answer:
        responses = []
        for inner in request.json["requests"]:
            answer = shop(replace(request, method=inner["method"], target=inner["path"], body=b"{}"))
            responses.append({"status": answer.status, "path": inner["path"], "body": json.loads(answer.body)})
        return reply({"responses": responses})

    def carrying(method: str, path: str) -> Invoke:
        return invoke("POST /batch", {"body:": {"requests": [{"path": path, "method": method, "body": {}}]}})

    with Server({**shop.routes, "POST /batch": batch}) as server:
        calls = replace(batching, url=server.url).make(
            carrying("PATCH", "/items/1"),
            carrying("POST", "/items"),
            carrying("PATCH", "/items/1"),
            carrying("PATCH", "/items/8"),
            invoke("DELETE /items/{id}", {"path:id": 1}),
        )
    assert [call.error for call in calls] == ["denied", None, None, "denied", None]
    assert server.changes == ["POST /batch", "POST /batch", "DELETE /items/1"]
