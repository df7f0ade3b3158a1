"""What operations of RPC style do: the arguments name the things, and the ordinary effects are done to these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from stateful import effects
from stateful.description import Json, Kind
from stateful.handling import Handling, Refused, Reply, label, listed, shown, visible
from stateful.state import Thing

_INNER = {
    "make": ("POST", "create"),
    "list": ("GET", "list"),
    "change": ("PATCH", "patch"),
    "remove": ("DELETE", "delete"),
}


def call(handling: Handling) -> Reply:
    """Does to what the arguments name what the operation says."""
    options, deed = handling.operation.options, handling.operation.options["deed"]
    body = _arguments(handling)
    collection = _collection(handling, body)
    if deed in ("make", "list"):
        if options.get("flag") and body.get(options["flag"]) not in (None, False, "", "false", "0"):
            for thing in visible(handling.world.inside(collection)):
                handling.world.count(thing, options["flag"])
        act = effects.create_item if deed == "make" else effects.list_items
        return act(_inner(handling, collection, body, deed))
    things = _chosen(handling, collection, body)
    return _TO_THINGS[deed](handling, things, body)


def _arguments(handling: Handling) -> dict[str, Any]:
    if handling.operation.method == "GET":
        return dict(handling.query)
    return handling.payload if handling.body is not None else {}


def _collection(handling: Handling, body: Mapping[str, Any]) -> str:
    """The path of the collection that a call is about, "" if it may be any; 404 if its parent is not there."""
    kind, options = handling.kind, handling.operation.options
    if not kind.parent:
        return f"/{kind.plural}"
    above = handling.service.kind(kind.parent)
    steps = handling.operation.path.strip("/").split("/")
    given = next((handling.segments[n] for n, step in enumerate(steps) if step.startswith("{")), None)
    if given is None and options["above"]:
        given = body.get(options["above"])
    parent = handling.by_id(given, above)
    if parent is None or handling.world.hidden(parent):
        raise Refused(404 if given is not None else 422, f"no such {above.singular}: {options['above']}")
    return f"{parent.path}/{kind.plural}"


def _inner(handling: Handling, path: str, values: Json, deed: str) -> Handling:
    """The same request, as an API of resources would have it."""
    method, effect = _INNER[deed]
    segments = [unquote(step) for step in path.strip("/").split("/")]
    template = path if deed in ("make", "list") else path.rpartition("/")[0] + "/{id}"
    options = {"status": handling.operation.options.get("status", 201)}
    operation = replace(handling.operation, method=method, path=template, effect=effect, options=options)
    query = {name: str(value) for name, value in values.items()} if deed == "list" else {}
    return replace(handling, operation=operation, segments=segments, query=query, body=values)


# What arguments name


def _chosen(handling: Handling, collection: str, body: Mapping[str, Any]) -> list[Thing]:
    """The things that the arguments name; if they name none: refused, all of them, or the first, as the service is."""
    options = handling.operation.options
    kind = handling.kind
    there = visible(handling.world.inside(collection))
    if kind.loose:
        there = visible(handling.world.of_kind(kind))
    wanted = [value for name in options["named"] for value in _values(body, name, kind)]
    if wanted:
        return [thing for thing in there if any(_is(thing, name, value, kind) for name, value in wanted)]
    empty = options["empty"]
    if empty == "refuse":
        raise Refused(422, f"{' or '.join(options['named']).replace('=', '')} is required")
    return there if empty == "all" else there[:1]


def _values(body: Mapping[str, Any], name: str, kind: Kind) -> Iterator[tuple[str, Json]]:
    """(argument, value) of what an argument has: of one, several, or in an object."""
    found: Json = body
    for step in name.removeprefix("=").split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    if isinstance(found, Mapping):
        yield from ((f"={key}", value) for key, value in found.items())
    elif isinstance(found, str) and name.endswith("ids"):
        yield from ((name, part) for part in found.split(",") if part)
    elif isinstance(found, list):
        yield from ((name, value) for value in found)
    elif found not in (None, ""):
        yield name, found


def _is(thing: Thing, name: str, value: Json, kind: Kind) -> bool:
    if name.startswith("=") and name != "=id":
        return str(thing.values.get(name[1:])) == str(value)
    return str(thing.id) == str(value)


# What is done to them


def _read(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    several = any(name.endswith("ids") for name in handling.operation.options["named"])
    if several:
        return Reply(200, listed(things, handling.kind, {}))
    return Reply(200, shown(_first(handling, things)))


def _change(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    values = {name: value for name, value in body.items() if f"={name}" not in handling.operation.options["named"]}
    if handling.operation.options["new_name"] and "new_name" in body:
        values[label(handling.kind)] = body["new_name"]
    replies = [effects.patch_item(_inner(handling, t.path, values, "change")) for t in _all(handling, things)]
    return replies[0] if len(replies) == 1 else Reply(200, {"updated": len(replies)})


def _remove(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    for thing in _all(handling, things):
        effects.remove(handling, thing, handling.kind)
    return Reply(200, {"deleted": len(things)})


def _act(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    for thing in _all(handling, things):
        handling.world.count(thing, handling.operation.verb)
    return Reply(200, {"ok": True})


def _take(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    first = _first(handling, things)
    handling.world.count(first, "taken")
    return Reply(200, shown(first))


def _mark(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    for thing in _all(handling, things):
        handling.world.count(thing, "seen")
    return Reply(200, listed(things, handling.kind, {}))


def _merge(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    source, other = (
        _first(handling, things),
        handling.by_id(body.get(handling.operation.options["other"]), handling.kind),
    )
    if other is None or other is source:
        raise Refused(422, f"{handling.operation.options['other']} is required")
    handling.world.count(other, "merged")
    handling.world.count(source, "merged_into")
    return Reply(200, shown(other))


def _member(handling: Handling, things: list[Thing], body: Mapping[str, Any]) -> Reply:
    options = handling.operation.options
    thing, other = (
        _first(handling, things),
        handling.by_id(body.get(options["other"]), handling.service.kind(options["of"])),
    )
    if other is None:
        raise Refused(422, f"{options['other']} is required")
    handling.world.count(thing, "members")
    handling.world.count(other, "memberships")
    return Reply(200, {"ok": True})


def _first(handling: Handling, things: list[Thing]) -> Thing:
    return _all(handling, things)[0]


def _all(handling: Handling, things: list[Thing]) -> list[Thing]:
    if not things:
        raise Refused(404, f"no such {handling.kind.singular}")
    return things


_TO_THINGS = {
    "read": _read, "change": _change, "remove": _remove, "act": _act, "take": _take, "mark": _mark, "merge": _merge,
    "member": _member,
}  # fmt: skip


def single(handling: Handling) -> Reply:
    """Reads or changes what there is one of."""
    thing = handling.world.things["/settings"]
    if handling.operation.options["deed"] == "read-singleton":
        return Reply(200, dict(thing.values))
    for name, value in _arguments(handling).items():
        handling.world.change(thing, name, value)
    handling.world.count(thing, "revision")
    return Reply(200, dict(thing.values))
