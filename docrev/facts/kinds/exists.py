"""`exists`: what a POST returns for a thing that is there already, and a change that gives a thing the name of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from docrev.calls.effects import is_batch
from docrev.calls.routes import only_path
from docrev.conventions.fields import is_name_field
from docrev.conventions.ids import created_id, created_object, is_drawn
from docrev.conventions.run_names import carries_made_up, is_invented_id, is_made_up
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import ids
from docrev.facts.creations import concrete_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record, Replay
from docrev.facts.outcomes import DEPTH, AcceptedWrite
from docrev.facts.stated_conflicts import stated_conflict
from docrev.facts.taken_messages import names_alone, names_any, names_in, names_unsent, says_taken
from docrev.grouping import grouped, only
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import last, parent
from docrev.language.path_templates import ends_in_parameter
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec.schema import properties_of

_LEAST = 2


@dataclass(frozen=True)
class Existing(Record):
    """What a request returns for what is there already, and what else becomes of it."""

    status: int
    by: str | None = None
    """The pointer of the property by which things are told apart, if only one can be it."""
    unchanged: bool | None = None
    """That the thing which is there is returned: true if other values that were sent did not change it, false if none
    were sent."""
    unless: str | None = None
    """The property that, when true, has the thing which is there returned in place of a refusal."""
    second: bool | None = None
    """That one more thing of the same name is created."""
    updated: bool | None = None
    """That the thing which is there gets the other values that are sent."""
    renamed: bool | None = None
    """That the second thing is called otherwise."""
    within: str | None = None
    """The property with the ID of what both things are in: elsewhere the same may be free."""


PASSED = frozenset({"unchanged", "second", "updated"})
"""Members of a value that tell of an answer which is no refusal."""


def _from_calls(view: EvidenceView) -> Facts:
    """What repeated creations show, of operations that the journal knows to create."""
    for key, found in view.outcomes.items():
        makers = [one for one in found if one.call.id in view.lifetimes]
        if key.method == "POST" and not is_batch(view.catalog[key]):
            yield from _of_creation(view, found, makers) if makers else _stated(view, found)
        elif key.method in ("PUT", "PATCH") and ends_in_parameter(key.path):
            yield from _of_change(view, key)


def _of_change(view: EvidenceView, key: OperationKey) -> Iterator[Fact]:
    """What changes return that give one thing of the run's own a text by which another one is known."""
    seen = view.observations[key]
    refused = [call for call in seen.calls if says_taken(call)]
    if not any(_is_made_there(view, call) for call in seen.good):
        # What changes nothing that is there says nothing of what it gives to it.
        yield from _at_one_place(view, refused)
        return
    known = grouped((one.thing, text) for one in view.writes for text in _texts_of(one))
    makers = [one for one in view.writes if one.call.id in view.lifetimes]
    taken = grouped(((call.status or 0, _taken(view, call, makers, known)), call) for call in refused)
    for (status, at), calls in sorted(taken.items(), key=lambda found: found[0]):
        if at and len(calls) >= _LEAST and names_in(calls, {at}):
            yield KIND.fact(key, "", Existing(status, at), ids(calls))
            return


def _taken(view: EvidenceView, call: Call, makers: Sequence[AcceptedWrite], known: Mapping[str, Sequence[Json]]) -> str:
    """The one property of a request body with a text of the run that another thing is known by, which was there; "" if
    there is none, or more than one."""
    there = {one.thing for one in makers if view.is_there(one.call, call)} - {concrete_path(call)}
    texts = {text for thing in there for text in known[thing]}
    sent = _texts(call.arguments.get("body:"))
    found = {at for at, value in sent if is_made_up(value) and value in texts}
    return only(found) or ""


def _texts_of(one: AcceptedWrite) -> Iterator[Json]:
    """What a thing is known by: the end of its path, and what it was given and has."""
    yield one.thing.rpartition("/")[2]
    yield from one.sent.values()
    yield from (value for state in one.states for _, value in _texts(created_object(state)))


def _stated(view: EvidenceView, found: Sequence[AcceptedWrite]) -> Iterator[Fact]:
    """What refusals state of creations whose things have no path to be known by, as in APIs of RPC style."""
    key = found[0].call.key
    at, calls = stated_conflict(view, found) if view.catalog[key].route.method == "POST" else ("", [])
    if at:
        yield KIND.fact(key, "", Existing(calls[0].status or 0, at), ids(calls))


