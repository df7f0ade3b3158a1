"""Paths through the operations that the evidence has shown to work: what scenarios are made of.

A path starts where something that can be put in words leads to an item, and continues with hops: a field of that item
was accepted as an argument of another operation. Paths are about operations; `filled_paths` puts values into them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from docrev.conventions.fields import CODES, NAMES
from docrev.conventions.ids import IDENTIFIERS, is_id_name
from docrev.graph.match import path_nouns
from docrev.graph.tool_graph import Edge
from docrev.grouping import grouped
from docrev.json_values.scalars import same_scalar
from docrev.language.words import singular_words, words
from docrev.planner.bindings import fit, is_search
from docrev.planner.knowledge import LIKELY, Knowledge, Memo
from docrev.planner.list_selections import ListSelection, list_selections
from docrev.planner.operation_views import OperationView, SuccessfulCall
from docrev.records import Arguments, Given, OperationKey

MAX_HOPS = 3
NESTED = "/0/"
"""In the name of a field: it is of the first thing in a list that the item has."""
MAX_ORDINAL = 1000
"""The highest number that counts parts of a thing; years and IDs are higher."""
MIN_FIT = 0.8
"""How well a parameter must fit a name to be taken for a search by that name."""
_NEUTRAL = IDENTIFIERS.union(CODES, ("name", "title", "path"))
"""Words of a field that say nothing about what it leads to."""
StartKind = Literal["name", "code", "selection", "arguments"]


@dataclass(frozen=True, slots=True)
class PathStart:
    """How a path starts.

    `name`: an item named by the field `label`; `code`: one addressed by it at `location`; `selection`: the first item
    of a chosen list; `arguments`: what given arguments, or none, return.
    """

    key: OperationKey
    kind: StartKind
    label: str = ""
    location: str = ""
    selection: ListSelection | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """A call with `field` of the item at hand as `location`; the text must give the arguments at `given_locations`."""

    key: OperationKey
    field: str
    location: str
    given_locations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OperationPath:
    """A start and at most three hops, each to another operation: scenarios have two to four (ToolBFS+ §3.2)."""

    start: PathStart
    hops: tuple[Hop, ...] = ()

    @property
    def keys(self) -> tuple[OperationKey, ...]:
        return tuple(dict.fromkeys((self.start.key, *(hop.key for hop in self.hops))))

    @property
    def last(self) -> OperationKey:
        return self.hops[-1].key if self.hops else self.start.key


class OperationPaths:
    """All paths that the evidence of a round allows, by each operation on them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._paths: Memo[dict[OperationKey, list[OperationPath]]] = knowledge.memo()
        self._hops: Memo[list[Hop]] = knowledge.memo()

    def through(self, key: OperationKey) -> list[OperationPath]:
        """The paths on which an operation lies, in a stable order."""
        return self._paths.get("all", self._by_operation).get(key, [])

    def _by_operation(self) -> dict[OperationKey, list[OperationPath]]:
        views = self._knowledge.views.values()
        starts = ((start, view) for view in views for start in path_starts(self._knowledge, view))
        paths = (path for start, view in starts for path in self._continuations(OperationPath(start), view))
        return grouped((key, path) for path in paths for key in path.keys)

    def _continuations(self, path: OperationPath, view: OperationView) -> Iterator[OperationPath]:
        """The path itself, and those that continue it by hops."""
        yield path
        if path.start.kind == "arguments" or len(path.hops) >= MAX_HOPS:
            return
        there = path.keys
        for hop in self._hops.get(view.key, lambda: find_hops(self._knowledge, view)):
            if hop.key not in there and hop.key.method == "GET":
                longer = OperationPath(path.start, (*path.hops, hop))
                yield from self._continuations(longer, self._knowledge.views[hop.key])


# Starts


def path_starts(knowledge: Knowledge, view: OperationView) -> Iterator[PathStart]:
    """The ways in which a path can start with an operation."""
    if not view.successes or not view.fields or not view.is_safe:
        return
    required = view.required_locations()
    addressed = len(required) == 1 and required[0].startswith("path:")
    if addressed and view.was_single:
        yield from _starts_by_code(view, required[0])
    else:
        yield from _starts_by_name(knowledge, view)
    yield from (PathStart(view.key, "selection", selection=selection) for selection in list_selections(view))
    if view.was_single and not addressed:
        yield PathStart(view.key, "arguments")


