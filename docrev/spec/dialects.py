"""Whether a schema follows its dialect, quickly; and in one order what the validator says of one that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from docrev.language.patterns import is_pattern


def in_order(errors: Iterable[Any]) -> list[Any]:
    """Errors by where they are: the validator meets some members in the order of a set, another in each process."""
    return sorted(errors, key=lambda error: ([str(part) for part in error.absolute_path], error.message))


def dialect_errors(kind: Any, schema: Any) -> list[Any]:
    """What the validator's own check of a schema by its dialect finds: it stops at the first, in no order."""
    from jsonschema.validators import validator_for  # type: ignore[import-untyped]
    from openapi_schema_validator._specifications import REGISTRY

    meta = validator_for(kind.META_SCHEMA, default=kind)
    return in_order(meta(kind.META_SCHEMA, format_checker=kind.FORMAT_CHECKER, registry=REGISTRY).iter_errors(schema))


def is_valid(compiled: Callable[[Any], Any], kind: Any, value: Any) -> bool:
    """Whether what `compiled` makes of a kind of validator is certain that a value is valid."""
    try:
        return bool(compiled(kind).is_valid(value))
    except ValueError:
        # Keys that are no texts, or deeper than it goes.
        return False


def follows(kind: Any, schema: Any) -> bool:
    """Whether a schema certainly follows the dialect of a validator."""
    return is_valid(_dialect, kind, schema)


@cache
def _dialect(kind: Any) -> Any:
    import jsonschema_rs
    from openapi_schema_validator._specifications import REGISTRY

    def resource(uri: str) -> Any:
        return REGISTRY[uri].contents

    # What is a pattern to the other validator is one here.
    formats = {"regex": is_pattern}
    meta = dict(kind.META_SCHEMA)
    return jsonschema_rs.validator_for(meta, retriever=resource, formats=formats, validate_formats=True)