def _of_creation(view: EvidenceView, found: Sequence[AcceptedWrite], makers: Sequence[AcceptedWrite]) -> list[Fact]:
    """What is known of the accepted calls of a creation, of which `makers` made something."""
    answered = [one for one in found if one not in makers]
    refused = [call for call in view.observations[makers[0].call.key].calls if says_taken(call)]
    free = _free(view, makers)
    repeated = (
        _repeated(view, makers, answered, _updates, free)
        or _repeated(view, makers, answered, _keeps, free)
        or _repeated(view, makers, [AcceptedWrite(call, "") for call in refused], _is_like, free)
        or _at_one_place(view, refused)
        or _second(view, makers)
    )
    return [*repeated, *_beside_them(view, makers, repeated)]


def _beside_them(view: EvidenceView, makers: Sequence[AcceptedWrite], known: Sequence[Fact]) -> Iterator[Fact]:
    """The properties that are changed if they are in use, beside those that are known to be unique, by their names.

    That an ID must be unique says nothing of a name.
    """
    names = {fact.value.get("by", "") for fact in known}
    if "" not in names:
        yield from (fact for fact in _called_otherwise(view, makers) if fact.value["by"] not in names)


def _at_one_place(view: EvidenceView, refused: Sequence[Call]) -> list[Fact]:
    """What refusals show of a creation whose path names the thing, sent where a thing of the run's own was."""
    there = [call for call in refused if ends_in_parameter(call.key.path) and _is_made_there(view, call)]
    statuses = {call.status or 0 for call in there}
    if len(there) < _LEAST or len(statuses) > 1:
        return []
    return [KIND.fact(there[0].key, "", Existing(statuses.pop()), ids(there))]


def _is_made_there(view: EvidenceView, call: Call) -> bool:
    """Whether what was created at the path of a call was there when it was made."""
    path = concrete_path(call)
    makers = (one for one in view.writes if one.thing == path and one.call.id in view.lifetimes)
    return any(view.is_there(one.call, call) for one in makers)


def _second(view: EvidenceView, makers: Sequence[AcceptedWrite]) -> list[Fact]:
    """What a creation shows that sent what an earlier one had sent, a name with it, and got a thing beside that one."""
    for one, later in permutations(makers, 2):
        if not _is_beside(view, one, later):
            continue
        names = [at for at in _known(view, later) if is_name_field(last(at)) and is_invented_id(later.sent[at])]
        if names:
            is_shown, name = later.holds(names[0])
            is_other = is_shown and name != later.sent[names[0]]
            value = Existing(later.call.status or 0, names[0], second=True, renamed=is_other or None)
            return [KIND.fact(later.call.key, "", value, ids([one.call, later.call]))]
    return []


def _called_otherwise(view: EvidenceView, makers: Sequence[AcceptedWrite]) -> Iterator[Fact]:
    """The properties that get something added to what was sent if another thing has just that."""
    shown: dict[str, tuple[AcceptedWrite, AcceptedWrite]] = {}
    for one, later in permutations(makers, 2):
        if _same_place(one.call, later.call) and view.is_as_created(one, later.call):
            for at in _known(view, later):
                if at not in shown and _is_added_to(one, later, at):
                    shown[at] = (one, later)
    for at, pair in sorted(shown.items()):
        value = Existing(pair[1].call.status or 0, at, second=True, renamed=True)
        yield KIND.fact(pair[1].call.key, "", value, ids(one.call for one in pair))


def _is_added_to(one: AcceptedWrite, later: AcceptedWrite, at: str) -> bool:
    """Whether a text of the run that both sent is what the first has, and the second has it with more behind it."""
    sent, got = later.sent[at], later.holds(at)[1]
    is_same = one.sent.get(at) == sent == one.holds(at)[1]
    return is_same and is_made_up(sent) and isinstance(got, str) and got != sent and got.startswith(str(sent))


def _known(view: EvidenceView, one: AcceptedWrite) -> Iterator[str]:
    """The properties that were sent, without those of objects of any properties: the run gave them their names."""
    schema = view.catalog[one.call.key].body_schema
    declared = dict(schema.walk()) if schema is not None else {}
    return (at for at in one.sent if at in declared or not parent(at))


def _is_beside(view: EvidenceView, one: AcceptedWrite, later: AcceptedWrite) -> bool:
    """Whether a later creation sent the same and made another thing while the first one was there."""
    is_repeated = one.body == later.body and _same_place(one.call, later.call)
    return is_repeated and view.is_as_created(one, later.call) and _id(one.call) != _id(later.call)


