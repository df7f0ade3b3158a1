"""Bodies of every declared media type, as real servers receive them; responses that never end."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from callkit import Api, catalog
from clikit import Done, here, spec
from servers import Answer, Received, Server, reply

from docrev.calls.limits import Limits
from docrev.calls.media import encode, is_text_or_file
from docrev.records import Json
from docrev.spec import Schema

PET: dict[str, Any] = {
    "type": "object",
    "xml": {"name": "pet", "prefix": "p", "namespace": "urn:pets"},
    "properties": {
        "id": {"type": "integer", "xml": {"attribute": True}},
        "name": {"type": "string", "xml": {"name": "Name"}},
        "photos": {"type": "array", "xml": {"wrapped": True}, "items": {"type": "string", "xml": {"name": "photo"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "owner": {"type": "object", "properties": {"alive": {"type": "boolean"}}},
    },
}


def schema(tmp_path: Path, node: dict[str, Any], media: str = "application/xml") -> Schema | None:
    body = {"requestBody": {"content": {media: {"schema": node}}}}
    [operation] = catalog(tmp_path, ["POST /items"], **{"POST /items": body}).operations
    assert operation.body is not None
    return operation.body.schema


def parts_of(kind: str, content: bytes) -> dict[str, Message]:
    """The parts of a multipart body by name, as the standard library reads them."""
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + content)
    assert message.is_multipart()
    return {str(part.get_param("name", header="content-disposition")): part for part in message.iter_parts()}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("body", "media", "sent"),
    [
        ([{"a": 1}, "ü"], "application/x-ndjson", '{"a":1}\n"ü"\n'),
        ({"a": 1}, "application/jsonl", '{"a":1}\n'),
        ([1, 2], "application/json-seq", "\x1e1\n\x1e2\n"),
        ("a,b\n1,2", "text/csv", "a,b\n1,2"),
        (7, "text/plain", "7"),
        (True, "text/plain", "true"),
        ({"a": 1}, "text/plain", '{"a":1}'),
        ({"a": 1}, "application/yaml", '{"a":1}'),
        ("a: 1", "application/yaml", "a: 1"),
        ("abc", "application/octet-stream", "abc"),
        ("<a/>", "application/xml", "<a/>"),
        ("abc", "application/json", '"abc"'),
        ({"a": 1}, "application/vnd.shop+json", '{"a":1}'),
    ],
)
def test_a_body_is_sent_in_its_media_type(body: Json, media: str, sent: str) -> None:
    assert encode(body, media) == (media, sent.encode())


@pytest.mark.parametrize(("body", "media"), [({"a": 1}, "application/octet-stream"), ([1], "*/*"), (1, "image/png")])
def test_what_a_media_type_cannot_hold_is_json(body: Json, media: str) -> None:
    assert encode(body, media) == ("application/json", json.dumps(body, separators=(",", ":")).encode())


def test_pictures_are_pictures() -> None:
    assert encode("docrev-1", "image/png")[1].startswith(b"\x89PNG")
    assert encode("docrev-1", "image/gif")[1].startswith(b"GIF89a")


def test_texts_and_files_are_told_from_objects() -> None:
    assert all(map(is_text_or_file, ("text/plain", "text/csv", "image/png", "application/octet-stream")))
    assert not any(map(is_text_or_file, ("application/json", "text/xml", "application/xml", "multipart/form-data")))


def test_xml_is_named_as_the_schema_says(tmp_path: Path) -> None:
    body = {"id": 7, "name": "a<b>&\x00", "photos": ["x", "y"], "tags": ["t", "u"], "owner": {"alive": True}}
    kind, content = encode(body, "application/xml", schema(tmp_path, PET))
    assert kind == "application/xml"
    pet = ElementTree.fromstring(content)
    assert (pet.tag, pet.attrib) == ("{urn:pets}pet", {"id": "7"})
    assert [(part.tag, part.text) for part in pet if part.text] == [("Name", "a<b>&"), ("tags", "t"), ("tags", "u")]
    assert [photo.text for photo in pet.findall("photos/photo")] == ["x", "y"]
    assert pet.findtext("owner/alive") == "true"


def test_xml_without_names_has_those_of_the_schema_and_none_that_xml_forbids(tmp_path: Path) -> None:
    listed = ElementTree.fromstring(
        encode([{"1 a": "x"}, {"b": None}], "text/xml", schema(tmp_path, {"type": "array"}))[1]
    )
    assert [[(part.tag, part.text) for part in item] for item in listed] == [[("_1_a", "x")], [("b", None)]]
    assert ElementTree.fromstring(encode({}, "application/xml")[1]).tag == "root"


FORM: dict[str, Any] = {
    "type": "object",
    "required": ["file", "title"],
    "properties": {
        "file": {"type": "string", "format": "binary"},
        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
        "picture": {"type": "string", "contentMediaType": "image/png"},
        "title": {"type": "string"},
        "about": {"type": "object"},
    },
}


def test_files_of_a_form_have_a_name_of_the_run_s_own_and_a_content(tmp_path: Path) -> None:
    body = {"file": "docrev-7", "files": ["a.csv", "b"], "picture": "docrev-8", "title": "t", "about": {"n": 1}}
    form = schema(tmp_path, FORM, "multipart/form-data")
    kind, content = encode(body, "multipart/form-data", form)
    assert (kind, content) == encode(body, "multipart/form-data", form)
    parts = parts_of(kind, content)
    assert {name: part.get_filename() for name, part in parts.items()} == {
        "file": "docrev-7.txt",
        "files": "b.txt",
        "picture": "docrev-8.png",
        "title": None,
        "about": None,
    }
    assert content.count(b'name="files"; filename="a.csv"') == 1
    assert parts["picture"].get_content_type() == "image/png"
    assert parts["picture"].get_payload(decode=True).startswith(b"\x89PNG")  # type: ignore[union-attr]
    assert parts["file"].get_payload(decode=True) == b"docrev-7\n"
    assert parts["about"].get_content_type() == "application/json"


class Office:
    """Every door takes one media type, and what it takes must be whole."""

    def __call__(self, request: Received) -> Answer:
        kind = request.headers.get("content-type", "").partition(";")[0]
        wanted, check = self.doors[request.path]
        if kind != wanted:
            return reply({"error": f"unsupported media type {kind}"}, 415)
        try:
            check(request)
        except Exception as error:
            return reply({"error": str(error)}, 400)
        return reply({"ok": True}, 200)

    def file(self, request: Received) -> None:
        parts = parts_of(request.headers["content-type"], request.body)
        name = parts["file"].get_filename() or ""
        assert name.startswith("docrev-")
        assert name.removesuffix(".txt") in parts["file"].get_payload()

    def pet(self, request: Received) -> None:
        pet = ElementTree.fromstring(request.body)
        assert pet.tag == "pet"
        assert pet.findtext("Name")

    def lines(self, request: Received) -> None:
        assert all("name" in json.loads(line) for line in request.body.decode().splitlines())
        assert request.body.endswith(b"\n")

    def text(self, request: Received) -> None:
        assert request.body.decode().startswith("docrev-")

    @property
    def doors(self) -> dict[str, Any]:
        return {
            "/uploads": ("multipart/form-data", self.file),
            "/pets": ("application/xml", self.pet),
            "/rows": ("application/x-ndjson", self.lines),
            "/notes": ("text/plain", self.text),
            "/blobs": ("application/octet-stream", self.text),
        }


NAMED: dict[str, Any] = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
CONTENT: dict[str, dict[str, Any]] = {
    "/uploads": {"multipart/form-data": {"schema": FORM}},
    "/pets": {
        "application/xml": {
            "schema": {
                **NAMED,
                "xml": {"name": "pet"},
                "properties": {"name": {"type": "string", "xml": {"name": "Name"}}},
            }
        }
    },
    "/rows": {"application/x-ndjson": {"schema": {"type": "array", "items": NAMED}}},
    "/notes": {"text/plain": {}},
    "/blobs": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}


def test_an_exploration_reaches_operations_of_every_media_type(tmp_path: Path) -> None:
    extras = {
        f"POST {path}": {"requestBody": {"required": True, "content": content}} for path, content in CONTENT.items()
    }
    file = spec(tmp_path, tuple(extras), **extras)
    with Server({"POST /*": Office()}) as server:
        named = [word for operation in extras for word in ("--allow", operation)]
        done = here("explore", file, "--base-url", server.url, *named, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    assert done.json["missed"] == []
    assert done.json["operations_2xx"] == len(CONTENT)


def test_another_media_type_of_the_spec_is_sent_where_the_first_is_not_supported(tmp_path: Path) -> None:
    content = {"application/json": {"schema": NAMED}, "application/x-www-form-urlencoded": {"schema": NAMED}}
    extras = {"POST /things": {"requestBody": {"required": True, "content": content}}}
    file = spec(tmp_path, ("POST /things",), **extras)

    def picky(request: Received) -> Answer:
        if request.headers.get("content-type") != "application/x-www-form-urlencoded":
            return reply({"message": "Unsupported Media Type"}, 415, Accept="application/x-www-form-urlencoded")
        named = request.body.startswith(b"name=docrev-")
        return reply({"ok": True}) if named else reply({"message": "name is required"}, 400)

    with Server({"POST /things": picky}) as server:
        words = ("--base-url", server.url, "--allow", "POST /things", "--out", tmp_path / "out")
        done = here("explore", file, *words, "--json")
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == 1
    # How a body is written is no parameter.
    facts = [json.loads(line) for line in here("facts", tmp_path / "out", "--json").out.splitlines()]
    assert facts
    assert [fact for fact in facts if fact["location"].startswith("header:")] == []


# Responses that never end


def events(pause: float = 0.01) -> Iterator[bytes]:
    for number in itertools.count():
        time.sleep(pause)
        yield f"id: {number}\ndata: tick\n\n".encode()


def watched(pause: float = 0.01) -> Iterator[bytes]:
    for number in itertools.count():
        time.sleep(pause)
        yield json.dumps({"change": number}).encode() + b"\n"


def silent() -> Iterator[bytes]:
    while True:
        time.sleep(0.05)
        yield b""


@pytest.fixture
def api(tmp_path: Path) -> Api:
    return Api(catalog(tmp_path), "", tmp_path, limits=Limits(timeout=1.0, stream_time=0.2))


@pytest.mark.parametrize(
    ("kind", "chunks", "body"),
    [
        ("text/event-stream", events, "id: 0\ndata: tick\n\n"),
        ("text/event-stream; charset=utf-8", lambda: events(0), "id: 0\ndata: tick\n\n"),
        ("application/x-ndjson", watched, [{"change": 0}]),
        ("application/json", watched, {"change": 0}),
        ("text/plain", lambda: (b"line %d\n" % n for n in itertools.count()), "line 0\n"),
    ],
    ids=["events", "fast events", "lines", "watch", "log"],
)
def test_a_stream_is_cut_and_counts_as_answered(api: Api, kind: str, chunks: Any, body: Json) -> None:
    found = []
    for _ in range(2):
        with Server({"GET /items": Answer(headers={"Content-Type": kind}, chunks=chunks())}) as server:
            found.append(replace(api, url=server.url).get())
    assert [(call.ok, call.status, call.error, call.body) for call in found] == [(True, 200, None, body)] * 2
    assert found[0].size == found[1].size > 0


@pytest.mark.parametrize("kind", ["audio/mpeg", "application/octet-stream"])
def test_a_stream_without_lines_counts_as_answered(api: Api, kind: str) -> None:
    sound = Answer(headers={"Content-Type": kind}, chunks=itertools.repeat(b"\xff\xfb\x90" * 500))
    with Server({"GET /items": sound}) as server:
        call = replace(api, url=server.url).get()
    assert (call.ok, call.status, call.error, call.size) == (True, 200, None, 0)


def test_what_ends_in_time_is_whole(api: Api) -> None:
    three = list(itertools.islice(events(0), 3))
    with Server({"GET /items": Answer(headers={"Content-Type": "text/event-stream"}, body=b"".join(three))}) as server:
        call = replace(api, url=server.url).get()
    assert call.body == b"".join(three).decode()


def test_a_document_that_is_late_is_still_too_slow(api: Api) -> None:
    def late() -> Iterator[bytes]:
        yield b'{\n "a": 1,\n'
        yield from silent()

    with Server({"GET /items": Answer(headers={"Content-Type": "application/json"}, chunks=late())}) as server:
        call = replace(api, url=server.url).get()
    assert (call.status, call.error) == (200, "too-slow")


def test_an_exploration_reaches_a_stream(tmp_path: Path) -> None:
    file = spec(tmp_path, ("GET /events",))

    def explore(server: Server) -> Done:
        words = ("--base-url", server.url, "--max-calls", "3", "--out", tmp_path / "out", "--json")
        return here("explore", file, *words)

    with Server(
        {"GET /events": lambda _: Answer(headers={"Content-Type": "text/event-stream"}, chunks=events(0))}
    ) as server:
        done = explore(server)
    assert done.code == 0, done.err
    assert done.json["operations_2xx"] == 1
