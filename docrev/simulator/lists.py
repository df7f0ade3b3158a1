"""Lists of entities as their parameters ask for them: searched, filtered, sorted and paged."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from docrev.json_values.containers import sequence
from docrev.language.words import singular, words
from docrev.records import Arguments, Json
from docrev.simulator import names
from docrev.simulator.drawn_values import Draws, scalar
from docrev.simulator.effects import ListEffect, effects, field_for
from docrev.simulator.entities import Entities, Entity
from docrev.simulator.roles import role
from docrev.spec import Operation, Schema
from docrev.spec.meaning import MISSING

DEFAULT_SIZE = 20
_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
BOUNDS = frozenset({"gte", "lte", "gt", "lt"})
_NAMED = re.compile(r"(\w+):(\"[^\"]+\"|[^:]+?)(?=\s+\w+:|$)")


class ListPage(NamedTuple):
    """One page of a list: its entities, its offset, its size, and how many there are in all."""

    items: list[Entity]
    offset: int
    size: int
    total: int
    number: int

    @property
    def pages(self) -> int:
        return -(-self.total // self.size) if self.size else 0

    @property
    def more(self) -> bool:
        return self.offset + len(self.items) < self.total


class Lens:
    """What the query of one operation does to its list of one kind."""

    def __init__(self, operation: Operation, entities: Entities, kind: str) -> None:
        self.operation, self.entities, self.kind = operation, entities, kind
        self.fields: dict[str, Schema] = entities.kinds.kind(kind).fields()
        self.effects = effects(operation, entities.kinds, kind, self.fields)
        self._defaults = {
            parameter.name: parameter.schema.default
            for parameter in operation.parameters
            if parameter.location == "query" and parameter.schema.default not in (MISSING, None)
        }
        self._minimum = {p.name: p.schema.get("minimum") for p in operation.parameters if p.location == "query"}

    def named(self, role: str) -> str | None:
        """The parameter that has this role."""
        return next((name for name, effect in self.effects.items() if effect.role == role), None)

    def argument(self, name: str | None, arguments: Arguments) -> Json:
        """What was sent for a parameter, or its default; None without either."""
        return None if name is None else arguments.get(f"query:{name}", self._defaults.get(name))

    @property
    def paged(self) -> bool:
        return any(effect.role in ("page", "limit", "offset", "cursor") for effect in self.effects.values())

    def choose(self, entities: list[Entity], arguments: Arguments) -> list[Entity]:
        """The entities that search and filters leave, in the order asked for."""
        found = self._searched(entities, arguments)
        for name, effect in self.effects.items():
            value = self.argument(name, arguments)
            if effect.role == "include" or value is not None:
                found = self._left_by(effect, value, found)
        return self._sorted(found, arguments)

    def _left_by(self, effect: ListEffect, value: object, entities: list[Entity]) -> list[Entity]:
        """The entities that one parameter with this value leaves."""
        if effect.role == "filter" and value != "":
            return list(filter(self._comparison(effect, value), entities))
        if effect.role == "include" and value is not True:
            return [entity for entity in entities if self._value(entity, effect.field) is not True]
        return self._relating(entities, effect, str(value)) if effect.role == "relation" else entities

    def page(self, entities: list[Entity], arguments: Arguments) -> ListPage:
        """The part of a list that paging asks for; all of it if the operation has no paging."""
        total = len(entities)
        if not self.paged:
            return ListPage(entities, 0, max(total, 1), total, 1)
        size = self.argument(self.named("limit"), arguments)
        size = int(size) if isinstance(size, int | float) else DEFAULT_SIZE
        page = self.named("page")
        number = self.argument(page, arguments)
        first = 0 if page and (self._minimum.get(page) == 0 or self._defaults.get(page) == 0) else 1
        number = int(number) if isinstance(number, int | float) else first
        offset = self.argument(self.named("offset"), arguments)
        start = int(offset) if isinstance(offset, int | float) else max(0, number - first) * size
        start = self._after(entities, arguments, start)
        return ListPage(entities[start : start + size], start, size, total, number)

    def _after(self, entities: list[Entity], arguments: Arguments, start: int) -> int:
        cursor = self.argument(self.named("cursor"), arguments)
        places = (place for place, entity in enumerate(entities) if str(entity.id) == cursor)
        return next(places, start - 1) + 1 if cursor is not None else start

    def _value(self, entity: Entity, name: str) -> Json:
        schema = self.fields[name]
        if schema.type != "array":
            return self.entities.value(entity, name, schema)
        other = self.entities.kinds.referred(name)
        if other:
            return [found.id for found in self.entities.related(entity, other, "")]
        return scalars(self.entities, entity, name, schema)

    def _searched(self, entities: list[Entity], arguments: Arguments) -> list[Entity]:
        text = self.argument(self.named("search"), arguments)
        if not isinstance(text, str) or not text.strip():
            return entities
        text = unquote(text).strip()
        asked = {word.lower(): value.strip().strip('"') for word, value in _NAMED.findall(text)}
        if not asked.keys() & self.entities.kinds.known.keys():
            return self._called(entities, text)
        if self.kind in asked:
            return self._called(entities, asked[self.kind])
        other = next(word for word in asked if word in self.entities.kinds.known)
        return self.entities.related(self.entities.called(other, asked[other]), self.kind, "")

    def _called(self, entities: list[Entity], text: str) -> list[Entity]:
        """Those whose name has the text in it, the same name first; a name that nobody has yet is somebody's now."""
        wanted = " ".join(text.split()).casefold()
        named = [(self.entities.name(entity).casefold(), entity) for entity in entities]
        same = [entity for name, entity in named if name == wanted]
        other = [entity for name, entity in named if wanted in name and name != wanted]
        if not same and names.is_name(text):
            same = [found] if not (found := self.entities.called(self.kind, text)).gone else []
        return same + other

    def _comparison(self, effect: ListEffect, value: Json) -> Callable[[Entity], bool]:
        compare = effect.compare
        value = dict(effect.labels).get(str(value), value)

        def read(entity: Entity) -> Json:
            return self._value(entity, effect.field)

        if compare.startswith("year"):
            year = int(value) if str(value).isdigit() else -1
            how = COMPARE[compare.partition("-")[2] or "eq"]
            return lambda entity: how(int(str(read(entity))[:4] or 0), year)
        if compare == "without":
            return lambda entity: not same(read(entity), value)
        how = COMPARE[compare]
        if compare in BOUNDS and self._dated(effect.field):
            # What is no date, and what has none, lies on neither side.
            return lambda entity: bool(_DATE.match(str(value)) and read(entity)) and how(read(entity), value)
        return lambda entity: how(read(entity), value)

    def _dated(self, name: str) -> bool:
        schema = self.fields[name]
        return schema.format in ("date", "date-time") or (schema.type == "string" and "date" in words(name))

    def _relating(self, found: list[Entity], effect: ListEffect, value: str) -> list[Entity]:
        """Ids separated by commas must all be there, by `|` one of them; `without` turns it round."""
        related, either = self.entities.related, "|" in value
        wanted = {part.strip() for part in re.split(r"[,|]", value) if part.strip()}

        def holds(entity: Entity) -> bool:
            have = {str(other.id) for other in related(entity, effect.kind, effect.slot)}
            have |= {self.entities.name(other) for other in related(entity, effect.kind, effect.slot)}
            if effect.compare == "without" or either:
                return bool(wanted & have)
            return wanted <= have

        return [entity for entity in found if holds(entity) is not (effect.compare == "without")]

    def holding(self, effect: ListEffect) -> str:
        """The field that lists the ids which a relation is chosen by: `genre_ids`; "" if there is none."""
        kinds = self.entities.kinds
        ids = (n for n, schema in self.fields.items() if schema.type == "array" and kinds.referred(n) == effect.kind)
        return next((name for name in ids if role(name, effect.kind) == effect.slot), "")

    def sorting(self, arguments: Arguments) -> tuple[str, bool] | None:
        """The field that the list is sorted by, and whether it descends; None if nothing asks for an order."""
        value = self.argument(self.named("sort"), arguments)
        direction = str(self.argument(self.named("order"), arguments) or "").lower()
        if isinstance(value, list):
            value = value[0] if value else None
        if not isinstance(value, str) or not value:
            return None
        field, descending = read_sort(value)
        name = field_for([singular(word) for word in words(field)], self.fields)
        return None if name is None else (name, descending or direction.startswith("desc"))

    def orders(self, name: str) -> list[tuple[str, str, bool]]:
        """The values of a sort parameter's enum that order the list: value, field, whether it descends."""
        parameter = self.operation.parameter(f"query:{name}")
        told = [value for value in (parameter.schema.enum if parameter is not None else None) or () if value]
        found = []
        for value in map(str, told):
            field, descending = read_sort(value)
            known = field_for([singular(word) for word in words(field)], self.fields)
            if known is not None:
                found.append((value, known, descending))
        return found

    def _sorted(self, found: list[Entity], arguments: Arguments) -> list[Entity]:
        asked = self.sorting(arguments)
        if asked is None:
            return found
        return sorted(found, key=lambda entity: rank(self._value(entity, asked[0])), reverse=asked[1])


