"""Scenarios that write: something is created, changed or deleted as the text says, and then read.

Everything is created within the scenario: an id that the run created before would tell a reader nothing. Values are
those of bodies that were accepted, with new texts in the place of free ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from docrev.calls.journal import MADE_UP
from docrev.graph.values import flat
from docrev.language.words import words
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.resources import Resource, Resources
from docrev.planner.response_items import changing, is_id, linking
from docrev.records import THERE, Deed, Given, Goal, Json, OperationKey

MAX_SAID = 3
MAX_OPERATIONS = 4
_TEXTS = ("Harbour walk", "Morning ferry", "Paper lantern", "Quiet garden", "Blue kettle", "Winter market")
_FREE = frozenset("text title name label description note comment content subject summary message".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Step:
    """A deed with what is said of it. `resource` is what it is done to; `again`: there is one like it already."""

    deed: Deed
    resource: Resource
    view: View
    given: tuple[Given, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Errand:
    """Steps and a question: `goal` is what the planner sees."""

    goal: Goal
    steps: tuple[Step, ...]
    resource: Resource
    operations: tuple[OperationKey, ...]


@dataclass(slots=True)
class _Draft:
    steps: list[Step] = field(default_factory=list)
    givens: list[Given] = field(default_factory=list)

    def add(self, verb: str, resource: Resource, view: View, given: list[Given]) -> None:
        first = len(self.givens)
        self.givens += given
        deed = Deed(verb, resource.noun, tuple(range(first, len(self.givens))))  # type: ignore[arg-type]
        again = any(step.resource is resource and step.deed.verb == "create" for step in self.steps)
        self.steps.append(Step(deed, resource, view, tuple(given), again))


class Errands:
    """Makes errands around an operation. Every text is made once: `turn` counts what was told."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge, self._seed = knowledge, seed
        self._resources = Resources(knowledge)
        self._fresh = 0

    def around(self, view: View, turn: int) -> Iterator[Errand]:
        """Errands that an operation has a part in, each turn another one first."""
        resource = self._resources.of(view)
        if resource is None:
            return
        recipes = self._recipes(resource, view)
        at = turn % len(recipes) if recipes else 0
        for recipe in (*recipes[at:], *recipes[:at]):
            errand = recipe()
            if errand is not None:
                yield errand

    def _recipes(self, resource: Resource, view: View) -> list[Callable[[], Errand | None]]:
        by_id = view is resource.putter
        lister, reader, changer = resource.lister, resource.reader, resource.changer
        made: dict[str, Callable[[], Errand | None]] = {
            "read": lambda: self._read(resource, by_id=by_id, change=False),
            "changed": lambda: self._read(resource, by_id=by_id, change=True),
            "listed": lambda: self._listed(resource, delete=False),
            "rest": lambda: self._listed(resource, delete=True),
            "found": lambda: self._found(resource, "", many=True, by_id=by_id),
            "gone": lambda: self._found(resource, "delete", many=False),
            "missing": lambda: self._found(resource, "delete", many=True),
            "cleared": lambda: self._cleared(resource),
        }
        if view is lister:
            names = ["listed", "found", "rest"]
        elif view is resource.deleter:
            names = ["rest", "missing"] if resource.parent and lister else ["missing", "gone"]
        elif view is resource.clearer:
            names = ["cleared"]
        elif view is reader or view is resource.maker:
            names = ["read", "changed", "found"] if reader else ["listed", "found"]
        elif by_id:
            names = ["read", "found"] if changer is view else ["read", "changed", "found"]
        else:
            names = ["changed"]
        return [made[name] for name in names]

    # Recipes

    def _read(self, resource: Resource, *, by_id: bool, change: bool) -> Errand | None:
        """Create one, change it, and ask for a field of it."""
        reader = resource.reader
        draft = self._created(resource, by_id=by_id)
        if draft is None or reader is None:
            return None
        if change and not self._change(draft, resource):
            return None
        made = [step.view for step in draft.steps if step.deed.verb == "create"]
        shown = reader if reader.fields else made[-1]
        want = self._want(shown, draft, change=change)
        return self._errand(draft, resource, reader, want) if want else None

    def _listed(self, resource: Resource, *, delete: bool) -> Errand | None:
        """Create two in something new, perhaps delete the second, and ask for a field of all."""
        draft = self._created(resource) if resource.parent is not None else None
        if draft is None or resource.lister is None or (delete and resource.deleter is None):
            return None
        one = draft.steps[-1]
        other = self._said(one.view, rich=True)
        want = self._want_of_all(resource.lister if resource.lister.fields else one.view, one.given)
        if other is None or want is None or [given.value for given in other] == [given.value for given in one.given]:
            return None
        draft.add("create", resource, one.view, other)
        if delete and resource.deleter is not None:
            draft.add("delete", resource, resource.deleter, [])
        return self._errand(draft, resource, resource.lister, want, many=True)

    def _found(self, resource: Resource, verb: str, *, many: bool, by_id: bool = False) -> Errand | None:
        """Create one, perhaps delete it, and ask whether it is there."""
        seeing = resource.lister if many else resource.reader
        draft = self._created(resource, by_id=by_id)
        if draft is None or seeing is None or (many and not _whole(seeing)):
            return None
        if verb and resource.deleter is not None:
            draft.add("delete", resource, resource.deleter, [])
        return self._errand(draft, resource, seeing, THERE, many=many)

    def _cleared(self, resource: Resource) -> Errand | None:
        """Create some, delete them all at once, and ask whether any is left."""
        lister, clearer = resource.lister, resource.clearer
        chosen = None if resource.parent is not None or clearer is None else _chosen_by(clearer)
        if lister is None or clearer is None or (resource.parent is None and chosen is None):
            return None
        draft = self._created(resource, by_id=chosen is not None)
        if draft is None or not _whole(lister):
            return None
        given = []
        if chosen is not None:
            ids = [one.value for one in draft.givens if one.location.startswith("path:")]
            if not ids:
                return None
            given = [Given(chosen.partition(":")[2], ids[-1], resource.noun, chosen)]
        draft.add("clear", resource, clearer, given)
        return self._errand(draft, resource, lister, THERE, many=True)

    # Parts

    def _created(self, resource: Resource, *, by_id: bool = False) -> _Draft | None:
        """What it lies in, from the outside in, and one of it."""
        above = self._created_above(resource)
        view = resource.putter if by_id else resource.maker or resource.putter
        said = self._said(view, rich=True) if view is not None else None
        if above is None or view is None or said is None:
            return None
        above.add("create", resource, view, said)
        return above

    def _created_above(self, resource: Resource) -> _Draft | None:
        draft = _Draft()
        above: list[Resource] = []
        at = resource.parent
        while at is not None:
            above.insert(0, at)
            at = at.parent
        for one in above:
            view = one.maker or one.putter
            said = self._said(view, rich=False) if view is not None else None
            if view is None or said is None:
                return None
            draft.add("create", one, view, said)
        return draft

    def _change(self, draft: _Draft, resource: Resource) -> bool:
        view = resource.changer
        if view is None:
            return False
        said = self._said(view, rich=True, named=False)
        known = [old.value for old in draft.givens]
        new = [given for given in said or () if given.value not in known] or self._other_text(draft, view)
        needed = set(view.needed())
        said = [*new[:2], *(given for given in said or () if given.location in needed and given not in new[:2])]
        if not new:
            return False
        draft.add("change", resource, view, said)
        return True

    def _other_text(self, draft: _Draft, view: View) -> list[Given]:
        """A change of a text that was sent when the thing was created."""
        for given in draft.givens:
            if given.location in view.slots and words(given.label)[-1:] and words(given.label)[-1] in _FREE:
                return [_given(view, given.location, self._value(view, given.location, given.value))]
        return []

    def _said(self, view: View, *, rich: bool, named: bool = True) -> list[Given] | None:
        """What a write is sent: what it needs, with texts of an accepted body where it may say more."""
        found: list[Given] = []
        if named and view.key.method == "PUT":
            self._fresh += 1
            text = _TEXTS[(self._fresh + self._seed) % len(_TEXTS)].lower().replace(" ", "-")
            location = f"path:{view.key.path.rstrip('/').rpartition('{')[2].rstrip('}')}"
            found.append(Given(location.partition(":")[2], f"{MADE_UP}{text}-{self._fresh}", view.noun, location))
        leaves = _content(view, rich=rich)
        if leaves is None:
            return None
        return found + [_given(view, location, self._value(view, location, value)) for location, value in leaves]

    def _value(self, view: View, location: str, value: Json) -> Json:
        """A new text for a free one, another known value for a reference, the value as it is for the rest."""
        slot = view.slots.get(location)
        if not isinstance(value, str) or (slot is not None and slot.stated):
            return value
        self._fresh += 1
        if words(location)[-1] in _FREE or value.startswith("docrev"):
            return f"{_TEXTS[(self._fresh + self._seed) % len(_TEXTS)]} {self._fresh}"
        others = self._known(view, location, value)
        return others[self._fresh % len(others)]

    def _known(self, view: View, location: str, value: str) -> list[str]:
        """Values of the field that a reference comes from."""
        for edge in self._knowledge.feeds(view.key, location):
            source = self._knowledge.views.get(edge.source)
            name = edge.pointer.rpartition("/")[2]
            if source is not None and source.safe and edge.kind == "value" and name in source.fields:
                known = [text for text in source.fields[name].values if len(text) == len(value)]
                if value in known:
                    return known[:20]
        return [value]

    # What is asked for

    def _want(self, reader: View, draft: _Draft, *, change: bool) -> str | None:
        """A field that is always there and was not given; after a change, what was changed."""
        given = [one.label for one in reversed(draft.givens) if one.location.startswith("body:")]
        mine = [name for name in given if name in reader.fields]
        others = [name for name in reader.fields if name not in given and _askable(reader, name)]
        if change and mine:
            return mine[0] if not others or self._fresh % 2 else others[self._fresh % len(others)]
        return others[self._fresh % len(others)] if others else mine[0] if mine else None

    def _want_of_all(self, lister: View, given: tuple[Given, ...]) -> str | None:
        labels = [one.label for one in given if one.location.startswith("body:") and one.label in lister.fields]
        told = [name for name in lister.fields if name not in labels and _askable(lister, name)]
        varied = [name for name in told if len(lister.fields[name].values) > 1]
        return next(iter((*varied, *labels)), None)

    def _errand(self, draft: _Draft, resource: Resource, last: View, want: str, *, many: bool = False) -> Errand:
        deeds = tuple(step.deed for step in draft.steps)
        goal = Goal(tuple(draft.givens), want, resource.noun, many, deeds)
        used = [*dict.fromkeys([*(step.view.key for step in draft.steps), last.key])]
        return Errand(goal, tuple(draft.steps), resource, tuple(used[-MAX_OPERATIONS:]))


