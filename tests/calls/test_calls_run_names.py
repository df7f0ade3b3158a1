"""A run's own names on the wire: an API sees the nonce, everything above the executor the placeholder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from servers import Answer, Received, Server, reply

from docrev.conventions.run_names import RunNames, run_name
from docrev.records import Call

NONCE = "48213907"
NAME, ON_THE_WIRE = run_name(1), f"docrev-{NONCE}-1"


@pytest.fixture
def api(tmp_path: Path) -> Api:
    forms = {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}}}
    return Api(catalog(tmp_path, **{"PATCH /items/{id}": forms}), "", tmp_path, allow=ALL, names=RunNames(NONCE))


def echo(request: Received) -> Answer:
    """What was sent, in the body and in a header."""
    got = {"path": request.path, "query": request.query, "sent": request.body.decode(), "id": int(NONCE)}
    return reply(got, X_Echo=request.headers.get("x-label", ""), Location=request.path)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({f"{method} /*": echo for method in ("GET", "POST", "PUT", "PATCH")}) as server:
        yield server


def test_url_headers_and_body_have_the_nonce_only_on_the_wire(api: Api, server: Server) -> None:
    api = replace(api, url=server.url)
    arguments = {"query:q": f"{NAME} x", "header:X-Label": NAME.upper(), "body:": {"data": {"name": NAME}}}
    [call] = api.call(invoke("POST /items", arguments))
    [got] = server.requests
    assert got.query == {"q": [f"{ON_THE_WIRE} x"]}
    assert (got.headers["x-label"], got.json) == (ON_THE_WIRE.upper(), {"data": {"name": ON_THE_WIRE}})
    assert int(got.headers["content-length"]) == len(got.body)
    assert isinstance(call.body, dict)
    assert (call.body["query"], call.body["sent"]) == ({"q": [f"{NAME} x"]}, got.body.decode().replace(NONCE, "0" * 8))
    assert call.headers["x-echo"] == NAME.upper()
    assert call.body["id"] == int(NONCE)
    assert call.arguments == arguments
    assert NONCE not in call.url


def test_forms_have_the_nonce_too(api: Api, server: Server) -> None:
    executor = replace(api, url=server.url).executor()
    request = executor.build(invoke("PATCH /items/{id}", {"path:id": NAME, "body:": {"label": f"a {NAME}"}}))
    assert request.content == f"label=a+{NAME}".encode()
    assert executor.names.outgoing_bytes(request.content) == f"label=a+{ON_THE_WIRE}".encode()


def test_a_location_and_a_redirect_are_translated(api: Api) -> None:
    routes = {
        f"GET /items/{ON_THE_WIRE}": Answer(302, headers={"Location": f"/v2/{ON_THE_WIRE}"}),
        f"GET /v2/{ON_THE_WIRE}": reply({"name": ON_THE_WIRE}),
        "POST /items": reply({}, 201, Location=f"/items/{ON_THE_WIRE}"),
    }
    with Server(routes) as server:
        api = replace(api, url=server.url)
        created, read = api.call(
            invoke("POST /items", {"body:": {"name": NAME}}), invoke("GET /items/{id}", {"path:id": NAME})
        )
    assert created.headers["location"] == f"/items/{NAME}"
    assert (read.status, read.body) == (200, {"name": NAME})


def test_text_and_lines_and_broken_json_are_translated(api: Api) -> None:
    answers = {
        "text/plain": (f"made {ON_THE_WIRE}", f"made {NAME}"),
        "application/x-ndjson": (f'{{"a": "{ON_THE_WIRE}"}}\n', [{"a": NAME}]),
        "application/json": (f'{{"a": "{ON_THE_WIRE}"', f'{{"a": "{NAME}"'),
    }
    for kind, (sent, read) in answers.items():
        with Server({"GET /items": Answer(200, sent.encode(), {"Content-Type": kind})}) as server:
            assert replace(api, url=server.url).get().body == read, kind
    utf16 = Answer(200, f"made {ON_THE_WIRE}".encode("utf-16"), {"Content-Type": "text/plain; charset=utf-16"})
    with Server({"GET /items": utf16}) as server:
        assert replace(api, url=server.url).get().body == f"made {NAME}"


def test_two_runs_with_different_nonces_keep_the_same_calls(api: Api, server: Server) -> None:
    steps = (
        invoke("POST /items", {"query:name": NAME, "body:": {"name": NAME}}),
        invoke("GET /items/{id}", {"path:id": NAME, "query:q": "docrev-zzz"}),
    )
    kept: list[list[Call]] = []
    for nonce in (NONCE, "91827364"):
        kept.append(replace(api, url=server.url, names=RunNames(nonce)).call(*steps))
    wire = [request.target for request in server.requests]
    assert len(set(wire)) == len(wire) == 4
    # The number in `id` is none of ours: it stays.
    assert repr(kept[0]) == repr(kept[1])
    assert NAME in repr(kept[0])


def test_what_people_are_shown_has_the_name_on_the_server(api: Api) -> None:
    executor = replace(api, url="http://127.0.0.1:1").executor()
    assert executor.readable(f"shop /items/{NAME}") == f"shop /items/{ON_THE_WIRE}"
