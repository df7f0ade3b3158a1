"""What comes of deleting: of the thing, of what is in it, and of the list that it was in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from docrev.exploration.deleted_lists import bringing_back
from docrev.exploration.path_shapes import fill
from docrev.exploration.probe_places import rest_of
from docrev.exploration.state_bench import StateBench
from docrev.facts.attached_things import Attached, attached
from docrev.facts.samples import barren
from docrev.language.path_templates import ends_in_parameter, heads_of, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Operation

_MAX_CONTENTS = 2
"""Kinds of things that are put into something before it is deleted."""


class DeletionProbes:
    """Deletions of things made for them."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench
        self._listed = set[OperationKey]()

    def delete(self, operation: Operation) -> Steps[None]:
        """Delete something made for it, until two deletions have shown a body; look for it, and delete again.

        What can be made in it is there by then: is that refused, or does all of it go? What is still there afterwards
        is deleted a second time, too: what tells it from what is not deleted is the same then.
        """
        good = self._bench.good(operation)
        shown = any(not barren(call.body) for call in good)
        remains = yield from self._delete_one(operation, good, is_first=True)
        if remains or (remains is False and not shown):
            yield from self._delete_one(operation, good)

    def _delete_one(self, operation: Operation, good: Sequence[Call], *, is_first: bool = False) -> Steps[bool | None]:
        """Delete one thing made for it; whether it can still be read, None if none could be made."""
        victim = yield from self._victim(operation)
        place = self._bench.places.place_to_write(operation) if victim else None
        if victim is None or place is None or not good:
            return None
        arguments = self._deletion(operation, victim, rest_of(good[0]) | place)
        if arguments is None:
            return None
        inside: list[JournalItem] = yield from self._fill(operation, victim)
        call: Call = yield from self._delete_with(operation, arguments, place, inside)
        if not call.ok or not ends_in_parameter(operation.path):
            return False
        there: Call | None = yield from self._bench.look(operation, place)
        if is_first:
            yield from self._list_deleted(victim, call)
            yield from self._bench.send(operation, arguments)
            yield from self._bench.send(operation, arguments)
        return there is not None and there.ok

    def _read_named(self, operation: Operation, place: dict[str, Json]) -> Steps[list[Attached]]:
        """Read what something names of other kinds, and list these, if such things do: some of it may come and go with
        it."""
        bench = self._bench
        twin = bench.routes.twin(operation.key, "GET")
        readers = [one for one in bench.permitted if one.method == "GET"]
        if twin is None or not any(any(attached(call, readers)) for call in bench.good(twin)):
            return []
        thing: Call | None = yield from bench.look(operation, place)
        there = []
        for one in islice(attached(thing, readers) if thing is not None else (), _MAX_CONTENTS):
            found: Call = yield from bench.send(one.reader, one.arguments)
            there += [one] if found.ok else []
            collection = bench.routes.resolve(operation.tool, "GET", one.reader.path.rpartition("/{")[0])
            if collection is not None and collection[0] in bench.permitted:
                yield from bench.send(collection[0], {})
        return there

    def _list_deleted(self, victim: JournalItem, deletion: Call) -> Steps[None]:
        """Call the list that something was in, with each query parameter that it took: is what is gone in it again?"""
        found = self._bench.routes.resolve(victim.tool, "GET", victim.path.rpartition("/")[0])
        if found is None or found[0] not in self._bench.permitted or found[0].key in self._listed:
            return
        self._listed.add(found[0].key)
        arguments = bringing_back(found[0], self._bench.good(found[0]), deletion)
        for asked in ({}, *arguments) if arguments else ():
            yield from self._bench.send(found[0], dict(found[1]) | asked)

    def _delete_with(
        self, operation: Operation, arguments: dict[str, Json], place: dict[str, Json], inside: Sequence[JournalItem]
    ) -> Steps[Call]:
        """Delete something with what is in it, or, if that is refused, after it; read what may have gone too."""
        named: list[Attached] = yield from self._read_named(operation, place)
        call: Call = yield from self._bench.send(operation, arguments)
        for one in named if call.ok else ():
            yield from self._bench.send(one.reader, one.arguments)
        for item in inside:
            yield from self._bench.read(item) if call.ok else self._bench.remove(item)
        if inside and not call.ok:
            call = yield from self._bench.send(operation, arguments)
        return call

    def contents(self, operation: Operation) -> list[str]:
        """The shapes of what the run makes, and can read, directly in the things that an operation deletes."""
        inside = re.compile(re.escape(shape_of(operation.path)) + r"(?<=})/[^{}]+/\{\}")
        read = (one for one in self._bench.permitted if one.method == "GET" and one.tool == operation.tool)
        shapes = {shape_of(one.path) for one in read}
        found = (
            shape for shape in sorted(filter(inside.fullmatch, shapes)) if self._bench.maker(operation.tool, shape)
        )
        return list(islice(found, _MAX_CONTENTS))

    def _fill(self, operation: Operation, victim: JournalItem) -> Steps[list[JournalItem]]:
        """Make a thing of each kind in something, and read them."""
        inside: list[JournalItem] = []
        for shape in self.contents(operation):
            item = yield from self._bench.another(victim.tool, shape)
            if item is not None and item.path.startswith(f"{victim.path}/"):
                inside.append(item)
                yield from self._bench.read(item)
        return inside

    def _deletion(
        self, operation: Operation, victim: JournalItem, arguments: dict[str, Json]
    ) -> dict[str, Json] | None:
        """The arguments that delete `victim`: of a top-level list, its id in the only query argument, or None."""
        if parameters_of(operation.path):
            return arguments
        id = fill(self._bench.places.shape(victim) or "", victim.path)
        queried = [name for name in arguments if name.startswith("query:")]
        return {queried[0]: id[-1]} if id and len(queried) == 1 else None

    def _victim(self, operation: Operation) -> Steps[JournalItem | None]:
        """Make an item that the operation will delete; for a collection its parent too, so that nothing else goes."""
        shape = shape_of(operation.path)
        if shape.endswith("}"):
            return (yield from self._bench.another(operation.tool, shape))
        heads = list(heads_of(operation.path))
        if heads:
            yield from self._bench.another(operation.tool, shape_of(heads[-1]))
        return (yield from self._bench.another(operation.tool, f"{shape}/{{}}"))
