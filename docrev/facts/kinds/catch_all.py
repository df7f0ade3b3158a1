"""`catch-all`: a word for which a filter returns what others return apart."""

from __future__ import annotations

from docrev.facts.kind import PARAMETER, Facts, Kind, TextValue
from docrev.facts.parameter_trials import NONSENSE, ListTrial, ParameterTrials
from docrev.json_values.canonical import canonical

_LEAST = 2
"""Other values of each of which some items are returned."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """A word whose list has items of two other values, which have none in common."""
    others = [one for one in trials.lists if one.items and one.value not in NONSENSE]
    for one in trials.everything:
        parts = [other for other in others if _items(other) & _items(one)]
        apart = [part for part in parts[1:] if not _items(part) & _items(parts[0])]
        if len(parts[:1]) + len(apart) >= _LEAST:
            yield KIND.fact(trials.key, trials.location, TextValue(one.key), (one.id, parts[0].id, apart[0].id))
            return


def _items(one: ListTrial) -> set[str]:
    return {*map(canonical, one.items)}


KIND = Kind("catch-all", TextValue, PARAMETER, from_trials=_from_trials)
