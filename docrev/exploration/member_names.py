"""The names of members as values: for paths that ask about one field of the things in a collection."""

from __future__ import annotations

import re

from docrev.graph.values import Values
from docrev.json_values.pointer import split
from docrev.language.phrases import claims
from docrev.language.words import words
from docrev.records import Json, OperationKey
from docrev.spec import Operation

_FIELDS = frozenset("column field attribute property".split())
"""What a parameter is called after that takes the name of a member."""
_QUOTED = re.compile(r"`([\w.:/-]{1,40})`")


def member_names(operation: Operation, name: str, values: Values) -> list[Json]:
    """What `{column_name}` of `/charts/related/{column_name}` may be: the names that the things in `/charts` have for
    their members, those that hold other things first."""
    if _FIELDS.isdisjoint(words(name)):
        return []
    found: dict[str, int] = {}
    for key in _lists_above(operation):
        for pointer in values.fields(key):
            inside = split(pointer.partition(":")[2])
            at = next((place for place, step in enumerate(inside) if step.isdecimal()), len(inside))
            for member in inside[at + 1 : at + 2]:
                found[member] = max(found.get(member, 0), len(inside))
    return sorted(found, key=lambda member: -found[member])


def _lists_above(operation: Operation) -> list[OperationKey]:
    """The GETs of the collections above a path, the nearest first."""
    parts = operation.path.rstrip("/").split("/")
    above = ("/".join(parts[:count]) for count in range(len(parts) - 1, 1, -1))
    return [OperationKey(operation.tool, f"GET {path}{slash}") for path in above for slash in ("", "/")]


def quoted_beside(operation: Operation, name: str) -> list[Json]:
    """The values that the text of an operation quotes where it speaks of a parameter: "Use `owners` as `column`"."""
    names = {parameter.name for parameter in operation.parameters}
    said = (_QUOTED.findall(part) for part in claims(operation.text))
    return [word for quoted in said if name in quoted for word in quoted if word not in names]
