"""Observations read back: what an agent is shown of a response is JSON that may be cut."""

from __future__ import annotations

import json
from functools import lru_cache

from docrev.records import Json


@lru_cache(maxsize=4096)
def body(observation: str) -> Json:
    """What an observation holds as JSON, up to where it was cut; None where it holds none."""
    text = observation.strip()
    if text[:5] == "HTTP ":
        text = text.partition(": ")[2]
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _mended(text)


def _mended(text: str) -> Json:
    """A text that ends in the middle: back to the last whole value, with what is open closed."""
    closing: list[str] = []
    inside = escaped = False
    ends: list[tuple[int, str]] = []
    for at, char in enumerate(text):
        if inside:
            inside = escaped or char != '"'
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            inside = True
        elif char in "{[":
            closing.append("}" if char == "{" else "]")
        elif char in "}]" and closing:
            closing.pop()
        elif char == ",":
            ends.append((at, "".join(reversed(closing))))
    for at, rest in reversed(ends[-40:]):
        try:
            return json.loads(text[:at] + rest)
        except (ValueError, RecursionError):
            continue
    return None
