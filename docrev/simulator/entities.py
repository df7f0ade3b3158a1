"""The entities of a world: who there is, by which ids, and who belongs to whom. Made when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from docrev.language.words import plural, singular, words
from docrev.records import Json
from docrev.simulator import names
from docrev.simulator.checks import fault
from docrev.simulator.drawn_values import NAMES, Draws, fits, number, scalar, type_of
from docrev.simulator.entity_ids import fresh_id
from docrev.simulator.kinds import EntityKind, EntityKinds
from docrev.simulator.roles import role, roman
from docrev.simulator.spec_examples import Examples
from docrev.spec import Schema

MANY, SOME, FEW = 180, 60, 24
"""Entities of a kind that belong to another one, of a kind with its own path, and of any other."""
NEAR = 24
"""Others of its own kind that an entity has in a slot, at least: more than a page."""
CHILDREN = 6
LEAVES = 24


@dataclass(slots=True, eq=False)
class Entity:
    """One entity, or a part of one (`holder`). `values` were written or shown; everything else is drawn."""

    kind: str
    id: Json
    index: int = -1
    parent: Entity | None = None
    values: dict[str, Json] = field(default_factory=dict)
    links: dict[str, Entity] = field(default_factory=dict)
    cache: dict[tuple[str, Schema], Json] = field(default_factory=dict)
    holder: Entity | None = None
    gone: bool = False

    @property
    def whole(self) -> Entity:
        """The entity that this is a part of, or itself."""
        return self.holder or self

    @property
    def address(self) -> str:
        """What names it in draws: kind and id, under its parent's."""
        return f"{self.parent.address}/{self.kind}:{self.id}" if self.parent else f"{self.kind}:{self.id}"


