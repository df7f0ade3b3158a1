"""Credentials and base URLs: read from where they are, never shown, never sent anywhere else."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import Api, catalog, invoke
from servers import Received, Server, reply

from docrev.calls.bases import choose_bases, parse_base
from docrev.calls.credentials import parse_header
from docrev.calls.redact import MASK, Redactor, secret_name
from docrev.errors import UsageError
from docrev.records import Call

SECRET = "s3cr3t/with+odd=chars"


def test_a_value_from_a_variable_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("abc123\n")
    assert parse_header("X-Key: env:MY_KEY", {"MY_KEY": "abc"}).value == "abc"
    assert parse_header(f"X-Key: file:{tmp_path / 'key'}").value == "abc123"
    assert parse_header("Authorization: Bearer env:MY_KEY", {"MY_KEY": "abc"}).value == "Bearer abc"
    assert parse_header("X-Url: http://a:1").value == "http://a:1"


@pytest.mark.parametrize(
    "text",
    [
        "s3cr3t",
        ": s3cr3t",
        "Bad Name: s3cr3t",
        "X-Key:",
        "X-Key: s3cr3t\nX-B: c",
        "X-Key: s3cr3t\u2028x",
        "Host: s3cr3t",
    ],
)
def test_a_bad_header_is_one_line_without_its_value(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_header(text)
    assert "s3cr3t" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "-H" in str(caught.value)


def test_a_variable_that_is_not_set_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"-H X-Key: the environment variable NOPE is not set"):
        parse_header("X-Key: env:NOPE", {})
    with pytest.raises(UsageError, match=r"-H X-Key: the file .*nope cannot be read"):
        parse_header(f"X-Key: file:{tmp_path}/nope")


def test_a_header_does_not_show_its_value() -> None:
    assert "abcdef" not in repr(parse_header("X-Key: abcdef"))


@pytest.mark.parametrize(
    "spelling",
    [
        SECRET,
        "s3cr3t%2Fwith%2Bodd%3Dchars",
        "s3cr3t%2fwith%2bodd%3dchars",
        base64.b64encode(SECRET.encode()).decode(),
        "s3cr3t\\/with+odd=chars",
        "\\u00733cr3t/with+odd=chars",
    ],
)
def test_a_credential_is_redacted_however_it_is_spelled(spelling: str) -> None:
    redactor = Redactor([parse_header(f"Authorization: Bearer {SECRET}")])
    source = f'{{"echo": "you sent {spelling}", "n": 1}}'
    cleaned = redactor.body(json.loads(source), source)
    assert cleaned == {"echo": f"you sent {MASK}", "n": 1} or cleaned["echo"].startswith(f"you sent {MASK}")
    assert SECRET not in json.dumps(cleaned)


def test_the_parts_of_basic_are_redacted() -> None:
    pair = base64.b64encode(b"someone:opensesame").decode()
    redactor = Redactor([parse_header(f"Authorization: Basic {pair}")])
    assert redactor.text(f"a {pair} b opensesame c someone:opensesame") == f"a {MASK} b {MASK} c {MASK}"


def test_a_short_credential_does_not_mask_half_of_every_text() -> None:
    redactor = Redactor([parse_header("X-Key: ab")])
    assert redactor.text("cab ab, abacus") == f"cab {MASK}, abacus"


def test_a_number_that_is_the_credential() -> None:
    redactor = Redactor([parse_header("X-Key: 123456")])
    assert redactor.body({"key_used": 123456, "n": 5}, '{"key_used": 123456, "n": 5}') == {"key_used": MASK, "n": 5}


def test_a_harmless_header_is_no_credential() -> None:
    assert Redactor([parse_header("Accept-Language: en")]).text("seven") == "seven"


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("access_token", True),
        ("apiKey", True),
        ("Set-Cookie", True),
        ("password", True),
        ("client-secret", True),
        ("token", True),
        ("_token", False),
        ("next_page_token", False),
        ("cursor", False),
        ("nextToken", False),
        ("userPassword", True),
        ("secretary", False),
        ("key", False),
        ("tokens_used", False),
        ("authorName", False),
    ],
)
def test_names_of_secrets(name: str, secret: bool) -> None:
    assert secret_name(name) is secret


def test_fields_named_as_secrets_are_masked_in_answers(tmp_path: Path) -> None:
    body = {
        "user": {"login": "ann", "password": "x1", "api_key": None, "pwd": ""},
        "access_token": "ya29",
        "credentials": {"user": "u", "more": ["m"]},
        "next_page_token": "abc",
        "fields": [{"name": "secret", "value": "hush"}],
        "errors": {"password": ["This field is required.", "must be x1 or longer", "x1 required"], "secret": "is set"},
    }
    with Server({"GET /items": reply(body, Set_Cookie="sid=1", X_Session_Token="q", X_Other="fine")}) as server:
        call = Api(catalog(tmp_path), server.url, tmp_path).get()
    assert call.body == {
        "user": {"login": "ann", "password": MASK, "api_key": None, "pwd": ""},
        "access_token": MASK,
        "credentials": {"user": MASK, "more": [MASK]},
        "next_page_token": "abc",
        "fields": [{"name": "secret", "value": MASK}],
        "errors": {"password": ["This field is required.", MASK, MASK], "secret": MASK},
    }
    assert (call.headers["set-cookie"], call.headers["x-session-token"], call.headers["x-other"]) == (
        MASK,
        MASK,
        "fine",
    )


def test_no_call_holds_the_credential_wherever_the_server_echoes_it(tmp_path: Path) -> None:
    def echo(request: Received) -> object:
        sent = request.headers["authorization"]
        return reply({"you": sent, sent: 1, "list": [sent]}, 200, X_Echo=sent)

    header = parse_header(f"Authorization: Bearer {SECRET}")
    routes = {"GET /items": echo, "GET /items/1": reply("", 302, Location=f"http://evil.invalid/?k={SECRET}")}
    with Server(routes) as server:  # type: ignore[arg-type]
        api = Api(catalog(tmp_path), server.url, tmp_path, headers=[header])
        calls = api.call(
            invoke("GET /items", {"query:key": SECRET, "header:X-Trace": SECRET}),
            invoke("GET /items/{id}", {"path:id": "1"}),
            invoke("GET /items/{id}", {"path:id": f"../{SECRET}"}),
        )
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {SECRET}"] * 2
    assert all(_clean(call) for call in calls)
    assert calls[0].body["you"] == MASK


def _clean(call: Call) -> bool:
    shown = repr(call)
    return SECRET not in shown and "s3cr3t" not in shown


def test_long_text_is_redacted_before_it_is_cut(tmp_path: Path) -> None:
    text = "x" * 19_995 + SECRET
    with Server({"GET /items": reply(text)}) as server:
        api = Api(catalog(tmp_path), server.url, tmp_path, headers=[parse_header(f"X-Key: {SECRET}")])
        assert "s3cr3" not in api.get().body


def test_a_server_that_only_the_spec_names_gets_no_credentials_and_get_alone(tmp_path: Path) -> None:
    with Server({"GET /items": reply([]), "POST /items": reply({"id": 1}, 201)}) as server:
        headers = [parse_header(f"X-Key: {SECRET}"), parse_header("Accept-Language: de")]
        api = Api(catalog(tmp_path), server.url, tmp_path, headers=headers, allow=["POST"], read_only=["shop"])
        get, post = api.call(invoke("GET /items"), invoke("POST /items"))
    assert (get.status, post.error) == (200, "denied")
    assert server.seen == ["GET /items"]
    assert "x-key" not in server.requests[0].headers
    assert server.requests[0].headers["accept-language"] == "de"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:80",
        "ftp://a",
        "http://",
        "http://a:99999",
        "http://a/?b=c",
        "http://a/#b",
        "http://a/../b",
        "http://u:hushhush@a",
        "http://[::1",
    ],
)
def test_what_is_no_base_url(url: str) -> None:
    with pytest.raises(UsageError, match="--base-url") as caught:
        parse_base(url)
    assert "hushhush" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "foreign"),
    [
        ("http://localhost:1", False),
        ("http://127.9.9.9/v1", False),
        ("http://[::1]:8", False),
        ("http://a.localhost", False),
        ("https://api.example.com", True),
        ("http://10.0.0.1", True),
        ("http://127.0.0.1.example.com", True),
    ],
)
def test_hosts_that_are_not_this_machine_are_named(tmp_path: Path, url: str, foreign: bool) -> None:
    executor = replace(Api(catalog(tmp_path), "", tmp_path), url=url).executor()
    assert bool(executor.foreign_hosts) is foreign


def test_base_urls_for_tools() -> None:
    servers = {"a": ("/v1", "https://a.example"), "b": ()}
    assert choose_bases(["a", "b"], ["b=http://localhost:1/x"], servers) == (
        {"a": "https://a.example", "b": "http://localhost:1/x"},
        frozenset({"a"}),
    )
    assert choose_bases(["a", "b"], ["http://localhost:1?"[:-1]], servers)[1] == frozenset()
    with pytest.raises(UsageError, match="no base URL for b"):
        choose_bases(["a", "b"], [], servers)
    with pytest.raises(UsageError, match="no tool named c"):
        choose_bases(["a", "b"], ["c=http://x"], servers)
    with pytest.raises(UsageError, match="two URLs"):
        choose_bases(["a", "b"], ["http://x", "http://y"], servers)


def test_a_tool_without_a_base_url(tmp_path: Path) -> None:
    from docrev.calls.executor import Executor

    with pytest.raises(UsageError, match="no base URL for shop"):
        Executor(catalog(tmp_path), {})
