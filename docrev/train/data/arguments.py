"""Concrete arguments for operations: what worked when it was called, what documents show, what names suggest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from docrev.conventions.examples import documented_values
from docrev.conventions.parameters import PAGING, TECHNICAL, Role, role_of
from docrev.conventions.run_names import is_invented
from docrev.language.words import words
from docrev.prompts.briefs import listed_arguments
from docrev.records import Call, Json, OperationKey
from docrev.spec import MISSING, Operation, Schema
from docrev.train.data.invented_values import invented
from docrev.train.data.vocabulary import BY_NAME

OPTIONAL = 0.3
"""How likely an optional parameter is told that need not be."""
BARE = 0.25
"""How likely a list is asked for without any of its filters."""
DISTINCT_TRIES = 5
"""How often another value is drawn if one repeats."""
_NAMING = frozenset({"name", "title", "text", "label", "subject", "content", "message"})
_TOGETHER = (("from", "to"), ("lat", "lon"), ("lat", "lng"), ("latitude", "longitude"), ("start", "end"))
_BODY = "body:"


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place for a value: `wanted` if an instruction without it would ask for nothing."""

    location: str
    schema: Schema
    needed: bool
    wanted: bool
    example: Json
    description: str

    @property
    def words(self) -> tuple[str, ...]:
        return words(self.location.partition(":")[2])

    @property
    def pages(self) -> bool:
        """Whether it only says how much of a result is shown, or in which form."""
        return role_of(self.location.partition(":")[2], self.schema) in PAGING | TECHNICAL

    @property
    def is_worth_saying(self) -> bool:
        return self.needed or not self.pages

    @property
    def in_body(self) -> bool:
        return self.location.startswith(_BODY)


class ArgumentValues:
    """Arguments by operation; `calls` are those that were answered and of use.

    `gone` are operations that only ever worked on what the calls themselves had made: it is there no more.
    """

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        calls = list(calls)
        created = {value for call in calls if call.key.method == "POST" for value in _created_values(call)}
        self._seen: dict[OperationKey, list[dict[str, Json]]] = {}
        for call in calls:
            argument_sets = self._seen.setdefault(call.key, [])
            if call.arguments not in argument_sets and not _path_values(call) & created:
                argument_sets.append(call.arguments)
        self.gone = frozenset(key for key, argument_sets in self._seen.items() if not argument_sets)

    def of(self, operation: Operation, random: Random) -> dict[str, Json]:
        """Arguments for one call, by location; all that are required, and some that are not."""
        argument_sets = self._seen.get(operation.key, [])
        if argument_sets:
            full = [arguments for arguments in argument_sets if arguments]
            chosen = random.choice(full if full and random.random() > BARE else argument_sets)
            return _natural(operation, dict(listed_arguments(chosen)), random)
        return _invented_arguments(operation, random)


def _invented_arguments(operation: Operation, random: Random) -> dict[str, Json]:
    """Arguments for an operation that nobody was seen to call."""
    slots = list(_slots(operation))
    chosen = _chosen_locations(slots, random)
    chosen |= {partner for slot in slots if slot.location in chosen for partner in _partners(slot, slots)}
    arguments: dict[str, Json] = {}
    for slot in (slot for slot in slots if slot.location in chosen):
        value = _distinct_value(operation, slot, random, arguments)
        if value is not None:
            arguments[slot.location] = value
    return _placed(arguments, slots)


def _chosen_locations(slots: Sequence[_Slot], random: Random) -> set[str]:
    """Where values are sent: what is needed, and some of the rest."""
    chosen = {slot.location for slot in slots if slot.needed or slot.wanted or _is_chosen(slot, random)}
    filters = [slot for slot in slots if not slot.pages]
    if filters and not chosen and random.random() > BARE:
        chosen.add(random.choice(filters).location)
    return chosen


