"""Where the values of a parameter come from: the edges of the tool graph that two calls show.

An edge by name alone is a guess, one by value may be chance. Both are held against the calls: the source must have
answered a value that the target accepted. A value that the source was itself called with is an echo, and one that a
filter, or a body, shares with the same resource says nothing on its origin.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sized
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from docrev.conventions.ids import IDENTIFIERS
from docrev.conventions.parameters import ORDERING, PAGING, Role, role_of
from docrev.evidence.queries import arguments
from docrev.facts.samples import Accepted, Sample
from docrev.graph.match import field_name, resource_noun
from docrev.grouping import grouped
from docrev.json_values.leaves import values_at
from docrev.language.words import singular, singular_words
from docrev.records import OperationKey

if TYPE_CHECKING:
    from docrev.graph.tool_graph import Edge

MAX_ORIGINS = 2
_MAX_TRIED = 40
_MAX_CALLS = 4
# The graph scores an edge by value 0.7, and up to 0.3 more for names that fit.
_NAMES_FIT = 0.85
# What pages, sorts or projects takes numbers, and names of fields, that occur everywhere.
_STEERING = PAGING | ORDERING | {Role.FIELDS, Role.EXPAND}
# A search by text accepts any text, so that it came from somewhere says nothing.
_FREE_TEXT = frozenset(["q", "query", "search", "text", "term", "keyword", "keywords", "name_contains"])


class Origin(NamedTuple):
    """`pointer` (`200:/items/0/id`) of `source`; `calls` are that which answered a value and that which accepted it.

    Another such pair, with none of these calls, follows if there is one: not every call can be repeated.
    """

    source: OperationKey
    pointer: str
    type: str | None
    calls: tuple[str, ...]


Origins = dict[OperationKey, dict[str, list[Origin]]]


def origins(edges: Iterable[Edge], taken: dict[OperationKey, Sample]) -> Origins:
    """The origins by target and location, at most two each: those whose names fit first, lists before items."""
    answered: dict[tuple[OperationKey, str], dict[str, list[str]]] = {}
    telling = (edge for edge in edges if edge.source in taken and edge.target in taken and _speaking(edge))
    groups = grouped(((edge.target, edge.location), edge) for edge in telling)
    found: Origins = {}
    members = _names_of_members(taken)
    for (target, location), group in sorted(groups.items()):
        tried = (_held(edge, taken, answered, members) for edge in sorted(group, key=_rank)[:_MAX_TRIED])
        best = list(islice((origin for origin in tried if origin), MAX_ORIGINS))
        if best:
            found.setdefault(target, {})[location] = best
    return found


def _rank(edge: Edge) -> tuple[bool, bool, int, bool, float, OperationKey, str]:
    """The source that has the things themselves first: a list inside of other things has only those that they name."""
    safe, nested = edge.source.method == "GET", edge.pointer.count("/0/") > 1
    return not _named(edge), not safe, edge.source.path.count("{"), nested, -edge.score, edge.source, edge.pointer


def _named(edge: Edge) -> bool:
    """Whether names say that the values are of one kind; an issue's ID is none of an issue relation."""
    return (edge.kind != "value" or edge.score >= _NAMES_FIT) and not _is_of_what_it_lies_in(edge)


def _is_of_what_it_lies_in(edge: Edge) -> bool:
    """Whether a field has what the thing that a parameter names is about: `issue_id`, for `issue_relation_id`."""
    name = edge.location.partition(":")[2].rpartition("/")[2]
    wanted, (field, noun) = _thing(singular_words(name)), field_name(edge.pointer, resource_noun(edge.source.path))
    thing = _thing(tuple(map(singular, field))) or (noun,)
    return len(wanted) > len(thing) and wanted[: len(thing)] == thing and wanted[-len(thing) :] != thing