class Entities:
    """All entities of one world. What was written lies on top of what the seed draws."""

    def __init__(self, kinds: EntityKinds, seed: int, examples: Examples, root: str = "") -> None:
        self.kinds, self.seed, self.root = kinds, seed, root
        self._examples, self._shown = examples, examples.of
        self._base: dict[tuple[str, Entity | None], list[Entity]] = {}
        self._by_id: dict[tuple[str, Entity | None], dict[str, Entity]] = {}
        self._inverse: dict[tuple[str, str, str], dict[Entity, list[Entity]]] = {}
        self._near: dict[tuple[Entity, str, str], list[Entity]] = {}
        self._names: dict[str, dict[Entity, str]] = {}
        self._pools: dict[tuple[str, str], list[Json]] = {}
        self.lists: dict[tuple[Entity, str, str], list[Entity]] = {}
        self._made = 0

    def all(self, kind: str, parent: Entity | None = None) -> list[Entity]:
        """The entities that are there, in their own order; those of a nested kind under `parent`."""
        return [entity for entity in self._base_of(kind, parent) if not entity.gone]

    def get(self, kind: str, text: str, parent: Entity | None = None) -> Entity | None:
        """The entity with this id, written as in a path; None if none is there."""
        self._base_of(kind, parent)
        found = self._by_id[kind, parent].get(text)
        return None if found is None or found.gone else found

    def find(self, text: str) -> Entity | None:
        """The entity of any kind with this id, or whose URI ends in it."""
        _, _, last = text.rpartition(":")
        for kind in sorted(self.kinds.known):
            if self.kinds.known[kind].parent is None and (found := self.get(kind, last)) is not None:
                return found
        return None

    def called(self, kind: str, name: str) -> Entity:
        """The entity of exactly this name, whatever its case; one that nobody asked for before is there from now on."""
        self._base_of(kind, None)
        known, shown = self._by_id[kind, None], names.titled(name)
        draw = Draws(self.seed, kind, "called", shown.casefold())
        identity = fresh_id(self.kinds.kind(kind), self._shown(kind), draw, {})
        entity = known.get(str(identity))
        if entity is None:
            flags = [name for name, schema in self.kinds.kind(kind).fields().items() if schema.type == "boolean"]
            entity = Entity(kind, identity, values={**dict.fromkeys(flags, False), **dict.fromkeys(NAMES, shown)})
            known[str(identity)] = entity
        return entity

    def create(self, kind: str, values: dict[str, object], parent: Entity | None) -> Entity:
        """A new entity with the values that were written."""
        nested = parent if self.kinds.kind(kind).parent is not None else None
        base, known = self._base_of(kind, nested), self._by_id[kind, nested]
        self._made += 1
        info = self.kinds.kind(kind)
        draw = Draws(self.seed, kind, "made", self._made)
        given = values.get(info.key)
        identity = given if isinstance(given, str | int) and str(given) not in known else None
        if identity is None:
            identity = len(base) + 1 if info.numbered else fresh_id(info, self._shown(kind), draw, known)
        entity = Entity(kind, identity, len(base), nested, {**values, info.key: identity})
        if parent is not None:
            entity.links[parent.kind] = parent
        base.append(entity)
        known[str(identity)] = entity
        self._forget()
        return entity

    def remove(self, entity: Entity) -> None:
        """Take an entity out of the world."""
        entity.gone = True
        self._forget()

    def changed(self) -> None:
        """Forget what was derived from values that have changed."""
        self._forget()

    def _forget(self) -> None:
        self._inverse.clear()
        self._near.clear()

    def value(self, entity: Entity, name: str, schema: Schema) -> Json:
        """The value of a scalar field, the same wherever it is shown, in the type that is wanted there."""
        if name in entity.values:
            written = entity.values[name]
            if fits(written, schema) or (written is None and schema.nullable):
                return written
        key = (name, schema)
        if key not in entity.cache:
            entity.cache[key] = self._shared(entity, name, schema)
        return entity.cache[key]

    def _shared(self, entity: Entity, name: str, schema: Schema) -> Json:
        """The value that the kind's own schema of the field draws, if the schema that is wanted takes it."""
        info = self.kinds.known.get(entity.kind)
        own = info.fields().get(name) if info is not None and entity.holder is None else None
        if own is None or own is schema:
            return self._draw(entity, name, schema)
        value = self.value(entity, name, own)
        if type_of(schema) == "integer" and isinstance(value, float):
            value = int(value)
        return value if fits(value, schema) and not fault(schema, value) else self._draw(entity, name, schema)

    def name(self, entity: Entity) -> str:
        """What an entity is called."""
        written = next((entity.values[name] for name in sorted(NAMES & entity.values.keys())), None)
        if isinstance(written, str):
            return written
        if entity.index < 0 or entity.parent is not None or entity.holder is not None:
            return self._made_name(entity)
        known = self._names.setdefault(entity.kind, {})
        for other in self._base_of(entity.kind, None)[len(known) : entity.index + 1]:
            name = self._made_name(other)
            known[other] = f"{name} {roman(other.index)}" if name in known.values() else name
        return known[entity]

    def _made_name(self, entity: Entity) -> str:
        last = words(entity.kind.rpartition(".")[2])[-1:]
        style = singular(last[0]) if entity.holder is not None and last else self._style(entity.kind)
        return names.name_of(style, number(self.seed, entity.address, "name"))

    def _style(self, kind: str) -> str:
        fields = self.kinds.known[kind].fields() if kind in self.kinds.known else {}
        return "person" if {"birthday", "first_name", "birth_date", "date_of_birth"} & fields.keys() else kind

    def _draw(self, entity: Entity, name: str, schema: Schema) -> Json:
        info = self.kinds.known.get(entity.kind)
        if info is not None and name == info.key and fits(entity.id, schema):
            return entity.id
        if type_of(schema) in ("string", None) and not schema.enum:
            if name.lower() in NAMES or words(name) in (("original", "title"), ("original", "name")):
                return self._named(entity, schema)
            if info is not None and entity.holder is None and (address := self._address(entity, name.lower())):
                return address
        return self._linked_value(entity, name, schema)

    def _address(self, entity: Entity, name: str) -> str:
        """What tells where a whole entity is, or what it is; "" if a field of this name says neither."""
        if name in ("uri", "urn"):
            return f"{self.scheme()}:{entity.kind}:{entity.id}"
        if name in ("href", "self"):
            return f"{self.root}/{plural(entity.kind)}/{entity.id}"
        return entity.kind if name == "type" else ""

    def scheme(self) -> str:
        """What the URIs of entities begin with."""
        self._shown("")
        return self._examples.scheme or "urn"

    def _named(self, entity: Entity, schema: Schema) -> str:
        text = self.name(entity)
        longest = schema.get("maxLength")
        return text if longest is None else text[: int(longest)]

    def _linked_value(self, entity: Entity, name: str, schema: Schema) -> Json:
        kind = self.kinds.referred(name)
        if kind and kind != entity.kind and schema.type in ("string", "integer", None) and not entity.holder:
            other = self.linked(entity, kind, role(name, kind))
            if other is not None and fits(other.id, schema):
                return other.id
        parent = entity.parent
        if parent is not None and self._is_id_of(parent, name) and fits(parent.id, schema):
            return parent.id
        last = words(entity.kind)[-1:] if entity.holder is not None else ()
        meant = "url" if last in (("url",), ("urls",), ("links",)) else name
        return scalar(Draws(self.seed, entity.address, name), meant, schema, self._pool(entity.kind, name))

    def _is_id_of(self, parent: Entity, name: str) -> bool:
        return name not in ("", "id", "_id") and name == self.kinds.kind(parent.kind).key

    def _pool(self, kind: str, name: str) -> list[Json]:
        key = (kind, name)
        if key not in self._pools:
            rows = self._shown(kind).values()
            self._pools[key] = list(dict.fromkeys(row[name] for row in rows if row.get(name) not in (None, "")))[:40]
        return self._pools[key]

    def linked(self, owner: Entity, kind: str, slot: str) -> Entity | None:
        """The one entity of `kind` that `owner` holds in a slot: the album of a track."""
        owner = owner.whole
        fixed = self._ancestor(owner, kind) or self._written_link(owner, kind)
        if fixed is not None:
            return fixed
        base = [entity for entity in self.all(kind, self._parent_for(kind, owner)) if entity is not owner]
        if not base:
            return None
        if owner.index >= 0 and not slot:
            return base[(owner.index + number(self.seed, owner.kind, kind) % len(base)) % len(base)]
        return base[number(self.seed, owner.address, kind, slot) % len(base)]

    def _ancestor(self, owner: Entity, kind: str) -> Entity | None:
        above = (owner.parent, owner.parent.parent if owner.parent else None)
        return next((entity for entity in above if entity is not None and entity.kind == kind), None)

    def _written_link(self, owner: Entity, kind: str) -> Entity | None:
        """The entity that a write gave to `owner`, or whose id it wrote."""
        if kind in owner.links and not owner.links[kind].gone:
            return owner.links[kind]
        ids = (owner.values.get(name) for name in (f"{kind}_id", f"{kind}Id", kind))
        found = (self.get(kind, str(value)) for value in ids if isinstance(value, str | int))
        return next((entity for entity in found if entity is not None), None)

    def _parent_for(self, kind: str, owner: Entity) -> Entity | None:
        """The entity under which those of a nested kind lie: `owner` itself, one above it, or one it holds."""
        parent = self.kinds.kind(kind).parent
        above: Entity | None = owner
        while parent is not None and above is not None:
            if above.kind == parent:
                return above
            above = above.parent
        return self.linked(owner, parent, "") if parent is not None else None

    def related(self, owner: Entity, kind: str, slot: str) -> list[Entity]:
        """The entities of `kind` that belong to `owner` in a slot; the way back gives the same pairs."""
        owner = owner.whole
        key = (owner, kind, slot)
        if key in self.lists:
            return [entity for entity in self.lists[key] if not entity.gone]
        if key not in self._near:
            self._near[key] = self._relate(owner, kind, slot)
        return [entity for entity in self._near[key] if not entity.gone]

    def _relate(self, owner: Entity, kind: str, slot: str) -> list[Entity]:
        info = self.kinds.kind(kind)
        if info.parent is not None:
            return self.all(kind, self._parent_for(kind, owner))
        if kind != owner.kind and not slot:
            back = next((name for name, other in self.kinds.links(kind).items() if other == owner.kind), None)
            if back is not None:
                return self._held(owner, kind, role(back, owner.kind))
        if kind == owner.kind or owner.index < 0 or owner.parent is not None:
            return self._drawn(owner, kind, slot)
        return self._paired(owner, kind, slot)

    def _drawn(self, owner: Entity, kind: str, slot: str) -> list[Entity]:
        """Entities of a kind that are drawn for an owner alone: nothing leads back."""
        base = [entity for entity in self.all(kind) if entity is not owner]
        draw = Draws(self.seed, owner.address, kind, slot)
        return list(dict.fromkeys(base[draw(len(base))] for _ in range(NEAR + draw(NEAR)))) if base else []

    def _held(self, owner: Entity, kind: str, slot: str) -> list[Entity]:
        key = (kind, owner.kind, slot)
        if key not in self._inverse:
            index: dict[Entity, list[Entity]] = {}
            for entity in self.all(kind):
                held_by = self.linked(entity, owner.kind, slot)
                if held_by is not None:
                    index.setdefault(held_by, []).append(entity)
            self._inverse[key] = index
        found = self._inverse[key].get(owner, [])
        return found if found or owner.index >= 0 else self._fresh(owner, kind)

    def _fresh(self, owner: Entity, kind: str) -> list[Entity]:
        """Entities of an owner that came into the world by its name: its own, by ids that follow from its id."""
        made: list[Entity] = []
        self._base_of(kind, None)
        known = self._by_id[kind, None]
        for place in range(4):
            draw = Draws(self.seed, owner.address, kind, "fresh", place)
            identity = fresh_id(self.kinds.kind(kind), self._shown(kind), draw, {})
            entity = known.get(str(identity)) or Entity(kind, identity, links={owner.kind: owner})
            known[str(identity)] = entity
            made.append(entity)
        return made

    def _paired(self, owner: Entity, kind: str, slot: str) -> list[Entity]:
        """Both sides of a relation see the same pairs: they are drawn from the side that comes first by name."""
        first, second = sorted((owner.kind, kind))
        key = (first, second, f"pairs {slot}")
        if key not in self._inverse:
            left, right = self.all(first), self.all(second)
            index: dict[Entity, list[Entity]] = {}
            for entity in left:
                for other in self._partners(entity, right, len(left), slot):
                    index.setdefault(entity, []).append(other)
                    index.setdefault(other, []).append(entity)
            self._inverse[key] = index
        return self._inverse[key].get(owner, [])

    def _partners(self, entity: Entity, others: list[Entity], beside: int, slot: str) -> list[Entity]:
        if not others:
            return []
        draw = Draws(self.seed, entity.address, slot, others[0].kind)
        each = -(-len(others) // max(1, beside))
        near = [others[(entity.index * each + step) % len(others)] for step in range(each)]
        return list(dict.fromkeys([*near, *(others[draw(len(others))] for _ in range(3))]))

    def _base_of(self, kind: str, parent: Entity | None) -> list[Entity]:
        key = (kind, parent)
        if key not in self._base:
            self._base[key], self._by_id[key] = [], {}
            info = self.kinds.kind(kind)
            if info.parent is None or parent is not None:
                self._populate(info, parent, self._base[key], self._by_id[key])
        return self._base[key]

    def _populate(self, kind: EntityKind, parent: Entity | None, base: list[Entity], known: dict[str, Entity]) -> None:
        shown = {} if parent else self._shown(kind.name)
        draw = Draws(self.seed, kind.name, parent.address if parent else "", "ids")
        for place in range(self._size(kind, parent, draw)):
            if place < len(shown):
                identity, values = list(shown.items())[place]
                entity = Entity(kind.name, values[kind.key], place, parent, dict(values))
            else:
                made = place + 1 if kind.numbered else fresh_id(kind, self._shown(kind.name), draw, known)
                if made is None:
                    break
                identity, entity = str(made), Entity(kind.name, made, place, parent)
            base.append(entity)
            known[str(identity)] = entity

    def _size(self, kind: EntityKind, parent: Entity | None, draw: Draws) -> int:
        if parent is not None:
            deepest = not any(other.parent == kind.name for other in self.kinds.known.values())
            return (LEAVES if deepest and parent.parent else CHILDREN) + draw(4)
        held = any(
            other in self.kinds.known and self.kinds.known[other].addressed
            for other in self.kinds.links(kind.name).values()
        )
        return max(MANY if held else SOME if kind.addressed else FEW, min(len(self._shown(kind.name)), SOME))
