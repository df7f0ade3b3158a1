"""Trying to filter a list by operators: in the names of parameters, and in one that takes whole conditions.

One operator of each style is tried on a field whose values are known; the others of a style only if that one chooses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docrev.conventions import operators as forms
from docrev.conventions.ids import is_id_name
from docrev.conventions.operators import Form
from docrev.exploration.probe_bench import Bench
from docrev.facts.kinds.operators import ABSENT_FIELD
from docrev.facts.parameter_trials import scalars
from docrev.facts.trials import OPERATORS, list_in
from docrev.facts.wire_values import key_of, measure
from docrev.prompts.steps import Steps
from docrev.records import Call, Json

_MIN_VALUES = 3
_MIN_PART = 2
_BOUNDS = ("min_{field}={value}", "{field}_min={value}")
"""Forms that are tried beside the first of their style: who knows them often knows no other."""


_BOUND_RELATIONS = frozenset({forms.MORE_THAN, forms.AT_LEAST, forms.LESS_THAN, forms.AT_MOST})
_FIRST = frozenset({forms.MORE_THAN, forms.NOT_EQUAL})
"""Relations that are tried first of a style: texts have no order."""


class _Subjects(NamedTuple):
    """A field with values in order; one with texts, of which a part is sent; and one of which several are."""

    field: str
    ordered: list[str]
    text_field: str
    part: str
    several_field: str
    several: str

    def write(self, form: Form) -> str:
        """A text of this form that some items fit and others do not; "" if no field allows one."""
        if form.relation == forms.CONTAINS:
            return form.write(self.text_field, self.part) if self.part else ""
        if form.relation in (forms.ANY_OF, forms.NONE_OF):
            return form.write(self.several_field, self.several)
        return form.write(self.field, self.ordered[len(self.ordered) // 2])


def try_names(bench: Bench) -> Steps[None]:
    """Filter by parameters whose names have a field and an operator."""
    if (subjects := _subjects(bench.items)) is not None:
        for family in forms.FAMILIES:
            first = [form for form in family if form.relation == forms.MORE_THAN or form.text in _BOUNDS]
            if (yield from _any_chooses(bench, None, subjects, first)):
                yield from _send(bench, None, subjects, family)
                yield from _send_numbers(bench, subjects, family)
                yield from _send_absent(bench, subjects, family)
                return


def _send_absent(bench: Bench, subjects: _Subjects, family: Iterable[Form]) -> Steps[None]:
    """Compare a field that nothing has, with what chose: are items returned that lack it?"""
    bounds = _choosing(bench, subjects, (form for form in family if form.relation in _BOUND_RELATIONS))
    yield from _send(bench, None, subjects._replace(field=ABSENT_FIELD), bounds)


def _send_numbers(bench: Bench, subjects: _Subjects, family: Iterable[Form]) -> Steps[None]:
    """Choose by several values in order too, with what chose by several texts: APIs may compare as texts alone."""
    if subjects.several_field != subjects.field:
        lists = (form for form in family if form.relation in (forms.ANY_OF, forms.NONE_OF))
        ordered = subjects._replace(
            several_field=subjects.field, several=f"{subjects.ordered[0]},{subjects.ordered[-1]}"
        )
        yield from _send(bench, None, ordered, _choosing(bench, subjects, lists))


def _choosing(bench: Bench, subjects: _Subjects, sent: Iterable[Form]) -> list[Form]:
    """The forms, of those that were sent as names, that chose."""
    answers = [(form, bench.answer(OPERATORS, subjects.write(form))) for form in sent]
    return [form for form, call in answers if call is not None and _chooses(bench, call)]


def try_conditions(bench: Bench, location: str) -> Steps[None]:
    """Send conditions that a field has a value, then, written as one that chooses is, those with operators.

    A form that is accepted where others are refused, and chooses nothing, may be meant for other fields: labels.
    """
    left: Sequence[Form] = forms.EQUALITIES
    if (subjects := _subjects(bench.items)) is not None:
        left = yield from _try_equalities(bench, location, subjects, left)
    if left and (inner := _inner_subjects(bench.items)) is not None:
        yield from _try_equalities(bench, location, inner, left)


def _try_equalities(bench: Bench, location: str, subjects: _Subjects, equalities: Sequence[Form]) -> Steps[list[Form]]:
    """Send conditions until one chooses, then operators. Those accepted, if none chose and some were refused."""
    accepted: list[Form] = []
    is_any_refused = False
    for equality in equalities:
        calls = yield from _send(bench, location, subjects, [equality])
        if any(_chooses(bench, call) for call in calls):
            yield from _try_families(bench, location, subjects, forms.families_beside(equality))
            return []
        accepted += [equality] if calls and all(call.ok for call in calls) else []
        is_any_refused |= any(not call.ok for call in calls)
    return accepted if is_any_refused else []


def _try_families(bench: Bench, location: str, subjects: _Subjects, families: Iterable[Sequence[Form]]) -> Steps[None]:
    """Send conditions with the operators of each family of which the first ones choose."""
    for family in families:
        first = [form for form in family if form.relation in _FIRST]
        if (yield from _any_chooses(bench, location, subjects, first)):
            yield from _send(bench, location, subjects, family)


def _any_chooses(bench: Bench, location: str | None, subjects: _Subjects, chosen: Iterable[Form]) -> Steps[bool]:
    calls = yield from _send(bench, location, subjects, chosen)
    return any(_chooses(bench, call) for call in calls)


def _chooses(bench: Bench, call: Call) -> bool:
    found = list_in(call) if call.ok else None
    return found is not None and bool(found.items) and found.items != bench.items


def _send(bench: Bench, location: str | None, subjects: _Subjects, chosen: Iterable[Form]) -> Steps[list[Call]]:
    texts = [text for form in chosen if (text := subjects.write(form))]
    if location is None:
        return (yield from bench.named(texts))
    return [call for _, call in (yield from bench.tries(location, texts))]


def _subjects(items: Sequence[Json]) -> _Subjects | None:
    """The fields to try operators on: first those that are no ids; None if no field has several values in order."""
    columns = {field[1:]: values for field, values in scalars(items, depth=1).items() if field}
    names = sorted(columns, key=is_id_name)
    ordered = next(filter(lambda found: len(found[1]) >= _MIN_VALUES, ((n, _ordered(columns[n])) for n in names)), None)
    if ordered is None:
        return None
    parts = ((name, part) for name in names for part in _parts(columns[name]))
    texts = ((name, ",".join(known[:2])) for name in names if len(known := _texts(columns[name])) >= _MIN_VALUES)
    several = next(texts, (ordered[0], f"{ordered[1][0]},{ordered[1][-1]}"))
    return _Subjects(*ordered, *next(parts, ("", "")), *several)


def _inner_subjects(items: Sequence[Json]) -> _Subjects | None:
    """A text in an object of each item, by its own name: a label. None if none tells some items from others."""
    columns = {field: values for field, values in scalars(items).items() if field.count("/") > 1}
    telling = {field: found for field, values in columns.items() if len(found := _texts(values)) > 1}
    beside = Counter(field.rpartition("/")[0] for field in telling)
    field = min(telling, key=lambda one: (-beside[one.rpartition("/")[0]], one), default="")
    if not field:
        return None
    name, values = field.rpartition("/")[2], telling[field]
    return _Subjects(name, values[:1], "", "", name, ",".join(values[:2]))


def _texts(column: Sequence[Json]) -> list[str]:
    """The distinct texts of a column, without those that have a comma themselves."""
    return list(dict.fromkeys(value for value in column if isinstance(value, str) and value and "," not in value))


def _ordered(column: Sequence[Json]) -> list[str]:
    """The distinct values of a column in their order; none if some cannot be compared with the others."""
    known = {key_of(value): measure(value) for value in column if value is not None}
    if None in known.values() or len({type(one) for one in known.values()}) != 1:
        return []
    return sorted(known, key=lambda key: known[key])  # type: ignore[arg-type, return-value]  # all numbers, or all dates


def _parts(column: Sequence[Json]) -> Iterator[str]:
    """Words, without their first and last letters, that some texts of a column have and others do not."""
    texts = [value for value in column if isinstance(value, str)]
    for text in texts:
        for word in text.split():
            part = word[1:-1].swapcase()
            having = sum(part.casefold() in other.casefold() for other in texts)
            if word.isalpha() and len(part) >= _MIN_PART and having < len(texts):
                yield part
