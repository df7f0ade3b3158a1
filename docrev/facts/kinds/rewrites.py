"""`rewrites`: what sending a list in a change does with the members that the thing has: it replaces them, or adds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from docrev.facts.call_values import MAX_NAMED
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite
from docrev.json_values.canonical import canonical
from docrev.records import Json, OperationKey

REPLACED, ADDED = "replaced", "added"
_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    """For each list of a body: what became of the members that were there before and were not sent again."""
    everything = chain.from_iterable(view.outcomes.values())
    held: dict[tuple[str, str, str], list[Json]] = {}
    seen: dict[tuple[OperationKey, str], dict[str, list[str]]] = {}
    for one in sorted(everything, key=lambda one: view.order[one.call.id]):
        for name, sent in _lists(one):
            there = (one.call.key.tool, one.thing, name)
            now = next((state[name] for state in reversed(one.states) if isinstance(state.get(name), list)), None)
            if now is None:
                held.pop(there, None)
                continue
            if one.call.key.method in ("PUT", "PATCH") and (fate := _fate(held.get(there, []), sent, now)):
                seen.setdefault((one.call.key, name), {}).setdefault(fate, []).append(one.call.id)
            held[there] = now
    for (key, name), by_fate in sorted(seen.items()):
        [fate, calls], *others = by_fate.items()
        if not others and len(calls) >= _LEAST:
            yield KIND.fact(key, f"body:/{name}", TextValue(fate), calls[:MAX_NAMED])


def _lists(one: AcceptedWrite) -> Iterator[tuple[str, list[Json]]]:
    members = one.body.items() if isinstance(one.body, dict) else ()
    return ((name, value) for name, value in members if isinstance(value, list) and value)


def _fate(before: list[Json], sent: list[Json], now: list[Json]) -> str:
    """What a change did with a list that had something else before; "" if that does not show."""
    old, new, there = ({*map(canonical, values)} for values in (before, sent, now))
    if not old - new or not new <= there:
        return ""
    return REPLACED if there == new else ADDED if there == old | new else ""


KIND = Kind("rewrites", TextValue, PROPERTY, from_calls=_from_calls)
