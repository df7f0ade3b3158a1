"""Responses as the built-in agent reads them: their items, what they contain, and where their next page is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.lists import find_list, find_lists, find_object
from docrev.conventions.paging import find_next, find_total
from docrev.json_values.scalars import same_scalar
from docrev.language.stems import stem
from docrev.language.words import words
from docrev.models.observations import read_observation
from docrev.prompts.agents import Past
from docrev.records import Json

MAX_DEPTH = 6
_ENVELOPES = ENVELOPES | {"item"}
"""An `item` beside other data is what these are about, as the track that is playing."""


@dataclass(frozen=True, slots=True)
class SeenObject:
    """One object of a response: the noun of where it stands ("" on top), and its fields, lists included."""

    noun: str
    fields: dict[str, Json]


@dataclass(frozen=True)
class SeenResponse:
    """What a call returned, as far as its observation has it; `path` is that of the operation, as documented."""

    body: Json
    path: str = ""

    @cached_property
    def _things(self) -> list[Json] | None:
        """The items of the list that it is about; None for a single object. A list of texts is one of its fields."""
        found = find_list(self.body, self.path)
        if found is None:
            return None
        is_field = (
            isinstance(self.body, dict) and found.items and not any(isinstance(one, dict) for one in found.things)
        )
        return None if is_field else found.things

    @property
    def is_list(self) -> bool:
        """Whether it is about a list of things, wrapped or not."""
        return self._things is not None

    @cached_property
    def is_empty(self) -> bool:
        """Whether it is about lists, and none has an item."""
        found = find_lists(self.body, self.path)
        return bool(found) and not any(one.items for one in found)

    @cached_property
    def items(self) -> list[SeenObject]:
        """The objects that it is about: those of its list, or the one that it is."""
        if self._things is not None:
            return [SeenObject("", thing) for thing in self._things if isinstance(thing, dict)]
        one = find_object(self.body, self.path)
        whole = self.body if one is None else one.value
        return [SeenObject("", part) for part in _enveloped(whole) or [whole]] if isinstance(whole, dict) else []

    @cached_property
    def total(self) -> int | None:
        """How many items the list has in all, as far as the response states it."""
        return find_total(self.body, path=self.path)

    @cached_property
    def next_page(self) -> Json:
        """What to send for the next page: a cursor, a page number or an offset; None if there is none to send."""
        found = find_next(self.body, path=self.path)
        return None if found is None or found.by == "link" else found.value

    def items_of(self, noun: str, *, is_topic: bool) -> list[SeenObject]:
        """The objects of a noun, wherever they stand, and the main items; these first if the noun `is_topic`."""
        inner = [item for item in nested_objects(self.body) if item.noun == noun]
        return [*self.items, *inner] if is_topic else [*inner, *self.items]


@lru_cache(maxsize=4096)
def _read(observation: str, path: str) -> SeenResponse:
    return SeenResponse(read_observation(observation), path)


def read_response(past: Past, path: str) -> SeenResponse:
    """The response of an earlier call; `path` is that of its operation. Read once."""
    return _read(past.observation, path)


def nested_objects(value: object) -> list[SeenObject]:
    """All objects of a value, each with the noun of the member that contains it; envelopes name nothing."""
    return list(_objects(value, "", 0))


def _objects(value: object, noun: str, depth: int) -> Iterator[SeenObject]:
    if isinstance(value, list):
        for part in value:
            yield from _objects(part, noun, depth)
    elif isinstance(value, dict) and depth <= MAX_DEPTH:
        yield SeenObject(noun, value)
        for name, part in value.items():
            if plain_name(name) in _ENVELOPES:
                yield from _objects(part, noun, depth)
            else:
                yield from _objects(part, noun_of(name) or noun, depth + 1)


def _enveloped(body: dict[str, object]) -> list[dict[str, Json]]:
    """The objects that stand in an envelope beside other data: the `item` that is playing."""
    named = (value for name, value in body.items() if plain_name(name) in _ENVELOPES)
    return [value for value in named if isinstance(value, dict) and value]


def noun_of(name: str) -> str:
    """The stem of the noun in a member's name: `top_tracks` → `track`."""
    parts = words(name)
    return stem(parts[-1]) if parts else ""


def has_value(item: SeenObject, value: object) -> bool:
    """Whether an item has a value in one of its fields, those of its objects included."""
    return _has_value(item.fields, value)


def _has_value(fields: dict[str, Json], value: Json) -> bool:
    return any(
        _has_value(part, value) if isinstance(part, dict) else same_scalar(part, value)
        for part in fields.values()
        if part is not None and not isinstance(part, list)
    )


def select_items(items: Sequence[SeenObject], values: Sequence[object], ordinal: int | None) -> list[SeenObject]:
    """The items that values point to; without any, the one at a place ("the second"), or all."""
    for value in values:
        items = [item for item in items if has_value(item, value)] or items
    if ordinal is not None and not values:
        return list(items[ordinal:][:1])
    return list(items)


def field_value(items: Sequence[SeenObject], noun: str, attr: str, name: str) -> Json:
    """The value of a field as a parameter takes it: by its documented name, or by noun and attribute."""
    wanted = [name, attr, f"{noun}_{attr}", f"{noun}{attr.capitalize()}", f"{noun}_code", noun]
    if not attr:
        wanted += ["name", "code"]
    found = (_scalar(item.fields.get(one)) for one in wanted if one for item in items)
    return next((value for value in found if value is not None), None)


def _scalar(value: object) -> Json:
    """A scalar, or the first of a list of them; None for anything else."""
    first = value[0] if isinstance(value, list) and value else value
    return None if isinstance(first, dict | list) else first
