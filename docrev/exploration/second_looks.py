"""Second looks: whether what a call read, or is about, is afterwards as it was before.

A GET with a query parameter that it was not sent with before, and a GET of a part of an item, are followed by the
plain GET of what they read; a GET beside a list of the same name (`/export` and `/exports`), or beside the items of a
list (`/jobs/next`), also by that of the list, and one of what comes next by itself: a counter shows nowhere else.
What differs then and does not differ again by itself was changed by the call: from there on the operation counts as
unsafe with this parameter, or at all, and the policy denies it on what is not the run's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from docrev.calls.journal import Journal
from docrev.calls.listings import read_list
from docrev.calls.path_texts import item_path
from docrev.calls.readings import WHOLE, is_of_item
from docrev.conventions.changing_parameters import sets_state
from docrev.conventions.fields import is_time
from docrev.exploration.lists_beside import lists_beside, says_next
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.language.words import words
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Arguments, Call, JournalItem, Json, OperationKey
from docrev.spec import Catalog, Operation

_NAMED = 3

Tell = Callable[[str, Sequence[Call]], None]
"""Takes a sentence on what was changed, and the calls after which it was."""
Keep = Callable[[JournalItem], None]
_MADE = "a GET made it, which should only read"


def _forget(item: JournalItem) -> None:
    """For callers that keep no evidence."""


@dataclass(slots=True)
class _Watch:
    """Plain GETs, what they returned before, and the calls whose effect on it is in question, by what they sent."""

    plain: list[Invoke]
    before: list[Call] = field(default_factory=list)
    calls: list[tuple[str, Invoke]] = field(default_factory=list)


@dataclass(slots=True)
class _PartsRead:
    """The calls that read parts of an item, and those after which it had changed, with the pointers."""

    made: dict[int, Call] = field(default_factory=dict)
    changes: list[tuple[Call, set[str]]] = field(default_factory=list)


class SecondLooks:
    """Makes GETs, and looks again at what they read. `tell` hears of what was changed, `keep` gets what was created."""

    def __init__(self, catalog: Catalog, journal: Journal, tell: Tell, keep: Keep = _forget) -> None:
        self._catalog, self._journal, self._tell, self._keep = catalog, journal, tell, keep
        # By the request: strands that run side by side look at different things.
        self._looks: dict[str, int] = {}
        self._parts: set[OperationKey] = set()

    def around(self, wanted: Sequence[tuple[Invoke, Arguments | None]]) -> Steps[list[Call]]:
        """Make GETs, each given with the arguments that worked without what is new in it (None: nothing is known).

        Those of which a look must tell one from the other are made one after the other, the rest side by side.
        """
        watches, parts = self._watches(wanted), self._new_parts(wanted)
        yield from self._look_before([*watches, *parts])
        alone = {id(invoke) for watch in parts for _, invoke in watch.calls}
        together = [invoke for invoke, _ in wanted if id(invoke) not in alone]
        calls: list[Call] = (yield together) if together else []
        made = {id(invoke): call for invoke, call in zip(together, calls, strict=True)}
        yield from self._look_after(watches, made)
        found: list[_PartsRead] = (yield [self._read_parts(watch) for watch in parts]) if parts else []
        for read in found:
            made.update(read.made)
            for call, pointers in read.changes:
                self.note(call.key, {WHOLE: [call]}, pointers)
        return [made[id(invoke)] for invoke, _ in wanted]

    def seen(self, plain: Sequence[Invoke]) -> Steps[list[Call]]:
        """What GETs show: as they were made last, unless something was changed since."""
        return (yield [self._last(invoke) for invoke in plain]) if plain else []

    def changed(self, before: Sequence[Call], plain: Sequence[Invoke]) -> Steps[set[str] | None]:
        """Look at something again: the pointers of what differs from `before`, and does not differ by itself.

        None if a look could not be made, for want of requests: nothing shows what changed.
        """
        after: list[Call] = (yield [self._fresh(invoke) for invoke in plain]) if plain else []
        differing = [differences(old, new) for old, new in zip(before, after, strict=True)]
        again: list[Call] = (yield [self._fresh(invoke) for invoke in plain]) if any(differing) else []
        if any(call.error == "budget" for call in [*before, *after, *again]):
            return None
        looked_twice = zip(differing, after, again, strict=False)
        return {pointer for found, old, new in looked_twice for pointer in found - differences(old, new)}

    def watches(self, operation: Operation, names: Iterable[str]) -> bool:
        """Whether a GET with these query parameters is followed by a look."""
        if operation.method != "GET" or self._is_acting(operation):
            return False
        return is_of_item(operation, self._journal.routes) or any(map(sets_state, names))

    def note(self, key: OperationKey, sent: Mapping[str, Sequence[Call]], pointers: set[str]) -> None:
        """Something that a GET reads had changed after calls: by the query parameters in `sent`, WHOLE for none."""
        likely = [name for name in sent if {*words(name)} & {part for place in pointers for part in words(place)}]
        for name in likely or list(sent):
            self._journal.readings.note_change(key, name)
            self.tell(key, f"it was sent with {name}" if name else "it was called", pointers, sent[name])

    def tell(self, key: OperationKey, when: str, pointers: set[str], calls: Sequence[Call]) -> None:
        """Say that an operation that should only read had changed something, and when."""
        shown = ", ".join(sorted(pointers)[:_NAMED]).strip(", ") or "what it reads"
        # That it was the call which changed it is likely, and no more: what is on its way changes by itself.
        self._tell(f"{shown} had changed after {key} when {when}: it counts as unsafe", calls)

    # What is watched

    def _watches(self, wanted: Sequence[tuple[Invoke, Arguments | None]]) -> list[_Watch]:
        """The plain GETs of what is called with a query parameter more."""
        found: dict[str, _Watch] = {}
        for invoke, plain in wanted:
            if plain is None or plain == invoke.arguments:
                continue
            new = [name for name in _queried(invoke.arguments) if f"query:{name}" not in plain]
            if new and self.watches(self._catalog[invoke.key], new):
                watched = replace(invoke, arguments=plain)
                watch = found.setdefault(_name(watched), _Watch([watched]))
                watch.calls += [(name, invoke) for name in new]
        return list(found.values())

    def _new_parts(self, wanted: Sequence[tuple[Invoke, Arguments | None]]) -> list[_Watch]:
        """The GETs of the items of which a part is read by an operation that did not answer before."""
        found: dict[str, _Watch] = {}
        for invoke, plain in wanted:
            if plain is not None or invoke.key in self._parts or not (plain_reads := self._shown_by(invoke)):
                continue
            watch = found.setdefault(_name(plain_reads[0]), _Watch([]))
            watch.plain += [read for read in plain_reads if read not in watch.plain]
            watch.calls.append((WHOLE, invoke))
        return list(found.values())

    def _shown_by(self, invoke: Invoke) -> list[Invoke]:
        """The GETs that may show what a GET changed: of the item that it reads a part of, and of lists."""
        operation, routes = self._catalog[invoke.key], self._journal.routes
        if operation.route.method != "GET" or self._is_acting(operation):
            return []
        item = self._item_of(operation, invoke.arguments)
        lists = lists_beside(operation, invoke.arguments, routes)
        return [
            *([] if item is None else [item]),
            *(one for one in lists if not self._is_acting(self._catalog[one.key])),
        ]

    def _item_of(self, operation: Operation, arguments: Arguments) -> Invoke | None:
        """The GET of the item that a GET reads a part of."""
        routes = self._journal.routes
        path = routes.path(operation.key)
        # In RPC style several operations read the same item: `/jobs/get` and `/jobs/peek`.
        whole = path.ends_in_parameter and operation.rpc_route is None
        if whole or not is_of_item(operation, routes):
            return None
        filled = path.item(arguments)
        found = routes.resolve(operation.tool, "GET", filled) if filled is not None else None
        if found is None or found[0].key == operation.key or self._is_acting(found[0]):
            return None
        return Invoke(found[0].key, found[1], "survey")

    def _is_acting(self, operation: Operation) -> bool:
        return self._journal.effects.of(operation).kind != "read"

    # Looks

    def _look_before(self, watches: Sequence[_Watch]) -> Steps[None]:
        calls: list[Call] = yield from self.seen([plain for watch in watches for plain in watch.plain])
        shown = iter(calls)
        for watch in watches:
            watch.before = [next(shown) for _ in watch.plain]

    def _look_after(self, watches: Sequence[_Watch], made: Mapping[int, Call]) -> Steps[None]:
        for watch in watches:
            calls = ((name, made[id(invoke)]) for name, invoke in watch.calls)
            sent = grouped((name, call) for name, call in calls if call.status is not None)
            if sent and watch.before[0].ok:
                pointers: set[str] | None = yield from self.changed(watch.before, watch.plain)
                if pointers:
                    self.note(watch.calls[0][1].key, sent, pointers)

    def _read_parts(self, watch: _Watch) -> Steps[_PartsRead]:
        """Read parts of an item one after the other, with a look at it after each."""
        read = _PartsRead()
        for _, invoke in watch.calls:
            call: Call = yield invoke
            read.made[id(invoke)] = call
            there = [(old, plain) for old, plain in zip(watch.before, watch.plain, strict=True) if old.ok]
            if not call.ok or not there:
                continue
            self._parts.add(invoke.key)
            before, plain = [old for old, _ in there], [plain for _, plain in there]
            pointers: set[str] | None = yield from self._changed_by(invoke, call, before, plain)
            if pointers:
                read.changes.append((call, pointers))
                after: list[Call] = yield from self.seen(plain)
                for old, new in zip(before, after, strict=True):
                    self._note_created(call, old, new)
                watch.before = yield from self.seen(watch.plain)
        return read

    def _changed_by(
        self, invoke: Invoke, call: Call, before: Sequence[Call], plain: Sequence[Invoke]
    ) -> Steps[set[str] | None]:
        """What a call had changed of what plain GETs show or, for what comes next, of what it returns itself."""
        pointers: set[str] | None = yield from self.changed(before, plain)
        if pointers or not says_next(invoke.key.path):
            return pointers
        again: Call = yield self._fresh(invoke)
        return differences(call, again)

    def _note_created(self, call: Call, before: Call, after: Call) -> None:
        """Note what a list shows after a GET and did not show before: one new thing alone is the run's own."""
        operation = self._catalog[after.key]
        path = self._journal.routes.path(after.key)
        collection = path.fill(after.arguments)
        old, new = (read_list(operation, collection, look) for look in (before, after))
        if path.ends_in_parameter or old is None or new is None or not old.whole:
            return
        was_there = {id for ids, _ in old.things for id in ids}
        added = [ids[0] for ids, _ in new.things if was_there.isdisjoint(ids)]
        for id in added:
            place = item_path(collection, id)
            certain = len(added) == 1
            self._keep(self._journal.record(call.key.tool, place, call.id, confirmed=certain, reason=_MADE))

    def _last(self, plain: Invoke) -> Invoke:
        """The same GET as it was made last: what it showed stands, unless something was changed since."""
        looks = self._looks.get(_name(plain), 0)
        return replace(plain, repeat=Repeat.LOOK + looks if looks else plain.repeat)

    def _fresh(self, plain: Invoke) -> Invoke:
        """The same GET under a number of its own: no earlier answer stands for it."""
        self._looks[_name(plain)] = self._looks.get(_name(plain), 0) + 1
        return self._last(plain)


def differences(before: Call, after: Call) -> set[str]:
    """The pointers of what differs between two responses, `/0` for every item of a list; times are left out."""
    if before.status is None or after.status is None or after.status >= 500:
        return set()
    if before.status != after.status:
        return {""}
    old, new = _values(before.body), _values(after.body)
    return {pointer for pointer in old.keys() | new.keys() if old.get(pointer) != new.get(pointer)}


def _values(body: Json) -> dict[str, Counter[str]]:
    """The values at each pointer of a body, in any order."""
    found: dict[str, Counter[str]] = {}
    for pointer, value in leaves(body):
        found.setdefault(pointer, Counter())["time" if is_time(value) else canonical(value)] += 1
    return found


def _queried(arguments: Arguments) -> list[str]:
    return [name for place, _, name in (location.partition(":") for location in arguments) if place == "query"]


def _name(plain: Invoke) -> str:
    return canonical([plain.key, dict(plain.arguments)])
