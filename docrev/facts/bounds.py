"""What bounds a field of the listed items: `at-least`, `more-than`, `at-most` and `less-than`, in one analysis."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from docrev.facts.items import Compare, compare
from docrev.facts.parameter_trials import ListTrial, ParameterTrials, names_fit
from docrev.facts.wire_values import key_of, measure, measure_beside
from docrev.language.words import singular, words
from docrev.records import Fact, Json

BOUNDING = frozenset(["gte", "lte", "gt", "lt", "ge", "le", "min", "max", "minimum", "maximum"])
"""Words in the name of a parameter that bounds what the other words name."""
TIMES = frozenset(["time", "date", "modified", "updated", "created", "published", "at", "on", "timestamp", "day"])
SINCE = frozenset(["since", "after", "from", "start", "before", "until", "to", "end", "newer", "older"])


class _End(NamedTuple):
    """An end of a range: the kind of fact if the bound itself is within, or beyond; what holds of what is within."""

    within: str
    beyond: str
    holds: Compare


_ENDS = (_End("at-least", "more-than", compare("ge")), _End("at-most", "less-than", compare("le")))
_MIN_BOUNDS = 2
"""Different bounds that must have cut the list."""

_Shown = list[tuple[float | str, ListTrial]]


def bounds(trials: ParameterTrials) -> Iterator[Fact]:
    """A field that in all items is at least, or at most, the number, or the date, that was sent."""
    shown = [(bound, one) for one in trials.changed_lists if (bound := measure(one.value)) is not None]
    if len({bound for bound, _ in shown}) >= _MIN_BOUNDS:
        fields = [field for field in shown[0][1].fields if bounds_fit(trials.location, field)]
        found = (_bound(trials, shown, field, end) for field in fields for end in _ENDS)
        yield from islice(filter(None, found), 1)


def _bound(trials: ParameterTrials, shown: _Shown, field: str, end: _End) -> Fact | None:
    cut = [one for bound, one in shown if _cuts(one, field, bound, end.holds)]
    if len(cut) < _MIN_BOUNDS or not _holds_everywhere(shown, field, end.holds):
        return None
    if any(_leaves_out_more(one, field, bound, end.holds) for bound, one in shown):
        return None
    kind, place = end.beyond if _left_out(shown, field) else end.within, f"{cut[0].location}/0{field}"
    calls = (cut[0].trial.base.id, *(one.id for one in cut[:_MIN_BOUNDS]))
    return Fact(trials.key, kind, trials.location, place, calls)


def _holds_everywhere(shown: _Shown, field: str, holds: Compare) -> bool:
    """Whether the field of every item is within the bound, and not always the bound itself."""
    other = any(key_of(value) != key_of(bound) for bound, one in shown for value in one.fields.get(field, []))
    return other and all(_within(one, field, bound, holds) for bound, one in shown)


def _within(one: ListTrial, field: str, bound: float | str, holds: Compare) -> bool:
    values = [measure_beside(value, bound) for value in one.fields.get(field, [])]
    return all(value is not None and holds(value, bound) for value in values)


def _cuts(one: ListTrial, field: str, bound: float | str, holds: Compare) -> bool:
    """Whether some items that are returned without the bound are beyond it."""
    before = [measure_beside(value, bound) for value in one.fields_before.get(field, [])]
    return any(value is not None and not holds(value, bound) for value in before)


def _leaves_out_more(one: ListTrial, field: str, bound: float | str, holds: Compare) -> bool:
    """Whether fewer items are returned than are within the bound without it, beside those at the bound itself.

    The page has room for all: it has fewer items than without. What chooses one moment, or a day, bounds nothing.
    """
    before = [measure_beside(value, bound) for value in one.fields_before.get(field, [])]
    inside = [value for value in before if value is not None and value != bound and holds(value, bound)]
    return len(one.items) < min(len(inside), len(one.before))


def _left_out(shown: _Shown, field: str) -> bool:
    """Whether items whose field is the bound itself are never returned, though without the bound they are."""
    before = any(_has(one.fields_before.get(field, []), bound) for bound, one in shown)
    return before and not any(_has(one.fields.get(field, []), bound) for bound, one in shown)


def _has(values: list[Json], bound: float | str) -> bool:
    return any(measure_beside(value, bound) == bound for value in values)


def bounds_fit(parameter: str, field: str) -> bool:
    """Whether a parameter may bound a field: it names it, or it says since when, and the field is a time."""
    last = {*words(field.rpartition("/")[2])}
    named = {*words(parameter.partition(":")[2])}
    rest = {singular(word) for word in named - BOUNDING}
    part = bool(named & BOUNDING and rest) and rest <= {singular(word) for word in last}
    return bool(names_fit(parameter, field) or part or (named & SINCE and last & TIMES))
