"""What every effect needs: the request as its operation sees it, replies, and how items and lists are shown."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from stateful.description import Field, Json, Kind, Operation, Service
from stateful.state import Thing, World

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "enum": str,
    "list": list,
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")


@dataclass
class Reply:
    """A response; `body` None is an empty one."""

    status: int = 200
    body: Json = None
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.reply = Reply(status, {"error": text})


@dataclass
class Handling:
    """One request to one operation. `segments` are those of the path, decoded."""

    service: Service
    world: World
    operation: Operation
    segments: Sequence[str]
    query: Mapping[str, str]
    body: Json

    @property
    def kind(self) -> Kind:
        return self.service.kind(self.operation.kind)

    @property
    def path(self) -> str:
        return joined(self.segments)

    @property
    def payload(self) -> dict[str, Any]:
        """The body, which must be an object."""
        if not isinstance(self.body, dict):
            raise Refused(422, "the body must be a JSON object")
        return self.body

    def thing(self) -> Thing:
        """What the path addresses, or lies under; 404 if it does not exist."""
        if self.operation.options.get("told") == "before":
            there = self.by_id(self.segments[-1], self.kind)
            if there is None:
                raise Refused(404, f"no such {self.kind.singular}")
            return there
        return self.found(self._item_path(), self.kind)

    def found(self, path: str, kind: Kind) -> Thing:
        """The thing of a kind at a path; of a loose kind the one with the same last segment."""
        thing = self.world.things.get(path)
        if thing is None and kind.loose:
            last = path.rpartition("/")[2]
            thing = next((t for t in self.world.of_kind(kind) if t.path.rpartition("/")[2] == last), None)
        if thing is None or thing.kind != kind.plural or self.world.hidden(thing):
            raise Refused(404, f"no such {kind.singular}")
        return thing

    def by_id(self, id_: Json, kind: Kind) -> Thing | None:
        """The first thing of a kind with this id, wherever it lies."""
        return next((t for t in self.world.of_kind(kind) if str(t.id) == str(id_) and not t.deleted), None)

    def named(self, value: Json, described: Field) -> Thing | None:
        """What a reference means, by its id or its name."""
        kind = self.service.kind(described.refers)
        if not described.by_name:
            return self.by_id(value, kind)
        return next((t for t in self.world.of_kind(kind) if t.values.get(label(kind)) == value and not t.deleted), None)

    def collection(self) -> str:
        """The path of the collection, whose parent must exist; words after it ("/search") are left out."""
        steps = len(self.operation.path.strip("/").split("/")) - int(self.operation.options.get("words", 0))
        collection = joined(self.segments[:steps])
        if self.kind.parent:
            parent = self.world.things.get(collection.rpartition("/")[0])
            if parent is None or parent.deleted or self.world.hidden(parent):
                raise Refused(404, f"no such {self.service.kind(self.kind.parent).singular}")
        return collection

    def _item_path(self) -> str:
        steps = self.operation.path.strip("/").split("/")
        last = max(index for index, step in enumerate(steps) if step.startswith("{"))
        if self.operation.options.get("parent") or self.operation.effect == "join":
            last -= 2
        return joined(self.segments[: last + 1])


def joined(segments: Sequence[str]) -> str:
    """The path of decoded segments."""
    return "".join("/" + quote(segment, safe="") for segment in segments)


def shown(thing: Thing) -> dict[str, Json]:
    """An item as answers show it."""
    mark = {"deleted": True} if thing.deleted else {}
    return {"id": thing.id, **thing.values, **mark}


def label(kind: Kind) -> str:
    """The field that names an item of a kind."""
    return kind.fields[0].name


def visible(things: Sequence[Thing]) -> list[Thing]:
    return [thing for thing in things if not thing.deleted]


def listed(things: Sequence[Thing], kind: Kind, query: Mapping[str, str]) -> Json:
    """A collection in its envelope, a page of it if the kind has pages."""
    items = [shown(thing) for thing in visible(things)]
    if kind.envelope == "names":
        return [str(item["id"]) for item in items]
    if kind.envelope == "map":
        return {str(item["id"]): item for item in items}
    start, size = _window(kind, query)
    page = items[start : start + size]
    if kind.envelope == "bare":
        return page
    more = start + size < len(items)
    count = {"total": len(items)} if kind.paging else {}
    following = {"next": str(start + size) if more else None} if kind.paging == "cursor" else {}
    return {kind.envelope: page, **count, **following}


def _window(kind: Kind, query: Mapping[str, str]) -> tuple[int, int]:
    """First index and number of items of the page that was asked for."""
    if not kind.paging:
        return 0, 10_000
    size = max(1, number(query.get("limit", ""), kind.page_size))
    if kind.paging == "page":
        return (max(1, number(query.get("page", "1"), 1)) - 1) * size, size
    return max(0, number(query.get("offset" if kind.paging == "offset" else "cursor", "0"), 0)), size


def number(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else default


def checked(handling: Handling, body: Mapping[str, Any], *, partial: bool = False) -> dict[str, Json]:
    """The declared fields of a body; 422 for what is missing, of a wrong type, or refers to nothing."""
    values: dict[str, Json] = {}
    for described in handling.kind.fields:
        value = body.get(described.name)
        if value is None:
            if described.required and not partial:
                raise Refused(422, f"{described.name} is required")
            continue
        _check(handling, described, value)
        values[described.name] = value
    return values


def _check(handling: Handling, described: Field, value: Json) -> None:
    if described.type == "reference":
        if handling.named(value, described) is None:
            raise Refused(422, f"{described.name}: no such {handling.service.kind(described.refers).singular}")
        return
    wanted = _TYPES[described.type]
    if not isinstance(value, wanted) or (described.type == "integer" and isinstance(value, bool)):
        raise Refused(422, f"{described.name} must be of type {described.type.replace('enum', 'string')}")
    if described.type == "enum" and value not in described.choices:
        raise Refused(422, f"{described.name} must be one of {', '.join(described.choices)}")


def check_name(kind: Kind, name: Json) -> None:
    """422 for what cannot be an id, of kinds whose ids are names."""
    if kind.ids == "name" and not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise Refused(422, "name must be letters, digits, '.', '_' and '-', at most 63")


def new_id(handling: Handling, values: Mapping[str, Json]) -> Json:
    """The id of an item that is created now."""
    kind, world = handling.kind, handling.world
    number = world.counts.get(kind.plural, 0) + 1
    if kind.ids == "name":
        return values[label(kind)]
    if "id" in values:
        return values["id"]
    if kind.ids == "uuid":
        world.counts[kind.plural] = number
        digest = hashlib.md5(f"{handling.service.seed} {kind.plural} {number}".encode()).digest()
        return str(uuid.UUID(bytes=digest))
    if kind.ids == "slug":
        name = _slug(str(values.get(label(kind), kind.singular)))
        names = [name, *(f"{name}-{n}" for n in range(2, len(world.things) + 3))]
        return next(id_ for n in names if (id_ := n + kind.suffix) not in {t.id for t in world.of_kind(kind)})
    if kind.reuse == "reused":
        return max((int(t.id) for t in world.of_kind(kind)), default=0) + 1
    while any(thing.id == number for thing in world.of_kind(kind)):
        number += 1
    world.counts[kind.plural] = number
    return number


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "item"
