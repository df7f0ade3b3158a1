"""The JSON values that may stand in a model's text, the most likely first.

Models put prose around their answer, fence it, think aloud before it, write Python for JSON, or stop half way. What is
damaged is mended by json-repair; here it is decided what to mend, and what was cut and must not pass as whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from docrev.records import Json

MAX_TEXT = 60_000
"""Characters of an answer that are read."""
MAX_DEPTH = 60
"""Braces within braces: what is nested deeper is no answer, and takes long to mend."""
MAX_BLOCKS = 12
"""Blocks in braces that are looked at, from the end."""
_THOUGHT_ENDS = ("</think>", "</thinking>", "</thought>", "</reasoning>")
_CONTROL = re.compile(r"<\|[a-z_]+\|>|</?s>|</?(?:answer|output|json|tool_call|response)>", re.IGNORECASE)
_UNSEEN = re.compile("[\ufeff\u200b\u200c\u200d\u2060]")
_FENCE = re.compile(r"(?:```|~~~)[^\n{\[]*\n?(.*?)(?:```|~~~|\Z)", re.DOTALL)
_MARKS = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
_TRIPLE = re.compile(r'("""|\'\'\')(.*?)\1', re.DOTALL)
_KEY = re.compile(r"""["'”]?[\w -]*["'“]?""")
"""The key of a member, read backwards."""
_MAX_KEY = 200


def read_values(text: str, *, cut: bool = False) -> Iterator[Json]:
    """Every value that can be read out of `text`: whole, fenced, in braces; the last before those above it.

    A string that was cut by the end of the text is left out with its key: half a sentence is no answer. With `cut`
    a value whose end is missing is left out as a whole.
    """
    plain = _CONTROL.sub("", strip_thoughts(_UNSEEN.sub("", text[:MAX_TEXT]))).strip()
    yield from _strict(plain)
    fenced = [found.group(1).strip() for found in _FENCE.finditer(plain)]
    for part in (*reversed(fenced), plain):
        for block in reversed(find_blocks(part, cut=cut)):
            yield from _read(block)


def strip_thoughts(text: str) -> str:
    """The text without what was thought aloud before it."""
    lower = text.lower()
    ends = (at + len(end) for end in _THOUGHT_ENDS if (at := lower.rfind(end)) >= 0)
    return text[max(ends, default=0) :].strip() or text.strip()


def _strict(text: str) -> Iterator[Json]:
    """The text as JSON if it is JSON; JSON inside a string is opened."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for _ in range(3):
        if not isinstance(value, str):
            yield value
            return
        try:
            value = json.loads(value, strict=False)
        except (ValueError, RecursionError):
            yield from (found for block in reversed(find_blocks(value)) for found in _read(block))
            return


def _read(block: str) -> Iterator[Json]:
    found = list(_strict(block))
    if found:
        yield from found
        return
    from json_repair import loads

    for attempt in dict.fromkeys((block, _unescaped(block))):
        try:
            value = loads(_TRIPLE.sub(lambda match: json.dumps(match.group(2)), attempt))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list):
            yield value


def _unescaped(block: str) -> str:
    return block.replace('\\"', '"').replace("\\n", "\n") if '{\\"' in block or '\\":' in block else block


def find_blocks(text: str, *, cut: bool = False) -> list[str]:
    """The outermost parts of `text` in braces, in order.

    The last may lack its end, and then lacks the string that was cut too; with `cut` it is not among them.
    """
    found: list[str] = []
    at = text.find("{")
    while at >= 0 and len(found) < 10 * MAX_BLOCKS:
        span = _span(text, at)
        if span.end is None and not span.deep:
            # Quotes that do not pair hide the end: braces alone may find it.
            plain = _span(text, at, strings=False)
            span = span if plain.end is None else plain
        if span.deep:
            break
        if span.end is None:
            found += [] if cut else [_whole(text[at:], None if span.string is None else span.string - at)]
            break
        found.append(text[at : span.end])
        at = text.find("{", span.end)
    return found[-MAX_BLOCKS:]


class _Span(NamedTuple):
    """Where a block ends (exclusive), or None; where the string begins that is open there; whether it is too deep."""

    end: int | None
    string: int | None = None
    deep: bool = False


def _span(text: str, start: int, *, strings: bool = True) -> _Span:
    depth, string = 0, None
    for match in _MARKS.finditer(text, start):
        char = match.group()
        if string is not None:
            string = None if char == '"' else string
        elif char == '"':
            string = match.start() if strings else None
        elif char in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return _Span(None, deep=True)
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return _Span(match.end())
    return _Span(None, string)


def _whole(block: str, open_string: int | None) -> str:
    """What is whole of a block that the text's end cut: the string that was open goes, and its key with it."""
    if open_string is None:
        return block
    head = block[:open_string].rstrip()
    if head.endswith(":"):
        # Backwards and bounded: a pattern that searches for the end takes time by the fourth power of blanks.
        head = head[:-1].rstrip()
        key = _KEY.match(head[: -_MAX_KEY - 1 : -1])
        head = head[: len(head) - key.end()] if key else head
    return head.rstrip(", {\t\r\n\f\v")
