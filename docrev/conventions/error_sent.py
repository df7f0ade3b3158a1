"""What was sent settles what an error message leaves open.

Whether a word in it is a name or a value, whether a bound is of characters or of items, which side of it is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from docrev.conventions.error_claims import VALUE_KINDS, Hint
from docrev.conventions.error_constraints import DEMAND
from docrev.conventions.error_subjects import QUOTED
from docrev.json_values.pointer import join, last, parent
from docrev.language.words import words
from docrev.records import Arguments, Json

_MAX_VALUES = 2000
_ON_VALUES = VALUE_KINDS | {"invalid"}
_EMPTY = re.compile(r"\b(?:blank|empty)\b", re.I)
_FIRST_WORD = re.compile(r"(?:the |your |each value in )?([\w.$-]+) ", re.I)
_STATED = re.compile(r"\b(?:max|min|limit|at (?:most|least)|the (?:most|least)\b)", re.I)
"""What tells the side of a bound."""
_SIZES = {"min-length": "min-items", "max-length": "max-items", "minimum": "min-items", "maximum": "max-items"}


class Sent:
    """The names and the values of what was sent."""

    def __init__(self, arguments: Arguments) -> None:
        self._arguments = arguments

    @cached_property
    def values(self) -> dict[tuple[str, ...], list[tuple[str, Json]]]:
        """(name as it is written, value) by the words of the name."""
        found: dict[tuple[str, ...], list[tuple[str, Json]]] = {}
        for name, value in self._all:
            if name:
                found.setdefault(tuple(words(name)), []).append((name, value))
        return found

    @cached_property
    def texts(self) -> set[str]:
        """The texts that were sent as values."""
        return {value for _, value in self._all if isinstance(value, str) and value}

    @cached_property
    def _all(self) -> list[tuple[str, Json]]:
        """(name, value) of all that was sent; items of arrays have no names."""
        found: list[tuple[str, Json]] = []
        stack: list[tuple[str, Json]] = [
            (location.partition(":")[2], value) for location, value in self._arguments.items()
        ]
        while stack and len(found) < _MAX_VALUES:
            name, value = stack.pop()
            found.append((name, value))
            if isinstance(value, dict):
                stack.extend(value.items())
            elif isinstance(value, list):
                stack.extend(("", part) for part in value)
        return found

    def value_of(self, hint: Hint) -> Json:
        """The one value under the name of a hint; None if there is none, or several."""
        named = self.values.get(tuple(words(hint.name)), []) if hint.name else []
        return named[0][1] if len(named) == 1 else None


def settled(hints: Sequence[Hint], arguments: Arguments) -> list[Hint]:
    """The hints with what the sent names and values tell of them."""
    sent = Sent(arguments)
    if not sent.values:
        return list(hints)
    found = [_sized(_named(hint, sent), sent) for hint in hints]
    bounded = {hint.pointer for hint in found if hint.kind in ("min-length", "min-items")}
    found = [hint if hint.pointer in bounded else _filled(hint, sent) for hint in found]
    alone = [(hint.pointer, hint.text) for hint in found]
    return [_turned(hint, sent) if alone.count((hint.pointer, hint.text)) == 1 else hint for hint in found]


def _named(hint: Hint, sent: Sent) -> Hint:
    """A hint on the sent name that its text means, and on none that is what was sent under another."""
    if not hint.name:
        return replace(hint, pointer=join(name)) if (name := _mentioned(hint, sent)) else hint
    if parent(hint.pointer) or hint.place:
        return hint
    spoken = "_" in hint.name and hint.name not in hint.text and " ".join(words(hint.name)) in hint.text.lower()
    if named := sent.values.get(tuple(words(hint.name))):
        return replace(hint, pointer=join(named[0][0])) if spoken else hint
    return replace(hint, pointer="") if _is_no_name(hint, sent, spoken=spoken) else hint


def _is_no_name(hint: Hint, sent: Sent, *, spoken: bool) -> bool:
    """Whether what a hint is on was not sent: that breaks no rule, but the one that it must be `true`."""
    return hint.kind in _ON_VALUES and ((spoken and hint.kind != "allowed-values") or hint.name in sent.texts)


def _mentioned(hint: Hint, sent: Sent) -> str:
    """The one sent name that a text on no place quotes or begins with; "" if there is none."""
    if hint.kind not in _ON_VALUES or hint.place:
        return ""
    first = _FIRST_WORD.match(hint.text)
    said = {*re.findall(QUOTED, hint.text), *(first.groups() if first else ())}
    said |= {*re.findall(r"\binvalid (\w+)", hint.text, re.I)}
    said |= {name for name in re.findall(r"\w\.(\w+)", hint.text) if not name.isdecimal()}
    said |= {*re.findall(r"\b(?:for|of|in|that|a valid|the) (\w+)(?=[.,:;]|$)", hint.text)}
    known = [sent.values[tuple(words(word))] for word in said - sent.texts if tuple(words(word)) in sent.values]
    names = {named[0][0] for named in known}
    return names.pop() if len(names) == 1 else ""


def _sized(hint: Hint, sent: Sent) -> Hint:
    """A bound of the items of an array, or that they differ."""
    if hint.kind == "exists" and last(hint.pointer).isdecimal():
        return replace(hint, kind="unique-items", pointer=parent(hint.pointer))
    value = sent.value_of(hint)
    bound = _SIZES.get(hint.kind) if isinstance(value, list) and not last(hint.pointer).isdecimal() else None
    return replace(hint, kind=bound) if bound else hint


def _filled(hint: Hint, sent: Sent) -> Hint:
    """That something must be in the empty value that was sent."""
    value = sent.value_of(hint)
    if hint.kind != "required" or value not in ("", []) or not _EMPTY.search(hint.text):
        return hint
    return replace(hint, kind="min-items" if value == [] else "min-length", values=("1",))


def _turned(hint: Hint, sent: Sent) -> Hint:
    """A bound that what was sent keeps, in a text that demands nothing: it says what was sent, and means the other."""
    bound = re.fullmatch(r"(min|max)-(length|items)", hint.kind)
    value = sent.value_of(hint)
    if bound is None or not isinstance(value, str | list) or DEMAND.search(hint.text) or _STATED.search(hint.text):
        return hint
    limit, lower = int(hint.values[0]), bound.group(1) == "min"
    if len(value) < limit if lower else len(value) > limit:
        return hint
    other = "max" if lower else "min"
    return replace(hint, kind=f"{other}-{bound.group(2)}", values=(str(limit - 1 if lower else limit + 1),))
