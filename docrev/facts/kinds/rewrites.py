"""`rewrites`: what sending a list in a change does with the members that the thing has: it replaces them, or adds.

Of a text it is a fact only where the document says that it adds: that a text replaces the one before is what one
expects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.facts.call_values import MAX_NAMED
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite, agreed
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.records import Json, OperationKey
from docrev.spec.schema import properties_of

REPLACED, ADDED = "replaced", "added"
ADDS = re.compile(r"\b(?:to add|to append|added|appended|adds|additional)\b", re.IGNORECASE)
"""How documents say that what is sent is put to what is there."""
_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    """For each list or text of a body: what became of what was there before and was not sent again."""
    held: dict[tuple[str, str, str], Json] = {}
    seen: dict[tuple[OperationKey, str], dict[str, list[str]]] = {}
    for one in view.writes:
        for name, sent in _rewritten(one, view):
            there = (*one.place, name)
            now = next((state[name] for state in reversed(one.states) if type(state.get(name)) is type(sent)), None)
            if now is None:
                held.pop(there, None)
                continue
            if one.call.key.method in ("PUT", "PATCH") and (fate := _fate(held.get(there), sent, now)):
                seen.setdefault((one.call.key, name), {}).setdefault(fate, []).append(one.call.id)
            held[there] = now
    for (key, name), fate, calls in agreed(seen):
        if len(calls) >= _LEAST:
            yield KIND.fact(key, f"body:/{name}", TextValue(fate), calls[:MAX_NAMED])


def _rewritten(one: AcceptedWrite, view: EvidenceView) -> Iterator[tuple[str, Json]]:
    """The lists of a body, and the texts that are said to be added to what is there."""
    declared = properties_of(view.catalog[one.call.key].body_schema)
    for name, value in mapping(one.body).items():
        is_added = name in declared and ADDS.search(declared[name].description) is not None
        if value and (isinstance(value, list) or (isinstance(value, str) and is_added)):
            yield name, value


def _fate(before: Json, sent: Json, now: Json) -> str:
    """What a change did with a list or text that had something else before; "" if that does not show."""
    if isinstance(before, list) and isinstance(sent, list) and isinstance(now, list):
        return _fate_of_list(*({*map(canonical, values)} for values in (before, sent, now)))
    if isinstance(before, str) and isinstance(sent, str) and isinstance(now, str):
        return _fate_of_text(before, sent, now)
    return ""


def _fate_of_list(old: set[str], new: set[str], there: set[str]) -> str:
    if not old - new or not new <= there:
        return ""
    return REPLACED if there == new else ADDED if there == old | new else ""


def _fate_of_text(old: str, new: str, there: str) -> str:
    if not old or old in new:
        return ""
    return REPLACED if there == new else ADDED if old in there and new in there else ""


KIND = Kind("rewrites", TextValue, PROPERTY, from_calls=_from_calls)
