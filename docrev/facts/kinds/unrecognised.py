"""`unrecognised`: words that a parameter takes as it takes nonsense, though others choose or sort: it ignores them, or
they find nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docrev.facts.kind import PARAMETER, Facts, Kind, Record, Replay
from docrev.facts.parameter_trials import NONSENSE, ListTrial, ParameterTrials, names_fit
from docrev.facts.wire_values import key_of, number
from docrev.records import Fact

_SHOWN = 3
"""Calls that are made again: nonsense, another word, and one that is ignored."""


@dataclass(frozen=True)
class Unrecognised(Record):
    """The words that are ignored, or find nothing (`empty`), and the others: items have them, or they sort."""

    ignored: list[str]
    others: list[str]
    empty: bool | None = None


def _from_trials(trials: ParameterTrials) -> Facts:
    """The words that change nothing, or find nothing, as nonsense does, and that no item has."""
    words = [one for one in trials.lists if _is_word(one)]
    others = _others(trials, words)
    contrast = next((one for one in words if one.key in others and one.changed), None)
    unknown = [one for one in words if one.key not in others]
    for nonsense, left in (
        (_ignored_nonsense(trials), [one for one in unknown if not one.changed]),
        (_lost_nonsense(trials), [one for one in unknown if not one.items]),
    ):
        if nonsense and left and contrast is not None:
            yield _fact(trials, nonsense, contrast, left, others)
            return


def _fact(
    trials: ParameterTrials, nonsense: list[ListTrial], contrast: ListTrial, left: list[ListTrial], others: set[str]
) -> Fact:
    is_empty = not any(one.items for one in nonsense)
    value = Unrecognised(sorted(one.key for one in left), sorted(others), is_empty or None)
    calls = (nonsense[0].id, contrast.id, *(one.id for one in left))
    return KIND.fact(trials.key, trials.location, value, dict.fromkeys(calls))


def _ignored_nonsense(trials: ParameterTrials) -> list[ListTrial]:
    """The trials with nonsense, if all of it changed nothing, while other values choose or sort."""
    nonsense = [one for one in trials.lists if one.value in NONSENSE]
    if not {"choose", "sort"} & trials.effects.keys():
        return []
    return [] if any(one.changed for one in nonsense) else nonsense


def _lost_nonsense(trials: ParameterTrials) -> list[ListTrial]:
    """The trials with nonsense, if all of it found nothing, while other values choose."""
    nonsense = [one for one in trials.lists if one.value in NONSENSE]
    return nonsense if "choose" in trials.effects and not any(one.items for one in nonsense) else []


def _is_word(one: ListTrial) -> bool:
    return isinstance(one.value, str) and number(one.value) is None and one.value not in NONSENSE


def _others(trials: ParameterTrials, words: Iterable[ListTrial]) -> set[str]:
    """The words that sort, or that items have."""
    orders = {str(fact.value["value"]) for fact in trials.found.get("sorts", ())}
    return orders | {one.key for one in words if one.items and _is_held(trials.location, one)}


def _is_held(location: str, one: ListTrial) -> bool:
    """Whether all items have the value that was sent in a field of the parameter's name."""
    fields = ((field, values) for field, values in one.fields.items() if names_fit(location, field))
    return any(one.key == key_of(value) for _, values in fields for value in values)


KIND = Kind("unrecognised", Unrecognised, PARAMETER, from_trials=_from_trials, replay=Replay(trials=_SHOWN))
