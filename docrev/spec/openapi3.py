"""OpenAPI 3.0 and 3.1: parameters, request bodies, responses and servers."""

from __future__ import annotations

import re

from docrev.json_values.containers import mapping, sequence
from docrev.language.media_types import essence
from docrev.records import Json
from docrev.spec.findings import Place
from docrev.spec.meaning import MISSING, Absent, first_present, string
from docrev.spec.operation import FORM, MULTIPART, Body, Parameter, Response
from docrev.spec.reading import DocumentReader, Found, below, choose_media
from docrev.spec.schema import Schema, first_example

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}


class OpenAPI3:
    """Reads what OpenAPI 3 writes in its own way."""

    def parameter(self, reader: DocumentReader, found: Found) -> Parameter:
        place, node = found
        where = string(node["in"]).strip()
        schema, example = _value(reader, found)
        if schema is None and "type" in node:
            schema = Schema(reader.refs, place, node)  # as Swagger 2.0 writes it
        written = choose_media(list(mapping(node.get("content")))) or ""
        style = "json" if "json" in written else string(node.get("style")) or _STYLES[where]
        return Parameter(
            name=node["name"],
            location=where,
            required=where == "path" or reader.flag(found, "required"),
            schema=schema or Schema(reader.refs, place, {}),
            description=string(node.get("description")) or (schema.description if schema else ""),
            example=first_present(example, schema.example if schema else MISSING),
            place=place,
            style=style,
            explode=reader.flag(found, "explode", style == "form"),
        )

    def body(self, reader: DocumentReader, operation: Found, fields: list[Found]) -> Body | None:
        if operation[1].get("requestBody") is None:
            return None
        found = reader.mapping_at(below(operation[0], "requestBody"), operation[1]["requestBody"], "a request body")
        if found is None:
            return None
        place, node = found
        types = list(mapping(node.get("content")))
        media = _form_for_files(reader, place, node, types) or choose_media(types)
        schema, example = _media(reader, place, node, media)
        return Body(
            required=reader.flag(found, "required"),
            media_type=(media or "application/json").partition(";")[0].strip(),
            schema=schema,
            description=string(node.get("description")),
            place=place,
            example=example,
            others=tuple(name for name in types if name != media),
        )

    def response(self, reader: DocumentReader, operation: Found, status: str, found: Found) -> Response:
        place, node = found
        types = list(mapping(node.get("content")))
        media = choose_media(types)
        schema, example = _media(reader, place, node, media)
        headers: dict[str, Schema] = {}
        for name, header in mapping(node.get("headers")).items():
            one = reader.mapping_at(below(place, "headers", name), header, "a header")
            if one is not None:
                headers[name] = _value(reader, one)[0] or Schema(reader.refs, one[0], {})
        kind, description = (media or "").partition(";")[0], string(node.get("description"))
        return Response(status, description, kind, schema, place, example, headers, tuple(types))


def servers(tree: dict[str, object]) -> tuple[str, ...]:
    """The URLs of `servers`, their variables replaced by the defaults, without a trailing slash."""
    urls: list[str] = []
    for server in map(mapping, sequence(tree.get("servers"))):
        variables = mapping(server.get("variables"))

        def default(match: re.Match[str], variables: dict[str, object] = variables) -> str:
            value = mapping(variables.get(match[1])).get("default")
            return match[0] if value is None else str(value)

        url = _VARIABLE.sub(default, string(server.get("url")).strip()).rstrip("/")
        if url and url not in urls:
            urls.append(url)
    return tuple(urls)


def _form_for_files(reader: DocumentReader, place: Place, node: dict[str, Json], types: list[str]) -> str | None:
    """The form in parts among media types, if only that can hold a file of the body; a text in JSON is none.

    What JSON has its own members for is sent in JSON: the rows of a table instead of a file of them.
    """
    parts = next((name for name in types if essence(name) == MULTIPART), None)
    schema = _media(reader, place, node, parts)[0]
    files = {name for name, part in schema.properties().items() if _is_file(part)} if schema is not None else set()
    chosen = choose_media(types)
    is_form = essence(chosen or "") == FORM
    is_needed = bool(files) and schema is not None and (is_form or not files.isdisjoint(schema.required))
    return parts if is_needed and not _has_own_members(_media(reader, place, node, chosen)[0], schema) else None


def _has_own_members(schema: Schema | None, other: Schema | None) -> bool:
    """Whether a schema requires a member that another one has not."""
    return schema is not None and other is not None and not schema.required <= {*other.properties()}


def _is_file(schema: Schema) -> bool:
    item = schema.items() if schema.type == "array" else schema
    return item is not None and item.format == "binary"


def _media(
    reader: DocumentReader, place: Place, node: dict[str, Json], media: str | None
) -> tuple[Schema | None, Json | Absent]:
    if media is None:
        return None, MISSING
    inner = reader.mapping_at(below(place, "content", media), node["content"][media], "a media type")
    return _value(reader, inner) if inner else (None, MISSING)


def _value(reader: DocumentReader, found: Found) -> tuple[Schema | None, Json | Absent]:
    """The schema and the example of what has `schema` or `content`: a parameter, a header, a media type."""
    place, node = found
    if "schema" not in node and mapping(node.get("content")):
        return _media(reader, place, node, choose_media(list(node["content"])))
    schema = reader.schema(below(place, "schema"), node.get("schema"))
    return schema, first_present(node.get("example", MISSING), first_example(node.get("examples")))
