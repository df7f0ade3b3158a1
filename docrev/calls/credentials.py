"""Request headers that a user gives, `-H "Name: VALUE|env:VAR|file:PATH"`.

Whatever is wrong with one, its value is never shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import UsageError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SOURCE = re.compile(r"(?:([A-Za-z]+) +)?(env|file):(.+)")
_HARMLESS = frozenset(
    [
        "accept",
        "accept-language",
        "accept-encoding",
        "content-type",
        "user-agent",
        "prefer",
        "if-match",
        "if-none-match",
        "cache-control",
        "x-request-id",
        "x-requested-with",
        "x-api-version",
        "api-version",
    ]
)
_OURS = frozenset(["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"])


@dataclass(frozen=True, slots=True)
class Header:
    """A header for every request. `secret`: its value is redacted wherever it would be stored or shown."""

    name: str
    value: str = field(repr=False)
    secret: bool = True


def parse_header(text: str, environ: Mapping[str, str] | None = None) -> Header:
    """Read `Name: VALUE`, `Name: env:VAR`, `Name: file:PATH`, or `Name: Bearer env:VAR`. Raises UsageError.

    A literal value counts as a secret unless the header's name is known to be harmless; one from a variable or a
    file always does.
    """
    name, colon, value = text.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not _NAME.fullmatch(name):
        raise UsageError("not a header", where="-H", fix='write -H "Name: VALUE", or env:VAR or file:PATH for VALUE')
    where = f"-H {name}"
    if name.lower() in _OURS:
        raise UsageError("this header belongs to the connection", where=where, fix="leave it out")
    source = _SOURCE.fullmatch(value)
    if source:
        scheme, kind, place = source.groups()
        found = _variable(place, where, environ) if kind == "env" else _file(place, where)
        value = f"{scheme} {found}" if scheme else found
    if not value or any(ord(c) < 32 or ord(c) in (127,) or ord(c) > 255 for c in value):
        raise UsageError("the value is empty or has characters that no header may have", where=where, fix="check it")
    return Header(name, value, source is not None or name.lower() not in _HARMLESS)


def _variable(name: str, where: str, environ: Mapping[str, str] | None) -> str:
    value = (os.environ if environ is None else environ).get(name, "").strip()
    if not value:
        raise UsageError(f"the environment variable {name} is not set", where=where, fix=f"export {name}")
    return value


def _file(path: str, where: str) -> str:
    try:
        return Path(path).expanduser().read_text("utf-8").strip()
    except (OSError, ValueError):
        raise UsageError(f"the file {path} cannot be read", where=where, fix="check path and rights") from None
