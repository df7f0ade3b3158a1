"""Plain data: made from what callers hand in, and compared as a document compares it."""

from __future__ import annotations

import math
from typing import cast

from docrev.errors import UsageError
from docrev.records import Json
from docrev.spec.yaml_scalars import NAN


def plain(value: object) -> Json:
    """A copy of a value as a document can hold it. Raises UsageError for anything that is no JSON value."""
    if isinstance(value, dict):
        return {_name(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return NAN if math.isnan(value) else float(value)
    raise UsageError(f"a document cannot hold a {type(value).__name__}", fix="put a JSON value")


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise UsageError(f"a key must be a string, not {name!r}", fix="write it as a string")
    return str(name)


def same(one: Json, other: Json) -> bool:
    """Whether two values are equal as JSON: `1`, `1.0` and `true` differ, the order of keys does not matter."""
    todo = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while todo:
        a, b = todo.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, dict):
            if (id(a), id(b)) in seen:
                continue
            seen.add((id(a), id(b)))
            if a.keys() != b.keys():
                return False
            todo.extend((item, b[name]) for name, item in a.items())
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, cast("list[Json]", b), strict=True))
        elif a != b:
            return False
    return True
