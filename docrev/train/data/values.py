"""Concrete arguments for operations: what worked when it was called, what documents show, what names suggest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from docrev.explore.values import fit, guesses, stated
from docrev.records import Call, Json, OperationKey
from docrev.spec import MISSING, Operation, Schema
from docrev.train.retriever.invented import value_for
from docrev.wording import words

OPTIONAL = 0.3
"""How likely an optional parameter is told that nobody was seen to send."""
OURS = "docrev"
"""What values that the survey made up hold."""
_PAGING = frozenset({"page", "limit", "offset", "size", "count", "per", "cursor", "format", "callback", "key", "token"})


class Values:
    """Arguments by operation; `calls` are those that were answered and of use."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._seen: dict[OperationKey, list[dict[str, Json]]] = {}
        for call in calls:
            sets = self._seen.setdefault(call.key, [])
            if call.arguments not in sets:
                sets.append(call.arguments)

    def of(self, operation: Operation, random: Random) -> dict[str, Json]:
        """Arguments for one call, by location; all that are required, and some that are not."""
        sets = self._seen.get(operation.key)
        if sets:
            return _natural(operation, dict(_flat(random.choice(sets))), random)
        return {
            location: value
            for location, name, schema, required, example in _parameters(operation)
            if (required or (random.random() < OPTIONAL and not _PAGING & set(words(name))))
            and (value := _value(name, schema, example, random)) is not None
        }


def _natural(operation: Operation, arguments: dict[str, Json], random: Random) -> dict[str, Json]:
    """The arguments, with what docrev itself made up for a test said as anybody would, or left out."""
    needed = {location for location, _, _, required, _ in _parameters(operation) if required}
    found: dict[str, Json] = {}
    for location, value in arguments.items():
        if location not in needed and _PAGING & set(words(location)):
            continue
        if not (isinstance(value, str) and OURS in value.casefold()):
            found[location] = value
        elif location in needed:
            found[location] = value_for(" ".join(words(location.partition(":")[2])), random)
    return found


def _flat(arguments: Mapping[str, Json]) -> Iterable[tuple[str, Json]]:
    """The arguments, a body by its properties, as a person would tell it."""
    for location, value in arguments.items():
        if location == "body:" and isinstance(value, dict):
            yield from ((f"body:/{name}", part) for name, part in value.items())
        else:
            yield location, value


def _parameters(operation: Operation) -> Iterable[tuple[str, str, Schema, bool, Json]]:
    for one in operation.parameters:
        if one.location in ("path", "query"):
            example = None if one.example is MISSING else one.example
            yield one.key, one.name, one.schema, one.required or one.location == "path", example
    body = operation.body.schema if operation.body is not None else None
    for name, schema in (body.properties() if body is not None else {}).items():
        if body is not None and not schema.get("readOnly"):
            yield f"body:/{name}", name, schema, name in body.required, None


def _value(name: str, schema: Schema, example: Json, random: Random) -> Json:
    """The value that the document shows; else one that fits the name and the type."""
    shown = [example] if example not in (None, "") else stated(schema)
    shown = [value for value in shown if value not in (None, "") and not isinstance(value, dict | list)]
    if shown:
        return random.choice(shown[:5])
    kind = schema.type
    if kind in ("array", "object", "boolean"):
        return random.choice((True, False)) if kind == "boolean" else None
    made = fit(value_for(" ".join(words(name)), random), kind)
    return made if made is not None else next((value for value in guesses(name, schema)), None)