def _starts_by_code(view: OperationView, location: str) -> Iterator[PathStart]:
    for name in view.echo_fields(location):
        if "/" not in name and _identifies(view, name):
            yield PathStart(view.key, "code", name, location)


def _starts_by_name(knowledge: Knowledge, view: OperationView) -> Iterator[PathStart]:
    for label in labels(view):
        location = _search_location(knowledge, view, label)
        lists_name = _finds(view, location, label) if location else view.longest_list > 1
        others = [other for other in view.required_locations() if other != location]
        if lists_name and all(other in view.slots and view.slots[other].documented_values for other in others):
            yield PathStart(view.key, "name", label, location)


def _search_location(knowledge: Knowledge, view: OperationView, label: str) -> str:
    """The query parameter that searches for a name; "" if there is none."""
    given = Given(label, "", view.noun)
    fits = ((fit(knowledge, given, view, slot), slot.location) for slot in view.query_slots)
    score, location = max(fits, key=lambda pair: pair[0], default=(0.0, ""))
    return location if score >= MIN_FIT else ""


def labels(view: OperationView) -> list[str]:
    """The fields by which a person would name one of the items: a name, then a code; unique where seen."""
    ranked = [name for kind in (NAMES, CODES) for name in view.fields if _is_label(view, name, kind)]
    return ranked[:2]


def _is_label(view: OperationView, name: str, kind: tuple[str, ...]) -> bool:
    parts = words(name)
    if not parts or "/" in name or not _identifies(view, name):
        return False
    names_item = len(parts) == 1 or parts[0] == view.noun
    return "".join(parts) in kind or (names_item and parts[-1] in kind)


def _identifies(view: OperationView, name: str) -> bool:
    """Whether a field's values can be written in a text and differ from item to item."""
    field = view.fields.get(name)
    if field is None or not field.is_quotable(name) or field.nulls * 4 > field.count:
        return False
    return view.longest_list <= 1 or len(field.values) >= min(view.longest_list, 3)


def _finds(view: OperationView, location: str, label: str) -> bool:
    """Whether a text that was searched for was found in this field."""
    for call in view.calls:
        text = str(call.arguments.get(location, "")).casefold()
        if text and any(text in str(item.fields.get(label, "")).casefold() for item in call.response.items):
            return True
    return False


# Hops


def find_hops(knowledge: Knowledge, view: OperationView) -> list[Hop]:
    """The hops from an item of an operation, the best one to each operation."""
    best: dict[OperationKey, tuple[float, Hop]] = {}
    patterns = {item.pattern for call in view.calls for item in call.response.items}
    for edge in knowledge.graph.consumers(view.key):
        field = _item_field(edge.pointer, patterns)
        hop = _hop(knowledge, view, edge, field) if field is not None and edge.score >= LIKELY else None
        if hop is not None and (edge.target not in best or edge.score > best[edge.target][0]):
            best[edge.target] = (edge.score, hop)
    return [hop for _, hop in best.values()]


def _hop(knowledge: Knowledge, view: OperationView, edge: Edge, field: str) -> Hop | None:
    target = knowledge.views.get(edge.target)
    if target is None or not target.successes or field not in view.fields:
        return None
    if is_search(edge.location) or not _is_accepted(knowledge, view, field, target, edge.location):
        return None  # a text that is found in others is no relation
    if not _names_target(field, view.noun, argument_noun(knowledge, target, edge.location), target.noun):
        return None
    given_locations = _given_locations(knowledge, view, target, field, edge.location)
    return None if given_locations is None else Hop(edge.target, field, edge.location, given_locations)


def _is_accepted(knowledge: Knowledge, view: OperationView, field: str, target: OperationView, location: str) -> bool:
    """Whether values of the field were accepted at the location; for an item of the same kind, as its own ID."""
    if not _is_sent_from(knowledge, view, field, target, location):
        return False
    for_one_item = target.was_single or not target.is_safe
    if view.noun != target.noun:
        return for_one_item or argument_noun(knowledge, target, location) in (view.noun, target.noun)
    echoes = {name.rpartition("/")[2] for name in target.echo_fields(location)}
    return for_one_item and (not echoes or field.rpartition("/")[2] in echoes)


