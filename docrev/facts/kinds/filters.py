"""`filters`: a list has only items whose field has the value that was sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docrev.facts.call_values import argument, response_values
from docrev.facts.kind import PARAMETER, Facts, ItemField, Kind
from docrev.facts.parameter_trials import ListTrial, ParameterTrials, names_fit
from docrev.facts.wire_values import is_fraction, key_of
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    """Whether some items have the value that was sent, so that it is a real one, and others do not."""
    sent, value = argument(call.arguments, fact.location)
    rows = response_values(call, fact.value.removesuffix("/0"))
    having = {key_of(value) in map(key_of, row if isinstance(row, list) else [row]) for row in rows}
    return call.ok and sent and len(having) == 2


class _Candidate(NamedTuple):
    """A field that a parameter may filter by: `fit` is how well their names fit, `values` how many values showed it."""

    fit: int
    values: int
    field: str
    trial: ListTrial
    contrast: ListTrial


def _from_trials(trials: ParameterTrials) -> Facts:
    """A field that all items have with the value that was sent, while omitting it, or another value, gives others."""
    candidates = list(_candidates(trials))
    best = max(candidates, key=lambda one: one[:2], default=None)
    if best is None or (not best.fit and len(candidates) > 1):
        return
    calls = (best.trial.id, best.trial.trial.base.id, best.contrast.id)
    field = ItemField(f"{best.trial.location}/0{best.field}")
    yield KIND.fact(trials.key, trials.location, field, dict.fromkeys(calls))


def _candidates(trials: ParameterTrials) -> Iterator[_Candidate]:
    lists = [one for one in trials.lists if not is_fraction(one.value)]
    for field, shown in _common_fields(trials.location, [one for one in lists if one.items]).items():
        fit, values = names_fit(trials.location, field), len({one.key for one in shown})
        likely = (fit or values >= 2) and (fit == 3 or _any_narrowed(shown, field))
        contrast = trials.contrast(shown[0], lists) if likely else None
        if contrast is not None:
            yield _Candidate(fit, values, field, shown[0], contrast)


def _common_fields(location: str, lists: list[ListTrial]) -> dict[str, list[ListTrial]]:
    """The fields that have the value that was sent in all items of every changed list, with the lists."""
    found: dict[str, list[ListTrial]] = {}
    denied: set[str] = set()
    # All items may have the value anyway: then the list shows only that the filter is no other.
    for one in sorted(lists, key=lambda one: not one.changed):
        sent = one.key
        for field, values in one.fields.items():
            having = {value is not None and key_of(value) == sent for value in values}
            if False in having:
                # What is returned unchanged though some items have the value, and others not, is not chosen by it.
                denied |= {field} if one.changed or True in having else set()
            elif one.changed or names_fit(location, field) == 3:
                found.setdefault(field, []).append(one)
    return {field: shown for field, shown in found.items() if field not in denied}


def _any_narrowed(lists: list[ListTrial], field: str) -> bool:
    return any(_narrowed(one, field) for one in lists)


def _narrowed(one: ListTrial, field: str) -> bool:
    """Whether some items that are returned without the filter have another value."""
    return any(key_of(value) != one.key for value in one.fields_before.get(field, [""]))


KIND = Kind("filters", ItemField, PARAMETER, "choose", refutes=_refutes, from_trials=_from_trials)
