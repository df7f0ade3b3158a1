"""`default`: what a parameter or a request property is taken to be if it is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from docrev.conventions.ids import is_id_name
from docrev.conventions.paging import goes_on
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import argument, ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, AnyValue, Facts, Kind
from docrev.facts.kinds.clamps import echoes
from docrev.facts.kinds.required import variants
from docrev.facts.kinds.sorts import order_of, rank_and_order
from docrev.facts.outcomes import AcceptedWrite, find_shown
from docrev.facts.parameter_trials import NONSENSE, ListTrial, ParameterTrials, names_fit, scalars
from docrev.facts.trials import TrialCalls, items_at, list_in
from docrev.facts.wire_values import key_of, number, whole_number
from docrev.grouping import only, parted
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import find
from docrev.language.words import words
from docrev.records import Call, Json, OperationKey

_MADE = frozenset("created creation added inserted updated modified changed".split())
"""Words in the names of times at which things were made, and of those that are the same until a thing is changed."""
_LEAST = 2
"""Creations that must have filled in the same value."""
_DEPTH = 4
"""Levels of objects in an item at which a field may explain the order of a list."""


def _from_trials(trials: ParameterTrials) -> Facts:
    found = list(_in_body(trials) if trials.in_body else _in_query(trials))
    yield from found or _left_out(trials)


def _left_out(trials: ParameterTrials) -> Facts:
    """The value whose items are those that a whole list has without the parameter, while another has items beside.

    Values that mean nothing may return the same: they are not looked at. Nor are those that no item has, if some of the
    values that return the same are what all items have. Of a list that goes on, what another value finds must have its
    place between the items that are listed without the parameter.
    """
    tried = _added(trials)
    added = [one for one in trials.lists if one.trial in tried and one.value not in NONSENSE]
    alike = _equal(trials.location, added)
    # A number of items leaves none of them out by what it is.
    if len(alike) != 1 or {"required", "limits"} & trials.found.keys():
        return
    [chosen] = alike.values()
    for other in islice(filter(_has_others, added), 1):
        calls = (*chosen.trial.calls, other.id)
        yield KIND.fact(trials.key, trials.location, AnyValue(_typed(trials, chosen.value)), dict.fromkeys(calls))


def _equal(location: str, added: Iterable[ListTrial]) -> dict[str, ListTrial]:
    """The values that change nothing, by what was sent; those that all items have, if there are any."""
    equal = {one.key: one for one in added if one.items and not one.changed}
    return {key: one for key, one in equal.items() if _have_all(location, one)} or equal


def _have_all(location: str, one: ListTrial) -> bool:
    """Whether all items have the value that was sent in a field of the parameter's name."""
    fields = (values for field, values in one.fields.items() if names_fit(location, field))
    return any(values and all(key_of(value) == one.key for value in values) for values in fields)


def _has_others(one: ListTrial) -> bool:
    """Whether a value found what the list without the parameter would have, if it left nothing out."""
    known = {*map(canonical, one.before)}
    beside = [at for at, item in enumerate(one.items) if canonical(item) not in known]
    if not goes_on(one.trial.base, len(one.before)) and not _is_cut(one):
        return bool(beside)
    return any(_lie_between(one, field, beside) for field in one.fields_before)


def _is_cut(one: ListTrial) -> bool:
    """Whether the list without the parameter is as long as others are, or longer than with it: it may be one page."""
    return len(one.before) <= len(one.items)


def _lie_between(one: ListTrial, field: str, places: Iterable[int]) -> bool:
    """Whether the place of one of the items in a list that is in the order of a field is between two of its items."""
    before, values = one.fields_before[field], one.fields.get(field, [])
    kind = type(before[0])
    ranked = rank_and_order(before) if kind in (str, int, float) and type(before[-1]) is kind else None
    if ranked is None:
        return False
    rank, _ = ranked
    low, high = sorted(map(rank, (before[0], before[-1])))
    others = (values[at] for at in places if at < len(values))
    return any(type(value) is kind and low < rank(value) < high for value in others)


