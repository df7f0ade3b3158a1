"""`sets`: an action brings its thing into a state: `POST /tickets/{id}/close` sets `status` to `closed`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.state_changes import StateChange, passes
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.json_values.pointer import find
from docrev.records import Call, Json
from docrev.spec import Schema
from docrev.spec.schema import properties_of

_LEAST = 2
"""Calls that must have changed a field to the same value."""
_LASTING = frozenset({"running", "playing", "recording"})
"""States called like those that pass by themselves, but in which things may stay until somebody ends them."""


@dataclass(frozen=True)
class StateSet(Record):
    """The field of the thing, its value from then on, and what the body chose, if it chooses between actions."""

    field: str
    value: Json
    chosen: Json = None


def _from_calls(view: EvidenceView) -> Facts:
    for key, changes in sorted(grouped((one.call.key, one) for one in view.changes).items()):
        parts = properties_of(view.catalog[key].body_schema)
        for alike in grouped((canonical(choices(parts, one.call)), one) for one in changes).values():
            chosen = choices(parts, alike[0].call)
            yield from (
                KIND.fact(key, "", StateSet(at, value, chosen or None), shown)
                for at, value, shown in _set_by_all(alike)
            )


def choices(parts: Mapping[str, Schema], call: Call) -> dict[str, Json]:
    """What the body of a call has for the properties that are true or false, or one of a few values."""
    sent = mapping(call.arguments.get("body:"))
    return {name: sent[name] for name, part in parts.items() if name in sent and (part.enum or part.type == "boolean")}


def _set_by_all(alike: Sequence[StateChange]) -> Iterator[tuple[str, Json, tuple[str, ...]]]:
    """(pointer, value, ids of calls) of the fields that several calls changed to a value which they have after
    all of them, and not only from a state that passes by itself."""
    changed = grouped((at, (value, one)) for one in alike for at, value in _changed_by_call(one))
    for at, found in changed.items():
        values = {canonical(value) for value, _ in found}
        after = {canonical(find(one.after.body, at)[1]) for one in alike if _shows_field(one, at)}
        if len(found) >= _LEAST and len(values) == 1 and after == values:
            shown = (part for _, one in found[:_LEAST] for part in (one.before, one.call, one.after))
            yield at, found[0][0], ids(shown)


def _shows_field(one: StateChange, at: str) -> bool:
    """Whether a thing was shown with a field there: readings of another form, as of a list, have it elsewhere."""
    return find(one.before.body, at)[0] or find(one.after.body, at)[0]


def _changed_by_call(one: StateChange) -> Iterator[tuple[str, Json]]:
    """(pointer, new value) of the fields that were not about to change by themselves."""
    for at, old, value in one.fields():
        if not (isinstance(old, str) and passes(old)) or old.lower() in _LASTING:
            yield at, value


KIND = Kind("sets", StateSet, OPERATION, from_calls=_from_calls)
