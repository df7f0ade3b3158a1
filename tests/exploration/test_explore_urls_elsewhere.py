"""A service may connect to what it is sent: no URL or host that a thing of others holds and leads elsewhere is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.language.urls import host_of, named_host

TEXT = {"type": "string"}
OK = {"responses": {"200": {"description": "ok"}}}
THEIRS = "http://refunds.example:9/pay"
THEIR_HOST = "refunds.example:5432"


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


def document(noun: str, members: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "properties": members, "required": required}
    body = {"content": {"application/json": {"schema": schema}}}
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    paths = {
        f"/{noun}": {"get": OK, "post": {"requestBody": body, **OK}},
        f"/{noun}/{{id}}": {"parameters": parameters, "get": OK, "delete": OK},
    }
    return {"openapi": "3.0.3", "info": {"title": noun, "version": "1"}, "paths": paths}


def test_no_address_that_a_thing_of_others_holds_is_sent(tmp_path: Path) -> None:
    hooks, file = Hooks(), tmp_path / "hooks.json"
    file.write_text(json.dumps(document("hooks", {"name": TEXT, "target": TEXT}, ["name", "target"])))
    with Server(hooks.routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "out", allow=("POST,DELETE",), max_calls=150)
    assert hooks.sent
    assert THEIRS not in json.dumps(hooks.sent)


class Replicas(Hooks):
    """Replicas, one of them somebody's, each at a host and with peers; what is made up is refused, and nothing said."""

    def __init__(self) -> None:
        super().__init__()
        self.things = {"/replicas/1": {"name": "theirs", "db_host": THEIR_HOST, "peerURLs": [THEIRS]}}

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            self.sent.append(request.json)
            return reply({"error": "no"}, 400)
        return super().__call__(request)


def test_no_host_and_no_list_of_addresses_that_a_thing_of_others_holds_is_sent(tmp_path: Path) -> None:
    service, file = Replicas(), tmp_path / "replicas.json"
    members = {"name": TEXT, "db_host": TEXT, "peerURLs": {"type": "array", "items": TEXT}}
    file.write_text(json.dumps(document("replicas", members, ["db_host"])))
    with Server(service.routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "out", allow=("POST,DELETE",), max_calls=150)
    assert any("peerURLs" in body for body in service.sent)
    assert not [text for text in (THEIRS, THEIR_HOST) if text in json.dumps(service.sent)]


@pytest.mark.parametrize(
    ("name", "text", "host"),
    [
        ("db_host", "Main.example:5432", "main.example:5432"),
        ("servers", "127.0.0.1:80", "localhost:80"),
        ("address", "1 Harbour Street", ""),
        ("host", "Ann Host", ""),
        ("version", "1.2.3.4", ""),
    ],
)
def test_a_host_is_told_by_its_name_and_its_form(name: str, text: str, host: str) -> None:
    assert named_host(name, text) == host


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
