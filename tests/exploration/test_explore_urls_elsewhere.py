"""A service may connect to a URL that it is sent: none that a thing of others holds, and leads elsewhere, is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.language.urls import host_of

TEXT = {"type": "string"}
OK = {"responses": {"200": {"description": "ok"}}}
THEIRS = "http://refunds.example:9/pay"


class Hooks(Shop):
    """Hooks, one of them somebody's, each of which has a `target`; one that is made up is refused, and nothing said."""

    def __init__(self) -> None:
        super().__init__({"/hooks/1": {"name": "theirs", "target": THEIRS, "shown_at": "/hooks/1"}})
        self.sent: list[Any] = []

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            body = request.json
            self.sent.append(body)
            if not str(body.get("target", "")).startswith("http"):
                return reply({"error": "no"}, 400)
        return super().__call__(request)


def document() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"name": TEXT, "target": TEXT}, "required": ["name", "target"]}
    body = {"content": {"application/json": {"schema": schema}}}
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    paths = {
        "/hooks": {"get": OK, "post": {"requestBody": body, **OK}},
        "/hooks/{id}": {"parameters": parameters, "get": OK, "delete": OK},
    }
    return {"openapi": "3.0.3", "info": {"title": "hooks", "version": "1"}, "paths": paths}


def test_no_address_that_a_thing_of_others_holds_is_sent(tmp_path: Path) -> None:
    hooks, file = Hooks(), tmp_path / "hooks.json"
    file.write_text(json.dumps(document()))
    with Server(hooks.routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "out", allow=("POST,DELETE",), max_calls=150)
    assert hooks.sent
    assert THEIRS not in json.dumps(hooks.sent)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8080/a", "localhost:8080"),
        ("https://me:word@API.example.org/x?y", "api.example.org"),
        ("http://[::1]:80/", "localhost:80"),
        ("see http://a.example", ""),
        ("/hooks/1", ""),
        ("//[", ""),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host