def _is_sent_from(knowledge: Knowledge, view: OperationView, field: str, target: OperationView, location: str) -> bool:
    """Whether a value that was sent at the location stands in the field; an ID may be of another list of the things."""
    sent = {str(call.arguments[location]) for call in target.calls if location in call.arguments}
    alike = knowledge.alike(view) if is_id_name(field) else []
    lists = (view, *(other for other in alike if other.key.tool == view.key.tool and field in other.fields))
    return any(sent & other.fields[field].values.keys() for other in lists)


def argument_noun(knowledge: Knowledge, target: OperationView, location: str) -> str:
    """What kind of item an argument names: /countries/{code}/cities requires a country."""
    name = location.partition(":")[2]
    if location.startswith("path:"):
        return dict(path_nouns(target.key.path)).get(name, target.noun)
    slot = target.slots.get(location)
    first = next(iter(singular_words(slot.name if slot else name)), "")
    return first if any(view.noun == first for view in knowledge.views.values()) else target.noun


def _given_locations(
    knowledge: Knowledge, view: OperationView, target: OperationView, field: str, location: str
) -> tuple[str, ...] | None:
    """The locations of other arguments that the text must give; None if one cannot be put in words."""
    locations: list[str] = []
    for other in target.required_locations():
        slot = target.slots.get(other)
        has_default = slot is not None and len(slot.documented_values) == 1
        if other == location or has_default or carried_location(view.key.path, target.key.path, other):
            continue
        if _is_accepted(knowledge, view, field, target, other) or not _can_be_given(target, other):
            return None  # from or to: the text could not say which of the two the item is
        locations.append(other)
    return tuple(locations)


def _can_be_given(target: OperationView, location: str) -> bool:
    """Whether a text can give an argument: of a path the number of a part (season 2), not an ID of another thing."""
    if not location.startswith("path:"):
        return True
    sent = [call.arguments.get(location) for call in target.calls]
    is_ordinal = all(isinstance(value, int) and 0 <= value <= MAX_ORDINAL for value in sent)
    return is_ordinal and not is_id_name(location.partition(":")[2])


def carried_location(path: str, next_path: str, location: str) -> str | None:
    """The path argument of one call that is also the next one's: /a/{x}/b, then /a/{y}/b/{z}, takes x for y."""
    if not location.startswith("path:"):
        return None
    name = "{" + location.partition(":")[2] + "}"
    segments, next_segments = path.rstrip("/").split("/"), next_path.rstrip("/").split("/")
    for index, (segment, next_segment) in enumerate(zip(segments, next_segments, strict=False)):
        if next_segment == name and segment.startswith("{"):
            return f"path:{segment.strip('{}')}" if index + 1 < len(segments) else None
        if segment != next_segment and not (segment.startswith("{") and next_segment.startswith("{")):
            return None
    return None


def _names_target(field: str, *nouns: str) -> bool:
    """Whether a field is the item's own ID or names what it leads to: `currency_code`, not `highest_airport`."""
    field_words = set(singular_words(field.rpartition(NESTED)[2])) - _NEUTRAL
    return field_words <= {word for noun in nouns for word in words(noun)}


def _item_field(pointer: str, patterns: set[str]) -> str | None:
    """The field of an item that a pointer of the tool graph names; None if it lies outside of the items."""
    place = pointer.partition(":")[2]
    for pattern in sorted(patterns, key=len, reverse=True):
        if place.startswith(f"{pattern}/"):
            inner = place[len(pattern) + 1 :]
            return None if inner.startswith("0/") or inner.count(NESTED) > 1 else inner
    return None


# Calls that made a hop


def find_hop_call(
    target: OperationView, hop: Hop, value: object, before: tuple[str, Arguments] | None = None
) -> SuccessfulCall | None:
    """The first call of a hop with this value and no optional argument.

    With `before`, the path and the arguments of the call before it, its other path arguments must be those.
    """
    required = target.required_locations()
    for call in target.calls_with(hop.location, value):
        if not call.arguments.keys() <= {hop.location, *hop.given_locations, *required}:
            continue
        given = {hop.location, *hop.given_locations}
        others = [location for location in required if location.startswith("path:") and location not in given]
        if before is None or all(_is_carried(before, target.key.path, location, call) for location in others):
            return call
    return None


def _is_carried(before: tuple[str, Arguments], path: str, location: str, call: SuccessfulCall) -> bool:
    """Whether a path argument of a call is the one of the call before it."""
    source = carried_location(before[0], path, location)
    return source is not None and same_scalar(before[1].get(source), call.arguments.get(location))
