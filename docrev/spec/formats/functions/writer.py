"""OpenAPI as function schemas, in the form that they were imported in; the chat interface's otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from docrev.json_values.containers import mapping, sequence
from docrev.records import Json, OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.formats.descriptions import bounded, described
from docrev.spec.formats.exported import Exported, function_names
from docrev.spec.formats.functions.reader import EXTRA
from docrev.spec.formats.operation_arguments import arguments, is_listed
from docrev.spec.formats.standalone_schemas import raw
from docrev.spec.operation import Operation

LONGEST = 1_024
"""What OpenAI takes for a description, in characters."""
MOST = 128
"""How many functions OpenAI takes in one request."""


def export(catalog: Catalog, *, alone: bool, whole: bool) -> Exported:
    """The functions of a catalog, in one file (`alone`) or a file a tool; `whole` leaves long descriptions uncut."""
    result, names = Exported(), function_names(catalog)
    longest = result.add_lists(
        catalog,
        lambda operation: _function(catalog, operation, names, result, whole=whole),
        lambda tool, listed: _wrapped(catalog, tool, listed),
        alone=alone,
    )
    if longest > MOST:
        result.warnings.append(f"{longest:,} functions in one file: OpenAI takes {MOST} in a request")
    return result


def _function(
    catalog: Catalog, operation: Operation, names: Mapping[OperationKey, str], result: Exported, *, whole: bool
) -> Json:
    own = mapping(raw(catalog.refs, operation.place.file, operation.place.pointer).get(EXTRA))
    name, taken = names[operation.key], arguments(catalog, operation)
    text = described(catalog, operation, names)
    kept = text if whole else bounded(text, LONGEST)
    record: dict[str, Json] = {"name": name} | ({"description": kept} if kept else {})
    form = own.get("form")
    if taken.schema is not None or not is_listed(operation):
        record["input_schema" if form == "anthropic" else "parameters"] = taken.schema
    record |= mapping(own.get("rest"))
    result.cut += kept != text
    result.add(operation, name, own.get("name", operation.name), taken.places)
    if form in ("bare", "anthropic"):
        return record
    if form == "responses":
        return {"type": "function"} | record
    return {"type": "function", "function": record} | mapping(own.get("outer"))


def _wrapped(catalog: Catalog, tool: str, listed: list[Json]) -> Json:
    around = mapping(raw(catalog.refs, catalog.files[tool], "").get(EXTRA))
    listed = [*listed, *sequence(around.get("others"))]
    key = around.get("wrapped")
    if key == "alone" and len(listed) == 1:
        return listed[0]
    return mapping(around.get("around")) | {key: listed} if key in ("tools", "functions") else listed
