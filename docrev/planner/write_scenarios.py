"""Scenarios that write: an item is created, changed or deleted as the text says, and then read.

Everything is created within the scenario: an ID that the run created before would mean nothing to a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from docrev.conventions.ids import is_id_name
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import OperationView
from docrev.planner.resources import Resource, Resources
from docrev.planner.starting_items import rotate
from docrev.planner.write_values import WriteValues
from docrev.records import THERE, Deed, Given, Goal, OperationKey

MAX_OPERATIONS = 4


@dataclass(frozen=True, slots=True)
class WriteStep:
    """A deed with its givens. `resource` is what it is done to; `is_second`: it creates another item of a kind."""

    deed: Deed
    resource: Resource
    view: OperationView
    givens: tuple[Given, ...]
    is_second: bool = False


@dataclass(frozen=True, slots=True)
class WriteScenario:
    """Steps and a question: `goal` is what the planner sees."""

    goal: Goal
    steps: tuple[WriteStep, ...]
    resource: Resource
    operations: tuple[OperationKey, ...]


@dataclass(slots=True)
class _Steps:
    steps: list[WriteStep] = field(default_factory=list)
    givens: list[Given] = field(default_factory=list)

    def add(
        self,
        verb: Literal["create", "change", "delete", "clear"],
        resource: Resource,
        view: OperationView,
        givens: list[Given],
    ) -> None:
        first = len(self.givens)
        self.givens += givens
        deed = Deed(verb, resource.noun, tuple(range(first, len(self.givens))))
        is_second = verb == "create" and any(step.resource is resource for step in self.steps)
        self.steps.append(WriteStep(deed, resource, view, tuple(givens), is_second))

    def finish(self, resource: Resource, last: OperationView, want: str, *, many: bool = False) -> WriteScenario:
        """The scenario that ends with a question to the operation `last`."""
        goal = Goal(tuple(self.givens), want, resource.noun, many, tuple(step.deed for step in self.steps))
        keys = [*dict.fromkeys([*(step.view.key for step in self.steps), last.key])]
        return WriteScenario(goal, tuple(self.steps), resource, tuple(keys[-MAX_OPERATIONS:]))


class WriteScenarios:
    """Makes scenarios that write around an operation."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._resources = Resources(knowledge)
        self._values = WriteValues(knowledge, seed)

    def around(self, view: OperationView, turn: int) -> Iterator[WriteScenario]:
        """Scenarios in which an operation has a part, each turn another one first."""
        resource = self._resources.of(view)
        for recipe in rotate(self._recipes(resource, view), turn) if resource is not None else ():
            scenario = recipe()
            if scenario is not None:
                yield scenario

    def _recipes(self, resource: Resource, view: OperationView) -> list[Callable[[], WriteScenario | None]]:
        by_id = view is resource.putter
        recipes: dict[str, Callable[[], WriteScenario | None]] = {
            "read one": lambda: self._read_one(resource, by_id=by_id),
            "read changed": lambda: self._read_one(resource, by_id=by_id, change=True),
            "read all": lambda: self._read_all(resource),
            "read remaining": lambda: self._read_all(resource, delete=True),
            "find in list": lambda: self._look_for(resource, many=True, by_id=by_id),
            "deleted": lambda: self._look_for(resource, delete=True),
            "deleted from list": lambda: self._look_for(resource, delete=True, many=True),
            "cleared": lambda: self._clear(resource),
        }
        return [recipes[name] for name in _recipe_names(resource, view)]

    # Recipes

    def _read_one(self, resource: Resource, *, by_id: bool, change: bool = False) -> WriteScenario | None:
        """Create an item, perhaps change it, and ask for a field of it."""
        reader = resource.reader
        steps = self._create(resource, by_id=by_id)
        if steps is None or reader is None or (change and not self._change(steps, resource)):
            return None
        creators = [step.view for step in steps.steps if step.deed.verb == "create"]
        want = self._wanted_field(reader if reader.fields else creators[-1], steps, change=change)
        return steps.finish(resource, reader, want) if want else None

    def _read_all(self, resource: Resource, *, delete: bool = False) -> WriteScenario | None:
        """Create two items in a new parent, perhaps delete the second, and ask for a field of all."""
        lister, deleter = resource.lister, resource.deleter
        steps = self._create(resource) if resource.parent is not None else None
        if steps is None or lister is None or (delete and deleter is None):
            return None
        first = steps.steps[-1]
        givens = self._givens(first.view, rich=True)
        want = _wanted_field_of_many(lister if lister.fields else first.view, first.givens)
        if givens is None or want is None or _values(givens) == _values(first.givens):
            return None
        steps.add("create", resource, first.view, givens)
        if delete and deleter is not None:
            steps.add("delete", resource, deleter, [])
        return steps.finish(resource, lister, want, many=True)

    def _look_for(
        self, resource: Resource, *, delete: bool = False, many: bool = False, by_id: bool = False
    ) -> WriteScenario | None:
        """Create an item, perhaps delete it, and ask whether it is there."""
        seeing = resource.lister if many else resource.reader
        steps = self._create(resource, by_id=by_id)
        if steps is None or seeing is None or (many and not _is_whole(seeing)):
            return None
        if delete and resource.deleter is not None:
            steps.add("delete", resource, resource.deleter, [])
        return steps.finish(resource, seeing, THERE, many=many)

    def _clear(self, resource: Resource) -> WriteScenario | None:
        """Create items, delete them all at once, and ask whether any is left."""
        lister, clearer = resource.lister, resource.clearer
        if lister is None or clearer is None:
            return None
        # Without a parent of the run's own, only what the run created may be deleted: by its ID.
        location = _query_location(clearer) if resource.parent is None else None
        if resource.parent is None and location is None:
            return None
        steps = self._create(resource, by_id=location is not None)
        if steps is None or not _is_whole(lister):
            return None
        givens = []
        if location is not None:
            ids = [given.value for given in steps.givens if given.location.startswith("path:")]
            if not ids:
                return None
            givens = [Given(location.partition(":")[2], ids[-1], resource.noun, location)]
        steps.add("clear", resource, clearer, givens)
        return steps.finish(resource, lister, THERE, many=True)

    # Parts

    def _create(self, resource: Resource, *, by_id: bool = False) -> _Steps | None:
        """Create what the item is part of, from the outside in, and the item."""
        steps = _Steps()
        for ancestor in resource.ancestors:
            if not self._add_creation(steps, ancestor, ancestor.poster or ancestor.putter, rich=False):
                return None
        view = resource.putter if by_id else resource.poster or resource.putter
        return steps if self._add_creation(steps, resource, view, rich=True) else None

    def _add_creation(self, steps: _Steps, resource: Resource, view: OperationView | None, *, rich: bool) -> bool:
        givens = self._givens(view, rich=rich) if view is not None else None
        if view is None or givens is None:
            return False
        steps.add("create", resource, view, givens)
        return True

    def _givens(self, view: OperationView, *, rich: bool) -> list[Given] | None:
        """What a creation is sent: the ID of a PUT, and a body."""
        path_ids = [self._values.id_given(view)] if view.key.method == "PUT" else []
        body = self._values.body_givens(view, rich=rich)
        return None if body is None else [*path_ids, *body]

    def _change(self, steps: _Steps, resource: Resource) -> bool:
        """Change a value that was given, or give another one; False if nothing can be changed."""
        view = resource.changer
        if view is None:
            return False
        body = self._values.body_givens(view, rich=True) or []
        known = _values(steps.givens)
        new = [given for given in body if given.value not in known] or self._values.changed_text(view, steps.givens)
        required = [given for given in body if given.location in view.required_locations() and given not in new[:2]]
        if new:
            steps.add("change", resource, view, [*new[:2], *required])
        return bool(new)

    # What is asked for

    def _wanted_field(self, reader: OperationView, steps: _Steps, *, change: bool) -> str | None:
        """A field that is always returned and was not given; after a change, perhaps what was changed."""
        given, others = _askable_fields(reader, steps.givens[::-1])
        if given and (not others or (change and self._values.count % 2)):
            return given[0]
        return others[self._values.count % len(others)] if others else None


