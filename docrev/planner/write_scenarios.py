"""Scenarios that write: an item is created, changed or deleted as the text says, and then read.

Everything is created within the scenario: an ID that the run created before would mean nothing to a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from docrev.conventions.fields import is_free_text, is_link, is_name_field, is_volatile_field
from docrev.conventions.ids import is_id_name, names_owner
from docrev.conventions.run_names import SCENARIOS, is_made_up, renumbered, run_name
from docrev.graph.values import flat
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import OperationView
from docrev.planner.resources import Resource, Resources
from docrev.planner.starting_items import rotate
from docrev.records import THERE, Deed, Given, Goal, Json, OperationKey

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
class _WriteSteps:
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

    def _create(self, resource: Resource, *, by_id: bool = False) -> _WriteSteps | None:
        """Create what the item is part of, from the outside in, and the item."""
        steps = _WriteSteps()
        for ancestor in resource.ancestors:
            if not self._add_creation(steps, ancestor, ancestor.poster or ancestor.putter, rich=False):
                return None
        view = resource.putter if by_id else resource.poster or resource.putter
        return steps if self._add_creation(steps, resource, view, rich=True) else None

    def _add_creation(self, steps: _WriteSteps, resource: Resource, view: OperationView | None, *, rich: bool) -> bool:
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

    def _change(self, steps: _WriteSteps, resource: Resource) -> bool:
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

    def _wanted_field(self, reader: OperationView, steps: _WriteSteps, *, change: bool) -> str | None:
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


MAX_VALUES = 3
"""Values of a body that a text gives."""
_TEXTS = ("Harbour walk", "Morning ferry", "Paper lantern", "Quiet garden", "Blue kettle", "Winter market")


class WriteValues:
    """Chooses values; each free text is a new one."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self.count = 0
        """How many texts were chosen."""

    def id_given(self, view: OperationView) -> Given:
        """An ID of the run's own for the item that a PUT creates."""
        self.count += 1
        location = f"path:{view.key.path.rstrip('/').rpartition('{')[2].rstrip('}')}"
        return Given(location.partition(":")[2], run_name(self.count, SCENARIOS), view.noun, location)

    def body_givens(self, view: OperationView, *, rich: bool) -> list[Given] | None:
        """What a body must have and, if `rich`, more texts; None if no accepted body is known."""
        content = _accepted_content(view, rich=rich)
        if content is None:
            return None
        givens = [_body_given(view, location, self._replace(view, location, value)) for location, value in content]
        return self._recognisable(view, givens)

    def changed_text(self, view: OperationView, givens: list[Given]) -> list[Given]:
        """A new value for the first text among the givens that an operation accepts."""
        for given in givens:
            if given.location in view.slots and is_free_text(given.label):
                return [_body_given(view, given.location, self._replace(view, given.location, given.value))]
        return []

    def _recognisable(self, view: OperationView, givens: list[Given]) -> list[Given]:
        """The givens of a body with a name of the run in its first free text, unless one is in it already."""
        texts = [given for given in givens if is_free_text(given.location) and isinstance(given.value, str)]
        if not texts or any(is_made_up(given.value) for given in givens):
            return givens
        text = f"{texts[0].value} {run_name(self.count, SCENARIOS)}"
        named = _body_given(view, texts[0].location, text)
        return [named if given is texts[0] else given for given in givens]

    def _next_text(self) -> str:
        self.count += 1
        return _TEXTS[(self.count + self._seed) % len(_TEXTS)]

    def _replace(self, view: OperationView, location: str, value: object) -> Json:
        """A new text for a free one, another known value for a reference; any other value stays."""
        slot = view.slots.get(location)
        if not isinstance(value, str) or (slot is not None and slot.documented_values):
            return value
        if is_made_up(value) and self._is_found_by(view, location):
            return value
        text = self._next_text()
        if is_made_up(value) and not _is_prose(location):
            return renumbered(value, self.count, SCENARIOS)
        if is_name_field(location):
            return run_name(self.count, SCENARIOS)
        if is_free_text(location) or is_made_up(value):
            return f"{text} {self.count}"
        values = self._alternatives(view, location, value)
        return values[self.count % len(values)]

    def _is_found_by(self, view: OperationView, location: str) -> bool:
        """Whether things are found by a member beside their paths: `user_id`, which a query must have."""
        name = location.rpartition("/")[2]
        beside = (other for other in self._knowledge.views.values() if other.key.tool == view.key.tool)
        slots = (other.slots.get(f"query:{name}") for other in beside)
        return names_owner(name) and any(slot is not None and slot.required for slot in slots)

    def _alternatives(self, view: OperationView, location: str, value: str) -> list[str]:
        """Values of the field that a reference comes from."""
        for edge in self._knowledge.best_edges(view.key, location):
            source = self._knowledge.views.get(edge.source)
            if source is None or not source.is_safe or edge.kind != "value":
                continue
            field = source.fields.get(edge.pointer.rpartition("/")[2])
            if field is not None:
                values = [text for text in field.values if len(text) == len(value)]
                if value in values:
                    return values[:20]
        return [value]


def _accepted_content(view: OperationView, *, rich: bool) -> list[tuple[str, Json]] | None:
    """Locations and values of an accepted body: what is required and, if `rich`, the texts of the fullest body."""
    required = {location for location in view.required_locations() if location.startswith("body:/")}
    contents = []
    for call in view.calls:
        sent = [pair for pair in dict(flat(call.arguments)).items() if _is_plain(pair[0])]
        content = [pair for pair in sent if pair[0] in required or (rich and _can_write(*pair))][:MAX_VALUES]
        if required <= dict(content).keys():
            contents.append(content)
    return max(contents, key=len, default=None)


def _is_prose(location: str) -> bool:
    """Whether a field takes any text and is not what an item is called by."""
    return is_free_text(location) and not is_name_field(location)


def _is_plain(location: str) -> bool:
    """Whether a location is in a body, outside of arrays and at most one object deep."""
    return location.startswith("body:/") and "/0" not in location and location.count("/") <= 2


def _can_write(location: str, value: object) -> bool:
    return isinstance(value, str) and bool(value) and not is_link(value) and not is_volatile_field(location, value)


def _body_given(view: OperationView, location: str, value: object) -> Given:
    return Given(location.rpartition("/")[2], value, view.noun, location)
