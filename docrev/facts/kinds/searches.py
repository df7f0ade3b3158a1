"""`searches`: a list has only items with the text that was sent in one of these fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from docrev.facts.kind import PARAMETER, Facts, Kind, Sequence
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.wire_values import number
from docrev.json_values.pointer import last
from docrev.language.characters import fold
from docrev.records import Json

_NAMES = ("name", "title", "label")
_MIN_TEXTS = 2
"""Different texts that must have found something."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """Fields of which in every item one contains the text that was sent, while nonsense finds nothing."""
    found = [one for one in trials.lists if one.items and is_searchable(one.value)]
    nothing = _fruitless(trials.lists)
    if not nothing or len({one.value for one in found}) < _MIN_TEXTS:
        return
    fields = _cover(list(chain.from_iterable(map(_containing, found))))
    if fields and any(_leaves_out(one, fields, found) for one in found):
        calls = dict.fromkeys((found[0].id, found[1].id, nothing[0].id))
        places = tuple(f"{found[0].location}/0{field}" for field in sorted(fields))
        yield KIND.fact(trials.key, trials.location, Sequence(places), calls)


def _fruitless(lists: Iterable[ListTrial]) -> list[ListTrial]:
    """The trials of texts that found nothing."""
    return [one for one in lists if not one.items and isinstance(one.value, str)]


def is_searchable(value: object) -> bool:
    """Whether a value is a text that may be searched for."""
    return isinstance(value, str) and len(value) >= 2 and number(value) is None


def _containing(one: ListTrial) -> list[set[str]]:
    """For each item, the fields that contain the text that was sent; two letters are in many a code by chance."""
    wanted = fold(one.value)
    rows = [set[str]() for _ in one.items]
    for field, values in one.fields.items():
        if len(wanted) > 2 or field.rpartition("/")[2] in _NAMES:
            for row, value in zip(rows, values, strict=True):
                row |= {field} if isinstance(value, str) and wanted in fold(value) else set()
    return rows


def _cover(rows: list[set[str]]) -> list[str]:
    """The fewest fields, the commonest first, of which every row has one; none if a row has none."""
    left, chosen = rows if all(rows) else [], list[str]()
    while left:
        counts = Counter(field for row in left for field in row)
        chosen.append(min(counts, key=lambda at: (-counts[at], at.count("/"), last(at) not in _NAMES, len(at), at)))
        left = [row for row in left if chosen[-1] not in row]
    return chosen


def _leaves_out(one: ListTrial, fields: Iterable[str], found: Iterable[ListTrial]) -> bool:
    """Whether an item that is returned without the text, or for another one, does not contain it."""
    others = (other.fields for other in found if other.value != one.value)
    return any(_lacks(fold(one.value), values, fields) for values in (one.fields_before, *others))


def _lacks(wanted: str, values: Mapping[str, list[Json]], fields: Iterable[str]) -> bool:
    columns = [values.get(field, []) for field in fields]
    texts = ("\n".join(map(str, row)) for row in zip(*columns, strict=False))
    return any(wanted not in fold(text) for text in texts)


KIND = Kind("searches", Sequence, PARAMETER, "choose", from_trials=_from_trials)
