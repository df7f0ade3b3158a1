"""What the operations do that a client should not call on what is not its own: actions, bulk calls, singletons."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from stateful import effects, rpc_effects
from stateful.description import Json
from stateful.handling import Handling, Refused, Reply, checked, label, listed, new_id, shown, visible
from stateful.state import Thing


def act(handling: Handling) -> Reply:
    """An action on one item: counts, sets, clears, removes or starts something, as its options say."""
    thing, options, world = handling.thing(), handling.operation.options, handling.world
    for name in options.get("body", ()):
        if name not in handling.payload:
            raise Refused(422, f"{name} is required")
    if "count" in options:
        world.count(thing, options["count"])
    if "set" in options:
        name, value = options["set"]
        world.change(thing, name, value)
    if options.get("clear"):
        for below in world.inside(f"{thing.path}/{options['clear']}"):
            world.remove(below)
        world.change(thing, "size", 0)
    if options.get("remove"):
        world.remove(thing)
        return Reply(204)
    if "spawn" in options:
        return _spawn(handling, thing)
    return Reply(*options.get("reply", (200, shown(thing))))


def _spawn(handling: Handling, thing: Thing) -> Reply:
    kind = handling.service.kind(handling.operation.options["spawn"])
    number = handling.world.counts.get(kind.plural, 0) + 1
    handling.world.counts[kind.plural] = number
    started = handling.world.add(f"/{kind.plural}", kind.plural, number, {label(kind): f"{thing.id}-{number}"})
    return Reply(202, {"id": started.id, "status": "started"}, {"Location": started.path})


def copy_item(handling: Handling) -> Reply:
    """Another item like one, beside it, under a name of the service's: the answer shows it, or says nothing of it."""
    thing, kind, world, options = handling.thing(), handling.kind, handling.world, handling.operation.options
    world.count(thing, "copies")
    name = {"kept": f"{thing.values.get(label(kind))}-copy", "own": "Copy"}[options["name"]]
    values = {**thing.values, label(kind): f"{name}-{world.request.number}"}
    collection = thing.path.rpartition("/")[0]
    made = world.add(collection, kind.plural, new_id(handling, values), values)
    answers = {"copy": Reply(201, shown(made)), "source": Reply(200, shown(thing)), "queued": Reply(202, {"ok": True})}
    return answers[options["answer"]]


def merge(handling: Handling) -> Reply:
    """Two items become one, or something goes from one to the other; ids stand in the body, or one in the path."""
    kind, options, body = handling.kind, handling.operation.options, handling.payload
    source = handling.by_id(body.get(options["source"]), kind) if "source" in options else handling.thing()
    target = handling.by_id(body.get(options["target"]), kind)
    if source is None or target is None or source is target:
        raise Refused(422, f"{options.get('source', 'id')} and {options['target']} must name two {kind.plural}")
    handling.world.count(target, "merged")
    if options.get("keeps"):
        handling.world.change(source, "size", 0)
    else:
        handling.world.remove(source)
    return Reply(200, shown(target))


def join(handling: Handling) -> Reply:
    """PUT or DELETE of a member of an item, who is there already: both know of it."""
    thing, kind = handling.thing(), handling.service.kind(handling.operation.options["members"])
    member = handling.by_id(handling.segments[-1], kind)
    if member is None:
        raise Refused(404, f"no such {kind.singular}")
    there = [id_ for id_ in thing.values.get(kind.plural, []) if id_ != member.id]
    joins = handling.operation.method == "PUT"
    handling.world.change(thing, kind.plural, [*there, member.id] if joins else there)
    handling.world.count(member, "joined" if joins else "parted")
    return Reply(204)


# Many items at once


def chosen(handling: Handling, choice: Mapping[str, Any]) -> list[Thing]:
    """The items that ids or a filter choose; all of them if neither is given."""
    things = visible(handling.world.inside(handling.collection()))
    ids = choice.get("ids")
    if isinstance(ids, str):
        ids = ids.split(",")
    if isinstance(ids, list) and ids:
        return [thing for thing in things if str(thing.id) in {str(id_) for id_ in ids}]
    wanted = choice.get("filter") if isinstance(choice.get("filter"), dict) else choice
    fields = {field.name for field in handling.kind.fields} & set(wanted)
    return [thing for thing in things if all(str(thing.values.get(name)) == str(wanted[name]) for name in fields)]


def delete_many(handling: Handling) -> Reply:
    """DELETE of a collection, or `POST …/bulk_delete`: the items that are named, or all."""
    choice = handling.query if handling.operation.method != "POST" else handling.body
    things = chosen(handling, choice if isinstance(choice, Mapping) else {})
    for thing in things:
        handling.world.remove(thing)
    return Reply(200, {"deleted": len(things)})


