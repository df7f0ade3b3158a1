"""`unrecognised`: words that a parameter takes as it takes nonsense, though others choose or sort: it ignores them, or
they find nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docrev.facts.kind import PARAMETER, Facts, Kind, Record, Replay
from docrev.facts.parameter_trials import NONSENSE, ListTrial, ParameterTrials, names_fit
from docrev.facts.wire_values import key_of, number
from docrev.grouping import only

_SHOWN = 3
"""Calls that are made again: nonsense, another word, and one that is ignored."""


_IGNORED, _LOST = "ignored", "lost"
_CHOSEN_BY = {_IGNORED: frozenset(["choose", "sort"]), _LOST: frozenset(["choose"])}
"""What other values of a parameter must do, by what becomes of nonsense."""


@dataclass(frozen=True)
class Unrecognised(Record):
    """The words that are ignored, or find nothing (`empty`), and the others: items have them, or they sort."""

    ignored: list[str]
    others: list[str]
    empty: bool | None = None


def _from_trials(trials: ParameterTrials) -> Facts:
    """The words that change nothing, or find nothing, as nonsense does, and that no item has."""
    words = list(filter(_is_word, trials.lists))
    others = _others(trials, words)
    contrast = next((one for one in words if one.key in others and one.changed), None)
    nonsense, fate = _nonsense(trials)
    plain = [one for one in words if one.key not in others and _fate(one) == fate]
    if nonsense and plain and contrast is not None:
        value = Unrecognised(sorted(one.key for one in plain), sorted(others), fate == _LOST or None)
        calls = dict.fromkeys(one.id for one in (nonsense[0], contrast, *plain))
        yield KIND.fact(trials.key, trials.location, value, calls)


def _nonsense(trials: ParameterTrials) -> tuple[list[ListTrial], str]:
    """The trials with nonsense and what becomes of all of it; none if that says nothing of other words."""
    found = [one for one in trials.lists if one.value in NONSENSE]
    fate = only({*map(_fate, found)}) or ""
    return (found, fate) if _CHOSEN_BY.get(fate, frozenset()) & trials.effects.keys() else ([], fate)


def _fate(one: ListTrial) -> str:
    """Whether a value is ignored or finds nothing; "" if it finds something else."""
    return _IGNORED if not one.changed else "" if one.items else _LOST


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
