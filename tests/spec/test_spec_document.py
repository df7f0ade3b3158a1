"""Reading: what a document's text means, where its parts stand, and what is refused, each with one clear line."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError, UsageError
from docrev.json_values import pointer as pointers
from docrev.spec.document import Document

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def tree(text: str) -> Any:
    return Document.parse(text, "x.yaml").tree


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"), ("on", "on"), ("yes", "yes"), ("y", "y"), ("true", True), ("FALSE", False), ("~", None),
        ("null", None), ("", None), ("010", 10), ("0o17", 15), ("0x1F", 31), ("-12", -12), ("1_000", "1_000"),
        ("12:30:45", "12:30:45"), ("2020-01-01", "2020-01-01"), ("1.", 1.0), ("1e3", 1000.0), ("+.5", 0.5),
        (".inf", math.inf), ("-.INF", -math.inf), ("0b11", "0b11"), ("'5'", "5"), ('"5"', "5"), ("!!str 5", "5"),
        ("! 5", "5"), ("!!float 5", 5.0), ("!!int '5'", 5), ("=", "="), ("5886e999", "5886e999"),
    ],
)  # fmt: skip
def test_scalars_are_read_as_yaml_1_2(text: str, value: object) -> None:
    read = tree(f"a: {text}\n")["a"]
    assert (type(read), read) == (type(value), value)


def test_nan_is_read() -> None:
    assert math.isnan(tree("a: .nan\n")["a"])


def test_keys_are_strings() -> None:
    source = "responses: {200: a, 'no': b, no2: c, null: d, 0x1F: e, 1.0: f}\n? explicit\n: 1\n? bare\n"
    assert list(tree(source)["responses"]) == ["200", "no", "no2", "null", "0x1F", "1.0"]
    assert tree(source)["explicit"] == 1
    assert tree(source)["bare"] is None


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029", "\ufeff"])
def test_foreign_line_ends_are_characters(char: str) -> None:
    text = f"a: x{char}y\nb: 'p{char}q'\nc: |\n  r{char}s\nd: 1\n"
    document = Document.parse(text.encode(), "x.yaml")
    assert document.tree == {"a": f"x{char}y", "b": f"p{char}q", "c": f"r{char}s\n", "d": 1}
    assert document.line("/d") == 5
    assert document.to_bytes() == text.encode()


@pytest.mark.parametrize("name", ["x.yaml", "x.json"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_content_decides_between_json_and_yaml(name: str, mark: str) -> None:
    assert Document.parse((mark + '{"a": 1}').encode(), name).format == "json"
    assert Document.parse((mark + "a: 1\n").encode(), name).format == "yaml"
    assert Document.parse((mark + "{a: 1}\n").encode(), "x.yaml").format == "yaml"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_come_back_as_they_were(encoding: str) -> None:
    source = "a: é😀\r\nb: 1".encode(encoding)
    document = Document.parse(source, "x.yaml")
    assert document.tree == {"a": "é😀", "b": 1}
    assert document.text[0] == "a"
    assert document.to_bytes() == source


def test_places() -> None:
    text = "# head\r\npaths:\r\n  /a:\r\n    get:\r\n      tags: [x,\r\n        y]\r\n  /b: {}\r\n"
    document = Document.parse(text, "x.yaml")
    assert document.line("/paths/~1a/get/tags/1") == 6
    assert document.position("/paths/~1a/get/tags/1") == (6, 9)
    assert document.where("/paths/~1b") == "x.yaml:7"
    assert document.line("/paths/~1a/get/nothing/here") == 4
    assert document.line("/nothing") == 2
    assert document.get("/paths/~1a/get/tags/0") == "x"
    assert document.get("/paths/~1c", None) is None
    with pytest.raises(KeyError):
        document.get("/paths/~1c")
    with pytest.raises(UsageError, match="not a JSON pointer"):
        document.get("paths")


def test_places_in_json() -> None:
    document = Document.parse('{"a": [1,\n {"b": "\\u0041"}],\n\t"c": {}}', "x.json")
    assert document.position("/a/1/b") == (2, 3)
    assert document.position("/c") == (3, 2)
    assert document.line("/a/0") == 1


def test_keys_that_come_twice_are_reported_and_the_last_one_counts() -> None:
    document = Document.parse("a: 1\nb:\n  - c: 1\n    c: 2\na: 3\n", "x.yaml")
    assert document.tree == {"a": 3, "b": [{"c": 2}]}
    assert document.duplicates == (("/b/0/c", 4), ("/a", 5))
    assert document.line("/a") == 5
    assert Document.parse('{"a": 1,\n"b": [{"c": 1, "c": 2}],\n"a": 3}', "x.json").duplicates == (
        ("/b/0/c", 2),
        ("/a", 3),
    )
    assert Document.parse("a: 1\n", "x.yaml").duplicates == ()


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(9)
)


@pytest.mark.parametrize(
    ("source", "name", "line"),
    [
        ("", "x.yaml", "x.yaml: this file is empty"),
        ("# only this\n", "x.yaml", "x.yaml: this file is empty"),
        ("hello world", "x.txt", "x.txt: this is neither JSON nor YAML"),
        ("<html>\n<body>x</body>", "x.html", "x.html: this is neither"),
        ('{"a": 1,\n "b": tru', "x.json", "x.json:2: this is not JSON: Expecting value (column 7)"),
        ('{"a": 1,\n "b": [1, 2', "x.json", "x.json:2: this is not JSON"),
        ('{"a": NaN}', "x.json", "x.json: this is not JSON: NaN"),
        ('{"a": 1}}', "x.json", "x.json:1: this is not JSON: Extra data (column 9)"),
        ("a: [1,\n  b: {\n", "x.yaml", "x.yaml:3: this is not YAML"),
        ("a: 1\n b: 2\n", "x.yaml", "x.yaml:2: this is not YAML"),
        ("a: 1\nb:\t- x\n", "x.yaml", "x.yaml:2: this is not YAML"),
        ("a: 1\nb: é\x01\n", "x.yaml", "x.yaml:2: this is not YAML: it holds U+0001"),
        (b"a: 1\nb: \xff\n", "x.yaml", "x.yaml:2: this is not UTF-8: byte 8"),
        ("a: 1\n---\nb: 2\n", "x.yaml", "x.yaml:2: this file holds more than one document"),
        ("a: 1\nb: !!python/object:os.system x\n", "x.yaml", "x.yaml:2: the tag tag:yaml.org,2002:python"),
        ("a: !custom {b: 1}\n", "x.yaml", "x.yaml:1: the tag !custom is not one of YAML's core"),
        ("a: !!int x\n", "x.yaml", "x.yaml:1: this is no int: x"),
        ("? [a]\n: 1\n", "x.yaml", "x.yaml:1: a key must be a scalar"),
        ("a: 1\nb: *x\n", "x.yaml", "x.yaml:2: the alias *x has no anchor before it"),
        ("a: &x [1, *x]\n", "x.yaml", "x.yaml:1: the alias *x lies inside its own anchor"),
        (BOMB, "x.yaml", "aliases blow this file up to over 1,000,000 nodes"),
        ("a: " + "[" * 10_000, "x.yaml", "x.yaml:1: nested more than 1,000 deep"),
        ("[" * 100_000, "x.yaml", "x.yaml:1: nested more than 1,000 deep"),
        ("[" * 10_000, "x.json", "x.json:1: nested more than 1,000 deep"),
        ("[" * 100_000 + "]" * 100_000, "x.json", "x.json:1: nested more than 1,000 deep"),
        ('{"a":' * 1_001 + "1" + "}" * 1_001, "x.json", "x.json:1: nested more than 1,000 deep"),
        ("- " * 50_000 + "1", "x.yaml", "x.yaml:1: nested more than 1,000 deep"),
        ('{"a": ' + "1" * 5_000 + "}", "x.json", "x.json: this is not JSON"),
    ],
    ids=range(28),
)  # fmt: skip
def test_bad_input(source: str | bytes, name: str, line: str) -> None:
    with pytest.raises(InputError) as caught:
        Document.parse(source, name)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_thousand_deep_is_read() -> None:
    text = "[" * 1_000 + "]" * 1_000
    for name, source in (("x.json", text), ("x.yaml", text + " # yaml")):
        here, depth = Document.parse(source, name).tree, 1
        while here:
            here, depth = here[0], depth + 1
        assert depth == 1_000


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    big = tmp_path / "big.json"
    big.write_text(json.dumps({"a": "x" * (20 * 2**20)}))
    cases = {tmp_path / "none.yaml": "no such file", tmp_path: "a folder", big: "over 20 MB", "a\0b": "cannot be read"}
    for path, words in cases.items():
        with pytest.raises(InputError, match=words):
            Document.read(path)
    assert len(Document.read(big, max_size=None).text) > 20 * 2**20
    assert len(Document.read(big, max_size=30 * 2**20).text) > 20 * 2**20


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    secret = tmp_path / "x.yaml"
    secret.write_text("a: 1\n")
    secret.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        Document.read(secret)


def test_what_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\n")
    document = Document.read(path)
    assert (document.name, document.path, document.format) == (str(path), path, "yaml")
    assert document.to_bytes() == path.read_bytes()


def test_pointers() -> None:
    assert pointers.split("/paths/~1a~0b/0") == ["paths", "/a~b", "0"]
    assert pointers.join("paths", "/a~b", 0) == "/paths/~1a~0b/0"
    assert (pointers.parent("/a/b"), pointers.parent("/a"), pointers.last("/a/b~1c")) == ("/a", "", "b/c")
    assert [pointers.index(part, 11) for part in ("0", "10", "11", "01", "-", "x", "-1", "٣")] == [
        0, 10, None, None, None, None, None, None,
    ]  # fmt: skip
    with pytest.raises(UsageError):
        pointers.split("/a~2")


@pytest.mark.shared
def test_real_documents_read_alike_as_json_and_yaml() -> None:
    files = sorted(SHARED.glob("data/openapi/*.json")) + sorted(SHARED.glob("data/restbench/*_oas.json"))
    if not files:
        pytest.skip("no reference data beside the project")
    for path in files:
        document = Document.read(path)
        assert document.tree == json.loads(path.read_text("utf-8"))
        assert document.to_bytes() == path.read_bytes()
        paths = list(document.tree["paths"])
        lines = path.read_text("utf-8").split("\n")
        assert json.dumps(paths[-1])[1:-1] in lines[document.line(pointers.join("paths", paths[-1])) - 1]
