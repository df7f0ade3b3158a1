"""Hints without those that another one says better."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from docrev.conventions.error_claims import Hint


def merged(hints: Iterable[Hint]) -> list[Hint]:
    """Each hint once; the types that different messages allow at one place are one hint."""
    found: dict[str, Hint] = {}
    for hint in hints:
        same = [hint.kind, hint.place, hint.pointer] + ([] if hint.kind == "type" else list(hint.values))
        key = json.dumps(same)
        if (before := found.get(key)) is None:
            found[key] = hint
        elif hint.kind == "type":
            values = tuple(dict.fromkeys((*before.values, *hint.values)))
            found[key] = Hint(hint.kind, hint.place, hint.pointer, values, before.text)
    return [_narrowed(hint, found.values()) for hint in found.values() if not _says_less(hint, found.values())]


def _says_less(hint: Hint, others: Iterable[Hint]) -> bool:
    """Whether another hint says more: than "invalid", or than a state without its name."""
    if hint.kind == "invalid":
        return any(other.kind != "invalid" and _says_more(other, hint) for other in others)
    if hint.kind == "not-found":
        return any(other.kind == "allowed-values" and other.text == hint.text for other in others)
    return hint.kind == "state" and not hint.values and any(other.kind == "state" and other.values for other in others)


def _says_more(hint: Hint, refusal: Hint) -> bool:
    """Whether a hint says more of what a refusal is on: by the same text, or, of a part too, than that of a schema."""
    below = bool(refusal.pointer) and hint.pointer.startswith(f"{refusal.pointer}/")
    if _place(hint) == _place(refusal) or below:
        return hint.text == refusal.text or "schema" in refusal.text
    return False


def _place(hint: Hint) -> tuple[str, str]:
    return hint.place, hint.pointer


def _narrowed(hint: Hint, others: Iterable[Hint]) -> Hint:
    """The class of an end of a value without the letters that the value may not have."""
    if hint.kind not in ("first-character", "last-character"):
        return hint
    whole = next(
        (other.values[0] for other in others if other.kind == "characters" and _place(other) == _place(hint)), ""
    )
    ranges = [part for part in ("a-z", "A-Z", "0-9") if whole and part not in whole]
    values = tuple(reduce(lambda text, part: text.replace(part, ""), ranges, value) for value in hint.values)
    return hint if "[]" in values else replace(hint, values=values)
