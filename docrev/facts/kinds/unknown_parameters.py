"""`unknown-parameters`: what becomes of query parameters that nobody declared: `ignored`, `rejected` or `filter`.

With a sign behind it (`ignored _`): of those that begin with the sign that declared ones begin with, unlike others.
"""

from __future__ import annotations

from docrev.facts.kind import OPERATION, Facts, Kind, Replay, TextValue
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.status_causes import FAULT
from docrev.facts.trials import UNKNOWN, TrialCalls, items_at, list_in
from docrev.grouping import grouped

_MIN_NAMES = 2
"""Undeclared names that must have been treated alike."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """What a query parameter does that nobody declared: all names that were tried must do the same."""
    if trials.location != UNKNOWN:
        return
    by_sign = grouped((_sign(one), one) for one in trials.sent)
    effects = {sign: _common_effect(trials, tried) for sign, tried in by_sign.items()}
    plain = effects.get("", "")
    contrast = trials.operation.effective(beside=UNKNOWN) if plain == "ignored" else None
    if plain and (contrast is not None or plain != "ignored"):
        calls = _calls(by_sign[""]) | dict.fromkeys(contrast.calls if contrast else ())
        yield KIND.fact(trials.key, "", TextValue(plain), calls)
    for sign, effect in effects.items():
        # That others do something shows that this list heeds such parameters at all.
        if sign and effect == "ignored" and plain not in ("", "ignored"):
            yield KIND.fact(trials.key, "", TextValue(f"{effect} {sign}"), _calls(by_sign[sign]))


def _sign(one: TrialCalls) -> str:
    """The sign that the parameter begins with that was sent beside those of the base; "" if it is a letter."""
    names = [at.partition(":")[2] for at in one.call.arguments if at not in one.base.arguments]
    return names[0][0] if names and names[0] and not names[0][0].isalnum() else ""


def _common_effect(trials: ParameterTrials, tried: list[TrialCalls]) -> str:
    does = {_effect(trials, one) for one in tried}
    are_enough = len({one.call.id for one in tried}) >= _MIN_NAMES and trials.comparable
    return does.pop() if are_enough and len(does) == 1 else ""


def _calls(tried: list[TrialCalls]) -> dict[str, None]:
    return dict.fromkeys([tried[0].base.id, *(one.call.id for one in tried[:2])])


def _effect(trials: ParameterTrials, one: TrialCalls) -> str:
    # Each of the names failed, beside what was accepted: that is how this API refuses.
    if one.rejected or one.call.status == FAULT:
        return "rejected"
    found = list_in(one.base)
    if not one.ok or not one.base.body or (found is not None and not found.items):
        return ""
    if trials.same(one):
        return "ignored"
    return "filter" if found is not None and items_at(one.call, found.pointer) == [] else ""


KIND = Kind("unknown-parameters", TextValue, OPERATION, replay=Replay(trials=2), from_trials=_from_trials)
