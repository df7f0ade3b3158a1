"""Bodies in the shape of the documented schemas, filled with the entities of a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docrev.json_values.containers import mapping
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular, words
from docrev.records import Json
from docrev.simulator.drawn_values import number
from docrev.simulator.entities import Entities, Entity
from docrev.simulator.envelope import PageEnvelope
from docrev.simulator.kinds import ENVELOPES, branches, inner, path_noun
from docrev.simulator.lists import Lens, ListPage, rank, scalars
from docrev.simulator.roles import role
from docrev.simulator.scenes import RequestScene
from docrev.spec import Operation, Schema
from docrev.spec.meaning import MISSING

DEEPEST = 6
NESTED = 3
HELD = 20


class Renderer:
    """Turns schemas into bodies."""

    def __init__(self, entities: Entities) -> None:
        self.entities, self.kinds = entities, entities.kinds
        self._lenses: dict[tuple[Operation, str], Lens] = {}
        self._above: list[Schema] = []

    def lens(self, operation: Operation, kind: str) -> Lens:
        """What the query of an operation does to a list of a kind; worked out once."""
        key = (operation, kind)
        if key not in self._lenses:
            self._lenses[key] = Lens(operation, self.entities, kind)
        return self._lenses[key]

    def lenses(self, operation: Operation) -> list[tuple[str, Lens, Schema]]:
        """Each list in an operation's response: where it is (`200:/results`), what the query does to it, its items."""
        response = operation.success
        schema = response.schema if response is not None else None
        if schema is None or response is None or operation.method != "GET":
            return []
        alone = ends_in_parameter(operation.path) and self.kinds.of(schema, "") is not None
        found: list[tuple[str, Lens, Schema]] = []
        for place, name, items in (
            () if alone else self._lists_in(schema, f"{response.status}:", path_noun(operation.path))
        ):
            kind, shape = self._selected(None, branches(items), name)
            if kind is not None:
                found.append((place, self.lens(operation, kind), shape))
        return found

    def _lists_in(self, schema: Schema, place: str, name: str) -> Iterator[tuple[str, str, Schema]]:
        items = schema.items()
        if items is not None:
            yield place, name, items
            return
        for key, child in self._slots(schema).items():
            yield from self._lists_in(child, f"{place}/{key}", name if key.lower() in ENVELOPES else key)

    def body(self, scene: RequestScene, schema: Schema) -> Json:
        """The body of a successful response."""
        self._above.clear()
        owner = self._place(scene)
        if scene.target is not None:
            return self._item(scene, schema, scene.target, owner)
        if schema.items() is not None:
            return self._list(schema, scene.noun, owner, scene)[0]
        if schema.type not in ("object", None):
            return self._show(schema, scene.noun, owner, 0, scene)
        kind, slots = self.kinds.of(schema, scene.noun), self._slots(schema)
        if kind is not None and not scene.chain and (chosen := self._chosen(scene, kind)) is not None:
            return self._fields(schema, chosen, 0, scene)
        if kind is not None and not slots and (held := self._held(scene, kind)) is not None:
            return self._fields(schema, held, 0, scene)
        return self._forgotten(schema, owner, scene, self._paged(schema, scene.noun, owner, 0, scene))

    def _item(self, scene: RequestScene, schema: Schema, target: Entity, owner: Entity) -> Json:
        """One entity, in its envelope if the schema has one."""
        wrapped = inner(schema, target.kind)
        if wrapped is schema:
            return self._fields(_best(schema, target, self), target, 0, scene)
        body: dict[str, Json] = {}
        for name, child in schema.properties().items():
            is_target = child is wrapped
            body[name] = self._fields(child, target, 1, None) if is_target else self._show(child, name, owner, 1, None)
        return body

    def _held(self, scene: RequestScene, kind: str) -> Entity | None:
        """The one entity of another kind that lies under what the path addresses: `/orders/{id}/customer`."""
        owner = scene.chain[-1]
        if kind == owner.kind:
            return owner
        return self.entities.linked(owner, kind, role(scene.noun, kind))

    def _place(self, scene: RequestScene) -> Entity:
        """Whom the body belongs to: what the path addresses, or the path itself."""
        if scene.chain:
            return scene.chain[-1]
        return Entity("", scene.operation.path)

    def _chosen(self, scene: RequestScene, kind: str) -> Entity | None:
        found = self._ranked(self.entities.all(kind), scene, kind)
        if not found:
            return None
        plain = found == self.entities.all(kind)
        return found[number(self.entities.seed, scene.operation.path) % len(found)] if plain else found[0]

    def _forgotten(self, schema: Schema, owner: Entity, scene: RequestScene, body: object) -> Json:
        """The body with the list that its example shows and its schema forgets, if that is so."""
        response = scene.operation.success
        example = response.example if response is not None else MISSING
        if not isinstance(example, dict) or not isinstance(body, dict) or self._slots(schema):
            return body
        shape = schema.properties().get("")
        missing = next((name for name, value in example.items() if isinstance(value, list) and name not in body), None)
        if shape is None or not shape.properties() or missing is None:
            return body
        return body | self._forgotten_list(schema, shape, missing, owner, scene)

    def _forgotten_list(
        self, schema: Schema, shape: Schema, name: str, owner: Entity, scene: RequestScene
    ) -> dict[str, Json]:
        """A list `name` of items of `shape`, and what the schema has around it; {} if the items are no entities."""
        kind = self._selected(scene, [shape])[0]
        if kind is None:
            return {}
        fields, members = schema.properties(), self._members(owner, kind, name, scene)
        page = ListPage(members[:HELD], 0, HELD, len(members), 1)
        around = PageEnvelope(page, self.lens(scene.operation, kind), scene.url, {})
        items = [self._fields(shape, entity, 1, None) for entity in page.items]
        beside = {key: around.value(key, child, fields) for key, child in fields.items()}
        return {name: items, **{key: value for key, value in beside.items() if value is not MISSING}}

    def _slots(self, schema: Schema) -> dict[str, Schema]:
        """The properties of an object that are lists of objects, with what holds them in between."""
        found = {}
        for name, child in schema.properties().items():
            items = child.items()
            lists = items is not None and any(shape.properties() for shape in branches(items))
            if lists or (items is None and "items" in child.properties()):
                found[name] = child
        return found

    def _is_left_out(self, schema: Schema, name: str, scene: RequestScene | None) -> bool:
        return name not in schema.required and scene is not None and not self._wanted(scene, name)

    def _paged(
        self, schema: Schema, noun: str, owner: Entity, depth: int, scene: RequestScene | None
    ) -> dict[str, Json]:
        """An object around lists: the lists, what says which page it is, and whatever else."""
        body: dict[str, Json] = {}
        around: PageEnvelope | None = None
        fields = schema.properties()
        for name, child in self._slots(schema).items():
            if self._is_left_out(schema, name, scene):
                continue
            passed = noun if name.lower() in ENVELOPES else name
            if child.items() is None:
                body[name] = self._paged(child, passed, owner, depth, scene)
            else:
                body[name], found = self._list(child, passed, owner, scene, depth)
                around = around or found
        for name, child in fields.items():
            if name not in body and name not in self._slots(schema):
                body[name] = self._beside(name, child, owner, around, fields, depth, scene)
        return {name: body[name] for name in fields if name in body and body[name] is not MISSING}

    def _beside(
        self,
        name: str,
        schema: Schema,
        owner: Entity,
        around: PageEnvelope | None,
        fields: Mapping[str, Schema],
        depth: int,
        scene: RequestScene | None,
    ) -> Json:
        if around is not None and schema.properties() and not self.kinds.of(schema, name):
            inside = {key: around.value(key, part, fields) for key, part in schema.properties().items()}
            if MISSING not in inside.values():
                return inside
        found = around.value(name, schema, fields) if around is not None else MISSING
        return self._show(schema, name, owner, depth + 1, scene) if found is MISSING else found

    def _wanted(self, scene: RequestScene, name: str) -> bool:
        """Whether a list is one of the kinds that were asked for (`type=album,track`)."""
        kind = self.kinds.named(words(name))
        if kind is None:
            return True
        lens = self.lens(scene.operation, kind)
        chosen = lens.argument(lens.named("select-kind"), scene.arguments)
        if chosen is None:
            return True
        asked = chosen if isinstance(chosen, list) else str(chosen).split(",")
        return kind in [self.kinds.named(words(str(one))) for one in asked]

    def _list(
        self, schema: Schema, hint: str, owner: Entity, scene: RequestScene | None, depth: int = 0
    ) -> tuple[list[Json], PageEnvelope | None]:
        items = schema.items()
        kind, shape = self._selected(scene, branches(items), hint) if items is not None else (None, schema)
        if items is None or kind is None:
            return self._plain_list(schema, hint, owner, depth), None
        members = self._members(owner, kind, hint, scene)
        operation = scene.operation if scene is not None else None
        if scene is None or operation is None:
            page = ListPage(members[:HELD], 0, HELD, len(members), 1)
            around = None if depth > 2 else self._around_nested(page, owner, kind)
        else:
            lens = self.lens(operation, kind)
            page = lens.page(lens.choose(members, scene.arguments), scene.arguments)
            around = PageEnvelope(page, lens, scene.url, scene.arguments)
        most = 1 if len(set(self._above)) < len(self._above) else HELD if depth <= 1 else NESTED
        shown = page.items if scene is not None else page.items[:most]
        return [self._element(shape, entity, owner, depth + 1) for entity in shown], around

    def _around_nested(self, page: ListPage, owner: Entity, kind: str) -> PageEnvelope | None:
        lens = next((found for (_, name), found in self._lenses.items() if name == kind), None)
        return PageEnvelope(page, lens, f"/{owner.kind}/{owner.id}", {}) if lens is not None else None

    def _selected(self, scene: RequestScene | None, shapes: list[Schema], hint: str = "") -> tuple[str | None, Schema]:
        """The kind of a list's items and their schema: of several, what the path or the query chooses."""
        found = [(kind, shape) for shape in shapes if (kind := self._element_kind(shape, hint)) is not None]
        wanted = scene.kinds_asked_for(self.kinds) if scene is not None else []
        for kind, shape in found:
            if kind in wanted:
                return kind, shape
        if scene is not None and scene.chooses_by_path and found and len(shapes) == 1:
            steering = next(filter(None, wanted), None)
            if steering is not None:
                return steering, shapes[0]
        return found[0] if found else (None, shapes[0])

    def _element_kind(self, shape: Schema, hint: str) -> str | None:
        own = self.kinds.of(shape, hint)
        if own is not None:
            return own
        held = [
            kind
            for name, child in shape.properties().items()
            for one in branches(child)
            if (kind := self.kinds.of(one, name))
        ]
        wanted = self.kinds.named(words(hint))
        return wanted if wanted in held else held[-1] if held else None

    def _members(self, owner: Entity, kind: str, hint: str, scene: RequestScene | None) -> list[Entity]:
        if scene is None:
            return self.entities.related(owner, kind, role(hint, kind))
        slot = role(hint, kind) or role(scene.noun, kind)
        if scene.chain:
            return self.entities.related(scene.chain[-1], kind, slot)
        return self._ranked(self.entities.all(kind), scene, kind)

    def _ranked(self, members: list[Entity], scene: RequestScene, kind: str) -> list[Entity]:
        """In the order that the path names: `popular`, `top_rated`, `latest`."""
        fields = self.kinds.kind(kind).fields()
        name = scene.ranking(fields)
        if name is None:
            return members
        return sorted(members, key=lambda entity: rank(self.entities.value(entity, name, fields[name])), reverse=True)

    def _element(self, shape: Schema, entity: Entity, owner: Entity, depth: int) -> Json:
        key = self.kinds.kind(entity.kind).key
        if key in shape.properties() or "id" in shape.properties():
            return self._fields(shape, entity, depth, None)
        around = Entity(f"{owner.kind}.item", f"{owner.address}/{entity.address}", links={entity.kind: entity})
        return self._fields(shape, around, depth, None)

    def _plain_list(self, schema: Schema, name: str, owner: Entity, depth: int) -> list[Json]:
        """Objects that are no entities: images, copyrights, offers."""
        items = schema.items()
        written = owner.values.get(name)
        if isinstance(written, list):
            return written
        if items is None:
            return []
        low = int(schema.get("minItems") or 1)
        count = max(low, 1 + number(self.entities.seed, owner.address, name, "count") % NESTED)
        return [self._fields(items, self._part(owner, f"{name}/{place}"), depth + 1, None) for place in range(count)]

    def _part(self, owner: Entity, name: str) -> Entity:
        return Entity(f"{owner.kind}.{name.partition('/')[0]}", f"{owner.address}/{name}", holder=owner.whole)

    def _fields(self, schema: Schema, owner: Entity, depth: int, scene: RequestScene | None) -> dict[str, Json]:
        """An object; of one that lies within one of the same schema only what is plain or required."""
        schema = branches(schema)[0] if not schema.node.get("properties") else schema
        again = schema in self._above
        self._above.append(schema)
        body: dict[str, Json] = {}
        for name, child in schema.properties().items():
            nested = bool(child.properties()) or child.items() is not None
            is_cut = (again or depth > DEEPEST) and nested and name not in schema.required
            if is_cut or child.get("writeOnly"):
                continue
            if again and child.items() is not None and not child.get("minItems"):
                body[name] = []
            else:
                body[name] = self._show(child, name, owner, depth, scene)
        self._above.pop()
        return body

    def _show(self, schema: Schema, name: str, owner: Entity, depth: int, scene: RequestScene | None) -> Json:
        if scene is not None and name in scene.state:
            return scene.state[name]
        if depth > DEEPEST + 4:
            return [] if schema.type == "array" else {}
        if schema.items() is not None or schema.type == "array":
            return self._array(schema, name, owner, depth)
        if any(shape.properties() for shape in (schema, *branches(schema))):
            return self._slot(schema, name, owner, depth, scene)
        if self._is_undescribed(schema, name):
            written = owner.values.get(name)
            return written if isinstance(written, dict) else self._loose(schema, name, owner)
        return self.entities.value(owner, name, schema)

    def _is_undescribed(self, schema: Schema, name: str) -> bool:
        """Whether this is an object of which the spec says no more than its name."""
        return schema.type == "object" or (schema.type is None and not schema.enum and self._brief(name) is not None)

    def _loose(self, schema: Schema, name: str, owner: Entity) -> Json:
        """An object without listed properties: what it names, in brief; null, its example, or nothing."""
        kind = self._brief(name)
        if kind is not None and (held := self.entities.linked(owner, kind, role(name, kind))) is not None:
            return self._in_brief(held)
        if schema.nullable:
            return None
        return mapping(schema.example)

    def _brief(self, name: str) -> str | None:
        """The kind that the name of an undescribed object names."""
        kind = self.kinds.named(words(name))
        return kind if kind is not None and self.kinds.kind(kind).addressed else None

    def _array(self, schema: Schema, name: str, owner: Entity, depth: int) -> list[Json]:
        items = schema.items()
        if items is None:
            return scalars(self.entities, owner, name, schema)
        if any(shape.properties() for shape in branches(items)):
            return self._list(schema, name, owner, None, depth)[0]
        found = self._related_items(items, name, owner) if owner.kind in self.kinds.known else None
        if found is not None:
            return found
        if items.type == "object":
            return owner.values[name] if isinstance(owner.values.get(name), list) else []
        return scalars(self.entities, owner, name, schema)

    def _related_items(self, items: Schema, name: str, owner: Entity) -> list[Json] | None:
        """The entities that an array is about, in brief or by their ids; None if its name names no kind."""
        if items.type in ("object", None) and (kind := self._brief(name)):
            return [self._in_brief(entity) for entity in self._named_members(owner, kind, name)[:NESTED]]
        other = self.kinds.referred(name) if items.type != "object" else None
        if other is None:
            return None
        ids = [entity.id for entity in self._named_members(owner, other, name)[:HELD]]
        return ids if all(isinstance(id, int) == (items.type == "integer") for id in ids) else None

    def _named_members(self, owner: Entity, kind: str, name: str) -> list[Entity]:
        return self.entities.related(owner, kind, role(name, kind))

    def _in_brief(self, entity: Entity) -> dict[str, Json]:
        return {self.kinds.kind(entity.kind).key: entity.id, "name": self.entities.name(entity)}

    def _slot(self, schema: Schema, name: str, owner: Entity, depth: int, scene: RequestScene | None) -> Json:
        for shape in branches(schema):
            kind = self.kinds.of(shape, name)
            if kind is not None and (held := self.entities.linked(owner, kind, role(name, kind))) is not None:
                shown = self._fields(shape, held, depth + 1, None)
                return {key: scene.state.get(key, value) if scene else value for key, value in shown.items()}
        if self._slots(schema):
            return self._paged(schema, name, owner, depth + 1, None)
        body = self._fields(branches(schema)[0], self._part(owner, name), depth + 1, scene)
        kind = self.kinds.named([singular(word) for word in words(name)])
        if "total" in body and kind is not None and owner.kind in self.kinds.known:
            body["total"] = len(self.entities.related(owner, kind, role(name, kind)))
        written = owner.values.get(name)
        return {**body, **written} if isinstance(written, dict) else body


def _best(schema: Schema, target: Entity, renderer: Renderer) -> Schema:
    """The alternative of a schema that is of the target's kind."""
    found = branches(schema)
    return next(
        (one for one in found if renderer.kinds.of(one, target.kind) == target.kind),
        schema if len(found) < 2 else found[0],
    )