def _content(view: View, *, rich: bool) -> list[tuple[str, Json]] | None:
    """Places and values of an accepted body: what is needed and, if `rich`, the texts of the fullest one."""
    needed = {location for location in view.needed() if location.startswith("body:/")}
    best: list[tuple[str, Json]] | None = None
    for seen in view.seen:
        leaves = {name: value for name, value in flat(seen.arguments) if name.startswith("body:/") and _plain(name)}
        said = [item for item in leaves.items() if item[0] in needed or (rich and _sayable(*item))][:MAX_SAID]
        if needed <= dict(said).keys() and (best is None or len(said) > len(best)):
            best = said
    return best


def _plain(location: str) -> bool:
    """Whether a place in a body is no list and lies at most one object deep."""
    return "/0" not in location and location.count("/") <= 2


def _sayable(location: str, value: Json) -> bool:
    return isinstance(value, str) and bool(value) and not linking(value) and not changing(location, value)


def _given(view: View, location: str, value: Json) -> Given:
    return Given(location.rpartition("/")[2], value, view.noun, location)


def _askable(view: View, name: str) -> bool:
    """Whether a field is always there, stays as it is and can be said."""
    news = view.fields[name]
    if not name or "/" in name or is_id(name) or news.changing or news.nulls or not news.values:
        return False
    value = next(iter(news.values))
    return news.seen == view.read and not changing(name, value) and not linking(value)


def _whole(lister: View) -> bool:
    """Whether a list was never seen to go on elsewhere."""
    return not any(
        seen.reading.partial for seen in lister.seen if not any(name.startswith("query:") for name in seen.arguments)
    )


def _chosen_by(clearer: View) -> str | None:
    """The query parameter by which a list was deleted from: its items' id."""
    return next((name for seen in clearer.seen for name in seen.arguments if name.startswith("query:")), None)
