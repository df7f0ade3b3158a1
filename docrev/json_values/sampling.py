"""The bounded part of a large JSON value that is kept and looked at: the one place that says how much that is.

A response of 5 MB may contain a million values, and as Python objects a hundred times its bytes. Everything that reads
responses costs time and memory by their values, and learns nothing more from the ten-thousandth item of a list.
"""

from __future__ import annotations

from itertools import islice

from docrev.json_values.types import JsonValue

MAX_WEIGHT = 20_000
"""The weight of what is kept of a response: a page of 1,000 items with 18 fields is kept whole."""
MAX_TOGETHER = 3 * MAX_WEIGHT
"""The weight of the responses of one operation that are looked at together, beside the first of each kind."""
MAX_DEPTH = 100
MAX_TEXT = 20_000
"""Characters of a text that are kept."""
_CHARACTERS = 64
"""So many characters of a text weigh as much as a value."""
_CAPS = (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
"""How many items of each array are kept, from the most to the fewest: the first that makes a value light enough."""
_NAMES = 60
"""Objects of up to so many members are kept whole; larger ones are maps, of which some entries do."""


def weight(value: JsonValue, most: int = MAX_WEIGHT) -> int:
    """How much a value weighs: 1 for each value in it and each 64 characters of its texts; above `most`, any more."""
    found, waiting = 0, [value]
    while waiting and found <= most:
        part = waiting.pop()
        found += 1
        if isinstance(part, str):
            found += _text_weight(part)
        elif isinstance(part, list):
            # What is waiting is bounded too.
            waiting.extend(part[: most + 1])
            found += max(0, len(part) - most)
        elif isinstance(part, dict):
            waiting.extend(islice(part.values(), most + 1))
            found += max(0, len(part) - most) + _names_weight(part, most)
    return found


def sampled(value: JsonValue, most: int = MAX_WEIGHT) -> tuple[JsonValue, bool]:
    """(value, False) if it is light enough, otherwise (the first items of its arrays and maps, True).

    A value that is too heavy or too deep even so becomes None.
    """
    if weight(value, most) <= most:
        return value, False
    for cap in _CAPS:
        part = _first(value, cap, [most], MAX_DEPTH)
        if part is not None:
            return part, True
    return None, True


def cut_texts(value: JsonValue) -> JsonValue:
    """A value of which no text has more than `MAX_TEXT` characters. What is secret must have been taken out before."""
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, list):
        return [cut_texts(item) for item in value]
    if isinstance(value, dict):
        return {name[:MAX_TEXT]: cut_texts(part) for name, part in value.items()}
    return value


def _text_weight(text: str) -> int:
    return min(len(text), MAX_TEXT) // _CHARACTERS


def _names_weight(members: dict[str, JsonValue], most: int) -> int:
    return sum(map(len, islice(members, most))) // _CHARACTERS


def _first(value: JsonValue, cap: int, left: list[int], depth: int) -> JsonValue:
    """A value with `cap` items of each array and map; None if that is more than what is `left`, which it uses up."""
    left[0] -= 1
    if isinstance(value, str):
        left[0] -= _text_weight(value)
    if left[0] < 0 or depth < 0:
        return None
    if isinstance(value, list):
        items = [_first(item, cap, left, depth - 1) for item in value[:cap]]
        return items if left[0] >= 0 else None
    if isinstance(value, dict):
        most = len(value) if len(value) <= _NAMES else max(cap, _NAMES)
        left[0] -= _names_weight(value, most)
        members = {name: _first(part, cap, left, depth - 1) for name, part in islice(value.items(), most)}
        return members if left[0] >= 0 else None
    return value
