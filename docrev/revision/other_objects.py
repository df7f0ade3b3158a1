"""Responses that are another object than their schema says: the changes of a project, described as the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docrev.conventions.lists import list_of
from docrev.grouping import grouped, only
from docrev.json_values.leaves import values_at
from docrev.records import Json, OperationKey
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.spec import Place
from docrev.spec.formats.fitted_schemas import of_type
from docrev.spec.schema import Schema

_MAX_CALLS = 5
_MIN_OPEN = 3
"""Properties of which an object must have none to be another one, where nothing says which it must have."""


def is_other_object(observed: ObservedOperation, status: int | None) -> bool:
    """Whether all objects that came with a status lack what their schema requires, and most of the rest of it.

    Where nothing is required, they have none of its properties.
    """
    response = observed.operation.response(status) if status is not None else None
    schema = response.schema if response is not None else None
    seen = [body for call in observed.good if call.status == status and isinstance(body := call.body, dict) and body]
    return schema is not None and bool(seen) and _is_plain(schema) and _is_another(schema, seen)


def _is_plain(schema: Schema) -> bool:
    """Whether a schema says which properties an object has, each object the same."""
    return schema.type == "object" and not schema.is_unread and not schema.alternatives()


def _is_another(schema: Schema, seen: Sequence[dict[str, Json]]) -> bool:
    declared = {*schema.properties()}
    if not schema.required:
        return len(declared) >= _MIN_OPEN and all(declared.isdisjoint(body) for body in seen)
    returned = {name for body in seen for name in body}
    return not schema.required <= returned and all(_is_unlike(declared, body) for body in seen)


def _is_unlike(declared: set[str], body: dict[str, Json]) -> bool:
    """Whether fewer than half of the members of an object are declared, and fewer than half of the declared ones are
    there."""
    return 2 * len(declared & body.keys()) < min(len(declared), len(body))


def described_by(observed: ObservedOperation, others: Iterable[ObservedOperation]) -> OperationKey | None:
    """The operation whose success is declared as the objects that this one returns are; None if there is no such
    operation, or what it declares may be several things."""
    bodies = [call.body for call in observed.good]
    beside = [other for other in others if other.key.tool == observed.key.tool] if bodies else []
    fitting = grouped((place, other.key) for other in beside if (place := _place_describing(other, bodies)) is not None)
    keys = [key for found in fitting.values() for key in found if key != observed.key]
    order = sorted(keys, key=lambda key: (key.method != "GET", key.path.count("{"), len(key.path), key))
    return order[0] if len(fitting) == 1 and order else None


def _place_describing(other: ObservedOperation, bodies: Sequence[Json]) -> Place | None:
    """Where the schema of an operation's success is defined, if it describes these values."""
    success = other.operation.success
    schema = success.schema if success is not None else None
    if schema is None or not _describes(schema, bodies):
        return None
    return next((part.place for part, holds in schema.parts() if holds and part.node.get("properties")), None)


def _describes(schema: Schema, bodies: Sequence[Json]) -> bool:
    """Whether values have all that a schema requires, of the declared types, and nothing that it does not declare."""
    parts = [*schema.walk()]
    is_whole = schema.type == "object" and bool(schema.properties())
    return is_whole and all(
        _is_of(value, part) for body in bodies for at, part in parts for value in values_at(body, at)
    )


def _is_of(value: Json, schema: Schema) -> bool:
    kind, declared = schema.type if value is not None else None, schema.properties()
    if kind is not None and not of_type(value, kind):
        return False
    return not isinstance(value, dict) or not declared or schema.required <= value.keys() <= declared.keys()


def declared_elsewhere(observed: ObservedOperation, others: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """That what is returned is not what is declared, but what another operation declares."""
    status = only({call.status for call in observed.good})
    like = described_by(observed, others) if is_other_object(observed, status) else None
    if like is not None:
        what = "a list like that of" if any(map(list_of, observed.good)) else "an object like that of"
        calls = tuple(call.id for call in observed.good[:_MAX_CALLS])
        yield Statement(f"Returns {what} `{like.operation}`.", "", "correction", calls=calls)
