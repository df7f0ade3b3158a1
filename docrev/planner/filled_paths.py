"""A way with values in it: what the scenario gives, and what it asks for. Only values seen in the evidence are used.

The value that names an item names only one; the field that is asked for does not change by itself, was not given, and
is not null where it was seen. Whether the chain of ids exists is checked against the calls, where they were made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docrev.graph.values import flat
from docrev.language.words import words
from docrev.planner.knowledge import Knowledge, Seen, View
from docrev.planner.operation_paths import Hop, Way, carried
from docrev.planner.response_items import MAX_ITEMS, Item, changing, equal, is_id, linking
from docrev.records import Given, Goal, Json, OperationKey

MAX_MANY = 15
SURE = 5
"""How often a field must have been seen, never null, before it is asked for of an item that was not seen with it."""


@dataclass(frozen=True, slots=True)
class Story:
    """`goal` is what the planner sees; `known` whether the evidence holds the whole chain, and so the answer."""

    way: Way
    goal: Goal
    known: bool
    told: tuple[tuple[OperationKey, tuple[Given, ...]], ...] = ()


@dataclass(slots=True)
class _Draft:
    """A story in the making: the item at hand, None where the evidence does not hold it."""

    view: View
    item: Item | None
    items: tuple[Item, ...] = ()
    givens: list[Given] = field(default_factory=list)
    told: list[tuple[OperationKey, tuple[Given, ...]]] = field(default_factory=list)
    many: bool = False
    sent: list[Json] = field(default_factory=list)
    path: dict[str, Json] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)


class Stories:
    """Puts values into ways. `wants` counts what was asked for, so that the next question is another."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self._count = 0
        self._by_value: dict[tuple[OperationKey, str], tuple[int, dict[str, list[Seen]]]] = {}
        self._told_by: dict[tuple[OperationKey, str], tuple[int, dict[str, Item]]] = {}
        self._pools: dict[tuple[OperationKey, str, bool], tuple[int, list[Item]]] = {}
        self._wants: dict[tuple[OperationKey, str], int] = {}

    def tell(self, way: Way, turn: int) -> Iterator[Story]:
        """Stories of a way, the best founded first; `turn` rotates what they are about."""
        view = self._knowledge.views[way.entry.key]
        found: list[Story] = []
        for draft in self._starts(way, view, turn):
            story = self._follow(way, draft)
            if story is not None:
                found.append(story)
                if story.known or turn % 2 or len(found) >= 3:
                    break
        yield from sorted(found, key=lambda story: not story.known and not turn % 2)

    def told(self, story: Story) -> None:
        """Count a story as told."""
        self._count += 1
        name = (story.way.last, story.goal.want)
        self._wants[name] = self._wants.get(name, 0) + 1

    # Entries

    def _starts(self, way: Way, view: View, turn: int) -> Iterator[_Draft]:
        kind = way.entry.kind
        if kind in ("name", "code"):
            yield from self._named(way, view, turn)
        elif kind == "pick":
            yield from self._picked(way, view)
        elif kind == "told":
            yield from self._asked(view, turn)

    def _named(self, way: Way, view: View, turn: int) -> Iterator[_Draft]:
        label = way.entry.label
        pool = self._pool(view, label, anywhere=bool(way.entry.location))
        start = (turn * 7 + self._seed) % len(pool) if pool else 0
        ready = self._ready(way, pool)
        known = {id(item) for item in ready}
        new = _rotated([item for item in pool if id(item) not in known], start) if turn % 2 else []
        for item in [*new[:2], *_rotated(ready, start), *_rotated(pool, start)][:12]:
            value = item.fields[label]
            given = Given(label, value, view.noun)
            yield _Draft(view, self._merged(view, item, label), (), [given], shown=self._listed_fields(view))

    def _listed_fields(self, view: View) -> set[str]:
        return set() if view.single else set(view.fields)

    def _pool(self, view: View, label: str, *, anywhere: bool) -> list[Item]:
        """The items that the label names, one each: those of the plain list, or where it searches, of any answer."""
        name = (view.key, label, anywhere)
        version, found = self._pools.get(name, (-1, []))
        if version != self._knowledge.version:
            found = self._gather(view, label, anywhere=anywhere)
            self._pools[name] = (self._knowledge.version, found)
        return found

    def _gather(self, view: View, label: str, *, anywhere: bool) -> list[Item]:
        views = [view]
        if anywhere:
            views = [other for other in self._knowledge.views.values() if other.noun == view.noun and other.safe]
        pool: dict[str, Item] = {}
        double: set[str] = set()
        for other in views:
            for seen in other.seen:
                if not anywhere and set(seen.arguments) - set(other.needed()):
                    continue
                once: set[str] = set()
                for item in seen.reading.items:
                    value = item.fields.get(label)
                    if not _nameable(value) or (other.key.tool != view.key.tool):
                        continue
                    text = str(value).casefold()
                    double |= {text} & once
                    once.add(text)
                    pool.setdefault(text, item)
        return [item for text, item in pool.items() if text not in double and not self._ours(item)]

    def _merged(self, view: View, item: Item, label: str) -> Item:
        """The item as this operation tells it, where it was seen there; else with the fields it is known to tell."""
        version, told = self._told_by.get((view.key, label), (-1, {}))
        if version != self._knowledge.version:
            told = {}
            for known in (known for seen in view.seen for known in seen.reading.items if label in known.fields):
                told.setdefault(str(known.fields[label]).casefold(), known)
            self._told_by[view.key, label] = (self._knowledge.version, told)
        own = told.get(str(item.fields[label]).casefold())
        if own is not None:
            return own
        return Item(item.pattern, item.noun, {name: v for name, v in item.fields.items() if name in view.fields})

    def _ready(self, way: Way, pool: list[Item]) -> list[Item]:
        """The items from which the first hop was made already."""
        if not way.hops:
            return pool
        hop = way.hops[0]
        target = self._knowledge.views[hop.key]
        sent = self._sent(target, hop.location)
        return [
            item
            for item in pool
            if str(item.fields.get(hop.field)).casefold() in sent
            and self._made(target, hop, item.fields[hop.field], None) is not None
        ]

    def _picked(self, way: Way, view: View) -> Iterator[_Draft]:
        pick = way.entry.pick
        assert pick is not None
        seen = next(s for s in view.seen if tuple(s.arguments.items()) == pick.arguments)
        givens = [_located(view, location, value) for location, value in pick.arguments]
        items = seen.reading.items
        shown = set(view.fields)
        if any(self._ours(item) for item in items):
            return
        if pick.order:
            told = [(view.key, tuple(givens))]
            yield _Draft(view, items[0], items, givens, told, shown=shown)
        elif not way.hops and self._complete(view, seen):
            yield _Draft(view, items[0], items, givens, [(view.key, tuple(givens))], True, shown=shown)

    def _asked(self, view: View, turn: int) -> Iterator[_Draft]:
        plain = [
            seen for seen in view.seen if set(seen.arguments) <= set(view.needed()) and len(seen.reading.items) == 1
        ]
        for seen in _rotated(plain, turn):
            if any(str(value) in self._knowledge.created for value in seen.arguments.values()):
                continue
            givens = [_located(view, location, value) for location, value in flat(seen.arguments)]
            yield _Draft(view, seen.reading.items[0], (), givens, [(view.key, tuple(givens))])

    def _ours(self, item: Item) -> bool:
        """Whether the exploration itself created an item: it will be gone, and nobody would ask for it."""
        return any(is_id(name) and str(value) in self._knowledge.created for name, value in item.fields.items())

    # Hops

    def _follow(self, way: Way, draft: _Draft) -> Story | None:
        for number, hop in enumerate(way.hops):
            last = number == len(way.hops) - 1
            if not self._hop(way, draft, hop, last):
                return None
        want = self._want(way, draft)
        if want is None:
            return None
        goal = Goal(tuple(draft.givens), want, self._noun(draft), draft.many)
        return Story(way, goal, draft.item is not None, tuple(draft.told))

    def _hop(self, way: Way, draft: _Draft, hop: Hop, last: bool) -> bool:
        target = self._knowledge.views[hop.key]
        if draft.item is None or draft.many:
            return False
        value = draft.item.fields.get(hop.field)
        if value is None or self._torn(draft, hop, value):
            return False
        if str(value) in {str(known) for known in (*draft.sent, *(given.value for given in draft.givens))}:
            return False  # it was known before: the call that told it would be made for nothing
        draft.sent.append(value)
        seen = self._made(target, hop, value, draft)
        told = self._told(target, hop, seen)
        if told is None:
            return False
        if told:
            draft.givens += told
            draft.told.append((hop.key, tuple(told)))
        draft.shown = draft.shown if target.noun == draft.view.noun else set()
        draft.view, draft.path = target, dict(seen.arguments) if seen is not None else {}
        if seen is None:
            draft.item = None
            return last and target.single and target.good >= 2 and len(target.needed()) == 1
        return self._arrive(draft, target, seen, last)

    def _arrive(self, draft: _Draft, target: View, seen: Seen, last: bool) -> bool:
        items = seen.reading.items
        if not items:
            return False
        draft.item, draft.items = items[0], items
        if seen.reading.listed and len(items) > 1:
            draft.many = last and self._complete(target, seen)
            return draft.many
        return not (seen.reading.listed and not target.single)

    def _complete(self, view: View, seen: Seen) -> bool:
        """Whether a list holds all there is: it is far shorter than what the tool, or this operation, shows at once."""
        count = len(seen.reading.items)
        if seen.reading.partial or not 2 <= count <= MAX_MANY:
            return False
        page = max(other.largest for other in self._knowledge.views.values() if other.key.tool == view.key.tool)
        return count < min(view.largest, MAX_ITEMS) or 3 * count <= page

    def _torn(self, draft: _Draft, hop: Hop, value: Json) -> bool:
        """Whether another field of the item leads to another thing of the same kind: origin and destination."""
        assert draft.item is not None
        target = self._knowledge.views[hop.key]
        if target.noun == draft.view.noun:
            return False
        edges = [edge for edge in self._knowledge.feeds(hop.key, hop.location) if edge.source == draft.view.key]
        for edge in edges:
            other = draft.item.fields.get(edge.pointer.rpartition("/")[2])
            likely = edge.score >= max(0.45, edges[0].score - 0.3)
            if likely and other is not None and not equal(other, value):
                return True
        return False

    def _made(self, target: View, hop: Hop, value: Json, draft: _Draft | None) -> Seen | None:
        """The plainest seen call of the hop with this value."""
        allowed = {hop.location, *hop.told, *target.needed()}
        for seen in self._sent(target, hop.location).get(str(value).casefold(), ()):
            here = set(seen.arguments) <= allowed
            if here and (draft is None or self._goes_on(draft, target, hop, seen)):
                return seen
        return None

    def _sent(self, target: View, location: str) -> dict[str, list[Seen]]:
        """The seen calls of an operation by what they were sent at a location."""
        version, found = self._by_value.get((target.key, location), (-1, {}))
        if version != self._knowledge.version:
            found = {}
            for seen in target.seen:
                if location in seen.arguments:
                    found.setdefault(str(seen.arguments[location]).casefold(), []).append(seen)
            self._by_value[target.key, location] = (self._knowledge.version, found)
        return found

    def _goes_on(self, draft: _Draft, target: View, hop: Hop, seen: Seen) -> bool:
        """Whether the other path arguments of a seen call are those of the call before it."""
        for location in target.needed():
            if location.startswith("path:") and location != hop.location:
                source = carried(draft.view.key.path, target.key.path, location)
                if source is None or not equal(draft.path.get(source), seen.arguments.get(location)):
                    return False
        return True

    def _told(self, target: View, hop: Hop, seen: Seen | None) -> list[Given] | None:
        """The givens for the hop's other arguments."""
        found = []
        for location in hop.told:
            values = [s.arguments[location] for s in ([seen] if seen else target.seen) if location in s.arguments]
            if not values or isinstance(values[0], (dict, list)):
                return None
            found.append(_located(target, location, values[0]))
        return found

    # What is asked for

    def _noun(self, draft: _Draft) -> str:
        return self._knowledge.noun(draft.view.key, draft.item) if draft.item is not None else draft.view.noun

    def _want(self, way: Way, draft: _Draft) -> str | None:
        view = draft.view
        names = [name for name in view.fields if self._askable(way, draft, name)]
        if not names:
            return None
        hidden = [name for name in names if name not in draft.shown]
        if not hidden and way.hops and draft.shown:
            return None
        telling = [name for name in (hidden or names) if not is_id(name)] or hidden or names
        return min(telling, key=lambda name: self._asked_enough(view, name))

    def _asked_enough(self, view: View, name: str) -> int:
        """What speaks against asking for a field: that it was asked for, that others tell it, that it is yes or no."""
        flag = set(view.fields[name].values) <= {"True", "False"}
        return 2 * self._wants.get((view.key, name), 0) + self._told_elsewhere(view, name) + 3 * flag

    def _told_elsewhere(self, view: View, name: str) -> int:
        """How many other operations tell the same of the same thing: the fewer, the more this one is needed."""
        others = (v for v in self._knowledge.views.values() if v is not view and v.noun == view.noun)
        return sum(other.has(name) for other in others)

    def _askable(self, way: Way, draft: _Draft, name: str) -> bool:
        news = draft.view.fields[name]
        if not name or "/" in name or news.changing or not news.values or _about_request(name):
            return False
        if draft.many:
            values = [item.fields.get(name) for item in draft.items]
            return None not in values and not any(linking(value) for value in values) and len(set(map(str, values))) > 1
        value = draft.item.fields.get(name) if draft.item is not None else next(iter(news.values))
        if value is None or value == "" or changing(name, value) or linking(value):
            return False
        if draft.item is None and (news.nulls or news.seen < SURE):
            return False
        if way.entry.kind == "pick" and way.entry.pick is not None and name == way.entry.pick.order and not way.hops:
            return False
        known = (*draft.sent, *(given.value for given in draft.givens))
        return not any(equal(one, value) for one in known) and self._alone(draft, name)

    def _alone(self, draft: _Draft, name: str) -> bool:
        """Where nothing is given, the noun and the field must say which operation is meant."""
        if draft.givens:
            return True
        others = (v for v in self._knowledge.views.values() if v.noun == draft.view.noun and v is not draft.view)
        return not any(other.has(name) for other in others)


def _located(view: View, location: str, value: Json) -> Given:
    name = location.rpartition("/")[2] if location.startswith("body:") else location.partition(":")[2]
    return Given(name, value, view.noun, location)


def _nameable(value: Json) -> bool:
    return isinstance(value, str) and 2 <= len(value) <= 80 and not linking(value) and "\n" not in value


def _rotated(pool: Sequence[Item] | Sequence[Seen], start: int) -> list:  # type: ignore[type-arg]
    at = start % len(pool) if pool else 0
    return [*pool[at:], *pool[:at]]


def _about_request(name: str) -> bool:
    return bool({"request", "requests", "session", "server", "host"}.intersection(words(name)))
