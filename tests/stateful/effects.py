"""What the operations of generated services do: reading, creating, changing and removing items."""

from __future__ import annotations

from stateful import habits
from stateful.description import LIES, Json, Kind
from stateful.handling import (
    Handling,
    Refused,
    Reply,
    check_name,
    checked,
    label,
    listed,
    new_id,
    shown,
    visible,
)
from stateful.state import Thing


def list_items(handling: Handling) -> Reply:
    """GET of a collection; a query parameter that acts changes every item."""
    things = habits.in_scope(handling.kind, handling.world.inside(handling.collection()))
    for name in handling.operation.options.get("changing", ()):
        if name in handling.query:
            for thing in visible(things):
                handling.world.change(thing, "state", handling.query[name])
    return Reply(200, listed(things, handling.kind, handling.query))


def read_item(handling: Handling) -> Reply:
    """GET of one item; a query parameter that acts changes it."""
    thing = handling.thing()
    for name in handling.operation.options.get("changing", ()):
        if name in handling.query:
            handling.world.change(thing, name, handling.query[name])
    return Reply(200, shown(thing))


# Creating


def create_item(handling: Handling) -> Reply:
    """POST to a collection: creates, updates what has the name already, or answers with what was there."""
    kind, world = handling.kind, handling.world
    collection = handling.collection()
    there = visible(world.inside(collection))
    if kind.answer in ("get-or-create", "error-in-200") and there:
        return _existing(handling, there)
    values = checked(handling, handling.payload)
    if (taken := habits.in_place_of(handling, collection, values)) is not None:
        return created(handling, taken, None)
    if kind.ids == "name":
        check_name(kind, values.get(label(kind)))
    twin = _twin(kind, there, values)
    if twin is not None:
        return _collided(handling, twin, values)
    thing = _add(handling, collection, values)
    if kind.company:
        _add_company(handling, collection)
    others = [t for t in there if t.others]
    return created(handling, thing, others[-1] if others else None)


def _twin(kind: Kind, there: list[Thing], values: dict[str, Json]) -> Thing | None:
    """The item that has the id or the name which a creation asks for."""
    same_id = next((thing for thing in there if "id" in values and thing.id == values["id"]), None)
    if same_id is not None or (kind.collision == "twice" and kind.ids != "name"):
        return same_id
    return next((thing for thing in there if values.get(label(kind)) == thing.values.get(label(kind))), None)


def _add_company(handling: Handling, collection: str) -> None:
    """Somebody else creates an item between two requests of the client."""
    name = f"theirs-{handling.world.request.number}"
    values = {label(handling.kind): name}
    other = handling.world.add(collection, handling.kind.plural, new_id(handling, values), values, others=True)
    handling.world.lure(other, "company")


def put_item(handling: Handling) -> Reply:
    """PUT of one item: replaces it, or creates it if clients choose the ids."""
    kind = handling.kind
    try:
        thing = handling.thing()
    except Refused:
        if kind.creation != "put":
            raise
        collection, id_ = handling.path.rpartition("/")[0], handling.segments[-1]
        if kind.parent:
            handling.found(collection.rpartition("/")[0], handling.service.kind(kind.parent))
        check_name(kind, id_)
        values = checked(handling, {label(kind): id_, **handling.payload})
        return Reply(201, shown(_add(handling, collection, values | {label(kind): id_}, id_)))
    given = handling.payload if kind.ids != "name" else {**handling.payload, label(kind): thing.id}
    _update(handling, thing, checked(handling, given))
    return Reply(200, shown(thing))


def patch_item(handling: Handling) -> Reply:
    """PATCH of one item."""
    thing = handling.thing()
    values = checked(handling, handling.payload, partial=True)
    _update(handling, thing, values)
    name = values.get(label(handling.kind), thing.id)
    if handling.kind.moving and name != thing.id:
        return _moved(handling, thing, name)
    return Reply(200, shown(thing))


def _moved(handling: Handling, thing: Thing, name: Json) -> Reply:
    """An item gets another id, gets a copy under it, or only seems to."""
    kind, world = handling.kind, handling.world
    collection = thing.path.rpartition("/")[0]
    check_name(kind, name)
    if kind.moving == "says":
        return Reply(200, {**shown(thing), "id": name, label(kind): name})
    if any(t.id == name for t in world.inside(collection)) or any(p.startswith(thing.path + "/") for p in world.things):
        raise Refused(409, f"{label(kind)} is taken, or {kind.singular} is not empty")
    values = {**thing.values, label(kind): name}
    if kind.moving == "moves":
        world.remove(thing)
    return Reply(200, shown(world.add(collection, kind.plural, name, values)))


def _add(handling: Handling, collection: str, values: dict[str, Json], id_: Json = None) -> Thing:
    """Create an item; what it refers to and what it lies in are changed by that, if the service guards them."""
    kind, world, service = handling.kind, handling.world, handling.service
    _rank(handling, collection, values)
    parent = world.things.get(collection.rpartition("/")[0])
    if parent is not None and service.protects_parent(kind):
        _as_trap(handling, "inside somebody's thing", parent, "revision")
    for described in kind.fields:
        if described.refers and described.name in values and service.makeable(service.kind(described.refers)):
            named = handling.named(values[described.name], described)
            assert named is not None
            _as_trap(handling, "reference", named, "uses")
    thing = world.add(collection, kind.plural, new_id(handling, values) if id_ is None else id_, values)
    habits.after_creation(handling, collection, thing)
    return thing


