"""What the removals at the end of a run show: a deletion is made once only while a run explores, and never repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from docrev.conventions.disguised_errors import is_disguised
from docrev.conventions.statuses import MEANINGS, ON_ARGUMENTS
from docrev.evidence import Evidence
from docrev.facts.kinds import status
from docrev.facts.status_causes import Cause
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.records import Call, Fact
from docrev.spec import Operation

_MAX_CALLS = 20
_MIN_CALLS = 2
"""Removals of different things that show a status, as a call and its repetition do elsewhere."""
_MAX_NAMED = 5


def removals(evidence: Evidence, operation: Operation) -> tuple[Call, ...]:
    """What a run removed at its end by an operation, each of it another thing."""
    if operation.method != "DELETE":
        return ()
    removed = evidence.calls.select(key=operation.key, purpose="clean-up", ok=True)
    return tuple(islice((call for call in removed if not is_disguised(call)), _MAX_CALLS))


def refused_removals(evidence: Evidence, operation: Operation) -> tuple[Call, ...]:
    """What a run could not remove at its end by an operation, because of what the things are, each of it once."""
    if operation.method != "DELETE":
        return ()
    refused = evidence.calls.select(key=operation.key, purpose="clean-up", ok=False)
    by_thing = {canonical(call.arguments): call for call in refused if call.status in ON_ARGUMENTS}
    return tuple(islice(by_thing.values(), _MAX_CALLS))


def with_statuses(
    facts: Mapping[str, Sequence[Fact]], operation: Operation, made: Sequence[Call]
) -> dict[str, list[Fact]]:
    """The facts on an operation by location, with the statuses that these removals show and no fact states."""
    found = {location: list(of_location) for location, of_location in facts.items()}
    stated = {status.KIND.value_of(fact).status for fact in found.get("", ()) if fact.kind == "status"}
    by_status = grouped((call.status, call.id) for call in made if call.status is not None)
    for code, calls in sorted(by_status.items()):
        if code not in stated and len(calls) >= _MIN_CALLS and code in MEANINGS:
            fact = status.KIND.fact(operation.key, "", Cause(code, MEANINGS[code]), calls[:1])
            found.setdefault("", []).append(replace(fact, replays=tuple(calls[1:_MAX_NAMED])))
    return found
