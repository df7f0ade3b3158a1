"""JSON schemas from elsewhere, made fit for OpenAPI 3.1, and the way back.

A keyword whose value OpenAPI does not accept is kept under `x-json-schema-KEYWORD`; if its meaning is
plain ("dict" for object, "5" for 5), that stands beside it. `#/…` references are written from the document's root.
`restored(fitted(schema, at), at)` is `schema`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docrev.errors import UsageError
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import sequence
from docrev.json_values.scalars import is_number, is_whole
from docrev.json_values.types import JSON_TYPES
from docrev.language.patterns import is_pattern
from docrev.records import Json
from docrev.spec.keywords import COUNTS, EXCLUSIVE, FLAGS
from docrev.spec.meaning import MISSING, Absent, as_type, json_type, number, truth
from docrev.spec.plain_data import same

ASIDE = "x-json-schema-"
NOWHERE = "\0"
"""In place of a pointer: the schema refers to nothing that can be found; every `$ref` stands aside."""
_VALUE = f"{ASIDE}value"
_ONE = {"not", "if", "then", "else", "additionalProperties", "items", "contains", "propertyNames"} | {
    "unevaluatedProperties",
    "unevaluatedItems",
}
_SOME = {"allOf", "anyOf", "oneOf", "prefixItems"}
_NAMED = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_NUMBERS = {*EXCLUSIVE, "minimum", "maximum"}
_COUNTS = {*COUNTS, "minContains", "maxContains"}
_TEXTS = {"title", "description", "format", "$comment", "contentEncoding", "contentMediaType"}
_LISTS = {"enum", "examples"}
_OF_TYPE = {"default", "example"}
# What names other schemas or dialects, and what only OpenAPI knows: none of it can be checked here.
_NEVER = {"$schema", "$id", "$anchor", "$vocabulary", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"} | set(
    "$recursiveAnchor contentSchema discriminator xml externalDocs".split()
)


def fitted(schema: object, at: str, root: object = None) -> Json:
    """`schema` as it may stand at the JSON pointer `at` of an OpenAPI 3.1 document."""
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict):
        return {_VALUE: schema}
    root = schema if root is None else root
    result: dict[str, Json] = {}
    for key, value in schema.items():
        taken = _taken(key, value, at, root)
        if taken is not MISSING:
            result[key] = taken
            if same(taken, value) or key in _NAMED or key in _ONE or key in _SOME or key == "$ref":
                continue
        result[f"{ASIDE}{key}"] = value
    return _with_values(result)


def restored(schema: object, at: str, refer: Callable[[str], str] | None = None) -> Json:
    """What `fitted` was given. A keyword that was changed since is taken as it stands now.

    `refer` is given each reference that leads out of the schema, and says what to write in its place.
    """
    if not isinstance(schema, dict):
        return schema
    if schema.keys() == {_VALUE}:
        return schema[_VALUE]
    result: dict[str, Json] = {}
    for key, value in schema.items():
        if not key.startswith(ASIDE):
            result[key] = _given(key, value, at, refer)
            continue
        name = key.removeprefix(ASIDE)
        meant = as_type(value, _kind(schema)) if name in _OF_TYPE else _mended(name, value)
        if name.startswith(ASIDE) or name not in schema or same(meant, schema[name]):
            result[name] = value
    return result


def _with_values(schema: dict[str, object]) -> dict[str, Json]:
    """The schema with its default and example as of its type: "20" is 20; a default of another type stands aside."""
    result: dict[str, Json] = {}
    plain = {key: value for key, value in schema.items() if not key.startswith(ASIDE)}
    for key, value in schema.items():
        meant = as_type(value, _kind(schema)) if key in _OF_TYPE else value
        if key == "default" and not fits(meant, plain):
            result[f"{ASIDE}{key}"] = value
            continue
        result[key] = meant
        if not same(meant, value):
            result[f"{ASIDE}{key}"] = value
    return result


def _kind(schema: dict[str, object]) -> str | None:
    return json_type(schema.get("type"))


def fits(value: object, schema: dict[str, object]) -> bool:
    """Whether a default is of its schema, as far as the schema stands by itself."""
    kind = schema.get("type")
    if isinstance(kind, str) and not schema.keys() & _CONSTRAINTS:
        return of_type(value, json_type(kind) or kind)
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    lone = {key: item for key, item in schema.items() if key not in _NEVER}
    try:
        return bool(Draft202012Validator(lone, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(value))
    except Exception:  # a schema of no dialect fails in ways of its own
        return False


def of_type(value: object, kind: str) -> bool:
    """Whether a value is of a JSON type."""
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, int | float):
        return kind == "number" or (kind == "integer" and float(value).is_integer())
    kinds: dict[type, str] = {str: "string", list: "array", dict: "object", type(None): "null"}
    return kinds[type(value)] == kind


_CONSTRAINTS = (
    _ONE
    | _SOME
    | _NAMED
    | _NUMBERS
    | _COUNTS
    | {"$ref", "enum", "const", "pattern", "format", "required", "multipleOf"}
)


def _taken(key: str, value: object, at: str, root: object) -> Json | Absent:
    """The value of a keyword as OpenAPI accepts it; MISSING if it accepts none."""
    if key.startswith(ASIDE) or key in _NEVER:
        return MISSING
    if key == "$ref":
        return _reference(value, at, root)
    if key in _ONE:
        return fitted(value, at, root) if isinstance(value, dict | bool) else MISSING
    if key in _SOME:
        return [fitted(item, at, root) for item in sequence(value)] or MISSING
    if key in _NAMED:
        return {name: fitted(item, at, root) for name, item in value.items()} if isinstance(value, dict) else MISSING
    return _mended(key, value)


def _reference(value: Json, at: str, root: Json) -> Json | Absent:
    if at == NOWHERE or not isinstance(value, str) or not (value == "#" or value.startswith("#/")) or "%" in value:
        return MISSING
    try:
        _, found = pointers.find(root, value[1:])
    except UsageError:  # a stray ~
        return MISSING
    return f"#{at}{value[1:]}" if isinstance(found, dict | bool) else MISSING


def _given(key: str, value: object, at: str, refer: Callable[[str], str] | None) -> Json:
    if key == "$ref" and isinstance(value, str):
        return _given_reference(value, at, refer)
    if key in _ONE:
        return restored(value, at, refer)
    if key in _SOME and isinstance(value, list):
        return [restored(item, at, refer) for item in value]
    if key in _NAMED and isinstance(value, dict):
        return {name: restored(item, at, refer) for name, item in value.items()}
    return value


def _given_reference(value: str, at: str, refer: Callable[[str], str] | None) -> str:
    if refer is not None and value != f"#{at}" and not value.startswith(f"#{at}/"):
        return refer(value)
    return f"#{value[len(at) + 1 :]}" if value.startswith(f"#{at}") else value


def _mended(key: str, value: object) -> Any:
    """A keyword's value if it is valid, or the valid value that it spells; else MISSING."""
    for names, check, mend in _RULES:
        if key in names:
            if check(value):
                return value
            meant = mend(value)
            return meant if check(meant) else MISSING
    return value


