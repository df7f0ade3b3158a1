"""Static matching: does a response field look like the source of a parameter's value?

Names, types, path structure, foreign-key-like fields and envelopes, without any evidence. Where documentation is poor
this finds little; the edges by value (`values.py`) are what then matters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.ids import IDENTIFIERS
from docrev.language.words import singular, singular_words, words

GENERIC = IDENTIFIERS | {"name", "title", "type", "status", "value", "description", "url", "number", "date"}

_NAMING = IDENTIFIERS | {"name"}
"""Last words of parameters that a plain value called after the thing itself may be."""


class Named(NamedTuple):
    """A field or a parameter as the matcher sees it: its own words, and the words of what it belongs to."""

    words: tuple[str, ...]
    noun: str
    type: str | None


class FieldMatch(NamedTuple):
    """How a field matches a parameter: the kind of the edge and a score between 0 and 1."""

    kind: str
    score: float


@lru_cache(maxsize=4096)
def path_nouns(path: str) -> tuple[tuple[str, str], ...]:
    """For each path parameter the noun before it: `/buckets/{id}/groups/{gid}` → (id, bucket), (gid, group)."""
    found, noun = [], ""
    for segment in path.strip("/").split("/"):
        if "{" in segment:
            found.append((segment.partition("{")[2].partition("}")[0], noun))
        elif segment and not _version(segment):
            noun = _last_noun(segment)
    return tuple(found)


@lru_cache(maxsize=4096)
def resource_noun(path: str) -> str:
    """What a path is about: the noun of its last fixed segment, `/buckets/{id}` → bucket."""
    fixed = [part for part in path.strip("/").split("/") if part and "{" not in part and not _version(part)]
    return _last_noun(fixed[-1]) if fixed else ""


def _version(segment: str) -> bool:
    return segment[:1] == "v" and segment[1:].replace(".", "").isdigit()


def _last_noun(segment: str) -> str:
    parts = words(segment)
    return singular(parts[-1]) if parts else ""


@lru_cache(maxsize=16384)
def field_name(pointer: str, resource: str) -> tuple[tuple[str, ...], str]:
    """The words of a response field, and the noun of the object that contains it.

    `200:/results/0/id` of /movies → (id), movie; `200:/cast/0/id` → (id), cast; envelopes say nothing. The items of a
    list of plain values are named after the list: `200:/data/0` of /regions → (region), region; `200:/userIds/0` →
    (user, id), user.
    """
    parts = [part for part in pointer.partition(":")[2].split("/") if part]
    keys = [part for part in parts if not part.isdigit()]
    named = [part for part in keys if plain_name(part) not in ENVELOPES]
    if parts and parts[-1].isdigit():
        return _of_items(named[-1]) if named else ((resource,), resource)
    holders = named[:-1] if named[-1:] == keys[-1:] else named
    return words("".join(keys[-1:])), (_last_noun(holders[-1]) if holders else resource)


def _of_items(name: str) -> tuple[tuple[str, ...], str]:
    """The words of the items of a list of plain values with this name, and their noun."""
    found = singular_words(name) or ("",)
    if len(found) > 1 and found[-1] in IDENTIFIERS:
        return found, found[-2]
    return found[-1:], found[-1]


def match(field: Named, parameter: Named) -> FieldMatch | None:
    """How well `field` can feed `parameter`; None if nothing suggests that it can."""
    if not compatible(field.type, parameter.type) or not field.words or not parameter.words:
        return None
    same_noun = field.noun == parameter.noun and field.noun != ""
    if field.words == parameter.words:
        return _same_words(field, same_noun)
    if _with_noun(field) == _with_noun(parameter):
        return FieldMatch("path", 0.9) if same_noun else FieldMatch("foreign-key", 0.8)
    if same_noun and parameter.words[-1] in IDENTIFIERS and field.words[-1] in IDENTIFIERS:
        return FieldMatch("path", 0.6 if field.words[-1] == "id" else 0.5)
    return _reference(field, parameter)


def _same_words(field: Named, same_noun: bool) -> FieldMatch | None:
    """A field and a parameter of one name, which says more the less common it is."""
    if not set(field.words) <= GENERIC:
        return FieldMatch("name", 0.95 if same_noun else 0.85)
    return FieldMatch("path", 0.9) if same_noun else None


def _reference(field: Named, parameter: Named) -> FieldMatch | None:
    """A parameter that names another thing by what one of its fields has."""
    if field.words[-1] == parameter.words[-1] and singular(field.words[0]) == singular(parameter.words[0]):
        return FieldMatch("foreign-key", 0.55)
    if field.words[-1] in GENERIC and field.noun in parameter.words:
        return FieldMatch("foreign-key", 0.5 if field.words[-1] in IDENTIFIERS else 0.4)
    if parameter.noun and field.words == (parameter.noun,) and parameter.words[-1] in _NAMING:
        return FieldMatch("foreign-key", 0.45)
    return None


def _with_noun(named: Named) -> tuple[str, ...]:
    """The words in full: `id` of a movie is (movie, id), and so is `movie_id` anywhere."""
    generic = len(named.words) == 1 and named.words[0] in GENERIC
    return (named.noun, *named.words) if generic and named.noun else tuple(singular(word) for word in named.words)


def compatible(source: str | None, target: str | None) -> bool:
    """Whether a value of one JSON type can be sent where the other is expected; unknown types always can."""
    if source is None or target is None or source == target:
        return True
    if "array" in (source, target) or "object" in (source, target) or source == "boolean":
        return False
    return target == "string" or {source, target} == {"integer", "number"}
