"""`spelled`: how a list in a query must be written, where it is refused as its document says: as JSON, or in one text
with commas between the values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from docrev.calls.path_texts import plain
from docrev.conventions.statuses import is_client_error
from docrev.facts.call_values import call_values
from docrev.facts.kind import PARAMETER, Facts, Kind, TextValue
from docrev.facts.parameter_trials import ParameterTrials
from docrev.records import Call, Fact, Json

JSON, COMMAS = "json", "commas"


def spellings(values: list[Json]) -> dict[str, str]:
    """A list as texts that stand for it, by how they are written: not as a list itself is compared."""
    return {JSON: json.dumps(values), COMMAS: ",".join(map(plain, values))}


def _from_trials(trials: ParameterTrials) -> Facts:
    """A list was refused, and the same one was accepted in another spelling."""
    if not trials.location.startswith("query:"):
        return
    taken = {value: call for value, call in trials.accepted if isinstance(value, str)}
    if any(is_several(value) for value, _ in trials.accepted):
        return
    for call_id, values in _refused(trials):
        for form, text in spellings(values).items():
            if text in taken:
                yield KIND.fact(trials.key, trials.location, TextValue(form), (taken[text], call_id))
                return


def _refused(trials: ParameterTrials) -> Iterator[tuple[str, list[Json]]]:
    """(call, list) for each list of several values that was refused."""
    for one in trials.sent:
        if isinstance(one.value, list) and is_several(one.value) and is_client_error(one.call.status or 0):
            yield one.call.id, one.value


def is_several(value: Json) -> bool:
    """Whether a value is a list that a query may have in more than one spelling."""
    return isinstance(value, list) and len(value) > 1


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok and any(map(is_several, call_values(call, fact.location)))


KIND = Kind("spelled", TextValue, PARAMETER, refutes=_refutes, from_trials=_from_trials)
