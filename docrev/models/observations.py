"""Observations read back: an agent is shown responses as JSON that may be cut off."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from docrev.records import Json

_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"?|[{}\[\],]', re.DOTALL)
"""Strings, also one that is cut, and the marks between them."""
_CLOSES = {"{": "}", "[": "]"}
CUT = "…"
"""What stands in place of what is not shown."""
_REST = re.compile(rf',?"{CUT} \d+ more"(?=\])')


def with_rest(first: list[Json], count: int) -> list[Json]:
    """The first items of a list of `count`, with a mark for the others."""
    return [*first, f"{CUT} {count - len(first)} more"] if len(first) < count else first


@lru_cache(maxsize=4096)
def read_observation(observation: str) -> Json:
    """What an observation holds as JSON, up to where it was cut; None if it holds none."""
    text = _REST.sub("", observation.strip())
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
    ends: list[tuple[int, str]] = []
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in _CLOSES:
            closing.append(_CLOSES[token])
        elif token == ",":
            ends.append((match.start(), "".join(reversed(closing))))
        elif closing and token in _CLOSES.values():
            closing.pop()
    for at, rest in reversed(ends[-40:]):
        try:
            return json.loads(text[:at] + rest)
        except (ValueError, RecursionError):
            continue
    return None