def update_many(handling: Handling) -> Reply:
    """PATCH of a collection, or `POST …/bulk_update`: the same values for the items that are named, or all."""
    body = handling.payload
    values = body.get("set") if isinstance(body.get("set"), dict) else {"state": "updated"}
    things = chosen(handling, {name: value for name, value in body.items() if name in ("ids", "filter")})
    for thing in things:
        for name, value in values.items():
            handling.world.change(thing, name, value)
        handling.world.count(thing, "revision")
    return Reply(200, {"updated": len(things)})


def replace_all(handling: Handling) -> Reply:
    """PUT of a collection: what is not in the body is removed."""
    if not isinstance(handling.body, list):
        raise Refused(422, "the body must be a list")
    fresh = [checked(handling, item) for item in handling.body if isinstance(item, dict)]
    for thing in handling.world.inside(handling.collection()):
        handling.world.remove(thing)
    items = [effects._add(handling, handling.collection(), values) for values in fresh]
    return Reply(200, [shown(thing) for thing in items])


def create_defaults(handling: Handling) -> Reply:
    """Creates items that nobody named."""
    items = []
    for number in range(3):
        values = {label(handling.kind): f"default-{handling.world.request.number}-{number}"}
        items.append(effects._add(handling, handling.collection(), values))
    return Reply(201, {"created": len(items)})


# Reads by POST


def search(handling: Handling) -> Reply:
    """The items that a body chooses; a search that is none counts that they were found."""
    things = chosen(handling, handling.body if isinstance(handling.body, dict) else {})
    for thing in things if handling.operation.options.get("counts") else ():
        handling.world.count(thing, "found")
    if handling.operation.verb == "count":
        return Reply(200, {"count": len(things)})
    return Reply(200, listed(things, handling.kind, {}))


def ask(handling: Handling) -> Reply:
    """A question about one item; one that is none counts that it was asked."""
    thing = handling.thing()
    if handling.operation.options.get("counts"):
        handling.world.count(thing, "asked")
    return Reply(200, {"results": [], "of": thing.id})


# Singletons, logins, batches


def read_singleton(handling: Handling) -> Reply:
    return Reply(200, dict(handling.world.things[handling.path].values))


def write_singleton(handling: Handling) -> Reply:
    """PUT, PATCH or POST of what there is one of; any value is taken."""
    thing, values = handling.world.things[handling.path], handling.payload
    for name, value in values.items():
        handling.world.change(thing, name, value)
    handling.world.count(thing, "revision")
    return Reply(200, dict(thing.values))


def write_part(handling: Handling) -> Reply:
    """PUT or PATCH of the settings of one item."""
    thing = handling.thing()
    handling.world.change(thing, "settings", handling.payload)
    handling.world.count(thing, "revision")
    return Reply(200, dict(thing.values["settings"]))


def log_in(handling: Handling) -> Reply:
    """Answers with the path of an account that is there."""
    things = [thing for thing in visible(handling.world.of_kind(handling.kind)) if thing.others]
    if not things:
        raise Refused(401, "nobody is there")
    handling.world.lure(things[-1], "login")
    status = int(handling.operation.options.get("status", 201))
    return Reply(status, {"id": things[-1].id, "session": "open"}, {"Location": things[-1].path})


def batch(handling: Handling) -> Reply:
    """Performs the requests that a body carries."""
    requests = handling.payload.get("requests")
    if not isinstance(requests, list):
        raise Refused(422, "requests must be a list")
    perform: Callable[[str, str, Json], Reply] = handling.operation.options["perform"]
    replies = [
        perform(str(request.get("method", "GET")).upper(), str(request.get("path", "")), request.get("body"))
        for request in requests
        if isinstance(request, dict)
    ]
    return Reply(200, {"responses": [{"status": reply.status, "body": reply.body} for reply in replies]})


def readable(body: bytes) -> Json:
    """A request body; None for none, 400 for what is no JSON."""
    if not body.strip():
        return None
    try:
        return json.loads(body)
    except ValueError:
        raise Refused(400, "the body is no JSON") from None


EFFECTS: Mapping[str, Callable[[Handling], Reply]] = {
    "list": effects.list_items,
    "read": effects.read_item,
    "create": effects.create_item,
    "put": effects.put_item,
    "patch": effects.patch_item,
    "delete": effects.delete_item,
    "act": act,
    "copy": copy_item,
    "merge": merge,
    "join": join,
    "delete-many": delete_many,
    "update-many": update_many,
    "replace-all": replace_all,
    "defaults": create_defaults,
    "search": search,
    "ask": ask,
    "read-singleton": read_singleton,
    "write-singleton": write_singleton,
    "write-part": write_part,
    "log-in": log_in,
    "batch": batch,
    "call": rpc_effects.call,
    "single": rpc_effects.single,
}
