"""What networks and servers do to a call: each becomes a value with its reason, in bounded time and memory."""

from __future__ import annotations

import gzip
import itertools
import json
import ssl
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import Api, catalog, invoke
from patience import HANGS
from servers import Answer, Received, Server, closed_port, reply, silent_port

from docrev.calls.limits import Limits

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "http://127.0.0.1:9", tmp_path, limits=Limits(timeout=HANGS, max_size=100_000))


def answered(api: Api, answer: Answer) -> tuple[str | None, int | None, object]:
    with Server({"GET /items": answer}) as server:
        call = replace(api, url=server.url).get()
    return call.error, call.status, call.body


def test_an_answer_is_read_and_kept_whole(api: Api) -> None:
    with Server({"GET /items": reply({"a": [1, None, "ü"]}, x_total="3")}) as server:
        call = replace(api, url=server.url).get({"query:q": "x y"})
    assert (call.status, call.error, call.ok) == (200, None, True)
    assert call.body == {"a": [1, None, "ü"]}
    assert call.headers["x-total"] == "3"
    assert call.media_type == "application/json"
    assert call.url == f"{server.url}/items?q=x%20y"
    assert call.size == len(json.dumps({"a": [1, None, "ü"]}))


def test_of_a_large_answer_the_first_items_are_kept(api: Api) -> None:
    rows = [{"id": number, "name": f"item {number}"} for number in range(60_000)]
    with Server({"GET /items": reply({"total": 60_000, "items": rows})}) as server:
        call = replace(api, url=server.url, limits=Limits(timeout=HANGS)).get()
    assert (call.ok, call.sampled, call.size) == (True, True, len(json.dumps({"total": 60_000, "items": rows})))
    assert call.body == {"total": 60_000, "items": rows[: len(call.body["items"])]}
    assert len(call.body["items"]) >= 1000


def test_refused(api: Api) -> None:
    with closed_port() as url:
        call = replace(api, url=url).get()
    assert (call.status, call.error) == (None, "refused")


def test_unknown_host(api: Api) -> None:
    call = replace(api, url="http://nowhere.invalid").get()
    assert (call.status, call.error) == (None, "network")


def test_timing_out(api: Api) -> None:
    with silent_port() as url:
        call = replace(api, url=url, limits=Limits(timeout=0.3)).get()
    assert (call.status, call.error) == (None, "timeout")


def test_tls_failing(api: Api) -> None:
    with Server({}) as server:
        call = replace(api, url=server.url.replace("http:", "https:")).get()
    assert (call.status, call.error) == (None, "tls")


def test_a_server_that_drips_is_cut_by_the_total_time(api: Api) -> None:
    def drip() -> Iterator[bytes]:
        for _ in range(100):
            time.sleep(0.05)
            yield b" "

    with Server({"GET /items": Answer(headers=JSON, chunks=drip())}) as server:
        call = replace(api, url=server.url, limits=Limits(timeout=0.4)).get()
    assert (call.status, call.error) == (200, "too-slow")


def test_a_response_that_never_ends_is_cut_by_its_size(api: Api) -> None:
    sent: list[int] = []

    def forever() -> Iterator[bytes]:
        while True:
            sent.append(1)
            yield b"x" * 10_000

    assert answered(api, Answer(headers=JSON, chunks=forever())) == ("too-large", 200, None)
    # Socket buffers take a few MB; without hanging up there would be no end.
    assert len(sent) < 2000


def test_a_response_of_100_mb_is_not_downloaded(api: Api) -> None:
    sent: list[int] = []

    def large() -> Iterator[bytes]:
        for _ in range(100):
            sent.append(1)
            yield b"x" * 2**20

    stated = Answer(headers={**JSON, "Content-Length": str(100 * 2**20)}, chunks=large())
    assert answered(api, stated) == ("too-large", 200, None)
    assert len(sent) < 50


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_compressed_response_is_read(api: Api, coding: str) -> None:
    raw = json.dumps({"n": list(range(1000))}).encode()
    packed = gzip.compress(raw) if coding == "gzip" else zlib.compress(raw)
    answer = Answer(body=packed, headers={**JSON, "Content-Encoding": coding})
    assert answered(api, answer) == (None, 200, {"n": list(range(1000))})


def test_raw_deflate_is_read_too(api: Api) -> None:
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(b'{"n": 1}') + packer.flush()
    assert answered(api, Answer(body=packed, headers={**JSON, "Content-Encoding": "deflate"})) == (None, 200, {"n": 1})


def test_a_gzip_bomb_is_never_unpacked(api: Api) -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(b"\0" * 2**20) for _ in range(200)) + packer.flush()
    assert len(bomb) < 250_000
    assert answered(api, Answer(body=bomb, headers={**JSON, "Content-Encoding": "gzip"})) == ("too-large", 200, None)


def test_what_is_called_gzip_and_is_not(api: Api) -> None:
    answer = Answer(body=b'{"a": 1}', headers={**JSON, "Content-Encoding": "gzip"})
    assert answered(api, answer)[:2] == ("bad-encoding", 200)


def test_an_unknown_content_encoding(api: Api) -> None:
    answer = Answer(body=b"....", headers={**JSON, "Content-Encoding": "br"})
    assert answered(api, answer) == ("bad-encoding", 200, None)


def test_invalid_utf8_in_json(api: Api) -> None:
    assert answered(api, Answer(body=b'{"a": "\xff\xfe"}', headers=JSON)) == ("bad-encoding", 200, None)