def _distinct_value(operation: Operation, slot: _Slot, random: Random, arguments: Mapping[str, object]) -> Json:
    """A value unlike the other arguments, as far as there is a choice: the two ends of a route differ."""
    for _ in range(DISTINCT_TRIES):
        value = _value(operation, slot, random)
        if value not in arguments.values():
            return value if value is not None else _value(operation, slot, random)
    return _value(operation, slot, random)


def _is_chosen(slot: _Slot, random: Random) -> bool:
    return random.random() < OPTIONAL and not slot.pages


def _path_values(call: Call) -> set[str]:
    return {str(value) for location, value in call.arguments.items() if location.startswith("path:")}


def _partners(slot: _Slot, slots: Iterable[_Slot]) -> Iterator[str]:
    """Where else a value is wanted along with this one: a longitude along with a latitude."""
    others = {other for pair in _TOGETHER for other in pair if slot.words[-1:] and slot.words[-1] in pair}
    yield from (one.location for one in slots if one.words[-1:] and one.words[-1] in others)


def _placed(found: dict[str, object], slots: Iterable[_Slot]) -> dict[str, Json]:
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


def _natural(operation: Operation, arguments: dict[str, object], random: Random) -> dict[str, Json]:
    """The arguments, with what docrev itself made up for a test said as anybody would, or left out."""
    slots = {slot.location: slot for slot in _slots(operation)}
    natural: dict[str, Json] = {}
    for location, value in arguments.items():
        slot = slots.get(location)
        if slot is None or not slot.is_worth_saying:
            continue
        if not is_invented(value):
            natural[location] = value
        elif slot.needed or slot.wanted or slot.in_body:
            natural[location] = _value(operation, slot, random)
    return natural | _body_of_a_write(operation, natural, slots.values(), random)


def _body_of_a_write(
    operation: Operation, arguments: Mapping[str, object], slots: Iterable[_Slot], random: Random
) -> dict[str, Json]:
    """Values for the body of a write that sends none; {} if it sends one."""
    if operation.method in ("POST", "PUT", "PATCH") and not any(at.startswith(_BODY) for at in arguments):
        wanted = [slot for slot in slots if slot.wanted and slot.in_body]
        return {slot.location: _value(operation, slot, random) for slot in wanted}
    return {}


def _created_values(call: Call) -> Iterator[str]:
    """What a call's answer names that was not sent: the id of what it made."""
    sent = set(_leaves(call.arguments))
    yield from (text for text in _leaves(call.body) if text not in sent and len(text) > 1)


def _leaves(value: object) -> Iterator[str]:
    """The texts and numbers of an object; of lists none, as what they hold was there before."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def _slots(operation: Operation) -> Iterator[_Slot]:
    for parameter in operation.parameters:
        if parameter.location in ("path", "query"):
            example = None if parameter.example is MISSING else parameter.example
            needed = parameter.required or parameter.location == "path"
            sought = role_of(parameter.name, parameter.schema) is Role.SEARCH
            wanted = sought or words(parameter.name) in (("from",), ("to",))
            yield _Slot(parameter.key, parameter.schema, needed, wanted, example, parameter.description)
    if operation.body_schema is not None:
        yield from _body_slots(operation.body_schema)


def _body_slots(body: Schema) -> Iterator[_Slot]:
    writable = {name: schema for name, schema in body.properties().items() if not schema.get("readOnly")}
    naming = [name for name in writable if _NAMING & set(words(name))] or list(writable)[:1]
    for name, schema in writable.items():
        yield _Slot(f"{_BODY}/{name}", schema, name in body.required, name in naming, None, schema.description)


def _value(operation: Operation, slot: _Slot, random: Random) -> Json:
    """The value that the document shows; else one that fits the name and the type."""
    documented = [slot.example] if slot.example not in (None, "") else documented_values(slot.schema)
    documented = [value for value in documented if value not in (None, "") and not isinstance(value, dict | list)]
    if documented:
        return random.choice(documented[:5])
    return invented(operation, slot.location, slot.schema, slot.description, random)
