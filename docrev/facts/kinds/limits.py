"""`limits`: a list has at most as many items as the number that was sent."""

from __future__ import annotations

from docrev.facts.call_values import argument
from docrev.facts.kind import PARAMETER, Facts, Kind, Location
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.wire_values import whole_number
from docrev.json_values.leaves import values_at
from docrev.records import Call, Fact


def _from_trials(trials: ParameterTrials) -> Facts:
    """As many items as were asked for, for two numbers; never more, nor fewer though that many are there."""
    counted = [(n, one) for one in trials.lists if (n := whole_number(one.value)) is not None and n >= 1]
    full = {n: one for n, one in reversed(counted) if len(one.items) == n}
    if len(full) >= 2 and all(min(n, len(one.before)) <= len(one.items) <= n for n, one in counted):
        calls = (full[n].id for n in sorted(full)[:2])
        yield KIND.fact(trials.key, trials.location, Location(counted[0][1].location), calls)


def _refutes(fact: Fact, call: Call) -> bool:
    """Whether more items were returned than were asked for."""
    status, _, pointer = KIND.value_of(fact).text.partition(":")
    most = whole_number(argument(call.arguments, fact.location)[1])
    lists = values_at(call.body, pointer) if str(call.status) == status else []
    return most is not None and most >= 1 and any(isinstance(found, list) and len(found) > most for found in lists)


KIND = Kind("limits", Location, PARAMETER, "window", from_trials=_from_trials, refutes=_refutes)
