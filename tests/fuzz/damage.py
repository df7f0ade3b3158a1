"""Damage to trees, texts and bytes, drawn by hypothesis."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import yaml
from hypothesis import strategies as st

Draw = Any
"""hypothesis' function that draws a value of a strategy."""


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


HOSTILE: list[Any] = [
    *(None, True, 0, -1, 10**40, 1e308, float("nan"), float("inf"), 2.5),
    *("", " ", "x" * 3000, "\x00", "\ud800", "\u202eab\u202c", "\u2028", "é" * 40, "%00", "{", "{}", "{id}", "/", "~1"),
    *(
        "#",
        "#/",
        "#/paths",
        "http://evil.example/x.json",
        "1e400",
        "2024-02-30",
        "null",
        "object",
        "env:HOME",
        "*",
        "$",
    ),
    *([], {}, [[]], [None], {"": ""}, {"$ref": "#"}, {"$ref": "#/paths"}, {"$ref": "none.json#/x"}, {"$ref": 3}),
    *({"$ref": "#/components/schemas/Loop"}, {"allOf": [{"$ref": "#"}]}, {"type": ["object", 3]}, {"enum": {}}),
    *(
        {"type": "array", "items": 7},
        {"properties": []},
        {"pattern": "(a+)+$"},
        {"pattern": "["},
        {"example": nested(9)},
    ),
    *(nested(60), {"k" * 500: 1}, list(range(300)), {str(n): n for n in range(300)}),
]
TOKENS = [
    *(b"\t", b"&a ", b"*a ", b"!!python/object:os.system ", b"<<: *a\n", b"---\n", b"...\n", b"\xff", b"\xef\xbb\xbf"),
    *(b"\x00", b"\r", "\u2028".encode(), b"? ", b"- ", b"{", b"}", b"]", b"[" * 400, b"%YAML 9.9\n", b": ", b"'", b'"'),
    *(
        b"|+3\n",
        b">-\n",
        b"#",
        b"1e999",
        b"0o7777",
        b"9" * 5000,
        b"\\",
        b"\\ud800",
        b"\\u0000",
        b",",
        b"\n",
        b" " * 2000,
    ),
]
small_text = st.text(max_size=12)
values = st.one_of(
    st.sampled_from(HOSTILE),
    small_text,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | small_text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(small_text, inner, max_size=3),
        max_leaves=5,
    ),
)


def damaged_tree(draw: Draw, tree: Any) -> Any:
    """A copy of a JSON value with up to four things replaced, removed, renamed, copied elsewhere or wrapped."""
    root = [copy.deepcopy(tree)]
    for _ in range(draw(st.integers(1, 4))):
        places = _places(root)
        owner, key = places[draw(st.integers(0, len(places) - 1))]
        kind = draw(st.sampled_from(["replace", "replace", "remove", "rename", "copy", "wrap"]))
        if kind == "replace" or owner is root:
            owner[key] = copy.deepcopy(draw(values))
        elif kind == "remove":
            del owner[key]
        elif kind == "rename" and isinstance(owner, dict):
            owner[draw(small_text | st.sampled_from(["$ref", "paths", "type", "x-docrev", "~0/", "get"]))] = owner.pop(
                key
            )
        elif kind == "copy":
            other, place = places[draw(st.integers(0, len(places) - 1))]
            owner[key] = copy.deepcopy(_at(other, place))
        else:
            owner[key] = draw(st.sampled_from([[owner[key]], {"a": owner[key]}]))
    return root[0]


def _places(root: list[Any]) -> list[tuple[Any, Any]]:
    """Every (collection, key or index) of a value."""
    found, queue = list[tuple[Any, Any]](), [root]
    while queue:
        owner: Any = queue.pop()
        for key in list(owner) if isinstance(owner, dict) else range(len(owner)):
            found.append((owner, key))
            if isinstance(owner[key], dict | list):
                queue.append(owner[key])
    return found[:4000]


def _at(owner: Any, key: Any) -> Any:
    try:
        return owner[key]
    except (KeyError, IndexError):
        return None


def damaged_bytes(draw: Draw, content: bytes, *, most: int = 3) -> bytes:
    """Bytes with up to `most` places cut, doubled, overwritten or put in between."""
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(content)))
        end = min(len(content), at + draw(st.sampled_from([1, 1, 3, 20, 200, 5000])))
        kind = draw(st.sampled_from(["put", "put", "drop", "double", "flip", "cut", "zero"]))
        if kind == "put":
            content = content[:at] + draw(st.sampled_from(TOKENS) | st.binary(max_size=6)) + content[at:]
        elif kind == "drop":
            content = content[:at] + content[end:]
        elif kind == "double":
            content = content[:end] + content[at:end] + content[end:]
        elif kind == "flip" and at < len(content):
            content = content[:at] + bytes([content[at] ^ 1 << draw(st.integers(0, 7))]) + content[at + 1 :]
        elif kind == "cut":
            content = content[:at]
        else:
            content = content[:at] + bytes(end - at) + content[end:]
    return content


def written(draw: Draw, tree: Any) -> bytes:
    """A damaged tree as JSON or YAML, at times with damage to the text too."""
    text = json.dumps(tree, indent=draw(st.sampled_from([None, 2])))
    if draw(st.booleans()):
        with contextlib.suppress(yaml.YAMLError, UnicodeError):
            text = yaml.safe_dump(tree, sort_keys=False, allow_unicode=draw(st.booleans()))
    content = text.encode(errors="surrogatepass")
    return damaged_bytes(draw, content) if draw(st.integers(0, 2)) == 0 else content
