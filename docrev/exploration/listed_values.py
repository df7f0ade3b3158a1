"""Values for the items of a list in a body: what an operation that is called after them lists.

`permissions` takes what `GET /permissions/available` shows, be it texts or things that are known by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.ids import IDENTIFIERS
from docrev.graph.values import Values
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import split
from docrev.language.path_subjects import LIST_WORDS
from docrev.language.words import singular, singular_words
from docrev.records import Json, OperationKey

_KNOWN_BY = ("id", "key", "code", "slug", "name", "value")
"""What a thing in a list may be known by, in the order in which it is tried."""
_SELECTING = frozenset({*LIST_WORDS, "available", "known", "possible", "supported", "valid", "option", "value"})
"""What says of a list that it has all that may be chosen."""
_MAX_PLACES = 3
_MAX_OF_PLACE = 2


def listed_values(values: Values, tool: str, name: str, type: str | None) -> list[Json]:
    """Values for the items of a list of this name: plain ones, then what the things of a list are known by.

    Those of the wanted JSON type come first: where texts are wanted, a number is most often not what is meant.
    """
    kind = _kind(name)
    places = values.listed(tool, singular(name)) if kind else []
    found = (place for fields in values.places(tool) for place in fields if kind and _rank(place, kind) is not None)
    places += sorted(found, key=lambda place: (place[0].path.count("{"), _rank(place, kind) or 0))
    found_there = [values.samples(*place)[:_MAX_OF_PLACE] for place in places]
    found_there = found_there or list(_shown_in_things(values, tool, name, is_text=type in (None, "string")))
    found_there.sort(key=lambda samples: isinstance(samples[0], str) != (type in (None, "string")))
    return unique([value for samples in found_there[:_MAX_PLACES] for value in samples])


def _shown_in_things(values: Values, tool: str, name: str, *, is_text: bool) -> Iterator[list[Json]]:
    """What things show, in a list of the very same name, that they refer to: `providers` with an `id` each."""
    found = (place for fields in values.places(tool) for place in fields if _is_known_by_in(place[1], name))
    for place in sorted(found, key=lambda place: (place[0].path.count("{"), place[1].count("/"), place)):
        samples = values.samples(*place)[:_MAX_OF_PLACE]
        if isinstance(samples[0], str) == is_text:
            yield samples


def _is_known_by_in(pointer: str, name: str) -> bool:
    *_, called, number, known_by = ["", "", "", *split(pointer.partition(":")[2])]
    return called == name and number.isdecimal() and known_by in _KNOWN_BY[:1]


def _kind(name: str) -> tuple[str, ...]:
    """What a list of this name has: `permission` for `permissions`, `permission_ids` and `available-permissions`."""
    return tuple(word for word in singular_words(name) if word not in _SELECTING and word not in IDENTIFIERS)


def _rank(place: tuple[OperationKey, str], kind: tuple[str, ...]) -> int | None:
    """How well a place suits: 0 for an item of the list of a kind, more for what its things are known by; None for
    any other."""
    key, pointer = place
    segments = [segment for segment in key.path.strip("/").split("/") if "{" not in segment]
    named = next((found for found in map(_kind, reversed(segments)) if found), ())
    inside = split(pointer.partition(":")[2])
    if key.method != "GET" or key.path.endswith("}") or named != kind:
        return None
    if inside[-1:] and inside[-1].isdecimal():
        return 0
    known = len(inside) > 1 and inside[-2].isdecimal() and inside[-1] in _KNOWN_BY
    return 1 + _KNOWN_BY.index(inside[-1]) if known else None
