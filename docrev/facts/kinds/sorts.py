"""`sorts`: a value of a parameter puts the items of a list in the order of a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docrev.facts.kind import PARAMETER, Facts, Kind, Record
from docrev.facts.parameter_trials import NONSENSE, ListTrial, ParameterTrials, scalars
from docrev.facts.shape import format_of
from docrev.facts.wire_values import key_of
from docrev.grouping import grouped
from docrev.language.characters import fold
from docrev.language.words import words
from docrev.records import Fact, Json


@dataclass(frozen=True)
class Order(Record):
    """The value that is sent, the location of the field, and `ascending` or `descending`."""

    value: str
    field: str
    order: str


MIN_SORTED = 3
"""Different values of a field that must stand in order before it is called sorted."""
_MAX_FIELDS = 4
_DIRECTION = r"(?:asc|desc|ascending|descending)"
_SIGNED = re.compile(rf"[-+]?(?:{_DIRECTION}[:.\s,])?(.+?)(?:[:.\s_,]{_DIRECTION})?", re.I)
_DIRECTIONS = {"asc": "ascending", "ascending": "ascending", "desc": "descending", "descending": "descending"}
Rank = Callable[[Json], Json]
"""What values are compared by."""
_RANKS: tuple[Rank, ...] = (
    lambda value: value,
    lambda value: value.casefold(),
    fold,
    lambda value: re.sub(r"[^\w]", "", fold(value)),
)


def sortable_fields(items: Iterable[object]) -> list[str]:
    """The fields of items by which an order can be seen, a few: numbers, then times, by which lists are sorted most."""
    columns = {name[1:]: [one for one in held if one is not None] for name, held in scalars(items, depth=1).items()}
    varied = [name for name, held in columns.items() if len({*map(key_of, held)}) >= MIN_SORTED]
    return sorted(varied, key=lambda name: _sort_rank(columns[name]))[:_MAX_FIELDS]


def _sort_rank(held: Sequence[Json]) -> int:
    if any(isinstance(value, int | float) for value in held):
        return 0
    return 1 if format_of(held) in ("date", "date-time") else 2


def _from_trials(trials: ParameterTrials) -> Facts:
    yield from _by_named_field(trials)
    yield from _by_direction(trials)


def _fact(trials: ParameterTrials, one: ListTrial, field: str, order: str, contrast: ListTrial) -> Fact:
    value = Order(one.value, f"{one.location}/0{field}", order)
    return KIND.fact(trials.key, trials.location, value, (one.id, contrast.id))


def _by_named_field(trials: ParameterTrials) -> Facts:
    """One fact for each value that names a field by which the items then stand in order."""
    texts = [one for one in trials.lists if isinstance(one.value, str) and len(one.items) >= MIN_SORTED]
    unread = any(one.value in NONSENSE and not one.changed for one in texts)
    for one in texts:
        field = named_field(one.value, one.fields)
        order = order_of(one.fields[field]) if field is not None else ""
        if field and order and (one.changed or not unread or _is_turned(one, field, order, texts)):
            yield from _beside_another_order(trials, one, field, order, texts)


def _beside_another_order(
    trials: ParameterTrials, one: ListTrial, field: str, order: str, texts: Iterable[ListTrial]
) -> Facts:
    others = (other for other in texts if field in other.fields and order_of(other.fields[field]) != order)
    if (contrast := next(others, None)) is not None:
        yield _fact(trials, one, field, order, contrast)


def _is_turned(one: ListTrial, field: str, order: str, texts: Sequence[ListTrial]) -> bool:
    """Whether another value that names a field puts it in the other order, and what has the form of this one is read.

    Where nonsense is passed over, a value that changes nothing may be: the list was in that order before.
    """
    if _is_form_unread(one, texts):
        return False
    others = (one for one in texts if named_field(one.value, one.fields) == field)
    return any(order_of(other.fields[field]) not in ("", order) for other in others)


def _is_form_unread(one: ListTrial, texts: Sequence[ListTrial]) -> bool:
    """Whether values of the same form (`-name`, `name:desc`) for other fields were passed over, as nonsense is; without
    any, whether as much speaks for another form for the same field, of which all but one are passed over.
    """
    form, field = _form(one.value), named_field(str(one.value), one.fields)
    if form == "":
        return False
    alike = _alike(one, texts)
    rivals = (other for other in texts if not other.changed and _form(other.value) not in ("", form))
    untold = (other for other in rivals if named_field(str(other.value), one.fields) == field)
    return not any(other.changed for other in alike) if alike else any(not _alike(other, texts) for other in untold)


def _alike(one: ListTrial, texts: Iterable[ListTrial]) -> list[ListTrial]:
    form = _form(one.value)
    return [other for other in texts if other.value != one.value and _form(other.value) == form]


def _form(value: Json) -> str:
    """How a value says the direction of an order: what it has before and after the name of a field."""
    match = _SIGNED.fullmatch(value) if isinstance(value, str) else None
    return f"{value[: match.start(1)]} {value[match.end(1) :]}".strip() if match is not None else ""


def named_field(value: str, columns: Mapping[str, list[Json]]) -> str | None:
    """The field that a value of a parameter names, with a sign for the direction or without; None if there is none."""
    match = _SIGNED.fullmatch(value)
    wanted = words(match.group(1)) if match else ()
    named = {field: words(field.rpartition("/")[2]) for field in columns} if wanted else {}
    same = [field for field, own in named.items() if own == wanted]
    # `primary_release_date` may be what the response calls `release_date`.
    part = [field for field, own in named.items() if len(own) > 1 and wanted[-len(own) :] == own]
    return min(same or part, key=lambda field: (field.count("/"), field), default=None)


def _by_direction(trials: ParameterTrials) -> Facts:
    """`asc` and `desc` alone: the one field that stands in the one order for one, in the other for the other."""
    said = [(_DIRECTIONS.get(str(one.value).lower(), ""), one) for one in trials.lists]
    for each in grouped((one.trial.base.id, (order, one)) for order, one in said if order).values():
        facts = list(_of_both(trials, dict(each)))
        if facts:
            yield from facts
            return


def _of_both(trials: ParameterTrials, both: Mapping[str, ListTrial]) -> Facts:
    """The facts of two directions that were tried beside the same other arguments."""
    if len(both) < 2:
        return
    up, down = both["ascending"], both["descending"]
    rising = [field for field, values in up.fields.items() if order_of(values) == "ascending"]
    fields = [field for field in rising if order_of(down.fields.get(field, [])) == "descending"]
    if len(fields) == 1:
        yield _fact(trials, up, fields[0], "ascending", down)
        yield _fact(trials, down, fields[0], "descending", up)


def order_of(values: Iterable[object]) -> str:
    """ascending, descending, or "" if the values stand in no order, or are too few to tell."""
    ranked = rank_and_order(values)
    return ranked[1] if ranked is not None else ""


def rank_and_order(values: Iterable[object]) -> tuple[Rank, str] | None:
    """The rank by which values stand in order, and that order; None if they do not, or are too few to tell."""
    present = [value for value in values if value is not None]
    if len(set(map(key_of, present))) < MIN_SORTED:
        return None
    orders = ((rank, _order_by(rank, present)) for rank in _RANKS)
    return next((found for found in orders if found[1]), None)


def _order_by(rank: Rank, values: list[Json]) -> str:
    """The order of values by a rank; "" also if they cannot be ranked."""
    try:
        pairs = list(pairwise(map(rank, values)))
        rises, falls = all(a <= b for a, b in pairs), all(a >= b for a, b in pairs)
    except (TypeError, AttributeError):
        return ""
    return "ascending" if rises else "descending" if falls else ""


KIND = Kind("sorts", Order, PARAMETER, "sort", from_trials=_from_trials)
