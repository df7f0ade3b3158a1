"""`range`: a number below the minimum, or above the maximum, is refused."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.error_claims import Hint
from docrev.facts.call_values import call_values
from docrev.facts.kind import Ends, Facts
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.stated_facts import stated_kind
from docrev.facts.wire_values import is_fraction, number, whole_number
from docrev.records import Call, Fact


def number_at(location: str, value: object) -> float | int | None:
    """The number that a value at a location is: a text in a body is none."""
    return None if location.startswith("body:") and isinstance(value, str) else number(value)


def _refutes(fact: Fact, call: Call) -> bool:
    numbers = [number_at(fact.location, value) for value in call_values(call, fact.location)]
    return any(n is not None and KIND.value_of(fact).excludes(n) for n in numbers)


def _from_trials(trials: ParameterTrials) -> Facts:
    """Bounds that were accepted, with the next whole number beyond them rejected, as was all that is further out.

    One number alone that is accepted is no end of a range, unless a message says so: others may be choices, too.
    """
    accepted = _accepted_numbers(trials)
    if not accepted or trials.states("allowed-values"):
        return
    rejected = _rejected_numbers(trials)
    whole, ends, calls = _takes_whole_numbers(trials), dict[str, int](), list[str]()
    for end, bound, step in (("minimum", min(accepted), -1), ("maximum", max(accepted), 1)):
        stated = bound in [float(values[0]) for values, _ in trials.statements(end)]
        is_end = stated or (whole and len(accepted) > 1)
        if bound + step in rejected and is_end and float(bound).is_integer():
            ends[end] = int(bound)
            calls += [accepted[bound], rejected[int(bound) + step]]
    if ends:
        yield KIND.fact(trials.key, trials.location, Ends(**ends), dict.fromkeys(calls))


def _accepted_numbers(trials: ParameterTrials) -> dict[float | int, str]:
    """The numbers that were accepted, each with a call."""
    numbers = ((number_at(trials.location, value), call) for value, call in trials.accepted)
    return {n: call for n, call in numbers if n is not None}


def _rejected_numbers(trials: ParameterTrials) -> dict[int | None, str]:
    """The whole numbers that were rejected, each with a call; what is none is None."""
    rejected = [one for one in trials.sent if one.rejected]
    return {whole_number(number_at(trials.location, one.value)): one.call.id for one in rejected}


def _takes_whole_numbers(trials: ParameterTrials) -> bool:
    """Whether no fraction was accepted, and fractions were rejected or messages state an integer."""
    fractions = [one for one in trials.sent if is_fraction(number_at(trials.location, one.value))]
    stated = any(values == ("integer",) for values, _ in trials.statements("type"))
    return not any(one.ok for one in fractions) and (stated or any(one.rejected for one in fractions))


def _read(hints: Sequence[Hint]) -> Ends | None:
    """The bounds that are whole numbers; beyond an exclusive one, of integers, lies the next."""
    whole = any(hint.kind == "type" and hint.values == ("integer",) for hint in hints)
    ends = dict[str, int]()
    for hint in hints:
        end, step = _BOUNDS.get(hint.kind, ("", 0))
        bound = whole_number(hint.values[0]) if end and (whole or not step) else None
        if bound is not None:
            ends[end] = bound + step
    return Ends(**ends) if ends else None


_BOUNDS = {
    "minimum": ("minimum", 0),
    "maximum": ("maximum", 0),
    "exclusive-minimum": ("minimum", 1),
    "exclusive-maximum": ("maximum", -1),
}
"""The end of a range by the kind of hint, with how far inside it the bound is."""


KIND = stated_kind("range", Ends, _read, refutes=_refutes, from_trials=_from_trials)
