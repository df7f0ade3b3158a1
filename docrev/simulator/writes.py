"""What writes do to a world: things are made, changed and removed, put on lists and taken off, states are set."""

from __future__ import annotations

from collections.abc import Mapping

from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular, words
from docrev.records import Json
from docrev.simulator.entities import Entities, Entity
from docrev.simulator.kinds import inner
from docrev.simulator.roles import role
from docrev.simulator.scenes import RequestScene
from docrev.spec import Operation

STATES = {"pause": False, "stop": False, "play": True, "start": True, "resume": True}


class UnknownId(Exception):
    """A write names something that is not there."""


class WorldWriter:
    """Performs the writes of one world. `states` are what was set below a path: `/me/player` → field → value."""

    def __init__(self, entities: Entities, paths: frozenset[str]) -> None:
        self.entities, self.kinds = entities, entities.kinds
        self.states: dict[str, dict[str, Json]] = {}
        self._readable = paths

    def state(self, path: str) -> dict[str, Json]:
        """What was set at this path and above it."""
        found: dict[str, Json] = {}
        for prefix, values in self.states.items():
            if path == prefix or path.startswith(prefix + "/"):
                found.update(values)
        return found

    def write(self, scene: RequestScene, path: str, body: object) -> Entity | None:
        """Perform a write; the entity that the answer shows, if there is one. Raises UnknownId."""
        operation, sent = scene.operation, _properties(body)
        item = scene.target
        named = self._named_ids(operation, scene.arguments, sent)
        if item is not None and operation.method == "DELETE" and not named:
            self.entities.remove(item)
            return item
        if item is not None and operation.method in ("PUT", "PATCH"):
            self._change(operation, item, sent)
            return item
        if named:
            self._list(scene, named, sent)
            return None
        if operation.method == "POST" and (kind := self._made_kind(scene)) is not None:
            return self._make(scene, kind, sent)
        if operation.method == "DELETE":
            self._clear(scene)
        else:
            self._set(operation, path, {**_query(scene.arguments), **sent})
        return None

    def put(self, scene: RequestScene, kind: str, identity: str, parent: Entity | None, body: object) -> Entity:
        """Make what a PUT addresses and is not there yet."""
        schema = self.kinds.kind(kind).key_schema
        value: Json = (
            int(identity) if schema is not None and schema.type == "integer" and identity.isdigit() else identity
        )
        return self.entities.create(kind, {**_properties(body), self.kinds.kind(kind).key: value}, parent)

    def _change(self, operation: Operation, item: Entity, sent: dict[str, object]) -> None:
        key = self.kinds.kind(item.kind).key
        schema = operation.body_schema
        if operation.method == "PUT" and schema is not None:
            known = inner(schema, item.kind).properties().keys() & item.values.keys()
            required = schema.required
            for name in sorted(known - sent.keys()):
                if required and name != key:
                    del item.values[name]
        item.values.update({name: value for name, value in sent.items() if name != key})
        self.entities.changed()

    def _made_kind(self, scene: RequestScene) -> str | None:
        """What a POST to a collection makes: by what it answers, or by the collection's own name."""
        operation, noun = scene.operation, scene.noun
        if ends_in_parameter(operation.path):
            return None
        schema = operation.success.schema if operation.success is not None else None
        kind = self._kind_named(noun)
        if words(noun) and singular(words(noun)[-1]) != words(noun)[-1]:
            creates = True
        else:
            creates = schema is not None and ("201" in operation.responses or schema.properties() != {})
        if schema is not None:
            kind = self.kinds.of(inner(schema, kind or ""), noun) or kind
        return kind if creates else None

    def _make(self, scene: RequestScene, kind: str, sent: dict[str, object]) -> Entity:
        owner = scene.chain[-1] if scene.chain else None
        nested = self.kinds.kind(kind).parent is not None
        before = self.entities.related(owner, kind, role(scene.noun, kind)) if owner is not None and not nested else []
        made = self.entities.create(kind, sent, owner)
        if owner is not None and not nested:
            self.entities.lists[owner, kind, role(scene.noun, kind)] = [
                *(one for one in before if one is not made),
                made,
            ]
        return made

    def _named_ids(
        self, operation: Operation, arguments: Mapping[str, object], sent: Mapping[str, object]
    ) -> list[str]:
        """The ids that a write to a list names: `ids`, `uris`, `id` in the query or the body, or in objects there."""
        if ends_in_parameter(operation.path):
            return []
        found: list[str] = []
        for name, value in {**_query(arguments), **sent}.items():
            if _identifies(name):
                found += _parts(value)
            elif isinstance(value, list):
                objects = [one for one in value if isinstance(one, dict)]
                found += [
                    part
                    for one in objects
                    for key, inside in one.items()
                    if _identifies(key)
                    for part in _parts(inside)
                ]
        return list(dict.fromkeys(found))

    def _list(self, scene: RequestScene, named: list[str], sent: Mapping[str, object]) -> None:
        members = [self._resolved(scene, text) for text in named]
        if not scene.chain:
            return
        owner, place = scene.chain[-1], {**_query(scene.arguments), **sent}.get("position")
        for kind in dict.fromkeys(entity.kind for entity in members):
            slot = role(scene.noun, kind)
            own = [entity for entity in members if entity.kind == kind]
            kept = [entity for entity in self.entities.related(owner, kind, slot) if entity not in own]
            if scene.operation.method != "DELETE":
                at = place if isinstance(place, int) and 0 <= place <= len(kept) else len(kept)
                kept[at:at] = own
            self.entities.lists[owner, kind, slot] = kept

    def _resolved(self, scene: RequestScene, text: str) -> Entity:
        """The entity that an id names, of the kind of the list first. Raises UnknownId if there is none."""
        wanted, found = self._kind_named(scene.noun), None
        if wanted is not None and self.kinds.kind(wanted).parent is None:
            found = self.entities.get(wanted, text)
        found = found or self.entities.find(text)
        if found is None:
            raise UnknownId(text)
        return found

    def _kind_named(self, noun: str) -> str | None:
        return self.kinds.named([singular(word) for word in words(noun)])

    def _clear(self, scene: RequestScene) -> None:
        """DELETE of a whole collection."""
        kind = self._kind_named(scene.noun)
        if kind is None:
            return
        if scene.chain and self.kinds.kind(kind).parent is None:
            self.entities.lists[scene.chain[-1], kind, role(scene.noun, kind)] = []
            return
        for entity in self.entities.all(kind, scene.chain[-1] if scene.chain else None):
            self.entities.remove(entity)

    def _set(self, operation: Operation, path: str, values: dict[str, object]) -> None:
        """A command: what it sends can be read above its path, as `volume_percent` of `/me/player/volume`."""
        above, _, last = path.rstrip("/").rpartition("/")
        template = operation.path.rstrip("/").rpartition("/")[0]
        at = above if template in self._readable and above else path
        state = self.states.setdefault(at, {})
        for name, value in values.items():
            state[name] = value
            state[f"{last}_{name}"] = value
        if last in STATES:
            state["is_playing"] = state["is_active"] = STATES[last]
        if not values:
            state.setdefault(last, True)


def _properties(body: object) -> dict[str, Json]:
    """The properties that a body sends, out of an envelope."""
    if not isinstance(body, dict):
        return {}
    held = body.get("data")
    return dict(held) if isinstance(held, dict) else dict(body)


def _query(arguments: Mapping[str, object]) -> dict[str, Json]:
    return {name.partition(":")[2]: value for name, value in arguments.items() if name.startswith("query:")}


def _identifies(name: str) -> bool:
    return name.lower() in ("id", "ids", "uri", "uris") or name.lower().endswith(("_ids", "_uris"))


def _parts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [
        part.strip() for one in values if isinstance(one, str | int) for part in str(one).split(",") if part.strip()
    ]