def _in_query(trials: ParameterTrials) -> Facts:
    """The value that returns what none does, while another returns something else.

    Only of what sorts, limits or pages, or whose value the response echoes: that a filter finds everything for some
    value does not make it the default.
    """
    if not trials.comparable or _is_filter(trials):
        return
    others = [one for one in _added(trials) if not trials.same(one)]
    # A call that no value changes says nothing: a direction needs the field beside it that it turns.
    alike = _unchanged(trials, {one.base.id for one in others})
    chosen = _chosen(trials, alike) if alike else None
    contrast = next((one for one in others if chosen is not None and one.base.id == chosen.base.id), None)
    if chosen is not None and contrast is not None:
        calls = (*chosen.calls, contrast.call.id)
        yield KIND.fact(trials.key, trials.location, AnyValue(_typed(trials, chosen.value)), calls)


def _unchanged(trials: ParameterTrials, bases: Collection[str]) -> list[TrialCalls]:
    """The trials around some calls that return what these do, the first of each value."""
    tried = [one for one in _added(trials) if one.base.id in bases]
    return list({key_of(one.value): one for one in filter(trials.same, reversed(tried))}.values())


def _is_filter(trials: ParameterTrials) -> bool:
    return "choose" in trials.effects and "includes" not in trials.found


def _added(trials: ParameterTrials) -> list[TrialCalls]:
    """The trials that were accepted and whose base lacks the argument."""
    return [one for one in trials.sent if one.ok and not argument(one.base.arguments, trials.location)[0]]


def _typed(trials: ParameterTrials, sent: object) -> Json:
    value = number(sent) if number(sent) is not None else sent
    return value == "true" if "includes" in trials.found and isinstance(value, str) else value


def _chosen(trials: ParameterTrials, alike: list[TrialCalls]) -> TrialCalls | None:
    """The trial that sent the default, of those that return what is returned without the parameter."""
    fitting = [one for one in alike if _is_echoed(trials.location, one)]
    if "limits" in trials.found or _are_counts(fitting):
        fitting = fitting or [one for one in alike if _fills(trials, one)]
        return min(fitting, key=lambda one: whole_number(one.value) or 0, default=None)
    if not fitting:
        fitting = _meant(trials, alike)
    return only(fitting)


def _are_counts(trials: list[TrialCalls]) -> bool:
    return bool(trials) and all(whole_number(one.value) is not None for one in trials)


def _meant(trials: ParameterTrials, alike: list[TrialCalls]) -> list[TrialCalls]:
    """The trials that may have sent the default, by what the parameter is known to do."""
    if orders := {fact.value["value"]: fact.value["field"] for fact in trials.found.get("sorts", ())}:
        return [
            one for one in alike if one.value in orders and not _may_be_another_order(trials, one, orders[one.value])
        ]
    if "includes" in trials.found:
        return [one for one in alike if key_of(one.value) == "false"]
    is_counted = any(fact.value["by"] != "cursor" for fact in trials.found.get("pages", ()))
    return list(filter(_may_be_first, alike)) if is_counted else []


def _may_be_first(one: TrialCalls) -> bool:
    """Whether a page or an offset may be the first: what is less than that may be taken for it."""
    n = whole_number(one.value)
    return n is None or n >= 0


def _may_be_another_order(trials: ParameterTrials, one: TrialCalls, field: str) -> bool:
    """Whether what is listed without the parameter may be in another order than that of a field.

    Things are often made in the order of the IDs that people give them (`scan_001`): such a list may not be sorted.
    Numbers tell the order in which things were made, so for them both are the same. Nor need a list be sorted whose
    things are in the order of the times when they were made.
    """
    listed = next((each for each in trials.lists if each.trial is one), None)
    if listed is None:
        return True
    others = scalars(listed.before, _DEPTH)
    values = others.pop(field.removeprefix(f"{listed.location}/0"), [])
    name = field.rpartition("/")[2]
    if is_id_name(name):
        return any(isinstance(value, str) for value in values)
    if _MADE.intersection(words(name)) and order_of(values) == "ascending":
        return True
    # An order that was asked for would be one more that returns the same.
    asked = {(fact.value["field"], fact.value["order"]) for fact in trials.found["sorts"]}
    return any(
        (order := order_of(other))
        and (f"{listed.location}/0{at}", order) not in asked
        and not _says_the_same(values, other)
        for at, other in others.items()
    )


def _says_the_same(values: Sequence[Json], others: Sequence[Json]) -> bool:
    """Whether each item's value is part of its other one, as a name is of a link, or the reverse."""
    texts = [(str(value).casefold(), str(other).casefold()) for value, other in zip(values, others, strict=False)]
    return all(a in b or b in a for a, b in texts)


