"""Objects that mirror the paths below them: `{"global": {"content": [{"rule_id": "a"}]}}` of `GET /rules` has the rule
at `/rules/global/content/a` for `/rules/{scope}/{kind}/{id}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.calls.route_arguments import key_of
from docrev.conventions.examples import documented_values
from docrev.conventions.ids import own_id
from docrev.records import Json
from docrev.spec import MISSING, Operation

MAX_NESTED = 12
"""Things that are taken from one such object."""
_MAX_EACH = 2
"""Things of one part of it: others are of other sorts."""


def nested_arguments(body: Json, operation: Operation, names: Sequence[str]) -> list[tuple[Json, ...]]:
    """The values of the path parameters `names`, which lie directly below what `body` is of, by its members: keys, and
    what the innermost things are known by. Empty where the documentation has none of the keys as a value of its
    parameter: most objects are no such maps.
    """
    found = list(_nested(body, names))
    told = [_documented(operation, name) for name in names[:-1]]
    if not any(values[at] in known for values in found for at, known in enumerate(told)):
        return []
    return found[:MAX_NESTED]


def _nested(value: Json, names: Sequence[str]) -> Iterator[tuple[Json, ...]]:
    name, *rest = names
    if rest and isinstance(value, dict):
        for key, inner in value.items():
            yield from ((key, *values) for values in _nested(inner, rest))
    elif not rest:
        things = list(value) if isinstance(value, dict) else value if isinstance(value, list) else []
        ids = [one if isinstance(one, str | int) else own_id(one, name, "") for one in things[:_MAX_EACH]]
        yield from ((id,) for id in ids if id is not None)


def _documented(operation: Operation, name: str) -> set[Json]:
    """The texts that the documentation has for a path parameter."""
    parameter = operation.parameter(key_of(name))
    if parameter is None:
        return set()
    stated = (parameter.example, *documented_values(parameter.schema))
    return {value for value in stated if value is not MISSING and isinstance(value, str)}
