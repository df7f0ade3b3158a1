"""Things of the run's own that were closed, after which what is done to them, or in them, is refused.

What may close a thing by its name goes to a spare one, or comes after all else. What proves to have closed one is
noticed by the refusals after it: they are its doing, and nobody else's credentials would help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.route_arguments import addressed
from docrev.conventions.error_hints import hints_of
from docrev.conventions.hint_locations import is_sent, located
from docrev.conventions.statuses import FORBIDDEN
from docrev.exploration.contexts import Contexts
from docrev.exploration.path_shapes import path_arguments
from docrev.exploration.repeated_creations import Kind, Makers
from docrev.exploration.subjects import Perform, Subject
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Operation

_REFUSING = frozenset({FORBIDDEN, 409, 423})
"""Statuses of refusals that may be for what was done to a thing before."""
_CHANGING = frozenset({"action", "part", "item"})
"""Kinds of effects of what changes a thing."""
MAX_SPARES = 3
"""Things that are made to be closed by an operation."""
_MADE = "MADE"
"""Stands for the method of the operation that made a thing, where nothing was done to it since."""
LEAST_REFUSED = 2
"""Operations that a thing must refuse after a change, and not before, for the change to be suspected."""
MAX_WRONG = 3
"""Suspicions that proved wrong, after which nothing is suspected any more."""

Place = tuple[str, str, tuple[str, ...]]
"""A tool, the shape of a path, and its arguments."""


@dataclass(slots=True)
class _Change:
    """What was last done to a thing, and which operations it refused since then."""

    item: JournalItem
    by: OperationKey
    refused: dict[OperationKey, tuple[Subject, dict[str, Json]]] = field(default_factory=dict)


class ClosedThings:
    """Knows which things were closed, and goes on with others; `perform` calls an operation on one."""

    def __init__(self, journal: Journal, policy: Policy, contexts: Contexts, makers: Makers, perform: Perform) -> None:
        self._journal, self._policy, self._contexts = journal, policy, contexts
        self._makers, self._perform = makers, perform
        self._changes: dict[str, _Change] = {}
        self._items: dict[Place, JournalItem] = {}
        self._seen: set[str] = set()
        self._refused_before: set[tuple[Place, int]] = set()
        self._cleared: set[OperationKey] = set()
        self._spares: Counter[OperationKey] = Counter()
        self._wrong = 0
        self.blamed: set[OperationKey] = set()
        """Operations that were refused for what the thing that they were called on had become."""

    def note(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        """Take in an answer: a change of a thing of the run's own, or a refusal after one."""
        operation = subject.operation
        if call.ok and not subject.safe:
            self._note_change(subject, arguments)
        elif call.status in _REFUSING and not _blames_sent(operation, arguments, call):
            self.blamed.discard(operation.key)
            for place in _places(operation, arguments):
                change = self._change_of(place)
                if change is None:
                    self._refused_before.add((place, call.status))
                elif (place, call.status) not in self._refused_before and operation.key != change.by:
                    change.refused[operation.key] = subject, arguments

    def _change_of(self, place: Place) -> _Change | None:
        """What was last done to a thing: it may have been made closed, as by `{"active": false}`."""
        self._learn_places()
        item = self._items.get(place)
        born = OperationKey(place[0], f"{_MADE} {place[1]}")
        if item is not None and item.id not in self._changes and born not in self._cleared:
            self._changes[item.id] = _Change(item, born)
        return self._changes.get(item.id) if item is not None else None

    def _note_change(self, subject: Subject, arguments: dict[str, Json]) -> None:
        operation = subject.operation
        changes = self._journal.effects.of(operation).kind in _CHANGING and operation.route.method != "DELETE"
        if not changes or subject.removes or not parameters_of(operation.route.path):
            return
        self._learn_places()
        item = self._items.get([*_places(operation, arguments)][-1])
        before = self._changes.get(item.id) if item is not None else None
        waits = before is not None and bool(before.refused) and before.by not in self._cleared
        if item is not None and not waits:
            self._changes[item.id] = _Change(item, operation.key)

    def _learn_places(self) -> None:
        """Learn by which paths what the run has made since then is addressed."""
        for item in self._journal.items:
            if item.confirmed and not item.deleted and item.id not in self._seen:
                self._seen.add(item.id)
                self._items.update(dict.fromkeys(self._places_of(item), item))

    def _places_of(self, item: JournalItem) -> list[Place]:
        found = self._contexts.all_addresses(item)
        return [(item.tool, shape, tuple(map(str, values))) for shape, values in found]

    def close_spare(self, subject: Subject, arguments: dict[str, Json]) -> Steps[bool]:
        """Do what may close a thing to one that is made for it; False if none can be made."""
        operation = subject.operation
        if self._spares[operation.key] >= MAX_SPARES * subject.patience:
            return False
        self._spares[operation.key] += 1
        item: JournalItem | None = yield from self._makers.make(_kind(operation))
        path = self._newest(operation) if item is not None else None
        if item is None or path is None:
            return False
        moved = addressed(arguments, path)
        if self._policy.verdict(operation, moved, self._journal) is None:
            yield from self._perform(subject, moved)
        self._contexts.forget(item)
        return True

    def _newest(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments of the newest thing of the run's own that an operation is called on."""
        head = list(heads_of(operation.route.path))[-1]
        known = self._contexts.tuples(operation.tool, head, owned=len(parameters_of(head)))
        return path_arguments(head, known[0]) if known else None

    def replace(self) -> Steps[None]:
        """Go on with a fresh thing where one was closed, and ask again what that refused."""
        for id, change in sorted(self._changes.items()):
            if len(change.refused) < LEAST_REFUSED or change.by in self._cleared or self._wrong >= MAX_WRONG:
                continue
            del self._changes[id]
            yield from self._replace(change)

    def _replace(self, change: _Change) -> Steps[None]:
        """Do what was refused to a fresh thing: if that takes it, the change closed the other."""
        kind = self._makers.kind_at(change.item)
        fresh: JournalItem | None = (yield from self._makers.make(kind)) if kind is not None else None
        if kind is None or fresh is None:
            self._cleared.add(change.by)
            return
        known = self._contexts.tuples(kind[0], kind[1], owned=kind[1].count("{}"))
        values = known[0] if known else ()
        takes = yield from self._takes(change, kind, values)
        if takes is False:
            self._wrong += 1
            self._cleared.add(change.by)
            return
        places = self._places_of(change.item)
        self._contexts.forget(change.item)
        self.blamed.update(change.refused)
        for subject, _ in change.refused.values():
            subject.start_over()
            if (head := list(heads_of(subject.operation.route.path))[-1]) and shape_of(head) == kind[1]:
                subject.ask_again(path_arguments(head, values))
        yield from self._makers.move(kind, [given for _, shape, given in places if shape == kind[1]], values)

    def _takes(self, change: _Change, kind: Kind, values: tuple[Json, ...]) -> Steps[bool | None]:
        """Whether a fresh thing takes what another one refused; None if nothing can tell."""
        for _, (subject, arguments) in sorted(change.refused.items()):
            heads = list(heads_of(subject.operation.route.path))
            if shape_of(heads[-1]) != kind[1]:
                continue
            moved = addressed(arguments, path_arguments(heads[-1], values))
            if self._policy.verdict(subject.operation, moved, self._journal) is None:
                call = yield from self._perform(subject, moved)
                return call.status not in _REFUSING
        return None


def _kind(operation: Operation) -> Kind:
    return operation.tool, shape_of(list(heads_of(operation.route.path))[-1])


def _places(operation: Operation, arguments: dict[str, Json]) -> Iterator[Place]:
    """The things that the path of a call goes through."""
    for head in heads_of(operation.route.path):
        values = tuple(str(arguments.get(f"path:{name}")) for name in parameters_of(head))
        yield operation.tool, shape_of(head), values


def _blames_sent(operation: Operation, arguments: dict[str, Json], call: Call) -> bool:
    """Whether a refusal blames what was sent beside the path."""
    found = located(operation, arguments, hints_of(call))
    return any(is_sent(arguments, location) for location in found if not location.startswith("path:"))
