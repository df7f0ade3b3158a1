"""Headers and method overrides that would make a request another one than was judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from docrev.calls.path_texts import plain
from docrev.conventions.methods import SAFE_METHODS
from docrev.records import Arguments, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_OUR_HEADERS = frozenset(
    (
        "authorization proxy-authorization cookie host content-length transfer-encoding connection upgrade expect "
        "forwarded x-original-url x-rewrite-url"
    ).split()
)
_OVERRIDES = frozenset(
    ["xhttpmethod", "xhttpmethodoverride", "xmethodoverride", "httpmethodoverride", "methodoverride"]
)
"""Names of headers, parameters and fields that turn one method into another, without what is no letter."""
_MARKED = frozenset(["method", "httpmethod"])
"""The same of those that begin with a mark: `_method`."""


def disguise(operation: Operation, arguments: Arguments) -> str | None:
    """Why arguments would make a request another one than was judged; None if they do not."""
    for location, value in arguments.items():
        where, _, name = location.partition(":")
        if where == "header" and (reason := _header_trouble(operation, name, value)) is not None:
            return reason
    for name, value in _fields(arguments):
        if overrides_method(name) and value is not None and plain(value).upper() != operation.method:
            return f"{name} would turn it into another method"
    return None


@lru_cache(maxsize=8192)
def overrides_method(name: str) -> bool:
    """Whether servers take what is called so for the method, whatever its case: `_method`, `X-HTTP-Method-Override`."""
    bare = re.sub(r"[^a-z]", "", name.lower())
    return bare in _OVERRIDES or (bare in _MARKED and name.strip()[:1] in ("_", "$", "@"))


def _fields(arguments: Arguments) -> Iterator[tuple[str, Json]]:
    """Names and values in the query and at the top of a body, be it JSON or a form."""
    for location, value in arguments.items():
        where, _, name = location.partition(":")
        if where == "query":
            yield name, value
    body = arguments.get("body:")
    for part in body if isinstance(body, list) else [body]:
        if isinstance(part, dict):
            yield from part.items()
    if isinstance(body, str):
        yield from parse_qsl(body)


def _header_trouble(operation: Operation, name: str, value: object) -> str | None:
    if value is None:
        # Without a header a request has fewer rights; but only the user named may change anything.
        return None if operation.method in SAFE_METHODS else f"the header {name} is only left out of what reads"
    ours = name.lower() in _OUR_HEADERS or name.lower().startswith("x-forwarded") or overrides_method(name)
    return f"the header {name} is not an argument" if ours else None
