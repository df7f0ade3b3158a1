"""`withheld`: the response to a change has null for what the thing had before, and has afterwards; the value is the
operation that returns it."""

from __future__ import annotations

from itertools import chain

from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite
from docrev.json_values.leaves import members
from docrev.json_values.pointer import find
from docrev.records import Json, OperationKey

_LEAST, _SHOWN = 2, 5
"""Changes that must have been answered so, and those that a fact names."""
_DEPTH = 2


def _from_calls(view: EvidenceView) -> Facts:
    read: dict[tuple[str, str], Json] = {}
    lacking: dict[tuple[OperationKey, str], list[str]] = {}
    given: set[tuple[OperationKey, str]] = set()
    everything = chain.from_iterable(view.outcomes.values())
    for one in sorted(everything, key=lambda one: view.order[one.call.id]):
        thing = one.call.key.tool, one.thing
        before, after = read.get(thing), _read_after(one)
        read[thing] = after if after is not None else before
        for at, value in members(one.call.body, depth=_DEPTH) if one.call.key.method != "POST" else ():
            if value is not None:
                given.add((one.call.key, at))
            # What nobody had seen before the change may be what the server works out later.
            elif find(before, at)[1] is not None and find(after, at)[1] is not None:
                lacking.setdefault((one.call.key, f"{one.call.status}:{at}"), []).append(one.call.id)
    readers = {key: view.catalog.get(OperationKey(key.tool, f"GET {key.path}")) for key, _ in lacking}
    for (key, location), calls in sorted(lacking.items()):
        reader = readers[key]
        if len(calls) >= _LEAST and reader is not None and (key, location.partition(":")[2]) not in given:
            yield KIND.fact(key, location, TextValue(str(reader.key)), calls[:_SHOWN])


def _read_after(one: AcceptedWrite) -> Json:
    """What the last reading of a thing after a write returned; None if nobody read it then."""
    return one.states[-1] if one.states and one.states[-1] is not one.call.body else None


KIND = Kind("withheld", TextValue, RESPONSE, from_calls=_from_calls)
