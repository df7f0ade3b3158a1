"""JSON on one line, broken into lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrev.spec import Document
from docrev.spec.marks import written
from docrev.spec.pretty import is_dense, pretty

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(VALUES, st.booleans())
def test_it_is_what_json_itself_would_print(value: object, ascii: bool) -> None:
    dense = json.dumps(value, ensure_ascii=ascii, separators=(",", ":"))
    assert pretty(dense) == json.dumps(value, ensure_ascii=ascii, indent=2) + "\n"


def test_every_key_value_and_escape_stays_as_it_was_written() -> None:
    text = '{"a":1.50,"a":"\\u00e9\\/ {[,:]} \\"","b":[ ],"c":{ },"d":[1e3,\t[true]]}'
    words = r'{ "a": 1.50, "a": "\u00e9\/ {[,:]} \"", "b": [], "c": {}, "d": [ 1e3, [ true ] ] }'
    assert " ".join(pretty(text).split()) == words


@pytest.mark.parametrize(("text", "dense"), [("{}", False), ('{"a": "%s"}' % ("x" * 300), True), ("{\n" * 9, False)])
def test_a_text_of_few_lines_is_dense(text: str, dense: bool) -> None:
    assert is_dense(text) is dense


def test_a_document_keeps_its_encoding_its_path_and_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"swagger": "2.0", "info": {"title": "x" * 300}}).encode())
    document = Document.read(path).with_marks({"/description": written("A.")})
    assert document.is_dense
    lines = document.broken_into_lines()
    assert not lines.is_dense
    assert lines.broken_into_lines() is lines
    assert (lines.tree, lines.path, lines.marks) == (document.tree, path, document.marks)
    assert lines.to_bytes().startswith(b"\xef\xbb\xbf{\n  ")
    yaml = Document.parse("a: {b: c}\n" + "#" * 500, "a.yaml")
    assert yaml.broken_into_lines() is yaml