def _rank(handling: Handling, collection: str, values: dict[str, Json], thing: Thing | None = None) -> None:
    """Make room for an item among those of its collection, or take from them what only one has."""
    name, world = handling.kind.ranked, handling.world
    with world.trapped("rank"):
        for other in visible(world.inside(collection)) if values.get(name) is not None else ():
            there, wanted = other.values.get(name), values[name]
            if other is thing or there is None:
                continue
            if wanted is True and there is True:
                world.change(other, name, False)
            elif not isinstance(wanted, bool) and there >= wanted:
                world.change(other, name, there + 1)


def _as_trap(handling: Handling, trap: str, thing: Thing, counter: str) -> None:
    with handling.world.trapped(trap):
        handling.world.count(thing, counter)


def _existing(handling: Handling, there: list[Thing]) -> Reply:
    """An answer with an item that was there before."""
    others = [thing for thing in there if thing.others]
    thing = others[0] if others else there[0]
    handling.world.lure(thing, handling.kind.answer)
    if handling.kind.answer == "error-in-200":
        return Reply(200, {"error": "limit reached", "id": thing.id})
    return Reply(int(handling.operation.options.get("status", 201)), shown(thing))


def _collided(handling: Handling, twin: Thing, values: dict[str, Json]) -> Reply:
    if not handling.kind.collision.startswith("upsert"):
        raise Refused(409, f"{label(handling.kind)} is taken")
    with handling.world.trapped("upsert"):
        _update(handling, twin, values)
        if twin.others:
            handling.world.count(twin, "revision")
    handling.world.lure(twin, "upsert")
    return Reply(int(handling.kind.collision.rpartition("-")[2]), shown(twin))


def _update(handling: Handling, thing: Thing, values: dict[str, Json]) -> None:
    """Set values; a softly deleted thing is there again; a new name may overwrite another item."""
    kind, world = handling.kind, handling.world
    name = values.get(label(kind))
    siblings = visible(world.inside(thing.path.rpartition("/")[0]))
    twin = next((t for t in siblings if t is not thing and t.values.get(label(kind)) == name), None)
    if kind.overwriting and twin is not None and name is not None:
        with world.trapped("overwriting"):
            world.remove(twin)
    thing.deleted = False
    _rank(handling, thing.path.rpartition("/")[0], values, thing)
    for field, value in values.items():
        if field != "id" and not (kind.ids == "name" and field == label(kind)):
            world.change(thing, field, value)


def created(handling: Handling, thing: Thing, other: Thing | None) -> Reply:
    """The answer to a creation, as the kind gives it; lies name `other` if there is one."""
    kind = handling.kind
    named = other if kind.answer in LIES and other is not None else thing
    handling.world.lure(named, kind.answer)
    location = {"Location": named.path}
    if kind.answer in ("location", "existing-location"):
        return Reply(201, None, location)
    if kind.answer == "see-other":
        return Reply(303, None, location)
    if kind.answer == "failed":
        return Reply(500, {"error": "internal error"})
    if kind.answer in ("empty-201", "empty-204"):
        return Reply(int(kind.answer[-3:]))
    if kind.answer == "parent":
        parent = handling.world.things.get(thing.parent)
        handling.world.lure(parent, "parent shown")
        return Reply(201, shown(parent) if parent else {"status": "created"})
    bodies: dict[str, Json] = {
        "id": {"id": named.id},
        "wrapped": {"data": shown(named)},
        "list": [shown(named)],
        "accepted": {"status": "queued", "id": named.id},
    }
    status = {"ok": 200, "accepted": 202}.get(kind.answer, 201)
    return Reply(status, bodies.get(kind.answer, shown(named)))


# Removing


def delete_item(handling: Handling) -> Reply:
    """DELETE of one item."""
    remove(handling, handling.thing(), handling.kind)
    return Reply(204)


def remove(handling: Handling, thing: Thing, kind: Kind) -> None:
    """Remove an item as its kind does it."""
    world = handling.world
    if kind.removal == "lying":
        if thing.others:
            world.count(thing, "revision")
        return
    if kind.removal == "occupied" and any(path.startswith(thing.path + "/") for path in world.things):
        raise Refused(409, f"{kind.singular} is not empty")
    if kind.removal == "soft":
        if thing.deleted:
            raise Refused(410, f"{kind.singular} is deleted")
        world.mark_deleted(thing)
        return
    # In a parent of the client's own nobody else would create anything.
    parent = world.things.get(thing.parent)
    taken_over = not thing.others and (parent is None or parent.others)
    world.remove(thing)
    habits.after_removal(world, thing, kind)
    if taken_over and kind.reuse == "taken":
        values = dict(thing.values) | {label(kind): f"somebody's {kind.singular} {thing.id}"}
        taken = world.add(thing.path.rpartition("/")[0], kind.plural, thing.id, values, others=True)
        world.lure(taken, "id taken")
