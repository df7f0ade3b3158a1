"""`reveals`: a list leaves out, unless a parameter has a certain value, what it has with that value: beside all others,
or alone if it chooses by a field.

Who creates something and lists it without that may not find it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from operator import gt, lt
from typing import Any

from docrev.conventions.fields import is_time
from docrev.conventions.ids import ids_of, is_drawn, is_id_name
from docrev.conventions.lists import ListFound
from docrev.conventions.paging import goes_on
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.run_names import carries_made_up
from docrev.facts.call_values import ids
from docrev.facts.comparable_reads import between_writes
from docrev.facts.creations import place_called
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PARAMETER, Facts, Kind, Pair, Record, Replay
from docrev.facts.parameter_trials import NONSENSE, SAME, ParameterTrials, names_fit, scalars
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of, number
from docrev.grouping import only
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import last, parent
from docrev.json_values.scalars import is_number
from docrev.language.words import word_set, words
from docrev.records import Call, Fact, Json, OperationKey


@dataclass(frozen=True)
class Revealed(Record):
    """The value as it is sent, and what it is called if it is an ID."""

    value: str
    called: str | None = None


_SOMEBODY = word_set(
    "account author creator customer group member namespace organisation organization owner person project team tenant "
    "user username workspace"
)
"""What things are of, so that who calls may see them only if asked for: that says little of the list."""
_LEAST_SORTED, _LEAST_BETWEEN = 5, 2
"""Items of a page whose order is no chance, and items that lie in it and are not there."""
_MAX_CALLS = 4
"""Calls that are named: two lists with the value, and two without it."""


def _from_calls(view: EvidenceView) -> Facts:
    """What one argument adds to a list that was called without it, too, with nothing written in between."""
    found: dict[tuple[OperationKey, str, str], list[Call]] = {}
    for reads in between_writes(view.calls):
        plain = {place_called(call): call for call in reads if call.ok and not _chosen(call)}
        for call in reads:
            before, chosen = plain.get(place_called(call)), _chosen(call)
            if before is not None and len(chosen) == 1 and _reveals(before, call, chosen[0]):
                found.setdefault((call.key, chosen[0], key_of(call.arguments[chosen[0]])), []).extend((before, call))
    for (key, location, value), calls in sorted(found.items(), key=lambda one: one[0]):
        yield KIND.fact(key, location, Revealed(value, _called(calls[1], location)), ids(calls[:_MAX_CALLS]))


def _from_trials(trials: ParameterTrials) -> Facts:
    """The values of a choice that alone have what the list leaves out without it."""
    for one in trials.changed_lists:
        before, call = one.trial.base, one.trial.call
        is_added = trials.location in call.arguments and trials.location not in before.arguments
        if is_added and _reveals(before, call, trials.location):
            value = Revealed(one.key, _called(call, trials.location))
            yield KIND.fact(trials.key, trials.location, value, (before.id, call.id))


def _chosen(call: Call) -> list[str]:
    """The arguments that may choose what is listed."""
    return [at for at in call.arguments if not at.startswith("path:")]


def _reveals(before: Call, call: Call, location: str) -> bool:
    """Whether a list has with an argument what it has not without, and not on another page either."""
    value = call.arguments[location]
    less, more = list_in(before), list_in(call)
    if less is None or more is None or not _may_choose(call, location) or more.items in ([], less.items):
        return False
    if _wants_text(less, location):
        return False
    there, now = ({*map(canonical, one.items)} for one in (less, more))
    chooses = there.isdisjoint(now) and _chooses_others(less, more, location, value)
    if goes_on(before, len(less.items)):
        return chooses and _belongs_between(less, more)
    return chooses or (there < now and number(value) is None)


def _wants_text(less: ListFound, location: str) -> bool:
    """Whether a list without a text finds nothing: then it leaves out nothing that one finds and another does not."""
    return not less.items and role_of(location.partition(":")[2]) is Role.SEARCH


def _belongs_between(page: ListFound, more: ListFound) -> bool:
    """Whether a page that is sorted by a number or a time would have several of the items of another list, if the list
    that it is of had them: they lie between its first and its last.
    """
    others = scalars(more.items)
    for field, held in scalars(page.items).items():
        if len(held) != len(page.items) or len(held) < _LEAST_SORTED or not _is_sorted(held):
            continue
        between = [one for one in others.get(field, ()) if _is_sorted([held[0], one, held[-1]])]
        if len(between) >= _LEAST_BETWEEN:
            return True
    return False


def _is_sorted(held: Sequence[Json]) -> bool:
    """Whether values are all numbers or all times, each above the one before it, or each below."""
    numbers = [one for one in held if is_number(one)]
    texts = [one for one in held if isinstance(one, str) and is_time(one)]
    return len(held) in (len(numbers), len(texts)) and (_is_monotonic(numbers) or _is_monotonic(texts))


def _is_monotonic(held: Sequence[Any]) -> bool:
    pairs = list(pairwise(held))
    return bool(pairs) and (all(starmap(lt, pairs)) or all(starmap(gt, pairs)))


def _may_choose(call: Call, location: str) -> bool:
    """Whether an argument that was accepted may be a choice that others have too: the drawn ID of one thing is none."""
    value = call.arguments[location]
    return call.ok and location.startswith("query:") and value not in NONSENSE and not is_drawn(str(value))


def _chooses_others(less: ListFound, more: ListFound, location: str, value: Json) -> bool:
    """Whether all items have the value in a field that the parameter is called as, and none is there without it.

    Whose things they are says nothing: who calls may see those of others only if asked for.
    """
    before, after = ({*map(key_of, ids_of(one))} for one in (less, more))
    if not before or not after or None in ids_of(more) or not before.isdisjoint(after):
        return False
    # What the run made may be new since; whose things they are says little.
    if carries_made_up(more.items) or _SOMEBODY & {*words(location)}:
        return False
    fitting = _fields_called(scalars(more.items), location)
    return any(all(key_of(one) == key_of(value) for one in held) for held in fitting.values())


def _fields_called(columns: Mapping[str, list[Json]], location: str) -> dict[str, list[Json]]:
    """The fields of items that a parameter is called as."""
    return {field: held for field, held in columns.items() if names_fit(location, field) == SAME}


def _called(call: Call, location: str) -> str | None:
    """What the one thing is called whose ID was sent, as the items of a list have it beside that."""
    listed = list_in(call)
    columns = scalars(listed.items) if listed is not None else {}
    fields = [at for at in _fields_called(columns, location) if is_id_name(last(at)) and parent(at)]
    names = {str(name) for at in fields for name in columns.get(f"{parent(at)}/name", ()) if name is not None}
    return only(names)


def _source(fact: Fact) -> str:
    return str(fact.key)


def _shows(fact: Fact, before: Call, call: Call) -> bool:
    """Whether two calls show it again, the first without the argument, at the same place."""
    sent = call.arguments.get(fact.location)
    is_alike = before.ok and place_called(before) == place_called(call) and not _chosen(before)
    is_sent = _chosen(call) == [fact.location] and key_of(sent) == fact.value["value"]
    return is_alike and is_sent and _reveals(before, call, fact.location)


KIND = Kind(
    "reveals",
    Revealed,
    PARAMETER,
    replay=Replay(weight=4, pair=Pair(_source, _shows)),
    from_calls=_from_calls,
    from_trials=_from_trials,
)
