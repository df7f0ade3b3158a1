"""Observations: what an agent is shown of a response, within a bound (ToolLLM appendix, response compression)."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any

from docrev.language.characters import visible
from docrev.models.observations import CUT, with_rest
from docrev.prompts.agents import Sheet
from docrev.records import Call, Json

CHARACTERS = 4
"""Characters of a token, about: for bounds and estimates if no model says better."""
OBSERVED = 1024
"""Tokens of an observation."""
_MAX_TEXT, _MAX_DEPTH, _MAX_LIST = 80, 4, 5

CompressionRule = Callable[[Sheet, Json], Json]
"""Takes away what matters least in a response that is too long, by the operation's documentation."""


def tokens(text: str) -> int:
    """How many tokens a text has, about."""
    return -(-len(text) // CHARACTERS)


def keep_what_matters(sheet: Sheet, body: object) -> Json:
    """The response without empty values, long texts cut; what lies deep, or far down a nested list, is a mark alone.

    What the documentation names in words (`` `iata` ``) or describes is kept whatever its value is. A count beside a
    list comes before it, since the end of the list may be cut off.
    """
    said = f"{sheet.description} {' '.join(f.pointer for f in sheet.fields if f.description)}"
    if isinstance(body, dict):
        body = dict(sorted(body.items(), key=lambda member: isinstance(member[1], dict | list)))
    return _lean(body, 0, lambda name: f"`{name}`" in said or said.endswith(f"/{name}") or f"/{name} " in said)


def _lean(value: object, depth: int, named: Callable[[str], bool]) -> Json:
    if isinstance(value, str):
        return value if len(value) <= _MAX_TEXT else f"{value[: _MAX_TEXT - 1]}{CUT}"
    if isinstance(value, list):
        # The outermost list is what was asked for; of one within its items the first few are enough.
        most = len(value) if depth < 2 else _MAX_LIST
        return with_rest([_lean(part, depth + 1, named) for part in value[:most]], len(value))
    if not isinstance(value, dict):
        return value
    if depth > _MAX_DEPTH:
        return CUT if value else {}
    return {
        name: _lean(part, depth + 1, named)
        for name, part in value.items()
        if named(name) or part not in (None, "", [], {})
    }


def compress(sheet: Sheet, body: object, *, most: int = OBSERVED, rule: CompressionRule = keep_what_matters) -> str:
    """A response as text of at most `most` tokens: whole, or by `rule`, or the beginning of that: of its longest list,
    the first items that there is room for.
    """
    text = _text(body)
    if tokens(text) > most:
        text = _fitting(rule(sheet, body), most * CHARACTERS)
    return text


def _fitting(body: Json, room: int) -> str:
    text = _text(body)
    if len(text) <= room:
        return text
    lists = {name: part for name, part in body.items() if isinstance(part, list)} if isinstance(body, dict) else {}
    name = max(lists, key=lambda name: len(_text(lists[name])), default="")
    items = body if isinstance(body, list) else lists.get(name, [])
    kept = bisect(range(len(items)), room, key=lambda count: len(_text(_with_first(body, name, items, count)))) - 1
    # Not one item may fit.
    return _text(_with_first(body, name, items, kept)) if kept > 0 else f"{text[: room - 1]}{CUT}"


def _with_first(body: Json, name: str, items: Sequence[Json], count: int) -> Json:
    """A body with the first `count` items of its list alone."""
    first = with_rest(list(items[:count]), len(items))
    return {**body, name: first} if isinstance(body, dict) else first


def _text(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def observe(sheet: Sheet, call: Call, *, most: int = OBSERVED, rule: CompressionRule = keep_what_matters) -> str:
    """What an agent is shown of a call: the response, or why there is none."""
    if call.status is None:
        return f"No response: {call.error or 'network'}{f' ({visible(call.detail)})' if call.detail else ''}."
    if call.error is not None:
        return f"HTTP {call.status}, and the response could not be read: {call.error}."
    shown: Any = compress(sheet, call.body, most=most, rule=rule) if call.body not in (None, "") else ""
    if call.ok:
        return shown or f"Done (HTTP {call.status}, no content)."
    return f"HTTP {call.status}: {shown}" if shown else f"HTTP {call.status}."