def test_another_charset_is_read_by_its_name(api: Api) -> None:
    headers = {"Content-Type": "application/json; charset=ISO-8859-1"}
    assert answered(api, Answer(body='{"a": "ü"}'.encode("latin-1"), headers=headers)) == (None, 200, {"a": "ü"})


def test_half_a_surrogate_pair_becomes_a_character_that_can_be_kept(api: Api) -> None:
    error, _, body = answered(api, Answer(body=b'{"a": "x\\ud800y", "b": "\\ud83d\\ude00"}', headers=JSON))
    assert error is None
    assert body == {"a": "x\ufffdy", "b": "😀"}


def test_not_a_number_is_null(api: Api) -> None:
    assert answered(api, Answer(body=b'{"a": NaN, "b": -Infinity}', headers=JSON)) == (
        None,
        200,
        {"a": None, "b": None},
    )


@pytest.mark.parametrize("depth", [200, 10_000, 50_000])
@pytest.mark.parametrize("shape", [(b"[", b"]"), (b'{"a":', b"}")])
def test_json_nested_too_deep(api: Api, depth: int, shape: tuple[bytes, bytes]) -> None:
    body = shape[0] * depth + b"1" + shape[1] * depth
    wide = replace(api, limits=Limits(timeout=HANGS))
    assert answered(wide, Answer(body=body, headers=JSON)) == ("too-deep", 200, None)


def test_json_nested_100_000_deep(api: Api) -> None:
    answer = Answer(body=b"[" * 100_000 + b"]" * 100_000, headers=JSON)
    assert answered(replace(api, limits=Limits(timeout=HANGS)), answer) == ("too-deep", 200, None)


def test_flat_json_with_many_brackets_is_fine(api: Api) -> None:
    rows = [{"a": [i]} for i in range(500)]
    assert answered(api, reply(rows)) == (None, 200, rows)


def test_html_where_the_spec_says_json(api: Api) -> None:
    page = Answer(body=b"<html>welcome</html>", headers={"Content-Type": "text/html"})
    error, status, body = answered(api, page)
    assert (error, status, body) == ("not-json", 200, "<html>welcome</html>")


def test_an_html_error_page_is_that_error(api: Api) -> None:
    page = Answer(status=502, body=b"not { json", headers=JSON)
    assert answered(api, page) == (None, 502, "not { json")


def test_truncated_json(api: Api) -> None:
    assert answered(api, Answer(body=b'{"a": [1, 2', headers=JSON))[:2] == ("not-json", 200)


def test_text_is_kept_cut(api: Api) -> None:
    answer = Answer(body=b"a" * 50_000, headers={"Content-Type": "text/plain"})
    assert answered(api, answer)[2] == "a" * 20_000


def test_bytes_of_no_text_are_not_kept(api: Api) -> None:
    with Server({"GET /items": Answer(body=b"\x89PNG\0\0", headers={"Content-Type": "image/png"})}) as server:
        call = replace(api, url=server.url).get()
    assert (call.body, call.size, call.error) == (None, 6, None)


def test_500s_are_values(api: Api) -> None:
    with Server({"GET /items": reply({"error": "boom"}, 500)}) as server:
        calls = replace(api, url=server.url).call(*[invoke("GET /items")] * 30)
    assert {(call.status, call.error) for call in calls} == {(500, None)}
    assert len(server.requests) == 30


def test_control_characters_in_response_headers(api: Api) -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Odd: a\tb\x1b[31m\x7f\r\nContent-Length: 2\r\n\r\n{}"
    with Server({"GET /items": Answer(raw=raw)}) as server:
        call = replace(api, url=server.url).get()
    # Refused by the HTTP library, or stripped: never a control character in what is kept.
    assert all(value.isprintable() for value in (*call.headers.values(), call.detail))
    assert call.error in (None, "network")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x16\x03\x01garbage\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n",
    ],
    ids=["hangs up", "not http", "cut short", "bad chunks", "endless header"],
)
def test_broken_http(api: Api, raw: bytes) -> None:
    with Server({"GET /items": Answer(raw=raw)}) as server:
        call = replace(api, url=server.url).get()
    assert call.error == "network"
    assert call.detail


def test_a_connection_that_breaks_is_tried_once_more_for_get_alone(api: Api) -> None:
    count = itertools.count()

    def sometimes(request: Received) -> Answer:
        return reply({"id": 1}) if next(count) else Answer(raw=b"")

    with Server({"GET /items": sometimes, "POST /items": Answer(raw=b"")}) as server:
        get, post = replace(api, url=server.url, allow=["POST"]).call(invoke("GET /items"), invoke("POST /items"))
    assert (get.status, post.error) == (200, "network")
    assert server.seen == ["GET /items", "GET /items", "POST /items"]


def test_the_request_says_who_asks_and_nothing_of_the_environment(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NETRC", str(api.folder / "netrc"))
    (api.folder / "netrc").write_text("machine 127.0.0.1 login someone password secret")
    with Server({"GET /items": Answer(body=b"{}", headers={**JSON, "Set-Cookie": "sid=1"})}) as server:
        replace(api, url=server.url).call(invoke("GET /items"), invoke("GET /items"))
    assert [request.headers["user-agent"][:7] for request in server.requests] == ["docrev/"] * 2
    assert not any("authorization" in r.headers or "cookie" in r.headers for r in server.requests)


def test_tls_is_verified_by_default() -> None:
    from docrev.calls.http import Wire

    wire = Wire(Limits(), concurrency=1, tls=True)
    context = wire.context
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
