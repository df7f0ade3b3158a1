"""`whole-days`: a range of days contains its last one: from a day to the same day finds something."""

from __future__ import annotations

from docrev.conventions.lists import lists_of
from docrev.facts.kind import PARAMETER, Facts, Holds, Kind
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.shape import format_of
from docrev.facts.trials import TrialCalls
from docrev.json_values.leaves import scalar_members
from docrev.json_values.scalars import is_number

_ENDS = frozenset(["to", "until", "end", "till", "through"])


def is_end(name: str) -> bool:
    """Whether a parameter's name says that it ends a range."""
    return not _ENDS.isdisjoint(name.lower().replace("-", "_").split("_"))


def _from_trials(trials: ParameterTrials) -> Facts:
    """The same day at both ends returns numbers that are not all 0, while an empty range does, of what is no list."""
    if not is_end(trials.location.partition(":")[2]):
        return
    days = list(filter(_is_day_of_numbers, trials.sent))
    same = next((one for one in days if one.value in _others(one) and any(_numbers(one))), None)
    empty = next((one for one in days if _numbers(one) and not any(_numbers(one))), None)
    if same is not None and empty is not None:
        yield KIND.fact(trials.key, trials.location, Holds(), (same.call.id, empty.call.id))


def _is_day_of_numbers(one: TrialCalls) -> bool:
    """Whether a day was sent, and what was returned is no list."""
    return one.ok and format_of([one.value]) == "date" and not any(lists_of(one.call))


def _others(one: TrialCalls) -> list[object]:
    return [value for place, value in one.call.arguments.items() if place != one.location]


def _numbers(one: TrialCalls) -> list[float]:
    """The numbers of a response; a whole number for each count and sum."""
    members = scalar_members(one.call.body) if isinstance(one.call.body, dict) else ()
    return [value for _, value in members if is_number(value)]


KIND = Kind("whole-days", Holds, PARAMETER, from_trials=_from_trials)
