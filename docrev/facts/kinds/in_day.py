"""`in-day`: a list has only items whose time lies on the day that was sent."""

from __future__ import annotations

from docrev.facts.items import refuted_by_items
from docrev.facts.kind import PARAMETER, Facts, ItemField, Kind
from docrev.facts.kinds.in_year import dated
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.shape import format_of
from docrev.records import Json

_MIN_DAYS = 2
"""Different days that must have chosen alike."""


def _outside(sent: object, values: list[Json]) -> bool:
    return isinstance(sent, str) and any(not str(value).startswith(sent) for value in values)


def _from_trials(trials: ParameterTrials) -> Facts:
    """The one time that lies, in all items, on the day that was sent; of several, the other must not."""
    shown = [one for one in trials.changed_lists if format_of([one.value]) == "date"]
    if len({one.key for one in shown}) < _MIN_DAYS:
        return
    times = [field for field, values in dated(shown[0].items).items() if format_of(values) == "date-time"]
    fitting = [field for field in times if not any(_outside(one.value, one.fields.get(field, [None])) for one in shown)]
    if len(fitting) == 1:
        calls = dict.fromkeys((shown[0].trial.base.id, *(one.id for one in shown[:_MIN_DAYS])))
        place = ItemField(f"{shown[0].location}/0{fitting[0]}")
        yield KIND.fact(trials.key, trials.location, place, calls)


KIND = Kind("in-day", ItemField, PARAMETER, "choose", refutes=refuted_by_items(_outside), from_trials=_from_trials)
