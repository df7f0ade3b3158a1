"""Paths as text: how values stand in them, what they lie under, and what their segments name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote, unquote

from docrev.language.path_templates import FORMAT
from docrev.language.words import singular

_UNRESERVED = re.compile(r"[\w.~-]*", re.ASCII)
"""Characters that stand for themselves in any part of a URL (RFC 3986 §2.3): most ids have no others."""


def plain(value: object) -> str:
    """An argument as text: JSON's words for true and false, objects as they are written in JSON-free styles."""
    if type(value) is str:
        return value
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, list):
        return ",".join(plain(item) for item in value)
    if isinstance(value, dict):
        return ",".join(f"{name},{plain(item)}" for name, item in value.items())
    return "" if value is None else str(value)


def encoded(value: object) -> str:
    """A path argument, percent-encoded whole: a slash in an id stays in its segment."""
    text = plain(value)
    return text if _UNRESERVED.fullmatch(text) else quote(text, safe="", errors="replace")


def above(path: str) -> Iterator[str]:
    """The paths that a path lies under, the nearest first."""
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)


def last_segment(path: str) -> str:
    """The last segment of a path, decoded: the id of an item, the name of a collection."""
    return unquote(path.rstrip("/").rpartition("/")[2])


@lru_cache(maxsize=4096)
def noun_of(collection: str) -> str:
    """What the items of the collection at a path are called: `loan` for `/users/1/loans`."""
    return singular(last_segment(collection))


def kind_at(shape: str) -> str:
    """What the things are called that have paths of a shape: `boat` for `/boats/{}.json`, and for their collection."""
    return noun_of(FORMAT.sub("", shape).removesuffix("/{}"))


def item_path(collection: str, value: object) -> str:
    """The path of the item with an id, which may be percent-encoded, in the collection at a path."""
    return f"{collection.rstrip('/')}/{value if type(value) is int else encoded(unquote(plain(value)))}"