def _repeated(
    view: EvidenceView,
    makers: Sequence[AcceptedWrite],
    later: Sequence[AcceptedWrite],
    repeats: Callable[[AcceptedWrite, AcceptedWrite], bool],
    free: set[str],
) -> list[Fact]:
    """What calls show that repeat the creation of a thing that was there: in what no other thing there has."""
    found = [(one.call, shared) for one in later if (shared := _shared(view, makers, one, repeats, free))]
    statuses = {call.status for call, _ in found}
    if len(statuses) != 1 or (found[0][0].ok and len(found) < _LEAST):
        return []
    calls = [call for call, _ in found]
    by = names_in(calls, set.intersection(*(shared for _, shared in found))) - free
    if _may_be_chance(calls, by):
        return []
    name, scope = _blamed(view, makers, calls, only(by) or "", free)
    value = _value(view, calls, name, is_updated=repeats is _updates, makers=makers)
    return [KIND.fact(calls[0].key, "", replace(value, within=scope), ids(calls))]


def _may_be_chance(calls: Sequence[Call], by: set[str]) -> bool:
    """Whether what requests have in common are values that are no names of the run, and the refusals, which may be
    about anything, name none of them."""
    sent = [dict(_texts(call.arguments.get("body:"))) for call in calls]
    is_name = not by or "" in by or any(is_made_up(body.get(at)) for body in sent for at in by)
    return not is_name and all(call.status in INVALID for call in calls) and not names_any(calls, by)


def _blamed(
    view: EvidenceView, makers: Sequence[AcceptedWrite], calls: Sequence[Call], at: str, free: set[str]
) -> tuple[str | None, str | None]:
    """The property that must be unique, if it is the one at `at` for certain, and the one within which it must be."""
    is_told = not calls[0].ok and names_alone(calls, at)
    if not is_told and not calls[0].ok and names_unsent(calls, properties_of(view.catalog[calls[0].key].body_schema)):
        return None, None
    if is_told or any(_is_alike_alone(view, makers, call, at) for call in calls):
        return at, None
    scope = _scope(view, makers, calls, at, free)
    return (at, scope) if scope is not None else (None, None)


def _scope(
    view: EvidenceView, makers: Sequence[AcceptedWrite], calls: Iterable[Call], at: str, free: set[str]
) -> str | None:
    """The one property with a drawn ID that a refused call has in common, beside the one at `at`, with a thing that was
    there, and that others there had in common, too: what is the same may be so within what that refers to alone."""
    for one, call in product(makers, calls):
        alike = _alike_beside(one, call, at) if not call.ok and view.is_there(one.call, call) else {}
        name = only(alike.keys() - {at}) if at in alike else None
        if name in free and is_drawn(str(alike[name])):
            return name
    return None


def _alike_beside(one: AcceptedWrite, call: Call, at: str) -> dict[str, Json]:
    """What a call sent as a creation at the same place had, of the object that has a property at `at`."""
    sent = _beside(call.arguments.get("body:"), at) if _same_place(one.call, call) else {}
    first = _beside(one.body, at)
    return {name: value for name, value in sent.items() if first.get(name) == value}


def _is_alike_alone(view: EvidenceView, makers: Iterable[AcceptedWrite], call: Call, at: str) -> bool:
    """Whether a call is like the creation of a thing that was there in one property alone of the object that has it, or
    in what the thing is addressed by: what else is alike may be what tells things apart. Of a thing that is returned,
    its return shows that it was found."""
    sent = _beside(call.arguments.get("body:"), at)
    for one in makers if at in sent else ():
        first = _beside(one.body, at)
        is_there = _same_place(one.call, call) and first.get(at) == sent.get(at) and view.is_there(one.call, call)
        is_known = call.ok or _id(one.call) == sent[at]
        if is_there and (is_known or not any(first.get(n) == sent[n] for n in sent if n != at)):
            return True
    return False


def _beside(body: Json, at: str) -> dict[str, Json]:
    """The scalars of the object of a body that has a property at `at`, by their pointers; without empty ones."""
    return {name: value for name, value in scalar_members(body, depth=DEPTH) if parent(name) == parent(at) and value}


def _value(
    view: EvidenceView, calls: Sequence[Call], by: str | None, *, is_updated: bool, makers: Sequence[AcceptedWrite]
) -> Existing:
    call, sent = calls[0], [one.body for one in makers]
    if is_updated:
        return Existing(call.status or 0, by, updated=True)
    if call.ok:
        return Existing(call.status or 0, by, unchanged=any(one.arguments.get("body:") not in sent for one in calls))
    return Existing(call.status or 0, by, unless=_flag(view.observations[call.key].good))


