"""Concrete arguments for operations: what worked when it was called, what documents show, what names suggest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from docrev.conventions.examples import documented_values
from docrev.language.words import words
from docrev.records import Call, Json, OperationKey
from docrev.spec import MISSING, Operation, Schema
from docrev.train.data.invented import SOUGHT, invented
from docrev.train.data.vocabulary import BY_NAME

OPTIONAL = 0.3
"""How likely an optional parameter is told that need not be."""
BARE = 0.25
"""How likely a list is asked for without any of its filters."""
OURS = "docrev"
"""What values that the survey made up hold."""
_PAGING = frozenset({"page", "limit", "offset", "size", "count", "per", "cursor", "format", "callback", "key", "token"})
_NAMING = frozenset({"name", "title", "text", "label", "subject", "content", "message"})
_TOGETHER = (("from", "to"), ("lat", "lon"), ("lat", "lng"), ("latitude", "longitude"), ("start", "end"))
_BODY = "body:"


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place for a value: `wanted` where an instruction without it would ask for nothing."""

    location: str
    schema: Schema
    needed: bool
    wanted: bool
    example: Json
    description: str

    @property
    def words(self) -> tuple[str, ...]:
        return words(self.location.partition(":")[2])


class Values:
    """Arguments by operation; `calls` are those that were answered and of use.

    `gone` are operations that only ever worked on what the calls themselves had made: it is there no more.
    """

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        calls = list(calls)
        made = {value for call in calls if call.key.method == "POST" for value in _made(call)}
        self._seen: dict[OperationKey, list[dict[str, Json]]] = {}
        found = {call.key for call in calls}
        for call in calls:
            named = {str(value) for location, value in call.arguments.items() if location.startswith("path:")}
            sets = self._seen.setdefault(call.key, [])
            if call.arguments not in sets and not named & made:
                sets.append(call.arguments)
        self.gone = frozenset(key for key in found if not self._seen[key])

    def of(self, operation: Operation, random: Random) -> dict[str, Json]:
        """Arguments for one call, by location; all that are required, and some that are not."""
        sets = self._seen.get(operation.key, [])
        full = [one for one in sets if one]
        if sets:
            chosen = random.choice(full if full and random.random() > BARE else sets)
            return _natural(operation, dict(_flat(chosen)), random)
        slots = list(_slots(operation))
        told = {slot.location for slot in slots if slot.needed or slot.wanted or _is_chosen(slot, random)}
        open_ones = [slot for slot in slots if not _PAGING & set(slot.words)]
        if open_ones and not told and random.random() > BARE:
            told.add(random.choice(open_ones).location)
        told |= {other for slot in slots if slot.location in told for other in _partners(slot, slots)}
        found: dict[str, Json] = {}
        for slot in (one for one in slots if one.location in told):
            # What two ends are between differs, as far as there is a choice.
            value = next(
                (one for _ in range(5) if (one := _value(operation, slot, random)) not in found.values()), None
            )
            value = _value(operation, slot, random) if value is None else value
            if value is not None:
                found[slot.location] = value
        return _placed(found, slots)


def _is_chosen(slot: _Slot, random: Random) -> bool:
    return random.random() < OPTIONAL and not _PAGING & set(slot.words)


def _partners(slot: _Slot, slots: Iterable[_Slot]) -> Iterator[str]:
    """Where else a value is wanted along with this one: a longitude along with a latitude."""
    others = {other for pair in _TOGETHER for other in pair if slot.words[-1:] and slot.words[-1] in pair}
    yield from (one.location for one in slots if one.words[-1:] and one.words[-1] in others)


def _placed(found: dict[str, Json], slots: Iterable[_Slot]) -> dict[str, Json]:
    """Coordinates that were invented apart, as those of one place."""
    latitudes, longitudes = BY_NAME["latitude"], BY_NAME["longitude"]
    ways = {slot.location: slot.words[-1] for slot in slots if slot.words}
    at = next((latitudes.index(value) for value in found.values() if value in latitudes), None)
    if at is None:
        return found
    across = ("longitude", "lon", "lng")
    return {
        place: longitudes[at] if value in longitudes and ways.get(place) in across else value
        for place, value in found.items()
    }


def _natural(operation: Operation, arguments: dict[str, Json], random: Random) -> dict[str, Json]:
    """The arguments, with what docrev itself made up for a test said as anybody would, or left out."""
    slots = {slot.location: slot for slot in _slots(operation)}
    found: dict[str, Json] = {}
    for location, value in arguments.items():
        slot = slots.get(location)
        if slot is None or (not slot.needed and _PAGING & set(slot.words)):
            continue
        if not (isinstance(value, str) and OURS in value.casefold()):
            found[location] = value
        elif slot.needed or slot.wanted or location.startswith(_BODY):
            found[location] = _value(operation, slot, random)
    writes = operation.method in ("POST", "PUT", "PATCH") and not any(at.startswith(_BODY) for at in found)
    missing = [slot for slot in slots.values() if slot.wanted and slot.location.startswith(_BODY)] if writes else []
    return found | {slot.location: _value(operation, slot, random) for slot in missing}


def _made(call: Call) -> Iterator[str]:
    """What a call's answer names that was not sent: the id of what it made."""
    sent = set(_leaves(call.arguments))
    yield from (text for text in _leaves(call.body) if text not in sent and len(text) > 1)


def _leaves(value: Json) -> Iterator[str]:
    """The texts and numbers of an object; of lists none, as what they hold was there before."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def _flat(arguments: Mapping[str, Json]) -> Iterable[tuple[str, Json]]:
    """The arguments, a body by its properties, as a person would tell it."""
    for location, value in arguments.items():
        if location == _BODY and isinstance(value, dict):
            yield from ((f"{_BODY}/{name}", part) for name, part in value.items())
        else:
            yield location, value


def _slots(operation: Operation) -> Iterator[_Slot]:
    for one in operation.parameters:
        if one.location in ("path", "query"):
            example = None if one.example is MISSING else one.example
            needed = one.required or one.location == "path"
            wanted = bool(SOUGHT & set(words(one.name))) or words(one.name) in (("from",), ("to",))
            yield _Slot(one.key, one.schema, needed, wanted, example, one.description)
    body = operation.body.schema if operation.body is not None else None
    parts = [one for one in (body.properties() if body is not None else {}).items() if not one[1].get("readOnly")]
    named = [name for name, _ in parts if _NAMING & set(words(name))] or [name for name, _ in parts[:1]]
    for name, schema in parts:
        required = body is not None and name in body.required
        yield _Slot(f"{_BODY}/{name}", schema, required, name in named, None, schema.description)


def _value(operation: Operation, slot: _Slot, random: Random) -> Json:
    """The value that the document shows; else one that fits the name and the type."""
    shown = [slot.example] if slot.example not in (None, "") else documented_values(slot.schema)
    shown = [value for value in shown if value not in (None, "") and not isinstance(value, dict | list)]
    if shown:
        return random.choice(shown[:5])
    return invented(operation, slot.location, slot.schema, slot.description, random)
