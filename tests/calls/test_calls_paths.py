"""Nothing leaves the operation's own path, and nothing in a request makes another one of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke, sent, with_operations
from servers import Server, reply

from docrev.calls.credentials import parse_header
from docrev.records import Json


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, allow=ALL)


@pytest.mark.parametrize("value", ["..", ".", "../users", "a/../../users", "..\\users", "%2e%2e", "..%2fusers", " .. "])
def test_dot_segments_are_never_sent(api: Api, value: str) -> None:
    assert "dot segments" in sent(api, "GET /items/{id}", {"path:id": value})[0]


@pytest.mark.parametrize("arguments", [{}, {"path:id": ""}, {"path:id": None}, {"path:id": []}])
def test_an_empty_id_would_be_the_collection(api: Api, arguments: dict[str, Json]) -> None:
    assert sent(api, "GET /items/{id}", arguments)[0] == "no value for path parameter id"


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ("a/b", "a%2Fb"),
        ("ü ß", "%C3%BC%20%C3%9F"),
        ("a?b#c", "a%3Fb%23c"),
        ("a;b=1,c", "a%3Bb%3D1%2Cc"),
        (True, "true"),
        ("x\r\nEvil: 1", "x%0D%0AEvil%3A%201"),
        ("v1.2", "v1.2"),
        ("50%", "50%25"),
        (3.5, "3.5"),
        ([1, 2], "1%2C2"),
    ],
)
def test_path_arguments_stay_in_their_segment(api: Api, value: Json, target: str) -> None:
    assert sent(api, "GET /items/{id}", {"path:id": value}) == ("", [f"GET /items/{target}"])


def test_an_id_with_a_slash_is_not_written_to(api: Api) -> None:
    reason = sent(api, "POST /items/{item_id}/notes", {"path:item_id": "1/users"})[0]
    assert reason == "an id with a slash may reach another operation"


@pytest.mark.parametrize("path", ["/a/../b", "/a/%2e%2e/b", "/../b"])
def test_a_spec_cannot_leave_the_base_url(api: Api, path: str) -> None:
    assert sent(with_operations(api, [f"GET {path}"]), f"GET {path}")[0] == "its path has dot segments"


def test_a_spec_cannot_move_the_host(api: Api) -> None:
    # Python's server shows two slashes as one.
    for path, shown in (("/@evil.invalid/x", "/@evil.invalid/x"), ("//evil.invalid/x", "/evil.invalid/x")):
        assert sent(with_operations(api, [f"GET {path}"]), f"GET {path}") == ("", [f"GET {shown}"])


@pytest.mark.parametrize(
    "location",
    ["header:Authorization", "header:host", "header:X-HTTP-Method-Override", "header:Cookie", "header:X-Forwarded-For"],
)
def test_some_headers_are_not_arguments(api: Api, location: str) -> None:
    assert "is not an argument" in sent(api, "GET /items", {location: "DELETE"})[0]


def test_a_header_that_says_who_calls_may_be_left_out_of_what_reads(api: Api) -> None:
    headers = (parse_header("Authorization: Bearer s3cr3t-token"),)
    with Server({"GET *": reply({}), "POST *": reply({})}) as server:
        here = replace(api, url=server.url, headers=headers)
        calls = here.call(
            invoke("GET /items"),
            invoke("GET /items", {"header:authorization": None}),
            invoke("POST /items", {"header:authorization": None}),
        )
    assert [call.error for call in calls] == [None, None, "denied"]
    assert [call.anonymous for call in calls[:2]] == [False, True]
    assert ["authorization" in request.headers for request in server.requests] == [True, False]


def test_no_parameter_turns_a_method_into_another(api: Api) -> None:
    assert sent(api, "GET /items", {"query:_method": "DELETE"})[0] == "_method would turn it into another method"
