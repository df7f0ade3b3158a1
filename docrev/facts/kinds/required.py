"""`required`: a request without this parameter, property or body is refused."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.call_values import argument
from docrev.facts.fact_values import Holds
from docrev.facts.kind import ARGUMENT, Kind
from docrev.facts.parameter_trials import ParameterTrials
from docrev.json_values import pointer as pointers
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    """Whether a call without it was accepted; a property can be missing only in a parent that was sent."""
    parent = pointers.parent(fact.location)
    parent_sent = not parent.startswith("body:") or argument(call.arguments, parent)[0]
    return call.ok and parent_sent and not argument(call.arguments, fact.location)[0]


def _from_trials(trials: ParameterTrials) -> Iterator[Fact]:
    """A call without what the base has was rejected."""
    for one in trials.all:
        if not one.sent and one.rejected and argument(one.base.arguments, trials.location)[0]:
            yield KIND.fact(trials.key, trials.location, Holds(), (one.call.id, one.base.id))
            return


KIND = Kind(
    "required",
    Holds,
    about=ARGUMENT,
    refutes=_refutes,
    proves_read=True,
    from_trials=_from_trials,
)
