"""Swagger 2.0: types on the parameters themselves, body and form fields among them, host and basePath."""

from __future__ import annotations

from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.meaning import MISSING, first_present, names, string
from docrev.spec.operation import FORM, MULTIPART, Body, Parameter, Response
from docrev.spec.reading import DocumentReader, Found, below, choose_media
from docrev.spec.schema import Schema

_COLLECTIONS = {"ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False), "multi": ("form", True)}


class Swagger2:
    """Reads what Swagger 2.0 writes in its own way."""

    def parameter(self, reader: DocumentReader, found: Found) -> Parameter:
        place, node = found
        where = string(node["in"]).strip()
        # Some write OpenAPI 3's `schema` under Swagger 2.0.
        schema = reader.schema(below(place, "schema"), node.get("schema")) or Schema(reader.refs, place, node)
        plain = ("form" if where == "query" else "simple", False)
        style, explode = _COLLECTIONS.get(string(node.get("collectionFormat")), plain)
        return Parameter(
            name=node["name"],
            location=where,
            required=where == "path" or reader.flag(found, "required"),
            schema=schema,
            description=string(node.get("description")) or schema.description,
            example=first_present(node.get("x-example", MISSING), schema.example),
            place=place,
            style=style,
            explode=explode,
        )

    def body(self, reader: DocumentReader, operation: Found, fields: list[Found]) -> Body | None:
        if not fields:
            return None
        consumes = _types(reader, operation, "consumes")
        whole = next((found for found in fields if found[1].get("in") == "body"), None)
        if whole is None:
            return _form(reader, operation, fields, consumes)
        place, node = whole
        media = choose_media(consumes) or "application/json"
        return Body(
            required=reader.flag(whole, "required"),
            media_type=media.partition(";")[0].strip(),
            schema=reader.schema(below(place, "schema"), node.get("schema")),
            description=string(node.get("description")),
            place=place,
            example=node.get("x-example", MISSING),
            others=tuple(name for name in consumes if name != media),
        )

    def response(self, reader: DocumentReader, operation: Found, status: str, found: Found) -> Response:
        place, node = found
        examples = mapping(node.get("examples"))
        produced = _types(reader, operation, "produces")
        media = choose_media(list(examples) or produced) or "application/json"
        headers: dict[str, Schema] = {}
        for name, header in mapping(node.get("headers")).items():
            one = reader.mapping_at(below(place, "headers", name), header, "a header")
            if one is not None:
                headers[name] = Schema(reader.refs, *one)
        schema = reader.schema(below(place, "schema"), node.get("schema"))
        return Response(
            status=status,
            description=string(node.get("description")),
            media_type=media.partition(";")[0] if schema or examples else "",
            schema=schema,
            place=place,
            example=examples.get(media, MISSING),
            headers=headers,
            media_types=tuple(produced or examples),
        )


def servers(tree: dict[str, object]) -> tuple[str, ...]:
    """The URLs that `schemes`, `host` and `basePath` make, https first; a bare path if the document has no host."""
    host, base = string(tree.get("host")).strip("/ "), string(tree.get("basePath")).strip("/ ")
    path = f"/{base}" if base else ""
    if not host:
        return (path,) if path else ()
    schemes = sorted((name for name in names(tree.get("schemes")) if name in ("http", "https")), reverse=True)
    return tuple(f"{scheme}://{host}{path}" for scheme in dict.fromkeys(schemes or ["https"]))


def _form(reader: DocumentReader, operation: Found, fields: list[Found], consumes: list[str]) -> Body:
    upload = any(node.get("type") == "file" for _, node in fields)
    told = [name for name in consumes if name in (FORM, MULTIPART)]
    media = MULTIPART if upload else (told or [FORM])[0]
    schemas = {node["name"]: Schema(reader.refs, place, node) for place, node in fields if string(node.get("name"))}
    required = [found[1]["name"] for found in fields if reader.flag(found, "required")]
    schema = Schema.of_fields(reader.refs, operation[0], schemas, required)
    return Body(bool(required), media, schema, "", operation[0])


def _types(reader: DocumentReader, operation: Found, name: str) -> list[str]:
    """`consumes` or `produces`, of the operation or else of the document."""
    own: Json = operation[1].get(name)
    return names(own if isinstance(own, list) else reader.document.tree.get(name))