def _recipe_names(resource: Resource, view: OperationView) -> list[str]:
    """The recipes in which an operation has a part, the likeliest first."""
    if view is resource.lister:
        return ["read all", "find in list", "read remaining"]
    if view is resource.deleter:
        in_parent = resource.parent and resource.lister
        return ["read remaining", "deleted from list"] if in_parent else ["deleted from list", "deleted"]
    if view is resource.clearer:
        return ["cleared"]
    if view is resource.reader or view is resource.poster:
        return ["read one", "read changed", "find in list"] if resource.reader else ["read all", "find in list"]
    if view is resource.putter:
        is_changer = view is resource.changer
        return ["read one", "find in list"] if is_changer else ["read one", "read changed", "find in list"]
    return ["read changed"]


def _wanted_field_of_many(lister: OperationView, givens: Sequence[Given]) -> str | None:
    """A field that is always returned and was not given, with several values if there is one; else one given."""
    given, others = _askable_fields(lister, givens)
    varied = [name for name in others if len(lister.fields[name].values) > 1]
    return next(iter((*varied, *given)), None)


def _askable_fields(view: OperationView, givens: Sequence[Given]) -> tuple[list[str], list[str]]:
    """The fields that were given in a body, and the others that can be asked for."""
    labels = [given.label for given in givens if given.location.startswith("body:")]
    others = [name for name in view.fields if name not in labels and _can_ask(view, name)]
    return [name for name in labels if name in view.fields], others


def _can_ask(view: OperationView, name: str) -> bool:
    """Whether a field is always returned, does not change by itself and can be written in a text."""
    field = view.fields[name]
    is_always_returned = field.count == view.item_count and not field.nulls
    return is_always_returned and field.is_quotable(name) and not (not name or "/" in name or is_id_name(name))


def _values(givens: Sequence[Given]) -> list[object]:
    return [given.value for given in givens]


def _is_whole(lister: OperationView) -> bool:
    """Whether a list without filters was never seen to continue on another page."""
    plain = (c for c in lister.calls if not any(location.startswith("query:") for location in c.arguments))
    return not any(call.response.is_partial for call in plain)


def _query_location(clearer: OperationView) -> str | None:
    """The query parameter by which items of a list were deleted: their ID."""
    return next((name for call in clearer.calls for name in call.arguments if name.startswith("query:")), None)
