"""What every probe of states does: make things, read what came of them, and keep to what the run created."""

from __future__ import annotations

from collections.abc import Mapping

from docrev.calls.effects import is_batch
from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes, only_path
from docrev.exploration.experiments import Spent
from docrev.exploration.path_shapes import path_arguments
from docrev.exploration.probe_places import Places, rest_of
from docrev.exploration.state_bodies import FILLER, empty_wrappers, filled, fullest, merged
from docrev.facts.observations import Observations
from docrev.facts.samples import STATES
from docrev.language.path_templates import parameters_of
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem, Json, OperationKey, Purpose
from docrev.spec import Catalog, Operation

_MAX_TEMPLATES = 3


class StateBench:
    """The calls that probes of states are made of. `seen` are the calls that were made before."""

    def __init__(
        self,
        catalog: Catalog,
        journal: Journal,
        policy: Policy,
        routes: Routes,
        places: Places,
        seen: Mapping[OperationKey, Observations],
    ) -> None:
        self.journal, self.routes, self.places, self.seen = journal, routes, places, seen
        self.permitted = [operation for operation in catalog.operations if policy.permits(operation) is None]
        self._makers: dict[tuple[str, str], Operation] = {}
        self._settled: dict[OperationKey, Call | None] = {}

    def good(self, operation: Operation) -> list[Call]:
        """The calls of an operation that were accepted before."""
        return self.seen[operation.key].good

    def template(self, operation: Operation) -> Call | None:
        """The accepted call with the most in its body, to be sent again with a change."""
        return fullest(self.good(operation))

    def body(self, operation: Operation) -> dict[str, Json] | None:
        template = self.template(operation)
        body = template.arguments.get("body:") if template is not None else None
        return body if isinstance(body, dict) else None

    def smallest_body(self, operation: Operation) -> dict[str, Json]:
        bodies = (call.arguments.get("body:") for call in self.good(operation))
        return min((body for body in bodies if isinstance(body, dict)), key=len, default={})

    def send(self, operation: Operation, arguments: dict[str, Json], purpose: Purpose = "probe") -> Steps[Call]:
        call: Call = yield Invoke(operation.key, arguments, purpose, STATES)
        if call.error == "budget":
            raise Spent
        return call

    def make(self, operation: Operation, arguments: dict[str, Json], purpose: Purpose = "probe") -> Steps[Call]:
        """Send what may create something, and read what it created."""
        before = self.places.existing_items()
        call: Call = yield from self.send(operation, arguments, purpose)
        for item in self.places.new_items(before):
            shape = self.places.shape(item)
            if shape is not None:
                self._makers.setdefault((item.tool, shape), operation)
            yield from self.read(item)
        return call

    def read(self, item: JournalItem) -> Steps[None]:
        """Look at an item: by itself, or in the list that it lies in."""
        for path in (item.path, item.path.rpartition("/")[0]):
            found = self.routes.resolve(item.tool, "GET", path)
            if found is not None and found[0] in self.permitted:
                yield from self.send(found[0], dict(found[1]))
                return

    def look(self, operation: Operation, place: dict[str, Json]) -> Steps[Call | None]:
        """Read the thing that an operation is on; None if nothing reads it."""
        twin = self.routes.twin(operation.key, "GET")
        if twin is None or twin not in self.permitted:
            return None
        values = [place[f"path:{name}"] for name in parameters_of(operation.path)]
        return (yield from self.send(twin, path_arguments(twin.path, values)))

    def settle(self, operation: Operation) -> Steps[Call | None]:
        """The call that the others differ from, made once: accepted, with as much in its body as is taken."""
        if operation.key not in self._settled:
            self._settled[operation.key] = yield from self._first(operation)
        call = self._settled[operation.key]
        return call

    def _first(self, operation: Operation) -> Steps[Call | None]:
        good, place = self.good(operation), self.places.place_to_write(operation)
        template = fullest(good)
        if template is None or place is None:
            return None
        patches = operation.method == "PATCH"
        richest = template if patches else merged(good) or template
        first: Call = yield from self._make_again(operation, richest, place)
        if not first.ok and first.error is None:
            first = yield from self._make_again(operation, template, place)
        if not first.ok:
            return None
        if patches or is_batch(operation):
            return first
        filled_in: Call = yield from self._fill_in(operation, first)
        return filled_in if filled_in.ok else None

    def _make_again(self, operation: Operation, call: Call, place: dict[str, Json]) -> Steps[Call]:
        """Send what a call sent, at a place and with names that nothing has yet."""
        return self.make(operation, _refilled(operation, self.anew(operation, call, place)))

    def _fill_in(self, operation: Operation, call: Call) -> Steps[Call]:
        """Where what was created came back in an object that was not sent, try to send one; the call that worked."""
        body = call.arguments.get("body:")
        for name in empty_wrappers(body, call.body):
            more = dict(call.arguments) | {"body:": {**(body or {}), name: dict(FILLER)}}
            again: Call = yield from self.make(operation, more)
            if again.ok:
                return again
        if isinstance(body, dict) and filled(body) != body:
            again = yield from self.make(operation, dict(call.arguments) | {"body:": filled(body)})
            return again if again.ok else call
        return call

    def another(self, tool: str, shape: str) -> Steps[JournalItem | None]:
        """One more thing of a kind; None if none was made."""
        maker = self.maker(tool, shape)
        if maker is None:
            return None
        for template in self._templates(maker):
            puts = self.journal.effects.puts(maker)
            place = self.places.fresh_place(maker) if puts else self.places.place_to_write(maker)
            if place is None:
                return None
            before = self.places.existing_items()
            call: Call = yield from self.send(maker, self.anew(maker, template, place))
            made = next(iter(self.places.new_items(before)), None)
            if made is not None or not call.ok:
                return made
        return None

    def _templates(self, maker: Operation) -> list[Call]:
        """Accepted calls like which another thing may be made: the fullest, then, should that find what is there
        already, those that made one."""
        good, creating = self.good(maker), {item.call for item in self.journal.items}
        made = (call for call in reversed(good) if call.id in creating)
        found = {call.id: call for call in (fullest(good), *made) if call is not None}
        return list(found.values())[:_MAX_TEMPLATES]

    def maker(self, tool: str, shape: str) -> Operation | None:
        """The operation that creates items of a shape: of the calls that did, as the journal has them."""
        if (tool, shape) not in self._makers:
            makers = {call.id: key for key, one in self.seen.items() for call in one.good}
            for item in self.journal.items:
                key = makers.get(item.call)
                if key is not None and item.tool == tool and self.places.shape(item) == shape:
                    self._makers[tool, shape] = next(one for one in self.permitted if one.key == key)
                    break
        return self._makers.get((tool, shape))

    def remove(self, item: JournalItem) -> Steps[None]:
        step = self.journal.removal(item)
        operation = next((one for one in self.permitted if step is not None and one.key == step.key), None)
        if step is not None and operation is not None:
            yield from self.send(operation, dict(step.arguments))

    def renamed(self, operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
        """The arguments of an accepted creation, with names that nothing was given yet."""
        return self.places.renamed(operation, arguments) if operation.method == "POST" else arguments

    def anew(self, operation: Operation, call: Call, place: dict[str, Json]) -> dict[str, Json]:
        """The arguments of an accepted call at a place, with names that nothing was given yet: what the call was on, or
        made, may still have its own. A change where the call was keeps them."""
        rest = rest_of(call)
        keeps = operation.method != "POST" and only_path(call.arguments) == place
        return (rest if keeps else self.places.renamed(operation, rest)) | place


def _refilled(operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
    """Arguments with something in the empty objects of a body that replaces or changes."""
    is_change = operation.method != "POST" and "body:" in arguments
    return arguments | {"body:": filled(arguments["body:"])} if is_change else arguments