def _thing(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name without the last one, if that only says that it is an ID."""
    return parts[:-1] if parts[-1:] and parts[-1] in IDENTIFIERS else parts


def _speaking(edge: Edge) -> bool:
    place, _, name = edge.location.partition(":")
    leaf = name.rpartition("/")[2]
    if leaf.lower() in _FREE_TEXT or place == "header" or edge.source.method == "DELETE":
        return False
    if place == "query" and role_of(leaf) in _STEERING:
        return False
    if place == "path" or edge.source.tool != edge.target.tool or _stem(edge.source) != _stem(edge.target):
        return True
    return place == "query" and edge.pointer.rpartition("/")[2] != leaf


def _stem(key: OperationKey) -> str:
    """The collection that an operation is on: `/notes` for `/notes` and `/notes/{id}`."""
    head, _, last = key.path.rstrip("/").rpartition("/")
    return head if last.startswith("{") else f"{head}/{last}"


def _names_of_members(taken: dict[OperationKey, Sample]) -> frozenset[tuple[str, str]]:
    """(tool, name) of all members of responses: as a value, such a name occurs everywhere."""
    shapes = ((key.tool, shape) for key, sample in taken.items() for shape in sample.shapes.values())
    return frozenset((tool, pointer.rpartition("/")[2]) for tool, shape in shapes for pointer in shape)


def _held(
    edge: Edge,
    taken: dict[OperationKey, Sample],
    answered: dict[tuple[OperationKey, str], dict[str, list[str]]],
    members: Container[tuple[str, str]],
) -> Origin | None:
    """The origin that `edge` stands for, if enough values speak for it; `members` are names that do not."""
    accepted = taken[edge.target].accepted.get(edge.location)
    status, _, pointer = edge.pointer.partition(":")
    if accepted is None or not status.isdecimal():
        return None
    source, target, place = taken[edge.source], taken[edge.target], (edge.source, edge.pointer)
    if place not in answered:
        answered[place] = _answers(source, int(status), pointer)
    seen = answered[place]
    shared = _shared(edge, accepted, target, seen)
    telling = [text for text in shared if _is_distinctive(text) and (edge.source.tool, text) not in members]
    if not _enough(edge, shared, telling):
        return None
    telling = telling or list(shared)
    pairs = [(call, shared[text]) for text in reversed(telling) for call in seen[text]]
    field = source.shapes.get(int(status), {}).get(pointer)
    # What no shape has lies below names that are data, and is nowhere else.
    return Origin(edge.source, edge.pointer, field.type, _calls(pairs)) if field is not None else None


def _shared(edge: Edge, accepted: Accepted, target: Sample, seen: Iterable[str]) -> dict[str, str]:
    """The values that were returned and accepted; where any may be taken, those that found something."""
    is_of_get = edge.location.startswith("path:") and edge.target.method == "GET"
    may_take_any = is_of_get or edge.location.startswith("query:")
    sent = (
        (str(value), call) for value, call in reversed(accepted.values) if not may_take_any or call in target.fruitful
    )
    return {text: call for text, call in sent if text in seen}


def _enough(edge: Edge, shared: Sized, telling: Sized) -> bool:
    """Whether the values that both operations have show an origin: two that are hardly chance, or names that fit."""
    return len(telling) >= 2 or (_named(edge) and (len(telling) > 0 or len(shared) >= 2))


def _calls(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    first = pairs[0]
    again = [pair for pair in pairs[1:] if pair[0] != first[0] and pair[1] != first[1]]
    return first + again[0] if again else first


def _answers(sample: Sample, status: int, pointer: str) -> dict[str, list[str]]:
    """The values (as text) that were answered at a place, each with its first calls, without what was only echoed."""
    found: dict[str, list[str]] = {}
    for call in sample.by_status.get(status, ()):
        echoes = {str(value) for _, value in arguments(call)}
        values = {str(value): value for value in values_at(call.body, pointer)}
        for text, value in values.items():
            if not isinstance(value, dict | list | bool | None) and text not in echoes:
                calls = found.setdefault(text, [])
                if len(calls) < _MAX_CALLS:
                    calls.append(call.id)
    return found


def _is_distinctive(text: str) -> bool:
    """Whether an equal value is hardly chance: not 7, which is also somebody's page."""
    return len(text) >= 2 and (not text.lstrip("-").isdecimal() or len(text.lstrip("-")) >= 3)
