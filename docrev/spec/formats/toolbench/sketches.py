"""The sketches of responses in ToolBench's records, {"name": "str", "_list_length": 3}, and schemas, there and back."""

from __future__ import annotations

import re

from docrev.json_values.containers import mapping
from docrev.json_values.scalars import is_whole
from docrev.records import Json
from docrev.spec.formats.toolbench.parameters import EXTRA

_SCALARS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "NoneType": "null"}
_WORDS = {kind: word for word, kind in _SCALARS.items()}
_EMPTY: dict[str, dict[str, Json]] = {"empty list": {"type": "array"}, "empty dict": {"type": "object"}}
_LIST = re.compile(r"list of (str|int|float|bool|NoneType) with length (\d{1,9})")
_LENGTH = "_list_length"


def schema_of(sketch: object) -> dict[str, Json] | None:
    """The schema of a sketch; None if it sketches nothing."""
    if isinstance(sketch, str):
        return _of_word(sketch)
    if isinstance(sketch, list):
        items = schema_of(sketch[0]) if sketch else None
        return {"type": "array"} | ({"items": items} if items is not None else {})
    return _of_object(sketch) if isinstance(sketch, dict) else None


def _of_object(sketch: dict[str, object]) -> dict[str, Json]:
    length = sketch.get(_LENGTH)
    known = is_whole(length)
    fields = {name: schema_of(item) or {} for name, item in sketch.items() if not (known and name == _LENGTH)}
    schema: dict[str, Json] = {"type": "object"} | ({"properties": fields} if fields else {})
    return schema | ({EXTRA: {"list_length": length}} if known else {})


def sketch_of(schema: object) -> Json:
    """The sketch of a schema; what it has no word for is "str", as in the data."""
    if not isinstance(schema, dict):
        return "str"
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((name for name in kind if name != "null"), None)
    length = mapping(schema.get(EXTRA)).get("list_length")
    if kind == "array":
        return _sketch_of_array(schema.get("items"), length)
    properties = schema.get("properties")
    if kind == "object" or isinstance(properties, dict):
        return _sketch_of_object(properties, length)
    return _WORDS.get(kind, "str") if isinstance(kind, str) else "str"


def _sketch_of_object(properties: object, length: object) -> Json:
    sketch = {name: sketch_of(item) for name, item in mapping(properties).items()}
    sketch |= {} if length is None else {_LENGTH: length}
    return sketch if sketch or isinstance(properties, dict) else "empty dict"


def _sketch_of_array(items: object, length: object) -> Json:
    if items is None:
        return "empty list"
    return [sketch_of(items)] if length is None else f"list of {sketch_of(items)} with length {length}"


def _of_word(word: str) -> dict[str, Json] | None:
    if word in _SCALARS:
        return {"type": _SCALARS[word]}
    if word in _EMPTY:
        return dict(_EMPTY[word])
    found = _LIST.fullmatch(word)
    if found is None:
        return None
    return {"type": "array", "items": {"type": _SCALARS[found[1]]}, EXTRA: {"list_length": int(found[2])}}
