"""`withheld`: the response to a change has null for what the thing had before, and has afterwards; the value is the
operation that returns it."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.evidence.queries import reader_at
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite
from docrev.json_values.leaves import members
from docrev.json_values.pointer import find
from docrev.records import Call, Json, OperationKey

_LEAST, _SHOWN = 2, 5
"""Changes that must have been answered so, and those that a fact names."""
_DEPTH = 2


def _from_calls(view: EvidenceView) -> Facts:
    lacking: dict[tuple[OperationKey, str], list[str]] = {}
    given: set[tuple[OperationKey, str]] = set()
    for call, before, after in _changes(view):
        for at, value in members(call.body, depth=_DEPTH):
            if value is not None:
                given.add((call.key, at))
            # What nobody had seen before the change may be what the server works out later.
            elif find(before, at)[1] is not None and find(after, at)[1] is not None:
                lacking.setdefault((call.key, f"{call.status}:{at}"), []).append(call.id)
    for (key, location), calls in sorted(lacking.items()):
        reader = reader_at(view.observations, key.tool, key.path)
        if len(calls) >= _LEAST and reader is not None and (key, location.partition(":")[2]) not in given:
            yield KIND.fact(key, location, TextValue(str(reader.key)), calls[:_SHOWN])


def _changes(view: EvidenceView) -> Iterator[tuple[Call, Json, Json]]:
    """Each change of a thing, with what the last readings before and after it returned."""
    read: dict[tuple[str, str], Json] = {}
    for one in view.writes:
        before, after = read.get(one.place), _read_after(one)
        read[one.place] = after if after is not None else before
        if one.call.key.method != "POST":
            yield one.call, before, after


def _read_after(one: AcceptedWrite) -> Json:
    """What the last reading of a thing after a write returned; None if nobody read it then."""
    return one.reads[-1] if one.reads else None


KIND = Kind("withheld", TextValue, RESPONSE, from_calls=_from_calls)
