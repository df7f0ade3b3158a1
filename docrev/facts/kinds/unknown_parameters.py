"""`unknown-parameters`: what becomes of query parameters that nobody declared: `ignored`, `rejected` or `filter`."""

from __future__ import annotations

from docrev.facts.kind import OPERATION, Facts, Kind, Replay, TextValue
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.trials import UNKNOWN, TrialCalls, items_at, list_in

_MIN_NAMES = 2
"""Undeclared names that must have been treated alike."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """What a query parameter does that nobody declared: all names that were tried must do the same."""
    does = {_effect(trials, one) for one in trials.sent}
    if len({one.call.id for one in trials.sent}) < _MIN_NAMES or not trials.comparable or len(does) != 1:
        return
    contrast = trials.operation.effective(beside=UNKNOWN) if does == {"ignored"} else None
    if does != {""} and (contrast is not None or does != {"ignored"}):
        ids = (one.call.id for one in trials.sent[:2])
        calls = dict.fromkeys((trials.sent[0].base.id, *ids, *(contrast.calls if contrast else ())))
        yield KIND.fact(trials.key, "", TextValue(does.pop()), calls)


def _effect(trials: ParameterTrials, one: TrialCalls) -> str:
    if one.rejected:
        return "rejected"
    found = list_in(one.base)
    if not one.ok or not one.base.body or (found is not None and not found.items):
        return ""
    if trials.same(one):
        return "ignored"
    return "filter" if found is not None and items_at(one.call, found.pointer) == [] else ""


KIND = Kind("unknown-parameters", TextValue, OPERATION, replay=Replay(trials=2), from_trials=_from_trials)
