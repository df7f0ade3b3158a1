"""Habits of kinds: what creating, listing and removing items does beside that, as some real APIs do it.

"claims": a POST gives a new name to a free thing that is there. "evicts": the oldest item makes room for a new one.
"keyed": a POST with a locale that another item has changes that item. "late": an item is shown some requests after the
answer. "names": a reference holds a name, not an id. "promotes": a new item comes first, and the others move down.
"replays": the same body is answered as it was before. "scoped": the list shows what is there from of old alone.
"tags": labels that do not exist yet are created, and existing ones count their uses. "trash": what is removed lies in
/trash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from stateful.description import NAMELESS, Field, Json, Kind
from stateful.seeding import KEY
from stateful.state import Thing, World

if TYPE_CHECKING:
    from stateful.handling import Handling
    from stateful.trap_drawing import Draft

HABITS = ("claims", "evicts", "keyed", "late", "names", "promotes", "replays", "scoped", "tags", "trash")
_LATE = 6
_LOCALES = ("de", "en", "fr", "it", "nl", "pl", "sv", "pt")


def add_habits(draft: Draft, rng: Random) -> None:
    """Give some of the kinds of a draft a habit."""
    for number, kind in enumerate(list(draft.kinds)):
        if kind.creation != "post" or rng.random() > 0.3:
            continue
        habit = rng.choice(HABITS)
        if (changed := _with(kind, habit, draft, rng)) is not None:
            draft.kinds[number] = replace(changed, habits=frozenset({habit}))


def _with(kind: Kind, habit: str, draft: Draft, rng: Random) -> Kind | None:
    """A kind that can have a habit; None if it cannot, or if nobody could notice."""
    if habit in ("claims", "evicts", "keyed", "promotes"):
        return _noticed(kind, habit)
    if habit == "scoped":
        shown = kind.listed and "GET" in kind.methods and kind.answer not in NAMELESS and not kind.company
        return kind if shown else None
    if habit == "names":
        others = [other for other in draft.kinds if other is not kind and not other.parent]
        field = Field("", "reference", rng.random() < 0.6, by_name=True)
        other = rng.choice(others) if others else None
        return other and replace(kind, fields=(*kind.fields, replace(field, name=other.singular, refers=other.plural)))
    if habit == "tags":
        ids = rng.choice(("int", "name"))
        draft.ensure(Kind("labels", "label", ids=ids, fields=(Field("name"),), creation="", methods=_GET_DELETE))
        fields = [field for field in kind.fields if field.name != "labels"]
        return replace(kind, fields=(*fields, Field("labels", "list")))
    if habit == "trash":
        methods = rng.choice((frozenset({"GET"}), _GET_DELETE))
        draft.ensure(Kind("trash", "trash", fields=(Field("name"),), creation="", methods=methods))
        # What lies in the trash is told by the name that it had at first.
        fields = (replace(kind.fields[0], required=True), *kind.fields[1:])
        return replace(kind, fields=fields) if kind.removal == "gone" and kind.reuse == "never" else None
    return kind


_GET_DELETE = frozenset({"GET", "DELETE"})


def _noticed(kind: Kind, habit: str) -> Kind | None:
    if not kind.listed or kind.envelope == "names" or kind.company:
        return None
    if habit != "keyed":
        return kind
    key = Field(KEY, "enum", required=True, choices=_LOCALES)
    return replace(kind, collision="twice", fields=(*kind.fields, key))


# What they do


def in_place_of(handling: Handling, collection: str, values: dict[str, Json]) -> Thing | None:
    """The thing that is taken in place of one that would be created."""
    kind, world = handling.kind, handling.world
    there = [thing for thing in world.inside(collection) if not thing.deleted]
    if "replays" in kind.habits:
        return next((thing for thing in there if thing.asked == handling.payload), None)
    if "keyed" in kind.habits:
        thing = next((thing for thing in there if thing.values.get(KEY) == values[KEY]), None)
        return _changed(world, thing, "keyed", {n: v for n, v in values.items() if n != "id"})
    if "claims" in kind.habits:
        free = (thing for thing in there if thing.others and "claimed" not in thing.values)
        return _changed(world, next(free, None), "claims", {kind.fields[0].name: values.get(kind.fields[0].name)})
    return None


def _changed(world: World, thing: Thing | None, habit: str, values: dict[str, Json]) -> Thing | None:
    if thing is not None:
        with world.trapped(habit, foreseeable=habit == "keyed"):
            for name, value in values.items():
                world.change(thing, name, value)
            world.count(thing, "claimed")
        world.lure(thing, habit)
    return thing


def after_creation(handling: Handling, collection: str, thing: Thing) -> None:
    """What a new item changes."""
    kind, world = handling.kind, handling.world
    thing.asked = handling.body
    others = [other for other in world.inside(collection) if other is not thing and not other.deleted]
    if "evicts" in kind.habits and others:
        with world.trapped("evicts", foreseeable=False):
            world.remove(others[0])
    if "promotes" in kind.habits:
        thing.values["place"] = 1
        with world.trapped("promotes", foreseeable=False):
            for other in others:
                world.count(other, "place")
    if "late" in kind.habits:
        thing.since = world.request.number + _LATE
    if "tags" in kind.habits:
        for label in thing.values.get("labels") or ():
            _tag(handling, str(label))


def _tag(handling: Handling, label: str) -> None:
    world, kind = handling.world, handling.service.kind("labels")
    there = next((thing for thing in world.of_kind(kind) if thing.values.get("name") == label), None)
    if there is not None:
        with world.trapped("tags"):
            world.count(there, "uses")
        return
    number = world.counts[kind.plural] = world.counts.get(kind.plural, 0) + 1
    world.add("/labels", kind.plural, label if kind.ids == "name" else number, {"name": label})


def after_removal(world: World, thing: Thing, kind: Kind) -> None:
    """What a removed item leaves behind."""
    # Nobody could tell whose it is that had no name at first.
    if "trash" in kind.habits and not thing.others and (thing.asked or {}).get(kind.fields[0].name):
        number = world.counts["trash"] = world.counts.get("trash", 0) + 1
        values = {name: value for name, value in thing.values.items() if name != "id"}
        world.add("/trash", "trash", number, values | {"kind": kind.singular, "was": thing.asked[kind.fields[0].name]})


def in_scope(kind: Kind, things: Sequence[Thing]) -> list[Thing]:
    """The items of a collection that its list shows."""
    return [thing for thing in things if thing.others or "scoped" not in kind.habits]