def read_sort(text: str) -> tuple[str, bool]:
    """Field and direction of a sort value: `-name`, `name.desc`, `name:desc`, `name_desc`, `name desc`, `name`."""
    sign = text[:1]
    parts = re.split(r"[.:,\s]|_(?=(?:asc|desc)$)", text.lstrip("+-"), maxsplit=1)
    word = parts[1].lower() if len(parts) > 1 else ""
    return parts[0], sign == "-" or word.startswith("desc")


def rank(value: object) -> tuple[int, Json]:
    """An order for values of any type: numbers, texts, then what is neither."""
    if isinstance(value, int | float):
        return (0, value)
    return (1, value.casefold()) if isinstance(value, str) else (2, 0)


def same(have: object, wanted: object) -> bool:
    """Whether a field has the wanted value, whatever its case; of a list, whether it is among its items."""
    if isinstance(have, list):
        return any(same(one, wanted) for one in have)
    if isinstance(wanted, list):
        return any(same(have, one) for one in wanted)
    return (
        str(have).casefold() == str(wanted).casefold()
        if not isinstance(have, bool)
        else have is wanted or str(have) == str(wanted)
    )


def _least(have: object, wanted: object) -> bool:
    if isinstance(have, list):
        return any(_least(one, wanted) for one in have)
    return rank(have)[0] < 2 and (str(have) >= str(wanted) if isinstance(have, str) else rank(have) >= rank(wanted))


