"""`fills`: fields are null or left out unless a parameter has a certain value: `metadata`, without `detailed=true`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docrev.conventions.ids import ids_of
from docrev.conventions.parameters import Role, role_of
from docrev.facts.call_values import ids
from docrev.facts.comparable_reads import between_writes, request_without
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PARAMETER, Facts, Kind, Pair, Record, Replay
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of
from docrev.json_values.containers import mapping
from docrev.records import Call, Fact, Json, OperationKey

_DEPTH = 2
MAX_FIELDS = 4
"""Fields that are named, at most; of more there is another shape, which a list of names does not tell."""
_CHOOSING = frozenset({Role.FIELDS, Role.SEARCH, Role.PAGE, Role.OFFSET, Role.CURSOR, Role.PAGE_SIZE})
"""Roles of parameters that say themselves what is returned, or that return other things."""


@dataclass(frozen=True)
class FilledIn(Record):
    """The value, and the fields that have something with it alone, with dots; `null` if they are there without it, too,
    and null; `listed` if they are the fields of the items of a list."""

    value: str
    fields: list[str]
    null: bool
    listed: bool


def _from_calls(view: EvidenceView) -> Facts:
    """What one argument fills in of what was read without it, too, with nothing written in between."""
    found: dict[tuple[OperationKey, str, str], tuple[Call, Call]] = {}
    for reads in between_writes(view.calls):
        plain = {request_without(call): call for call in reads if call.ok}
        for call in reads:
            for at, value in call.arguments.items() if call.ok else ():
                before = plain.get(request_without(call, at)) if _may_fill(view, call.key, at, value) else None
                if before is not None and filled(before, call, at) is not None:
                    found.setdefault((call.key, at, key_of(value)), (before, call))
    for (key, at, _), calls in sorted(found.items(), key=lambda one: one[0]):
        if (shown := filled(*calls, at)) is not None:
            yield KIND.fact(key, at, shown, ids(calls))


def _may_fill(view: EvidenceView, key: OperationKey, location: str, value: Json) -> bool:
    """Whether an argument says in which form things are returned: a switch, or a declared choice."""
    parameter = view.catalog[key].parameter(location) if location.startswith("query:") else None
    is_choice = parameter is not None and value in (parameter.schema.enum or ())
    return parameter is not None and (value is True or is_choice) and role_of(parameter.name) not in _CHOOSING


def filled(before: Call, call: Call, location: str) -> FilledIn | None:
    """What a call has that the same without the argument at a location has not, of the same things; None if nothing,
    or if something is missing in turn."""
    less, more = list_in(before), list_in(call)
    if (less is None) != (more is None):
        return None
    if less is not None and more is not None:
        if not less.items or ids_of(less) != ids_of(more) or None in ids_of(less):
            return None
        pairs = [*zip(less.items, more.items, strict=True)]
    else:
        pairs = [(before.body, call.body)]
    added = _added(pairs)
    if not added or len(added) > MAX_FIELDS or _added([(now, then) for then, now in pairs]):
        return None
    return FilledIn(key_of(call.arguments[location]), sorted(added), all(added.values()), more is not None)


def _added(pairs: Iterable[tuple[Json, Json]]) -> dict[str, bool]:
    """The fields with a value in the second of each pair of objects alone; whether they are null in the first."""
    found: dict[str, bool] = {}
    had: set[str] = set()
    for before, after in pairs:
        for name, is_there, then, now in _fields(before, after):
            if then is not None:
                had.add(name)
            elif now is not None:
                found[name] = is_there and found.get(name, True)
    return {name: is_null for name, is_null in found.items() if name not in had}


def _fields(before: Json, after: Json, above: str = "", depth: int = _DEPTH) -> Iterator[tuple[str, bool, Json, Json]]:
    """(name, whether the first object has it, its value there, and in the second), also of objects in both."""
    old, new = mapping(before), mapping(after)
    for name, now in new.items():
        then = old.get(name)
        yield f"{above}{name}", name in old, then, now
        if depth > 1 and isinstance(then, dict) and isinstance(now, dict):
            yield from _fields(then, now, f"{above}{name}.", depth - 1)


def _source(fact: Fact) -> str:
    return str(fact.key)


def _shows(fact: Fact, before: Call, call: Call) -> bool:
    """Whether two calls show it again, the first without the argument, and nothing else different."""
    is_sent = fact.location in call.arguments and fact.location not in before.arguments
    is_pair = is_sent and before.ok and call.ok and request_without(before) == request_without(call, fact.location)
    shown = filled(before, call, fact.location) if is_pair else None
    return shown is not None and shown.to_json() == fact.value


KIND = Kind("fills", FilledIn, PARAMETER, replay=Replay(weight=4, pair=Pair(_source, _shows)), from_calls=_from_calls)
