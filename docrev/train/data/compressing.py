"""Deriving compression rules from evidence: which keys of a response matter, by what was seen in them.

Left out is what is always empty, never changes, is a link, a long text, an opaque code, or lies deep; kept is whatever
feeds another operation, is named or described in the documentation, or says what a thing is called. Where nothing
would be left, all is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from docrev.json_values.pointer import escape, unescape
from docrev.language.characters import shortened
from docrev.language.words import words
from docrev.prompts.training import FieldSeen
from docrev.records import Json
from docrev.runners.rules import KeepRule
from docrev.spec import Operation

MAX_FIELDS, MAX_VALUES, MAX_ITEMS = 200, 40, 50
OPEN = 40
"""Keys of an object from which on they are data themselves, as in {"EUR": 1.1, "USD": 1.2, …}."""
SURE = 5
"""How often a field must have been seen before it is believed never to change, or always to be empty."""
LONG, DEEP = 400, 4
NOISE = frozenset({"always empty", "a link", "a long text"})
"""What is left out though the documentation describes it."""
_NAMING = frozenset({"id", "name", "title", "code", "label", "key", "symbol", "slug"})
_LINK = re.compile(r"https?://\S+|//\S+|data:\S+|/[\w/.-]+\.(?:png|jpe?g|svg|gif|webp|css|js)", re.I)
_OPAQUE = re.compile(r"[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w+/-]{64,}={0,2}", re.I)
_NOTHING: tuple[Json, ...] = (None, "", [], {})


@dataclass(slots=True)
class FieldValues:
    """What was seen at one pointer: some of the values, and how often it was there at all."""

    values: list[Json] = field(default_factory=list)
    times: int = 0

    def add(self, value: object) -> None:
        self.times += 1
        if len(self.values) < MAX_VALUES:
            self.values.append(value)


def fields(bodies: Iterable[object]) -> dict[str, FieldValues]:
    """The leaves of responses by pointer, in the order seen; `/0` stands for items, an open object is a leaf."""
    by_pointer: dict[str, FieldValues] = {}
    for body in bodies:
        _walk(body, "", by_pointer)
    # A list that was empty once is no leaf if others hold items.
    inner = {at[: place.start()] for at in by_pointer for place in re.finditer("/", at)}
    return {at: seen for at, seen in by_pointer.items() if at not in inner}


def derive(operation: Operation, bodies: Sequence[object], feeding: Collection[str] = ()) -> KeepRule | None:
    """The rule for an operation; `feeding` are the pointers that other operations' parameters come from.

    None if responses are no objects; a rule may leave nothing out.
    """
    seen = fields(bodies)
    documented = _documented(operation)
    faults = {at: fault for at, one in seen.items() if at not in feeding and (fault := _fault(at, one))}
    drop = {at: fault for at, fault in faults.items() if not _is_wanted(at, fault, documented)}
    keep = tuple(at for at in seen if at not in drop)
    return KeepRule(keep, drop) if keep else None


def seen_fields(bodies: Iterable[object]) -> tuple[FieldSeen, ...]:
    """The fields as a model is asked about them."""
    by_pointer = list(fields(bodies).items())[:MAX_FIELDS]
    return tuple(FieldSeen(pointer=at, example=_short(one.values[0])) for at, one in by_pointer)


def _walk(value: object, at: str, found: dict[str, FieldValues]) -> None:
    if isinstance(value, list):
        for part in value[:MAX_ITEMS]:
            _walk(part, f"{at}/0", found)
        if value or not at:
            return
    if isinstance(value, dict) and value and len(value) <= OPEN:
        for name, part in value.items():
            _walk(part, f"{at}/{escape(name)}", found)
        return
    if at:
        found.setdefault(at, FieldValues()).add(value)


def _fault(at: str, seen: FieldValues) -> str:
    """Why a field is of no use; "" if it may be."""
    values = [value for value in seen.values if value not in _NOTHING]
    if not values:
        return "always empty" if seen.times >= SURE else ""
    naming = _names_something(at)
    faults = {
        "a link": _all_match(_LINK, values),
        "an opaque code": not naming and _all_match(_OPAQUE, values),
        "a long text": _mean_length(values) > LONG,
        "deep inside": len(_keys(at)) > DEEP,
        "always the same": not naming and _is_constant(seen),
    }
    return next((fault for fault, applies in faults.items() if applies), "")


def _mean_length(values: Sequence[object]) -> float:
    """Characters of a value on average; what is no text has none."""
    return sum(len(value) for value in values if isinstance(value, str)) / len(values)


def _names_something(at: str) -> bool:
    """Whether a field contains what a thing is called, by its last word."""
    last = words(_keys(at)[-1])[-1:] if _keys(at) else ()
    return bool(_NAMING.intersection(last))


def _all_match(pattern: re.Pattern[str], values: Sequence[object]) -> bool:
    return all(isinstance(value, str) and pattern.fullmatch(value.strip()) for value in values)


def _is_constant(seen: FieldValues) -> bool:
    """Whether a field had one value, seen often enough to believe it."""
    first = seen.values[0]
    return seen.times >= SURE and first not in _NOTHING and all(value == first for value in seen.values)


def _documented(operation: Operation) -> tuple[str, frozenset[str]]:
    """The operation's texts, and the names of the fields that are described."""
    success = operation.success
    schema = success.schema if success is not None else None
    described = [at.rpartition("/")[2] for at, part in schema.walk(6) if part.description] if schema else []
    return f"{operation.summary} {operation.description}", frozenset(described)


def _is_wanted(at: str, fault: str, documented: tuple[str, frozenset[str]]) -> bool:
    """Whether the documentation wants a field: the text names it in code; or it is described, and not plainly noise."""
    name = unescape(at.rpartition("/")[2])
    text, described = documented
    return f"`{name}`" in text or (name in described and fault not in NOISE)


def _keys(at: str) -> list[str]:
    """The keys of a pointer, without the places in lists."""
    return [unescape(part) for part in at.split("/") if part not in ("", "0")]


def _short(value: object) -> Json:
    if isinstance(value, str):
        return shortened(value, 60)
    return "…" if isinstance(value, dict | list) and value else value