def _is_echoed(location: str, trial: TrialCalls) -> bool:
    """Whether the response without the parameter has its value under its name."""
    return any(key_of(value) == key_of(trial.value) for _, value in echoes(location, trial.base.body))


def _fills(trials: ParameterTrials, trial: TrialCalls) -> bool:
    """Whether the base has exactly as many items as were asked for, though there are more."""
    found = list_in(trial.base)
    if found is None or len(found.items) != whole_number(trial.value):
        return False
    more = (items_at(one.call, found.pointer) for one in trials.sent if one.base.id == trial.base.id)
    return any(items is not None and len(items) > len(found.items) for items in more)


def _in_body(trials: ParameterTrials) -> Facts:
    """The value that comes back if none was sent: sending it gives the same, sending another gives that one."""
    added = _added(trials)
    if not added or trials.key.method not in ("POST", "PUT"):
        return
    value = returned(added[0].base, trials.location)
    kept = (one for one in trials.sent if _is_kept(one, trials.location))
    sent, others = parted(kept, lambda one: bool(one.value == value))
    if not isinstance(value, dict | list | None) and not is_invented(value) and sent and others:
        base, same, other = added[0].base.id, sent[0].call.id, others[0].call.id
        # What is replaced may also be kept as it was: shown again, the other value comes right before nothing is sent.
        calls = (base, same, other) if trials.key.method == "POST" else (same, other, base)
        yield KIND.fact(trials.key, trials.location, AnyValue(value), calls)


def _is_kept(trial: TrialCalls, location: str) -> bool:
    """Whether the value that was sent comes back."""
    return trial.ok and returned(trial.call, location) == trial.value


def returned(call: Call, location: str) -> Json:
    """What the response shows of a property, or the one object that wraps it."""
    pointer, body = location.removeprefix("body:"), call.body
    there, value = find_shown(body, pointer)
    if not there and isinstance(body, dict) and len(body) == 1:
        _, value = find_shown(next(iter(body.values())), pointer)
    return value


def _from_calls(view: EvidenceView) -> Facts:
    """The value that all creations without a property filled in, while one that sent another value kept it."""
    created = {one.call.id for one in view.created}
    for key, found in view.outcomes.items():
        own = [one for one in found if key.method == "POST" and one.call.id in created]
        schema = view.catalog[key].body_schema
        kinds = variants(schema) if schema is not None else {}
        for at in sorted({at for one in own for at in one.sent}) if not _are_of_one_kind(own, kinds) else ():
            yield from _filled_in(key, at, own)


def _are_of_one_kind(made: Sequence[AcceptedWrite], kinds: Iterable[str]) -> bool:
    """Whether a property that chooses a kind of thing always had one value: another kind may be filled in otherwise."""
    return any(len({canonical(one.sent.get(kind)) for one in made}) == 1 and kind in made[0].sent for kind in kinds)


def _filled_in(key: OperationKey, at: str, made: Sequence[AcceptedWrite]) -> Facts:
    lacking = [one for one in made if _is_filled_in(one, at)]
    values = {canonical(one.holds(at)[1]): one.holds(at)[1] for one in lacking}
    if len(lacking) < _LEAST or len(values) != 1 or any(_is_derived(one, at) for one in lacking):
        return
    others = [one for one in made if _is_kept_as_sent(one, at) and canonical(one.sent[at]) not in values]
    if others:
        calls = [one.call for one in (*lacking[:_LEAST], others[0])]
        yield KIND.fact(key, f"body:{at}", AnyValue(next(iter(values.values()))), ids(calls))


def _is_filled_in(one: AcceptedWrite, at: str) -> bool:
    """Whether a thing has a value that was not sent."""
    return not find(one.body, at)[0] and one.holds(at)[1] is not None


def _is_kept_as_sent(one: AcceptedWrite, at: str) -> bool:
    """Whether a thing has the value that was sent."""
    return at in one.sent and bool(one.holds(at)[1] == one.sent[at])


def _is_derived(one: AcceptedWrite, at: str) -> bool:
    """Whether a value that was filled in is no scalar, or was sent somewhere else."""
    value = one.holds(at)[1]
    given = {*map(canonical, one.sent.values()), *map(canonical, one.call.arguments.values())}
    return isinstance(value, dict | list) or canonical(value) in given


KIND = Kind("default", AnyValue, ARGUMENT, "default", from_trials=_from_trials, from_calls=_from_calls)
