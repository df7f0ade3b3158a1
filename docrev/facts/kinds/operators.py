"""`operators`: how a list is filtered by comparing a field: `min_price=5`, or `price>5` in a parameter for conditions.

The value is the form of what is sent (`min_{field}={value}`) and how the field's value then relates to the value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from docrev.conventions import operators as forms
from docrev.conventions.operators import Form
from docrev.conventions.paging import goes_on
from docrev.facts.items import compare
from docrev.facts.kind import OPERATION, PARAMETER, Facts, Kind, Record, Replay
from docrev.facts.parameter_trials import ListTrial, ParameterTrials
from docrev.facts.trials import OPERATORS
from docrev.facts.wire_values import key_of, measure, measure_beside
from docrev.json_values.pointer import last
from docrev.language.characters import fold
from docrev.records import Json

ABSENT_FIELD = "docrev_absent"
"""A field that no item has."""
_DEPTH = 2
"""Steps to a field that a condition names by its last one: a label."""


@dataclass(frozen=True)
class Operator(Record):
    """The form of what is sent, with `{field}` and `{value}`, and how the field's value relates to it; `within` which
    object of an item the field is, if it is not its own; `unless` the field, of those tried, for which it does not;
    `absent` if items that lack the field are returned, too."""

    form: str
    relation: str
    within: str | None = None
    unless: str | None = None
    absent: bool | None = None


def _from_trials(trials: ParameterTrials) -> Facts:
    """Forms for which the list has just those items, some but not all, whose field relates so to what was sent."""
    known = forms.OF_NAMES if trials.location == OPERATORS else forms.OF_CONDITIONS
    shown: dict[Form, tuple[str, ListTrial]] = {}
    for one in trials.changed_lists if trials.location.startswith("query:") else ():
        for form, field, value in _readings(one, known):
            if form not in shown and _chooses(one, form, field, value):
                shown[form] = field, one
    failing, keeping = _failing(trials, shown), _keeping(trials, shown)
    for form, (field, one) in shown.items():
        unless, unlike = failing.get(form, (None, ""))
        within, absent = field.rpartition("/")[0][1:] or None, form in keeping or None
        calls = filter(None, (one.trial.base.id, one.id, unlike, keeping.get(form)))
        yield KIND.fact(trials.key, trials.location, Operator(form.text, form.relation, within, unless, absent), calls)


def _keeping(trials: ParameterTrials, shown: Iterable[Form]) -> dict[Form, str]:
    """The forms with a field that no item has that returned all items, each with its call."""
    tried = ((form, one) for form in shown for one in trials.lists if form.read(str(one.value), ABSENT_FIELD))
    return {form: one.id for form, one in tried if one.items and not one.changed}


def _failing(trials: ParameterTrials, shown: Collection[Form]) -> dict[Form, tuple[str, str]]:
    """The forms that did not choose by another field the items that they should have, each with the first such field
    and its call."""
    found: dict[Form, tuple[str, str]] = {}
    for one in trials.lists if shown else ():
        for form, field, value in _readings(one, shown):
            holds = [_RELATIONS[form.relation](held, value) for held in one.fields_before[field] if held is not None]
            if True in holds and False in holds and not _chooses(one, form, field, value):
                found.setdefault(form, (last(field), one.id))
    return found


def _readings(one: ListTrial, known: Iterable[Form]) -> Iterator[tuple[Form, str, str]]:
    """(form, field, value) that what was sent may be read as, in the order of the forms."""
    text = str(one.value)
    depth = 1 if one.trial.location == OPERATORS else _DEPTH
    named = [field for field in one.fields_before if 0 < field.count("/") <= depth and last(field) in text]
    named.sort(key=lambda field: field.count("/"))
    for form in known if named else ():
        for field in named:
            if (value := form.read(text, last(field))) is not None:
                yield form, field, value


def _chooses(one: ListTrial, form: Form, field: str, sent: str) -> bool:
    """Whether the items are those of the base for which the relation holds; of a page, whether it holds for all."""
    holds = _RELATIONS[form.relation]
    before = [holds(value, sent) for value in one.fields_before[field] if value is not None]
    after = [holds(value, sent) for value in one.fields.get(field, ()) if value is not None]
    is_whole = not goes_on(one.trial.base, len(one.before))
    return (
        False in before and len(after) == len(one.items) and all(after) and (sum(before) == len(after) or not is_whole)
    )


def _bound(name: str) -> Callable[[Json, str], bool]:
    holds = compare(name)

    def relates(value: Json, sent: str) -> bool:
        bound = measure(sent)
        found = measure_beside(value, bound) if bound is not None else None
        return bound is not None and found is not None and holds(found, bound)

    return relates


def _contains(value: Json, sent: str) -> bool:
    return isinstance(value, str) and fold(sent) in fold(value) and fold(sent) != fold(value)


_RELATIONS: Mapping[str, Callable[[Json, str], bool]] = {
    forms.EQUAL: lambda value, sent: key_of(value) == sent,
    forms.NOT_EQUAL: lambda value, sent: key_of(value) != sent,
    forms.MORE_THAN: _bound("gt"),
    forms.AT_LEAST: _bound("ge"),
    forms.LESS_THAN: _bound("lt"),
    forms.AT_MOST: _bound("le"),
    forms.ANY_OF: lambda value, sent: key_of(value) in sent.split(","),
    forms.NONE_OF: lambda value, sent: key_of(value) not in sent.split(","),
    forms.CONTAINS: _contains,
}
KIND = Kind("operators", Operator, OPERATION | PARAMETER, replay=Replay(trials=4), from_trials=_from_trials)
