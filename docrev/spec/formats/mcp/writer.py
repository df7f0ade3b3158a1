"""OpenAPI as an MCP server's answer to `tools/list`.

What an API's documentation says of its responses is not exported: clients refuse answers that are not of the
`outputSchema`. That of a tool that was imported comes back.
"""

from __future__ import annotations

from collections.abc import Mapping

from docrev.json_values.containers import mapping
from docrev.records import Json, OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.formats.descriptions import described
from docrev.spec.formats.exported import Exported, function_names
from docrev.spec.formats.mcp.reader import EXTRA
from docrev.spec.formats.operation_arguments import arguments, is_listed
from docrev.spec.formats.standalone_schemas import Standalone, raw
from docrev.spec.formats.tool_lists import schema_pointer
from docrev.spec.operation import Operation


def tool_records(catalog: Catalog) -> tuple[list[dict[str, Json]], dict[str, Json]]:
    """Each operation as a tool, in the order of the catalog; and, by the tool's name, what it and its arguments stand
    for, as in the table of an export."""
    names, result = function_names(catalog), Exported()
    return [_tool(catalog, operation, names, result) for operation in catalog.operations], result.table


def export(catalog: Catalog, *, alone: bool, whole: bool) -> Exported:
    """The tools of a catalog, in one file (`alone`) or a file for each of docrev's tools. Texts have no bound."""
    del whole
    result, names = Exported(), function_names(catalog)
    result.add_lists(
        catalog,
        lambda operation: _tool(catalog, operation, names, result),
        lambda tool, listed: _wrapped(catalog, tool, listed),
        alone=alone,
        joined=lambda items: {"tools": items},
    )
    return result


def _tool(
    catalog: Catalog, operation: Operation, names: Mapping[OperationKey, str], result: Exported
) -> dict[str, Json]:
    own = mapping(raw(catalog.refs, operation.place.file, operation.place.pointer).get(EXTRA))
    name, taken, listed = names[operation.key], arguments(catalog, operation), is_listed(operation)
    text = described(catalog, operation, names, summary=not listed)
    record: dict[str, Json] = {"name": name}
    record |= {"title": operation.summary} if operation.summary else {}
    record |= {"description": text} if text else {}
    record |= {"inputSchema": taken.schema} if taken.schema is not None else {}
    if listed:
        record |= _output(catalog, operation)
    elif operation.method in ("GET", "HEAD"):
        record["annotations"] = {"readOnlyHint": True}
    result.add(operation, name, own.get("name", operation.name), taken.places)
    return record | mapping(own.get("rest"))


def _output(catalog: Catalog, operation: Operation) -> dict[str, Json]:
    found = operation.responses.get("200")
    if found is None or found.schema is None:
        return {}
    place = schema_pointer(operation.path, output=True)
    return {"outputSchema": Standalone(catalog.refs).whole(operation.place.file, place)}


def _wrapped(catalog: Catalog, tool: str, listed: list[Json]) -> Json:
    around = mapping(raw(catalog.refs, catalog.files[tool], "").get(EXTRA))
    if around.get("wrapped") == "list":
        return listed
    answer = around.get("answer")
    if isinstance(answer, dict):
        return answer | {"result": mapping(answer.get("result")) | {"tools": listed}}
    return mapping(around.get("around")) | {"tools": listed}
