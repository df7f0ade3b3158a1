"""OpenAPI as ToolBench's tool files: `CATEGORY/TOOL.json`, as `data/toolenv/tools` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docrev.json_values.containers import mapping, sequence
from docrev.records import Json, OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.formats.descriptions import described
from docrev.spec.formats.exported import Exported, function_names
from docrev.spec.formats.fitted_schemas import NOWHERE, restored
from docrev.spec.formats.names import slug
from docrev.spec.formats.standalone_schemas import expanded, inlined, raw
from docrev.spec.formats.toolbench.api_names import CATEGORY, ApiName
from docrev.spec.formats.toolbench.operations import (
    ASIDE,
    FORM,
    IMPLIED,
    LISTS,
    STYLES,
    ApiAddress,
    default_paths,
    method_of,
    url_of,
    usual_place,
)
from docrev.spec.formats.toolbench.parameters import EXTRA, given, record_of
from docrev.spec.formats.toolbench.sketches import schema_of, sketch_of
from docrev.spec.meaning import Absent, string
from docrev.spec.operation import Operation, Parameter
from docrev.spec.plain_data import same
from docrev.spec.schema import Schema


def export(catalog: Catalog, *, alone: bool, whole: bool) -> Exported:
    """A file for each tool of a catalog, or one file with all tools if `alone`. Texts are not cut."""
    del whole
    result, names = Exported(), function_names(catalog)
    for tool in catalog.tools:
        record, folder = _tool(catalog, tool, names, result)
        result.files[f"{folder}/{tool}.json" if folder else f"{tool}.json"] = record
    if alone:
        tools = list(result.files.values())
        result.files = {"": tools[0] if len(tools) == 1 else tools}
    return result


def _tool(
    catalog: Catalog, tool: str, names: Mapping[OperationKey, str], result: Exported
) -> tuple[dict[str, Json], str]:
    root = raw(catalog.refs, catalog.files[tool], "")
    rest, own = given(root.get(EXTRA))
    info, category = mapping(root.get("info")), string(root.get(CATEGORY))
    name = string(own.get("tool_name")) or string(info.get("title")) or tool
    record: dict[str, Json] = {
        "tool_name": name,
        "title": name,
        "standardized_name": slug(name),
        "tool_description": string(info.get("description")),
        "category_name": category,
    }
    apis = _api_names(catalog, tool, ApiName(category, name, ""))
    made = default_paths(list(apis.values()))
    listed = [
        _api(catalog, operation, apis[operation.key], made[apis[operation.key]], names)
        for operation in catalog.of_tool(tool)
    ]
    result.operations += len(listed)
    return record | rest | {"api_list": listed}, re.sub(r"[^\w-]+", "_", category).strip("_")


def _api_names(catalog: Catalog, tool: str, name: ApiName) -> dict[OperationKey, ApiName]:
    """What each operation of a tool is called: as imported, else by its operationId, else by method and path."""
    found: dict[OperationKey, ApiName] = {}
    for operation in catalog.of_tool(tool):
        own = given(raw(catalog.refs, operation.place.file, operation.place.pointer).get(EXTRA))[1]
        api = name._replace(api=string(own.get("api_name")) or operation.name)
        found[operation.key] = api if api not in found.values() else name._replace(api=operation.key.operation)
    return found


def _api(
    catalog: Catalog, operation: Operation, name: ApiName, made: str, names: Mapping[OperationKey, str]
) -> dict[str, Json]:
    node = raw(catalog.refs, operation.place.file, operation.place.pointer)
    rest, own = given(node.get(EXTRA))
    spot = ApiAddress(operation.method, operation.path, _server(catalog, operation, node))
    method = rest.pop("method", None)
    record: dict[str, Json] = {"name": name.api}
    url = rest.pop("url") if "url" in rest else url_of(spot, made)
    record |= {} if url is None else {"url": url}
    known = method is not None and method_of(method) == operation.method
    record["method"] = method if known else operation.method
    record["description"] = rest.pop("description", described(catalog, operation, names, summary="api_name" not in own))
    record |= _parameters(catalog, operation, rest)
    aside = mapping(own.get(ASIDE))
    for key in LISTS:
        record[key] = [*sequence(record[key]), *sequence(aside.get(key))] if key in aside else record[key]
    return record | _response(operation, own, rest) | rest


def _server(catalog: Catalog, operation: Operation, node: dict[str, object]) -> str:
    """The server of an operation, if it is a whole URL."""
    told = [string(mapping(one).get("url")) for one in sequence(node.get("servers"))]
    told += catalog.servers[operation.tool]
    url = told[0] if told else ""
    return url.rstrip("/") if re.match(r"https?://[^{}]+$", url) else ""


def _parameters(catalog: Catalog, operation: Operation, rest: dict[str, object]) -> dict[str, Json]:
    lists: dict[str, Json] = {key: [] for key in LISTS}
    for parameter in _as_written([parameter for parameter in operation.written_parameters if parameter.declared]):
        _add_parameter(catalog, parameter, operation, lists)
    if operation.body is not None and operation.body.schema is not None:
        _add_body(operation, operation.body.schema, operation.body.required, lists)
    return {key: items or rest.pop(key, items) for key, items in lists.items()}


def _as_written(parameters: list[Parameter]) -> list[Parameter]:
    """Parameters of one list in its order: an optional one of the path has its place among the others."""
    places = [parameter.place.pointer.rpartition("/") for parameter in parameters]
    if len({above for above, _, _ in places}) > 1 or not all(number.isdecimal() for _, _, number in places):
        return parameters
    return sorted(parameters, key=lambda parameter: int(parameter.place.pointer.rpartition("/")[2]))


def _add_parameter(catalog: Catalog, parameter: Parameter, operation: Operation, lists: dict[str, Json]) -> None:
    node = raw(catalog.refs, parameter.place.file, parameter.place.pointer)
    extra, own = given(node.get(EXTRA))
    if own.get(IMPLIED):
        return
    record = record_of(parameter.name, (_schema(parameter), parameter.description, extra))
    record |= {key: node[key] for key in STYLES if key in node}
    needed = parameter.required and not own.get("optional")
    lists[LISTS[not needed]].append(_placed(record, parameter.location, operation))


def _schema(parameter: Parameter) -> dict[str, Json]:
    told = {
        key: value
        for key, value in inlined(parameter.schema).items()
        if key not in ("name", "in", "required", "description")
    }
    if isinstance(parameter.example, Absent) or told.keys() & {"example", "examples"}:
        return told
    return told | {"examples": [parameter.example]}


def _add_body(operation: Operation, schema: Schema, required: bool, lists: dict[str, Json]) -> None:
    if schema.type not in ("object", None) or not schema.properties():
        record = record_of("body", (inlined(schema), "", {}))
        lists[LISTS[not required]].append(_placed(record, "body", operation))
        return
    for name, child in schema.properties().items():
        told = {key: value for key, value in inlined(child).items() if key != "description"}
        record = record_of(name, (told, string(child.node.get("description")), given(child.node.get(EXTRA))[0]))
        lists[LISTS[name not in schema.required]].append(_placed(record, "body", operation))


def _placed(record: dict[str, object], location: str, operation: Operation) -> dict[str, Json]:
    usual = usual_place(string(record["name"]), operation.method, operation.path)
    return record if location == usual else record | {"in": location}


def _response(operation: Operation, own: dict[str, object], rest: dict[str, object]) -> dict[str, Json]:
    """The response as it was sketched, or by its schema if that was changed since."""
    found = operation.success
    if found is None or found.schema is None:
        return {}
    form = own.get(FORM)
    told = found.schema.node if "api_name" in own else expanded(found.schema)
    if form == "schema":
        return {"schema": restored(found.schema.node, NOWHERE)}
    key = "schema" if form == "sketch" else "template_response"
    if key in rest and same(schema_of(rest[key]), found.schema.node):
        return {}
    rest.pop(key, None)
    return {key: sketch_of(told)}
