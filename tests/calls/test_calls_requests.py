"""From arguments to what arrives: paths, styles of lists, headers, JSON, forms; and the ids of calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from callkit import Api, catalog, invoke
from servers import Received, Server, reply

from docrev.calls.request import Request
from docrev.records import Json


def received(tmp_path: Path, line: str, arguments: dict[str, Json], **operation: Any) -> Received:
    api = Api(catalog(tmp_path, [line], **{line: operation}), "", tmp_path, allow=[line])
    with Server({"GET *": reply({}), "POST *": reply({})}) as server:
        call = replace(api, url=f"{server.url}/v1/").call(invoke(line, arguments))[0]
    assert call.ok, call.detail
    return server.requests[0]


@pytest.mark.parametrize(
    ("declared", "value", "query"),
    [
        ({}, "a b&c=d/ü", "q=a%20b%26c%3Dd%2F%C3%BC"),
        ({}, True, "q=true"),
        ({}, 1.5, "q=1.5"),
        ({}, "", "q="),
        ({}, None, ""),
        ({}, [1, 2], "q=1&q=2"),
        ({"explode": False}, [1, 2], "q=1%2C2"),
        ({"style": "spaceDelimited", "explode": False}, ["a", "b"], "q=a%20b"),
        ({"style": "pipeDelimited", "explode": False}, ["a", "b"], "q=a%7Cb"),
        ({"style": "deepObject", "explode": True}, {"a": 1, "b": {"c": [2, 3]}}, "q[a]=1&q[b][c]=2&q[b][c]=3"),
        ({}, {"a": 1, "b": 2}, "a=1&b=2"),
        ({"content": {"application/json": {"schema": {}}}}, [1, {"a": "x"}], "q=%5B1%2C%7B%22a%22%3A%22x%22%7D%5D"),
    ],
)
def test_query(tmp_path: Path, declared: dict[str, Json], value: Json, query: str) -> None:
    parameter = {"name": "q", "in": "query", **(declared if "content" in declared else {"schema": {}, **declared})}
    request = received(tmp_path, "GET /items", {"query:q": value}, parameters=[parameter])
    assert request.target == "/v1/items" + (f"?{query}" if query else "")


def test_an_undeclared_query_parameter_is_sent_too(tmp_path: Path) -> None:
    assert received(tmp_path, "GET /items", {"query:a": 1, "query:b[]": 2}).target == "/v1/items?a=1&b[]=2"


def test_a_path_that_holds_a_query_or_a_fragment(tmp_path: Path) -> None:
    assert received(tmp_path, "GET /items?kind=a#one", {"query:n": 1}).target == "/v1/items?kind=a&n=1"


def test_several_parameters_in_a_segment(tmp_path: Path) -> None:
    arguments = {"path:a": 1, "path:b": "x/y"}
    assert received(tmp_path, "GET /p/{a}:{b}.json", arguments).target == "/v1/p/1:x%2Fy.json"


def test_headers_and_cookies(tmp_path: Path) -> None:
    request = received(
        tmp_path, "GET /items", {"header:X-Limit": 5, "header:X-Odd": "a\r\nEvil: ü", "cookie:a": "b c", "cookie:d": 1}
    )
    assert request.headers["x-limit"] == "5"
    assert request.headers["x-odd"] == "a%0D%0AEvil: %C3%BC"
    assert "evil" not in request.headers
    assert request.headers["cookie"] == "a=b%20c; d=1"


def test_json(tmp_path: Path) -> None:
    request = received(tmp_path, "POST /items", {"body:": {"b": [1, None], "a": "ü"}})
    assert request.headers["content-type"] == "application/json"
    assert request.body.decode() == '{"b":[1,null],"a":"ü"}'


def test_a_form(tmp_path: Path) -> None:
    form = {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}}
    request = received(tmp_path, "POST /items", {"body:": {"a": "x y", "b": [1, 2], "c": True}}, requestBody=form)
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert parse_qs(request.body.decode()) == {"a": ["x y"], "b": ["1", "2"], "c": ["true"]}


def test_multipart(tmp_path: Path) -> None:
    form = {"content": {"multipart/form-data": {"schema": {"type": "object"}}}}
    request = received(tmp_path, "POST /items", {"body:": {"a": "x", 'q"r': {"n": 1}}}, requestBody=form)
    kind, _, boundary = request.headers["content-type"].partition("; boundary=")
    assert kind == "multipart/form-data"
    parts = request.body.split(f"--{boundary}".encode())
    assert parts[1] == b'\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    assert (
        parts[2]
        == b'\r\nContent-Disposition: form-data; name="q%22r"\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n'
    )
    assert parts[3] == b"--\r\n"


def built(tmp_path: Path, url: str, line: str, arguments: dict[str, Json], **more: Any) -> Request:
    operations = ["GET /items", "POST /items", "GET /items/{id}"]
    request = (
        Api(catalog(tmp_path, operations), url, tmp_path, allow=["POST"])
        .executor()
        .prepare(invoke(line, arguments, **more))
    )
    assert isinstance(request, Request)
    return request


def test_ids_are_of_the_content_and_of_nothing_else(tmp_path: Path) -> None:
    first = built(tmp_path, "http://127.0.0.1:1/v1", "GET /items", {"query:a": 1}).call_id(0)
    assert len(first) == 10
    assert set(first) <= set("0123456789abcdef")
    elsewhere = built(tmp_path, "http://localhost:2/v1", "GET /items", {"query:a": 1}, purpose="probe", scenario="s1")
    assert elsewhere.call_id(0) == first
    others = [
        built(tmp_path, "http://a:1", "GET /items", {"query:a": 2}).call_id(0),
        built(tmp_path, "http://a:1", "GET /items", {"query:a": 1, "header:X": 1}).call_id(0),
        built(tmp_path, "http://a:1", "GET /items", {"query:a": 1}).call_id(1),
        built(tmp_path, "http://a:1", "GET /items", {"query:a": 1}, repeat=1).call_id(0),
        built(tmp_path, "http://a:1", "GET /items/{id}", {"path:id": 1}).call_id(0),
        built(tmp_path, "http://a:1", "POST /items", {"body:": {"a": 1}}).call_id(0),
        built(tmp_path, "http://a:1", "POST /items", {"body:": {"a": "1"}}).call_id(0),
    ]
    assert len({first, *others}) == 8


def test_the_order_of_keys_in_a_body_is_no_difference(tmp_path: Path) -> None:
    one = built(tmp_path, "http://a:1", "POST /items", {"body:": {"a": 1, "b": 2}}).call_id(3)
    other = built(tmp_path, "http://a:1", "POST /items", {"body:": {"b": 2, "a": 1}}).call_id(3)
    assert one == other
