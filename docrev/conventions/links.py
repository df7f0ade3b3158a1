"""Links in responses: `Location` and `Link` headers, `href`, `next`, `_links`, and whatever else is a path or a URL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last
from docrev.language.urls import split_url
from docrev.language.words import words
from docrev.records import Call

MAX_LINKS = 100
_NAMES = frozenset("href url uri link links next prev previous self first last location endpoint".split())
_OWN = frozenset("href path self uri url".split())
_TARGET = re.compile(r"<([^<>]+)>")


def links_in(call: Call) -> list[str]:
    """The paths, each with its query, that a response links to, in the order in which they stand; at most 100.

    The rest of a URI template (RFC 6570) is cut off. Nobody knows yet whether they lead to the same API.
    """
    found = dict.fromkeys(link for text in _texts(call) if (link := _local(text)))
    return list(found)[:MAX_LINKS]


def own_links(thing: object) -> list[str]:
    """The links that an object has at its top, under names that say nothing but that: they lead to it."""
    members = mapping(thing).items()
    return [value for name, value in members if name.lower() in _OWN and isinstance(value, str) and _has_path(value)]


def _texts(call: Call) -> Iterator[str]:
    yield call.headers.get("location", "")
    yield from _TARGET.findall(call.headers.get("link", ""))
    for pointer, value in leaves(call.body):
        if isinstance(value, str) and (_has_path(value) or _names_link(pointer)):
            yield value


def _has_path(text: str) -> bool:
    return text.startswith(("/", "http://", "https://")) and " " not in text


def _names_link(pointer: str) -> bool:
    named = last(pointer) if last(pointer) != "0" else last(pointer.removesuffix("/0"))
    return words(named)[-1:] != () and words(named)[-1] in _NAMES


def _local(text: str) -> str:
    """The path and the query of a link; "" if it has no path from the root on."""
    parts = split_url(text.partition("{")[0])
    query = f"?{parts.query}" if parts.query else ""
    return parts.path + query if parts.path.startswith("/") and len(parts.path) > 1 else ""
