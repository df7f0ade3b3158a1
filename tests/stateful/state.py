"""What a service holds, who created it, and every change to what the client did not create."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from stateful.description import Json, Kind

GONE = "(removed)"
State = dict[str, dict[str, Json]]
"""A snapshot: path of a thing → its values."""


@dataclass
class Thing:
    """One thing by its path. `request` is the number of the client's request that created it, 0 for somebody else's;
    it is shown from the request with the number `since` on. `asked` is the body that created it.
    """

    path: str
    kind: str
    id: Json
    values: dict[str, Json]
    request: int = 0
    deleted: bool = False
    by: str = ""
    since: int = 0
    asked: Json = None

    @property
    def others(self) -> bool:
        return self.request == 0

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0].rpartition("/")[0]


@dataclass(frozen=True)
class Change:
    """One change to what the client did not create, by the request with this number, which was for `operation`."""

    request: int
    operation: str
    path: str
    what: str
    before: Json
    after: Json
    trap: str
    foreseeable: bool = True

    def __str__(self) -> str:
        if self.what == GONE:
            return f"{self.operation} removed {self.path} [{self.trap}]"
        return f"{self.operation} changed {self.path}: {self.what} {self.before!r} -> {self.after!r} [{self.trap}]"


@dataclass
class Request:
    """The request that is being answered: all that it changes is put down to it."""

    number: int = 0
    operation: str = "(nobody)"
    trap: str = ""
    foreseeable: bool = True


@dataclass
class World:
    """The things of a service.

    `lures` are paths of somebody else's things that an answer named, by kind of trap; `counts` are the last numbers
    given as ids, by kind; `created` counts the things that the client created.
    """

    things: dict[str, Thing] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    baseline: State = field(default_factory=dict)
    lures: dict[str, str] = field(default_factory=dict)
    request: Request = field(default_factory=Request)
    counts: dict[str, int] = field(default_factory=dict)
    created: int = 0

    def add(self, collection: str, kind: str, id_: Json, values: Mapping[str, Json], *, others: bool = False) -> Thing:
        """Create a thing: the client's, unless `others` says that somebody else does so in the meantime."""
        number = 0 if others else self.request.number
        path = f"{collection}/{quote(str(id_), safe='')}"
        thing = Thing(path, kind, id_, dict(values), number, by=self.request.operation)
        self.things[thing.path] = thing
        self.created += not thing.others
        if thing.others:
            self.baseline[thing.path] = copy.deepcopy(thing.values)
        return thing

    def change(self, thing: Thing, name: str, value: Json) -> None:
        """Set one value; None removes it."""
        before = thing.values.get(name)
        if before == value and type(before) is type(value):
            return
        self._note(thing, name, before, value)
        if value is None:
            del thing.values[name]
        else:
            thing.values[name] = copy.deepcopy(value)

    @contextmanager
    def trapped(self, trap: str, *, foreseeable: bool = True) -> Iterator[None]:
        """What is changed in the block is put down to a trap, unless the request is for another one."""
        before = self.request
        self.request = replace(before, trap=before.trap or trap, foreseeable=foreseeable and before.foreseeable)
        try:
            yield
        finally:
            self.request = before

    def count(self, thing: Thing, name: str) -> None:
        """Add one to a counter."""
        before = thing.values.get(name)
        self.change(thing, name, (before if isinstance(before, int) else 0) + 1)

    def remove(self, thing: Thing) -> None:
        """Remove a thing and all below it."""
        for below in [t for path, t in self.things.items() if path.startswith(thing.path + "/")]:
            self._note(below, GONE, None, None)
            self.things.pop(below.path)
        self._note(thing, GONE, None, None)
        self.things.pop(thing.path)

    def mark_deleted(self, thing: Thing) -> None:
        """Delete softly: the thing is still there, and says so."""
        self._note(thing, GONE, None, None)
        thing.deleted = True

    def lure(self, thing: Thing | None, trap: str) -> None:
        """Note that an answer named this thing as if the client had created it."""
        if thing is not None and thing.others:
            self.lures.setdefault(thing.path, trap)

    def inside(self, collection: str) -> list[Thing]:
        """The things of a collection, softly deleted ones included, in order of creation."""
        start = collection + "/"
        below = [t for path, t in self.things.items() if path.startswith(start) and "/" not in path[len(start) :]]
        return [thing for thing in below if not self._is_to_come(thing)]

    def hidden(self, thing: Thing) -> bool:
        """Whether a thing is yet to come, or something that it lies in is softly deleted."""
        deleted = any(t.deleted and thing.path.startswith(path + "/") for path, t in self.things.items())
        return deleted or self._is_to_come(thing)

    def _is_to_come(self, thing: Thing) -> bool:
        return 0 < self.request.number < thing.since

    def of_kind(self, kind: Kind) -> list[Thing]:
        return [thing for thing in self.things.values() if thing.kind == kind.plural]

    def others_now(self) -> State:
        """What is left of all that the client did not create."""
        return {
            path: copy.deepcopy(thing.values)
            for path, thing in self.things.items()
            if thing.others and not thing.deleted
        }

    def _note(self, thing: Thing, what: str, before: Json, after: Json) -> None:
        if not thing.others or self.request.number == 0:
            return
        request = self.request
        trap = request.trap or self._lure(thing.path) or "somebody else's item"
        self.changes.append(
            Change(request.number, request.operation, thing.path, what, before, after, trap, request.foreseeable)
        )

    def _lure(self, path: str) -> str:
        return next((trap for lure, trap in self.lures.items() if path == lure or path.startswith(lure + "/")), "")