def _flag(calls: Iterable[Call]) -> str | None:
    """The property that, when true, returned the thing that another call with the same body but it had created."""
    created = dict[Json, dict[str, Json]]()
    for call in calls:
        body, id = call.arguments.get("body:"), _id(call)
        if isinstance(body, dict) and id is not None:
            first = created.setdefault(id, body)
            others = [str(name) for name in {**first, **body} if first.get(name) != body.get(name)]
            values = [sent.get(others[0]) for sent in (first, body)] if len(others) == 1 else []
            # Calls are in no order: one of the two created the thing, and without the property it would be refused.
            if True in values and (None in values or False in values):
                return others[0]
    return None


def _shared(
    view: EvidenceView,
    makers: Sequence[AcceptedWrite],
    later: AcceptedWrite,
    repeats: Callable[[AcceptedWrite, AcceptedWrite], bool],
    free: set[str],
) -> set[str]:
    """The properties by which a call repeats the creation of a thing that was there; `free` ones may be alike, unless
    all that was sent is."""
    call = later.call
    there = [one for one in makers if _same_place(one.call, call) and view.is_there(one.call, call)]
    alike = ((one, _alike(one, call, [other for other in there if other is not one]) - free) for one in there)
    if shared := next((at for one, at in alike if at and repeats(one, later)), None):
        return shared
    body = call.arguments.get("body:")
    return _all_of(body) if any(one.body == body and repeats(one, later) for one in there) else set()


def _all_of(body: Json) -> set[str]:
    """The properties of a body that is like another one in all; what a list names is no property of its own."""
    return {*dict(_texts(body))} or ({""} if carries_made_up(body) else set())


def _free(view: EvidenceView, makers: Sequence[AcceptedWrite]) -> set[str]:
    """The properties that two things had in common while both were there, as they were created."""
    return {
        at
        for later in makers
        for one in makers
        if one is not later and _same_place(one.call, later.call) and view.is_as_created(one, later.call)
        for at, value in later.sent.items()
        if one.sent.get(at) == value
    }


def _keeps(one: AcceptedWrite, later: AcceptedWrite) -> bool:
    """Whether the later creation returned the same thing, with a value that only the earlier one sent, or without one
    that the later one added; or if there is nothing in its request that could change."""
    if not _is_same(one, later):
        return False
    if len(one.sent) == 1 and later.body == one.body:
        return True
    changed = [at for at, value in later.sent.items() if one.sent.get(at, value) != value]
    return any(one.holds(at)[1] == one.sent[at] == later.holds(at)[1] for at in changed) or any(
        later.holds(at)[0] and later.holds(at) == one.holds(at) != (True, value)
        for at, value in later.sent.items()
        if at not in one.sent
    )


def _updates(one: AcceptedWrite, later: AcceptedWrite) -> bool:
    """Whether the later creation returned the same thing, with all texts that it alone sent."""
    other = {at: value for at, value in later.sent.items() if at not in one.sent or one.sent[at] != value}
    is_shown = all(later.holds(at) == (True, value) != one.holds(at) for at, value in other.items())
    was_shown = all(one.holds(at)[1] == one.sent[at] for at in other if at in one.sent)
    return _is_same(one, later) and bool(other) and is_shown and was_shown


def _is_same(one: AcceptedWrite, later: AcceptedWrite) -> bool:
    return _id(one.call) is not None and _id(one.call) == _id(later.call)


def _is_like(one: AcceptedWrite, later: AcceptedWrite) -> bool:
    return True


def _id(call: Call) -> Json:
    found = created_id(call.body)
    return found.value if found is not None else None


def _same_place(one: Call, other: Call) -> bool:
    return only_path(one.arguments) == only_path(other.arguments)


def _alike(one: AcceptedWrite, call: Call, others: Sequence[AcceptedWrite]) -> set[str]:
    """The properties in which a call is like a creation and unlike those of all other things there: those with a name
    of the run, if there are any, since anything else may be alike by chance."""
    sent = dict(_texts(call.arguments.get("body:")))
    shared = {at for at, value in sent.items() if one.sent.get(at) == value}
    alone = {at for at in shared if all(other.sent.get(at) != sent[at] for other in others)}
    return {at for at in alone if is_invented_id(sent[at])} or alone


def _texts(body: Json) -> Iterator[tuple[str, Json]]:
    return ((at, value) for at, value in scalar_members(body, depth=DEPTH) if isinstance(value, str | int) and value)


def _shows(fact: Fact, call: Call) -> bool:
    return bool(call.status == fact.value["status"]) and not {"unchanged", "second"} & fact.value.keys()


KIND = Kind("exists", Existing, OPERATION, shows=_shows, replay=Replay(weight=4), from_calls=_from_calls)
