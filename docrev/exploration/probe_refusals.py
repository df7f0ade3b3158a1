"""Writes that are refused: for what their body lacks, and for what is not there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from docrev.calls.effects import is_batch
from docrev.calls.path_texts import kind_at, last_segment
from docrev.conventions.examples import fit_type
from docrev.conventions.hint_locations import BODY, schema_at
from docrev.conventions.ids import is_called, is_id_name
from docrev.conventions.statuses import INVALID
from docrev.exploration.path_shapes import fill, path_arguments
from docrev.exploration.probe_places import rest_of
from docrev.exploration.said_required import said_required
from docrev.exploration.state_bench import StateBench
from docrev.exploration.state_bodies import bare, fullest, left_out, odd_texts, other_kinds, wrong
from docrev.json_values.pointer import find, join, last, parent, placed, removed
from docrev.language.path_templates import ends_in_parameter, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, Json, OperationKey
from docrev.spec import Operation
from docrev.spec.schema import properties_of

_MAX_ODD = 2
"""Properties by which a thing is known that are sent with odd signs."""


class RefusalProbes:
    """Writes that are meant to be refused."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench
        self._without: dict[OperationKey, list[Json]] = {}
        """The bodies that lacked what refusals called required."""

    def refuse(self, operation: Operation) -> Steps[None]:
        """No body at all, and one in which every property is wrong: one answer names them all."""
        template, place = self._bench.template(operation), self._bench.places.place_to_write(operation)
        if template is None or place is None:
            return
        bare_call = {name: value for name, value in rest_of(template).items() if name != "body:"} | place
        bad = wrong(operation, template.arguments["body:"])
        for arguments in (bare_call, {**bare_call, "body:": bad}, bare_call):
            call: Call = yield from self._bench.make(operation, arguments)
            if call.ok and arguments is bare_call:
                return

    def name_oddly(self, operation: Operation) -> Steps[None]:
        """A creation whose name has signs that many names may not have; what is refused is refused twice."""
        template, place = self._bench.template(operation), self._bench.places.place_to_write(operation)
        if template is None or place is None:
            return
        for _ in range(2):
            sent = self._bench.anew(operation, template, place)
            odd = dict(islice(odd_texts(operation, sent["body:"]), _MAX_ODD))
            call: Call = yield from self._bench.make(operation, sent | {"body:": {**sent["body:"], **odd}})
            if call.status not in INVALID:
                return

    def leave_out_required(self, operation: Operation) -> Steps[None]:
        """The body without each of the properties that refusals called required: with all others, it is refused too."""
        call = yield from self._bench.settle(operation)
        if call is None:
            return
        body = call.arguments["body:"]
        for at in said_required(operation, self._bench.seen[operation.key], body):
            lacking = removed(body, at)
            self._without.setdefault(operation.key, []).append(lacking)
            refused = yield from self._twice_refused(operation, {**call.arguments, "body:": lacking})
            if refused is not None and is_id_name(last(at)):
                yield from self._with_another(operation, {**call.arguments, "body:": lacking}, at)

    def _with_another(self, operation: Operation, arguments: dict[str, Json], at: str) -> Steps[None]:
        """Send what lacks an ID with that of another thing in its place: of an issue that is of the project, say."""
        around = schema_at(operation, f"{BODY}{parent(at)}")
        for name, part in properties_of(around).items():
            place = parent(at) + join(name)
            if not is_id_name(name) or part.get("readOnly") or find(arguments["body:"], place)[0]:
                continue
            shapes = filter(None, map(self._bench.places.shape, self._bench.journal.items))
            kind = next((shape for shape in shapes if is_called(name, kind_at(shape))), None)
            item = (yield from self._bench.another(operation.tool, kind)) if kind is not None else None
            if item is not None:
                id = fit_type(last_segment(item.path), part.type)
                body = placed(arguments["body:"], place, id)
                sent = self._bench.renamed(operation, {**arguments, "body:": body})
                call: Call = yield from self._bench.make(operation, sent)
                if call.ok:
                    return

    def leave_out(self, operation: Operation) -> Steps[None]:
        """The body without each of its properties, and without its wrapper: what is refused is refused twice."""
        call = yield from self._bench.settle(operation)
        if call is None:
            return
        place = {name: value for name, value in call.arguments.items() if name != "body:"}
        body = call.arguments["body:"]
        tried = self._without.get(operation.key, ())
        for lacking in (one for one in left_out(body) if one not in tried):
            refused = yield from self._twice_refused(operation, place | {"body:": lacking})
            if refused is not None:
                yield from self._of_other_kinds(operation, refused)
        for unwrapped in bare(body, call.body):
            yield from self._twice_refused(operation, place | {"body:": unwrapped})

    def _twice_refused(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call | None]:
        """The second refusal of the same; None if it was not refused twice."""
        call: Call | None = None
        for _ in range(2):
            call = yield from self._bench.make(operation, self._bench.renamed(operation, arguments))
            if call is None or call.status not in INVALID:
                return None
        return call

    def _of_other_kinds(self, operation: Operation, refused: Call) -> Steps[None]:
        """Send a refused body for things of other kinds: is it refused for all of them, and for the same reason?"""
        body = refused.arguments["body:"]
        for name, values in other_kinds(operation, body, self._bench.good(operation)):
            for value in values:
                sent = self._bench.renamed(operation, dict(refused.arguments) | {"body:": {**body, name: value}})
                call: Call = yield from self._bench.make(operation, sent, "survey")
                # What is there may be of another kind.
                puts = self._bench.journal.effects.puts(operation)
                fresh = self._bench.places.fresh_place(operation) if puts else None
                if not call.ok and fresh is not None and call.body != refused.body:
                    yield from self._bench.make(operation, sent | fresh, "survey")

    def orphans(self, operation: Operation) -> Steps[None]:
        """The same below parents that do not exist: each in turn, the ones above it being there."""
        call = yield from self._bench.settle(operation)
        if call is None or is_batch(operation):
            return
        names = parameters_of(operation.path)
        parents = names[:-1] if ends_in_parameter(operation.path) else names
        for name in parents:
            for _ in range(2):
                changed = {f"path:{name}": self._bench.places.unknown_id(operation, name)}
                if self._bench.journal.effects.puts(operation):
                    changed[f"path:{names[-1]}"] = self._bench.places.unknown_id(operation, names[-1])
                    self._bench.journal.choose(operation, dict(call.arguments) | changed)
                missing: Call = yield from self._bench.make(operation, dict(call.arguments) | changed)
                if missing.ok or missing.status is None:
                    break

    def gone(self, operation: Operation) -> Steps[None]:
        """The same on what this run created and deleted."""
        creating = {item.call for item in self._bench.journal.items}
        good = self._bench.good(operation)
        template = fullest(good)
        if template is None or any(call.id in creating for call in good):
            return
        place = self._removed(operation)
        if place is None:
            item = yield from self._bench.another(operation.tool, shape_of(operation.path))
            if item is not None:
                yield from self._bench.remove(item)
            place = self._removed(operation)
        for _ in range(2 if place is not None else 0):
            call: Call = yield from self._bench.send(operation, rest_of(template) | (place or {}))
            if call.ok or call.status is None:
                return

    def _removed(self, operation: Operation) -> dict[str, Json] | None:
        """The path of an item that this run created and deleted, its parent being there."""
        shape = shape_of(operation.path)
        gone = {(item.tool, item.path) for item in self._bench.journal.items if item.deleted}
        for item in reversed(self._bench.journal.items):
            was_there = item.tool == operation.tool and item.confirmed and item.deleted
            values = fill(shape, item.path) if was_there else None
            above = any((item.tool, item.path[:end]) in gone for end in _ends(item.path))
            if values is not None and not above:
                return path_arguments(operation.path, values)
        return None


def _ends(path: str) -> Iterator[int]:
    return (index for index, letter in enumerate(path) if letter == "/" and index)
