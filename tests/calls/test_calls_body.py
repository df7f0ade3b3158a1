"""From the bytes of a response to its body."""

from __future__ import annotations

import pytest

from docrev.calls.body import read
from docrev.calls.limits import Limits

LINES = b'{"id": 1, "text": "a\\nb"}\n\n{"id": 2}\r\n'


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/jsonl;charset=utf-8", "application/stream+json"])
def test_lines_of_json_are_a_list(kind: str) -> None:
    assert read(LINES, kind, Limits()).value == [{"id": 1, "text": "a\nb"}, {"id": 2}]


def test_a_sequence_of_json_texts_is_a_list() -> None:
    assert read(b'\x1e{"id": 1}\n\x1e{"id": 2}\n', "application/json-seq", Limits()).value == [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize("content", [b'{"id": 1}\n{"id"', b"no\njson"])
def test_a_line_that_is_cut_is_no_json(content: bytes) -> None:
    assert read(content, "application/x-ndjson", Limits()).error == "not-json"


def test_lines_called_json_are_a_text() -> None:
    found = read(LINES, "application/json", Limits())
    assert (found.error, found.value) == (None, LINES.decode())
    assert read(b'{"id": 1}\n{"id"', "application/json", Limits()).error == "not-json"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"id": 1}', {"id": 1}),
        (b"true", True),
        (b"12\n", 12),
        (b"<p>12</p>", "<p>12</p>"),
        (b"[Error] no such page", "[Error] no such page"),
        (b"done", "done"),
    ],
)
def test_what_looks_like_json_is_json_where_it_is_called_a_page(content: bytes, value: object) -> None:
    found = read(content, "text/html; charset=utf-8", Limits())
    assert (found.error, found.value) == (None, value)
