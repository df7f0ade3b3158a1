"""Lists of other kinds of things that a call may change: those that it speaks of, or whose things its name marks.

`POST /archives` may archive invoices, which have a member `archived`; a summary may say that it closes accounts. Such
lists are looked at before and after the first accepted call, at most two; where something of others is gone or
changed, the operation is not called again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docrev.calls.effects import Effects
from docrev.calls.listed_things import is_of_run
from docrev.calls.listings import Listed, first_page, read_list
from docrev.calls.looks import Look, LookPair
from docrev.calls.path_texts import noun_of
from docrev.calls.readings import Readings
from docrev.calls.routes import Routes
from docrev.conventions.fields import is_volatile_field
from docrev.conventions.run_names import carries_made_up
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last
from docrev.language.stems import stem, stems
from docrev.language.words import singular, words
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_MOST = 2
"""Lists that are looked at for one operation."""
_SAID = 400
"""Characters of a description that say what an operation does."""
_BY_ITSELF = frozenset(
    """
    accessed activity checksum connections count counts etag hash health last latest load modified next number phase
    progress recent rev revision seen size state status synced total totals updated usage used version
    """.split()
)
"""Words of members that change while somebody adds something of their own, or by themselves."""
_BESIDE_MARKS = frozenset({"at", "by", "date", "is", "on", "time"})
_ACTING = ("creation", "action", "item", "part")


@dataclass(frozen=True)
class OtherKind:
    """A list of things of another kind than a call of an `operation` is about, and the looks at it."""

    operation: Operation
    collection: str
    looks: tuple[Look, ...] = field(repr=False)

    def next_look(self, before: Sequence[tuple[Look, Call]]) -> Look | None:
        """The look to be made next, given what the earlier ones showed: one that was answered is enough."""
        answered = any(call.ok for _, call in before)
        return self.looks[len(before)] if not answered and len(before) < len(self.looks) else None


class OtherKinds:
    """The lists of others' things that answers showed, by tool and path, with the members that such things have."""

    def __init__(
        self, routes: Routes, effects: Effects, readings: Readings, is_own: Callable[[str, str], bool]
    ) -> None:
        self._routes, self._effects, self._readings, self._is_own = routes, effects, readings, is_own
        self._members: dict[tuple[str, str], frozenset[str]] = {}
        self._looked: set[OperationKey] = set()

    def see_list(self, tool: str, collection: str, listed: Iterable[tuple[Json, Json, frozenset[str]]]) -> None:
        """An answer listed things of the collection at a path, by their IDs."""
        others = (thing for id, thing, _ in listed if not is_of_run((tool, collection), id, thing, self._is_own))
        if "{" not in collection and (first := next(others, None)) is not None:
            self._members[tool, collection] = frozenset(mapping(first))

    def of(self, operation: Operation) -> list[OtherKind]:
        """What is to be looked at before and after a call, until one was accepted."""
        acts = self._effects.of(operation).kind in _ACTING and operation.route.method != "DELETE"
        if not acts or operation.key in self._looked:
            return []
        found = []
        for collection in sorted(self._concerned(operation)):
            if (listing := self._routes.resolve(operation.tool, "GET", collection)) is not None:
                steps = first_page(listing[0], Invoke(listing[0].key, listing[1]))
                found.append(OtherKind(operation, collection, tuple(Look(step, listing=listing[0]) for step in steps)))
        return found[:_MOST]

    def settle(self, other: OtherKind, looks: Sequence[LookPair], call: Call) -> None:
        """Take in a call and the looks around it."""
        said = {*stems(_names(other.operation))}
        if any(self._is_touched(other, one, said) for one in looks):
            self._readings.note_change(other.operation.key)
        if call.ok:
            self._looked.add(other.operation.key)

    def _concerned(self, operation: Operation) -> Iterator[str]:
        """The paths of the lists that an operation may change by what it is called, or what it says."""
        named, said = words(_names(operation)), {*stems(_text(operation))}
        around = {noun_of(segment) for segment in operation.route.path.split("/")}
        for (tool, collection), members in self._members.items():
            noun = noun_of(collection)
            if tool != operation.tool or not noun or noun in around:
                continue
            if {*stems(noun)} <= said or any(_marks(member, named) for member in members):
                yield collection

    def _is_touched(self, other: OtherKind, looks: LookPair, said: set[str]) -> bool:
        """Whether something of others is gone, or has other values than such as change by themselves."""
        look, before, after = looks
        assert look.listing is not None
        old, new = (read_list(look.listing, other.collection, call) for call in (before, after))
        if old is None or new is None:
            return False
        others = dict(self._others(other, old))
        there = {id: thing for id, thing in self._others(other, new) if id in others}
        gone = new.whole and len(there) < len(others)
        return gone or any(_differs(others[id], thing, said) for id, thing in there.items())

    def _others(self, other: OtherKind, listed: Listed) -> Iterator[tuple[str, Json]]:
        """(id, thing) of what a list shows of others."""
        tool, collection = other.operation.tool, other.collection
        found = ((ids[0], thing) for ids, thing in listed.things)
        return ((id, thing) for id, thing in found if not is_of_run((tool, collection), id, thing, self._is_own))


def _names(operation: Operation) -> str:
    """What an operation is called: the end of its path."""
    literals = [segment for segment in operation.route.path.split("/") if segment and "{" not in segment]
    return literals[-1] if literals else ""


def _marks(member: str, named: tuple[str, ...]) -> bool:
    """Whether a member is a mark that an operation may set, which is called so: `archived_at` for `archives`."""
    marks = [word for word in words(member) if word not in _BESIDE_MARKS]
    return len(marks) == 1 and marks[0] not in {*named, *map(singular, named)} and stem(marks[0]) in map(stem, named)


def _text(operation: Operation) -> str:
    return f"{operation.summary} {operation.description[:_SAID]} {operation.operation_id}"


def _differs(old: Json, now: Json, said: set[str]) -> bool:
    """Whether a thing has another value than before, but for numbers, times, and what changes by itself: that it is
    what an operation is called counts there, too."""
    was, after = _values(old), _values(now)
    for pointer in was.keys() & after.keys():
        gone, come = was[pointer] - after[pointer], after[pointer] - was[pointer]
        if not gone or carries_made_up([*come]):
            continue
        if _BY_ITSELF.isdisjoint(words(last(pointer))) or any(not said.isdisjoint(stems(value)) for value in come):
            return True
    return False


def _values(thing: Json) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pointer, value in leaves(thing):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number and not (value is not None and is_volatile_field(last(pointer), value)):
            found.setdefault(pointer, set()).add(canonical(value))
    return found
