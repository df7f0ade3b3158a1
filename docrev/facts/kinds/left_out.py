"""`left-out`: what a PUT or PATCH does with the members of an object that are not sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.ids import is_id_name
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import MAX_NAMED
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite, agreed
from docrev.json_values.leaves import names_of_members, parts
from docrev.json_values.pointer import find, parent, split
from docrev.records import Call, Json, OperationKey
from docrev.spec.schema import properties_of

REMOVED, KEPT = "removed", "kept"
_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    """For each object of a body: whether what was in it before, and was not sent again, is gone."""
    held: dict[tuple[str, str], dict[str, AcceptedWrite]] = {}
    seen: dict[tuple[OperationKey, str], dict[str, dict[str, Call]]] = {}
    for one in view.writes:
        there = held.setdefault(one.place, {})
        if one.call.key.method in ("PUT", "PATCH"):
            for at, fate in _fates(one, there) if _is_of_things(view, one, there) else ():
                # By the call that left it out: the one before it, which sent it.
                calls = seen.setdefault((one.call.key, parent(at)), {}).setdefault(fate, {})
                calls.setdefault(one.call.id, there[at].call)
        _take_in(one, there)
    for (key, above), fate, calls in agreed(seen):
        if len(calls) >= _LEAST:
            named = (id for without, before in calls.items() for id in (before.id, without))
            yield KIND.fact(key, f"body:{above}", TextValue(fate), tuple(named)[:MAX_NAMED])


def _is_of_things(view: EvidenceView, one: AcceptedWrite, there: Mapping[str, AcceptedWrite]) -> bool:
    """Whether a body has members that the thing was given before, as far as the schema declares any: an order to
    approve it leaves nothing out.
    """
    declared = properties_of(view.catalog[one.call.key].body_schema)
    return not declared or not declared.keys().isdisjoint(split(at)[0] for at in there)


def _fates(one: AcceptedWrite, there: Mapping[str, AcceptedWrite]) -> Iterator[tuple[str, str]]:
    """(pointer, what became of it) of the members that the thing had and that were not sent, though what is around
    them was."""
    for at, before in there.items():
        if not one.states or not _is_left_out(one, at) or before.sent[at] in one.call.arguments.values():
            continue
        there_now, value = one.holds(at)
        if there_now and value == before.sent[at]:
            # What others would send as well may also be filled in.
            yield from [(at, KEPT)] if is_invented(value) else []
        elif value is None and one.is_whole and _shows_as_much(one, before) and not _is_shown(one, before.sent[at]):
            yield at, REMOVED


def _is_left_out(one: AcceptedWrite, at: str) -> bool:
    """Whether a member was not sent, though the object around it was."""
    above = parent(at)
    around = find(one.body, above)[1] if above else one.body
    return isinstance(around, dict) and not find(one.body, at)[0]


def _shows_as_much(one: AcceptedWrite, before: AcceptedWrite) -> bool:
    """Whether a write was seen with all that the thing had before, beside what was sent then.

    The answer to a write may be a part of the thing, or what was sent with an ID: only what the service gave the thing
    by itself tells one from the other.
    """
    sent = set(before.body) if isinstance(before.body, dict) else set()
    rest = names_of_members(before.states) - sent
    is_echo = not one.reads and all(map(_is_around_an_echo, rest))
    return not is_echo and names_of_members(one.states) >= rest


def _is_around_an_echo(name: str) -> bool:
    """Whether a member of a response may stand beside what was sent, or around it."""
    return is_id_name(name) or plain_name(name) in ENVELOPES


def _is_shown(one: AcceptedWrite, value: Json) -> bool:
    """Whether a state has a value anywhere: in a part of it that is not known to be the thing."""
    return any(shown == value for state in one.states for _, shown in parts(state))


def _take_in(one: AcceptedWrite, there: dict[str, AcceptedWrite]) -> None:
    """Note which members the thing has now, with the write that sent them: those whose value says so."""
    for at in [at for at in there if one.holds(at)[1] != there[at].sent[at]]:
        del there[at]
    for at, value in one.sent.items():
        if value and not isinstance(value, bool) and one.holds(at)[1] == value:
            there[at] = one


KIND = Kind("left-out", TextValue, PROPERTY, from_calls=_from_calls)
