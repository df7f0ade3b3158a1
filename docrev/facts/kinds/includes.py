"""`includes`: items whose field is true are listed only if the parameter is true."""

from __future__ import annotations

from docrev.facts.call_values import response_values
from docrev.facts.kind import PARAMETER, Facts, ItemField, Kind
from docrev.facts.parameter_trials import ParameterTrials, names_fit
from docrev.facts.wire_values import key_of
from docrev.records import Call, Fact, Json


def _refutes(fact: Fact, call: Call) -> bool:
    asked = key_of(call.arguments.get(fact.location, False)) not in ("false", "")
    return call.ok and not asked and any(value is True for value in response_values(call, fact.value))


def _from_trials(trials: ParameterTrials) -> Facts:
    """A field that is true of some items if `true` is sent, and of none if `false` is, or nothing."""
    lists = {one.key: one for one in reversed(trials.lists) if one.items}
    asked, plain = lists.get("true"), lists.get("false")
    if asked is None or plain is None or trials.same(asked.trial, plain.trial):
        return
    for field, values in asked.fields.items():
        never = _never_true(plain.fields.get(field)) and _never_true(plain.fields_before.get(field))
        if never and not _never_true(values) and False in values and names_fit(trials.location, field):
            calls = (asked.trial.base.id, asked.id, plain.id)
            yield KIND.fact(trials.key, trials.location, ItemField(f"{asked.location}/0{field}"), calls)
            return


def _never_true(values: list[Json] | None) -> bool:
    return values is not None and not any(value is True for value in values)


KIND = Kind("includes", ItemField, PARAMETER, "choose", refutes=_refutes, from_trials=_from_trials)