def _most(have: object, wanted: object) -> bool:
    if isinstance(have, list):
        return any(_most(one, wanted) for one in have)
    return rank(have)[0] < 2 and (str(have) <= str(wanted) if isinstance(have, str) else rank(have) <= rank(wanted))


COMPARE: dict[str, Callable[[Json, Json], bool]] = {
    "eq": same,
    "contains": lambda have, wanted: str(wanted).casefold() in str(have).casefold(),
    "gte": _least,
    "lte": _most,
    "gt": lambda have, wanted: _least(have, wanted) and not same(have, wanted),
    "lt": lambda have, wanted: _most(have, wanted) and not same(have, wanted),
}


def scalars(entities: Entities, owner: Entity, name: str, schema: Schema) -> list[Json]:
    """The plain values of an array: one to three, each once; the written ones if there are any."""
    written = owner.values.get(name)
    if isinstance(written, list):
        return list(written)
    items = schema.items()
    if items is None or items.type == "object":
        return []
    if items.type == "array":
        return [scalars(entities, owner, name, items)]
    draw = Draws(entities.seed, owner.address, name)
    low = int(schema.get("minItems") or 1)
    example = schema.example
    pool = sequence(example)
    return list(dict.fromkeys(scalar(draw, singular(name), items, pool) for _ in range(max(low, 1 + draw(3)))))