def _is_type(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, str) and one in JSON_TYPES for one in value) and _all_differ(value)
    return isinstance(value, str) and value in JSON_TYPES


def _all_differ(value: list[Any]) -> bool:
    return len(set(value)) == len(value)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value) and _all_differ(value)


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and is_pattern(value)


def _meant_type(value: object) -> Json:
    return json_type(value) if isinstance(value, str) else None


def _meant_truth(value: object) -> Json:
    known = isinstance(value, str) and value.strip().lower() in ("true", "false")
    return truth(value) if known else None


def _nothing(value: object) -> Json:
    return None


_Rule = tuple[set[str], Callable[[Any], bool], Callable[[Json], Json]]
_RULES: tuple[_Rule, ...] = (
    ({"type"}, _is_type, _meant_type),
    ({"required"}, _is_names, _nothing),
    (_NUMBERS, is_number, number),
    ({"multipleOf"}, lambda value: is_number(value) and value > 0, number),
    (_COUNTS, lambda value: is_whole(value) and value >= 0, number),
    (_TEXTS, lambda value: isinstance(value, str), _nothing),
    (set(FLAGS), lambda value: isinstance(value, bool), _meant_truth),
    (_LISTS, lambda value: isinstance(value, list) and bool(value), _nothing),
    ({"pattern"}, _is_pattern, _nothing),
    ({"dependentRequired"}, lambda value: isinstance(value, dict) and all(map(_is_names, value.values())), _nothing),
)
