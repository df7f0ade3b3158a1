"""What actions do to things: which state they set, and what the same request comes to when it is sent again."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.calls.closing_actions import closes
from docrev.exploration.probe_places import rest_of
from docrev.exploration.state_bench import StateBench
from docrev.facts.creations import concrete_path
from docrev.language.path_templates import ends_in_parameter, heads_of, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json
from docrev.spec import Operation
from docrev.spec.schema import properties_of

_THINGS = 2
"""Things that an action is tried on: what becomes of one alone may be its own."""
_KINDS = frozenset({"action", "part", "creation"})
_MAX_CHOICES = 2
"""Values of a choice between actions that are tried."""


class ActionProbes:
    """Calls of what changes the state of a thing, each on a thing made for it that nothing else was done to."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench

    def is_action(self, operation: Operation) -> bool:
        """Whether an operation does something to a thing, or to a part of it, and made nothing that has a name."""
        if operation.method not in ("POST", "PUT", "PATCH") or not parameters_of(operation.path):
            return False
        if ends_in_parameter(operation.path):
            return operation.method != "PATCH" and any(self._choice(operation))
        creating = {item.call: item for item in self._bench.journal.items}
        made = [(call, creating[call.id]) for call in self._bench.good(operation) if call.id in creating]
        kind = self._bench.journal.effects.of(operation).kind
        return kind in _KINDS and not any(_sends(call) or not _lies_in(item, call) for call, item in made)

    def act(self, operation: Operation) -> Steps[None]:
        """Do it to two fresh things, twice to each, with readings before and after."""
        template = self._bench.template(operation)
        if template is None:
            return
        for body in self._bodies(operation, template):
            for _ in range(_THINGS):
                thing: JournalItem | None = yield from self._fresh(operation)
                place = self._bench.places.created_place(operation) if thing is not None else None
                if thing is None or place is None:
                    return
                rest = rest_of(template) | ({"body:": body} if body is not None else {})
                yield from self._act_twice(operation, rest | place, thing)
                if closes(operation):
                    self._bench.places.set_aside(thing)

    def _act_twice(self, operation: Operation, arguments: dict[str, Json], thing: JournalItem) -> Steps[None]:
        """Send the same twice to a thing, the second time if it was accepted."""
        yield from self._look(operation, arguments, thing)
        for _ in range(2):
            call: Call = yield from self._bench.send(operation, arguments)
            if not call.ok:
                break
            yield from self._look(operation, arguments, thing)

    def _look(self, operation: Operation, arguments: dict[str, Json], thing: JournalItem) -> Steps[None]:
        """Read the thing, and what a part of it lists."""
        yield from self._bench.read(thing)
        if not ends_in_parameter(operation.path):
            yield from self._bench.look(operation, arguments)

    def _fresh(self, operation: Operation) -> Steps[JournalItem | None]:
        reader = self._reader(operation)
        return (yield from self._bench.another(operation.tool, shape_of(reader.path))) if reader is not None else None

    def _reader(self, operation: Operation) -> Operation | None:
        """The operation that reads the thing which another one is on, or on a part of."""
        *_, head = heads_of(operation.path)
        readers = (one for one in self._bench.permitted if one.method == "GET" and one.tool == operation.tool)
        return next((one for one in readers if one.path.rstrip("/") == head.rstrip("/")), None)

    def _bodies(self, operation: Operation, template: Call) -> Iterator[Json]:
        """The body that was accepted, and the same with another value of the one choice that it makes."""
        body = template.arguments.get("body:")
        yield body
        choices = [*self._choice(operation)]
        if isinstance(body, dict) and len(choices) == 1:
            name, values = choices[0]
            others = [value for value in values if value != body.get(name)]
            yield from ({**body, name: value} for value in others[: _MAX_CHOICES - 1])

    def _choice(self, operation: Operation) -> Iterator[tuple[str, list[Json]]]:
        """The properties of a body that are one of a few values and that the things themselves do not have."""
        reader = self._reader(operation)
        things = self._bench.good(reader) if reader is not None else ()
        shown = {name for call in things for name in _names(call.body)}
        for name, part in properties_of(operation.body_schema).items():
            if shown and part.enum and name not in shown:
                yield name, list(part.enum)


def _names(body: Json) -> Iterator[str]:
    if isinstance(body, dict):
        yield from body


def _lies_in(item: JournalItem, call: Call) -> bool:
    """Whether what a call made lies at the path that was called, and nowhere else."""
    return item.path.rpartition("/")[0] == concrete_path(call)


def _sends(call: Call) -> bool:
    """Whether a request sent something that may be a name."""
    body = call.arguments.get("body:")
    return isinstance(body, dict) and any(isinstance(value, str) for value in body.values())
