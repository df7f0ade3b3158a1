"""Request bodies to try where no error says what to change: one thing more at a time, halves, other choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from docrev.records import Json
from docrev.spec import Schema

MAX_SINGLES = 16
MAX_CHOICES = 4
_NAMED = re.compile(r"""[`"']([\w.:/-]{1,40})[`"']|\b([A-Z][A-Z0-9_-]{2,30})\b""")
_STRESSED = frozenset({"MUST", "NOT", "SHOULD", "MAY", "SHALL", "REQUIRED", "OPTIONAL", "ONLY", "AND", "JSON", "URL"})
"""Words in capitals that are no values."""


def body_variants(schema: Schema, minimal: Json, full: Json) -> Iterator[Json]:
    """Bodies between the smallest and the fullest; nothing if they are no objects."""
    if not isinstance(minimal, dict) or not isinstance(full, dict):
        return
    properties = schema.properties()
    optional = [name for name in full if name not in minimal]
    # What chooses between forms first.
    optional.sort(key=lambda name: not _limited(properties, [name]))
    for name in optional[:MAX_SINGLES]:
        yield {**minimal, name: full[name]}
        yield from _choices({**minimal, name: full[name]}, _limited(properties, [name]))
    half = len(optional) // 2
    for names in (optional[:half], optional[half:]) if half else ():
        yield {name: full[name] for name in full if name in minimal or name in names}
    yield from _choices(minimal, _limited(properties, minimal))


def _limited(properties: Mapping[str, Schema], names: Iterable[str]) -> dict[str, Schema]:
    """The properties of these names that are limited to some values."""
    return {name: properties[name] for name in names if name in properties and properties[name].enum}


def _choices(body: dict[str, Json], properties: Mapping[str, Schema]) -> Iterator[dict[str, Json]]:
    """The body with each of the other values to which a property is limited."""
    for name, part in properties.items():
        for value in (part.enum or ())[:MAX_CHOICES]:
            if value != body[name]:
                yield {**body, name: value}


def alternatives_of(schema: Schema) -> list[Schema]:
    """The alternatives (`oneOf`, `anyOf`) of a schema, or of one of its own parts."""
    return [part for part, holds in schema.parts() if not holds][:MAX_CHOICES]


def named_in(description: str) -> list[str]:
    """The values that a description names: what stands in quotes or backticks, and words in capitals."""
    found = [next(filter(None, groups)) for groups in _NAMED.findall(description)]
    return list(dict.fromkeys(value for value in found if value not in _STRESSED))[:MAX_CHOICES]
