"""From the bytes of a response to a body that can be kept: bounded in depth, free of what cannot be stored."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from docrev.calls.limits import Limits
from docrev.calls.media import has_object_lines, is_lines
from docrev.json_values.sampling import MAX_WEIGHT, sampled
from docrev.json_values.surrogates import without_surrogates
from docrev.records import Json

NOT_JSON = "not-json"
PAGE = "text/html"
"""The type that many frameworks give to what is sent without one."""
_LIKE_JSON = re.compile(rb"\s*(?:[{\[]|(?:true|false|null|-?\d{1,20}(?:\.\d{1,20})?)\s*$)")
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
_MAX_DIGITS = 300
_LARGE = re.compile(rf"[0-9](?:[0-9]{{{_MAX_DIGITS - 1}}}|[eE]\+?[0-9]{{3}})")
"""A number that may be none of a double's: Python reads it as an infinity, or as an integer that it cannot compute.

As it begins with a digit, most of a text is passed over in one go: otherwise this takes longer than reading the JSON.
"""

_decoder = json.JSONDecoder(parse_constant=lambda name: None)
_careful_decoder = json.JSONDecoder(
    parse_constant=lambda name: None,
    parse_int=lambda text: int(text) if len(text) < _MAX_DIGITS else None,
    parse_float=lambda text: number if math.isfinite(number := float(text)) else None,
)


@dataclass(slots=True)
class ResponseBody:
    """What a response contained. `text` is what `value` was read from; the rest is as in `records.Call`."""

    value: Json = None
    text: str = ""
    error: str | None = None
    detail: str = ""
    sampled: bool = False


def read(
    content: bytes, content_type: str, limits: Limits, translate: Callable[[str], str] = lambda text: text
) -> ResponseBody:
    """Read a response body: JSON if its type says so or it looks so, otherwise text; binary content is dropped.

    `translate` changes the decoded text before it is parsed.
    """
    if not content:
        return ResponseBody()
    media_type, charset = _kind(content_type)
    as_json = _promises_json(media_type, content)
    if not as_json and not _textual(media_type):
        return ResponseBody()
    try:
        text = content.decode(charset)
    except UnicodeError as error:
        if as_json:
            at = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
            return ResponseBody(error="bad-encoding", detail=f"not {charset}{at}")
        text = content.decode(charset, "replace")
    text = translate(text)
    if not as_json:
        return ResponseBody(text, text)
    text = text.removeprefix("\ufeff")
    found = _json(_lines_as_array(text) if is_lines(media_type) else text, limits)
    # Several documents, one a line, are no JSON, and no failure either: a text that comes line by line.
    is_text = found.error == NOT_JSON and (media_type == PAGE or has_object_lines(text))
    return ResponseBody(text, text) if is_text else found


def _lines_as_array(text: str) -> str:
    """Values on a line each (NDJSON, JSON Lines), or behind record separators (RFC 7464), as one JSON array."""
    return f"[{','.join(line for part in text.replace(chr(0x1E), '').split(chr(10)) if (line := part.strip()))}]"


def _json(text: str, limits: Limits) -> ResponseBody:
    try:
        value = (_careful_decoder if _LARGE.search(text) else _decoder).decode(text)
    except RecursionError:
        return ResponseBody(error="too-deep", detail=f"nested deeper than {limits.max_depth}")
    except ValueError as error:
        return ResponseBody(text, text, NOT_JSON, str(error))
    # No value weighs more than the characters that it was read from.
    value, part = sampled(value) if len(text) > MAX_WEIGHT else (value, False)
    if part and value is None:
        return ResponseBody(error="too-large", detail="too many values, deep in one another")
    # It is as deep as there are brackets, at most.
    if text.count("[") + text.count("{") > limits.max_depth and _depth_above(value, limits.max_depth):
        return ResponseBody(error="too-deep", detail=f"nested deeper than {limits.max_depth}")
    if "\\u" in text and ("\\ud" in text or "\\uD" in text):
        value = without_surrogates(value)
    return ResponseBody(value, text, sampled=part)


def _depth_above(value: Any, bound: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(bound):
        if not level:
            return False
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


def _kind(content_type: str) -> tuple[str, str]:
    if content_type == "application/json":
        return content_type, "utf-8"
    media_type, _, rest = content_type.partition(";")
    charset = "utf-8"
    for part in rest.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip('"').lower() or charset
    try:
        # `rot13` and `zlib` are codecs too, but none that makes text of bytes; others are of Python, or take long.
        codec = codecs.lookup(charset)
        charset = charset if codec._is_text_encoding and codec.name not in _NO_CHARSETS else "utf-8"
    except (LookupError, ValueError):
        charset = "utf-8"
    return media_type.strip().lower(), charset


def _promises_json(media_type: str, content: bytes) -> bool:
    """Whether a body is JSON by its type, or looks so where it has none, or that of what is sent as it is."""
    return "json" in media_type or (media_type in ("", PAGE) and _LIKE_JSON.match(content) is not None)


def _textual(media_type: str) -> bool:
    return (
        not media_type
        or media_type.startswith("text/")
        or media_type.endswith(("xml", "yaml", "javascript", "urlencoded", "ndjson", "csv", "html"))
    )
