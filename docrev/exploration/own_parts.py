"""The parts of the run's own things, by the names that the run gave them: the `columns` of a table.

They have no paths, and only what is done to their thing refers to them: `columnName`, or an object with a value for
each column.
"""

from __future__ import annotations

from docrev.conventions.run_names import is_made_up
from docrev.graph.values import Values
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import split
from docrev.language.path_templates import shape_of
from docrev.language.words import singular_words, words
from docrev.records import Json, OperationKey
from docrev.spec import Operation

_FIELDS = ("name", "key", "slug")
"""What a part may be known by within its thing."""


def parts_called(values: Values, operation: Operation, name: str) -> list[Json]:
    """What the parts are called that a member is called after, the oldest first: `columnName` for a list `columns`."""
    *kind, field = words(name) or ("",)
    return _parts(values, operation, singular_words("_".join(kind)), field) if kind and field in _FIELDS else []


def parts_described(values: Values, operation: Operation, description: str) -> list[Json]:
    """What the parts are called that a description speaks of: "Column values to update"."""
    kinds = dict.fromkeys(singular_words(description))
    return unique([part for kind in kinds for field in _FIELDS for part in _parts(values, operation, (kind,), field)])


def _parts(values: Values, operation: Operation, kind: tuple[str, ...], field: str) -> list[Json]:
    """What the run called the parts of a kind, as answers showed them in the things above the path of an operation."""
    above, _, last = operation.route.path.rstrip("/").rpartition("/")
    if singular_words(last) == kind or "{" not in above:
        # What makes such a part gives it a name that none has.
        return []
    places = (place for place in values.named(operation.tool, field) if _is_part(place, shape_of(above), kind))
    return unique([value for place in places for value in values.samples(*place) if is_made_up(value)])


def _is_part(place: tuple[OperationKey, str], above: str, kind: tuple[str, ...]) -> bool:
    """Whether a field is that of an item of a list of a kind, in what an operation above a path shows."""
    key, pointer = place
    inside = split(pointer.partition(":")[2])
    in_list = len(inside) > 2 and inside[-2].isdecimal() and singular_words(inside[-3]) == kind
    return in_list and f"{above}/".startswith(f"{shape_of(key.path)}/")
