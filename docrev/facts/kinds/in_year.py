"""`in-year`: a list has only items whose date lies in the year that was sent."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.facts.items import refuted_by_items
from docrev.facts.kind import PARAMETER, Facts, ItemField, Kind
from docrev.facts.parameter_trials import ParameterTrials, scalars
from docrev.facts.shape import format_of
from docrev.facts.wire_values import whole_number
from docrev.language.words import singular, words
from docrev.records import Json


def year_of(value: object) -> int | None:
    """The year that a value is, or None."""
    n = whole_number(value)
    return n if n is not None and 1000 <= n < 3000 else None


def _outside(sent: object, values: list[Json]) -> bool:
    year = year_of(sent)
    return year is not None and any(not str(value).startswith(f"{year}-") for value in values)


_MIN_YEARS = 2
"""Different years that must have chosen alike."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """A date that lies, in all items, in the year that was sent."""
    shown = [(year, one) for one in trials.changed_lists if (year := year_of(one.value)) is not None]
    named = "year" in map(singular, words(trials.location.partition(":")[2]))
    if not named or len({year for year, _ in shown}) < _MIN_YEARS:
        return
    for field in dated(shown[0][1].items):
        if not any(_outside(year, one.fields.get(field, [None])) for year, one in shown):
            calls = dict.fromkeys((shown[0][1].trial.base.id, *(one.id for _, one in shown[:_MIN_YEARS])))
            place = ItemField(f"{shown[0][1].location}/0{field}")
            yield KIND.fact(trials.key, trials.location, place, calls)
            return


def dated(items: Iterable[object]) -> dict[str, list[Json]]:
    """The fields of items that are dates, or times with one, by pointer."""
    known = {field: [value for value in values if value] for field, values in scalars(items).items()}
    return {field: values for field, values in known.items() if format_of(values) in ("date", "date-time")}


KIND = Kind("in-year", ItemField, PARAMETER, "choose", refutes=refuted_by_items(_outside), from_trials=_from_trials)
