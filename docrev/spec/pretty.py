"""JSON on one line broken into lines, with every key, value and escape as it was written."""

from __future__ import annotations

import re

_DENSE = 200
"""Characters a line, on average, from which on a line of a diff says nothing."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.S)
_INDENT = "  "


def is_dense(text: str) -> bool:
    """Whether a JSON text has so few lines that a line of a diff says nothing."""
    return len(text) > _DENSE * (text.strip().count("\n") + 1)


def pretty(text: str) -> str:
    """A JSON text with a line for each member and item, indented by two spaces."""
    tokens = _TOKEN.findall(text)
    depth = 0
    parts: list[str] = []
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if token in ("}", "]") and before not in ("{", "["):
            depth -= 1
            parts.append(f"\n{_INDENT * depth}")
        parts.append(": " if token == ":" else token)
        if token in ("{", "[") and after not in ("}", "]"):
            depth += 1
        if token == "," or (token in ("{", "[") and after not in ("}", "]")):
            parts.append(f"\n{_INDENT * depth}")
    return "".join(parts) + "\n"
