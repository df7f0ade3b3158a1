"""`selects`: the items of a list have only the fields that were named."""

from __future__ import annotations

from docrev.facts.kind import PARAMETER, Facts, Kind, Location
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.json_values.leaves import names_of_members


def _from_trials(trials: ParameterTrials) -> Facts:
    """The items have the field that is named, and if another is named, or none that exists, they do not."""
    for one in trials.lists:
        before, after = names_of_members(one.before), names_of_members(one.items)
        asked = {part.strip() for part in str(one.value).split(",")}
        if one.items and asked <= after <= before:
            contrast = next((other for other in trials.lists if _lacks(other, one, before, asked)), None)
            if contrast is not None:
                calls = (one.id, one.trial.base.id, contrast.id)
                yield KIND.fact(trials.key, trials.location, Location(one.location), calls)
                return


def _lacks(other: ListTrial, one: ListTrial, before: set[str], asked: set[str]) -> bool:
    """Whether another value gave as many items, with fewer fields and none of those that were asked for."""
    without = names_of_members(other.items)
    return len(other.items) == len(one.items) and without < before and asked.isdisjoint(without)


KIND = Kind("selects", Location, PARAMETER, "project", from_trials=_from_trials)
