"""`creates`: the operation creates something, which another operation then returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from docrev.calls.creation_texts import carries_sent
from docrev.facts.call_values import own_list
from docrev.facts.creations import Created, ReadingsByPlace, concrete_path, place_of
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.observations import Observations
from docrev.json_values.leaves import MAX_ITEMS
from docrev.language.path_templates import ends_in_parameter
from docrev.records import Call, Fact, OperationKey


@dataclass(frozen=True)
class CreatedBy(Record):
    """The operation that returns what was created; the location of its id in the response, or whether a PUT also
    `replaces` what was there."""

    operation: str
    field: str | None = None
    replaces: bool | None = None


_MAX_PAIRS = 4
_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    """What a POST creates, and what a PUT creates or replaces, with the operation that returns it."""
    readings = ReadingsByPlace(chain.from_iterable(one.good for one in view.observations.values()), view.order)
    groups: dict[tuple[OperationKey, OperationKey, str], list[tuple[str, str]]] = {}
    for one in view.created:
        reading = next(_readings(readings, one), None)
        if reading is not None:
            field = one.field if one.call.key.method == "POST" else ""
            groups.setdefault((one.call.key, reading.key, field), []).append((one.call.id, reading.id))
    found: dict[OperationKey, Fact] = {}
    # An operation of one item says more than a list in which it is.
    for key, reader, field in sorted(groups, key=lambda group: (group[0], not ends_in_parameter(group[1].path), group)):
        value = CreatedBy(str(reader), field or None, True if key.method == "PUT" else None)
        told = field or (key.method == "PUT" and _replaces(view.observations[key], view.created))
        pairs = groups[key, reader, field]
        if told and len(pairs) >= _LEAST:
            calls = chain.from_iterable(pairs[:_MAX_PAIRS])
            found.setdefault(key, KIND.fact(key, "", value, calls))
    yield from found.values()


def _readings(readings: ReadingsByPlace, created: Created) -> Iterator[Call]:
    """The GETs that returned what was created: the item itself, or else the list that it lies in."""
    tool, path = created.item.tool, created.item.path
    items = (call for call in readings.at((tool, path)) if ends_in_parameter(call.key.path))
    sent = created.call.arguments.get("body:")
    yield from (call for call in items if place_of(call.body, created.id) or carries_sent(sent, call.body))
    yield from (call for call in readings.at((tool, path.rpartition("/")[0])) if _lists(call, created))


def _lists(call: Call, created: Created) -> bool:
    found = own_list(call)
    items = found.items[:MAX_ITEMS] if found is not None else []
    if found is not None and created.id in found.keys:
        return True
    return any(item == created.id or place_of(item, created.id, depth=1) for item in items)


def _replaces(seen: Observations, created: list[Created]) -> bool:
    """Whether a PUT also returned 2xx for something that was there already, twice."""
    creating = {one.call.id for one in created}
    there = {concrete_path(call) for call in seen.good if call.id in creating}
    again = [call for call in seen.good if call.id not in creating and concrete_path(call) in there]
    return len(again) >= _LEAST


KIND = Kind("creates", CreatedBy, OPERATION, from_calls=_from_calls)
