"""One API of a ToolBench tool as an operation of OpenAPI.

Parameters of GET, HEAD, OPTIONS and DELETE are query parameters, those of other methods properties of a JSON body,
names in the path's braces path parameters; a record's own `in` says otherwise. What has no place stands under
`x-toolbench`, of the operation, the parameter or the property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlsplit

from docrev.grouping import grouped
from docrev.json_values.containers import mapping
from docrev.language.path_templates import PARAMETER, parameters_of
from docrev.records import Json
from docrev.spec.formats.fitted_schemas import NOWHERE, fitted, restored
from docrev.spec.formats.names import digest, slug, unique
from docrev.spec.formats.toolbench.api_names import ApiName
from docrev.spec.formats.toolbench.parameters import EXTRA, kept, parts_of
from docrev.spec.formats.toolbench.sketches import schema_of, sketch_of
from docrev.spec.meaning import string
from docrev.spec.plain_data import same

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
PLACES = ("query", "header", "cookie", "body")
STYLES: dict[str, type] = {"explode": bool, "allowReserved": bool, "deprecated": bool}
LISTS = ("required_parameters", "optional_parameters")
ASIDE = "set_aside"
FORM = "response_form"
IMPLIED = "implied"
"""Marks a parameter that only the URL names: in its braces, or with a fixed value in its query."""

_LONGEST_PATH = 80


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """Where an API is served: method, path as the document has it, server ("" if none is known)."""

    method: str
    path: str
    server: str
    fixed: tuple[tuple[str, str], ...] = ()


def method_of(raw: object) -> str:
    """The HTTP method that a record gives; GET if it gives none, POST if it is no method of HTTP."""
    if raw is None or raw == "":
        return "GET"
    word = raw.strip().upper() if isinstance(raw, str) else ""
    return word if word in METHODS else "POST"


def default_paths(names: Sequence[ApiName]) -> dict[ApiName, str]:
    """A path for each API of one tool that has no URL: `/get_user_orders`."""
    plain = {name: slug(name.api) or "operation" for name in names}
    return {name: f"/{word}" for name, word in unique(plain, {one: one for one in names}, _LONGEST_PATH).items()}


def addresses(apis: Mapping[ApiName, dict[str, object]]) -> dict[ApiName, ApiAddress]:
    """Where the APIs of one tool are. Where two would be the same operation, each path gets `#` and the API's name."""
    made = default_paths(list(apis))
    plain = {name: _spot(record, made[name]) for name, record in apis.items()}
    taken = grouped(((spot.method, spot.path), name) for name, spot in plain.items())
    for group in taken.values():
        for name in group if len(group) > 1 else ():
            spot = plain[name]
            mark = f"{slug(name.api) or 'operation'}"
            twins = sum(slug(other.api) == slug(name.api) for other in group)
            mark += f"-{digest(*name)}" if twins > 1 else ""
            plain[name] = ApiAddress(spot.method, f"{spot.path}#{mark}", spot.server, spot.fixed)
    return plain


def _spot(record: dict[str, object], made: str) -> ApiAddress:
    method, url = method_of(record.get("method")), record.get("url")
    if not isinstance(url, str) or not url.strip():
        return ApiAddress(method, made, "")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return ApiAddress(method, made, "")
    del port
    if not parts.netloc and not parts.path.startswith("/"):
        return ApiAddress(method, made, "")
    whole = parts.scheme in ("http", "https") and bool(parts.netloc) and not re.search(r"[{}\s<>]", parts.netloc)
    return ApiAddress(
        method,
        _path(parts.path),
        f"{parts.scheme}://{parts.netloc}" if whole else "",
        tuple(dict(parse_qsl(parts.query)).items()),
    )


def _path(path: str) -> str:
    """A path that OpenAPI takes: braces only around names, each name once."""
    seen: set[str] = set()

    def once(match: re.Match[str]) -> str:
        if match[1] in seen:
            return quote(match[0])
        seen.add(match[1])
        return f"\0{match[1]}\1"

    marked = PARAMETER.sub(once, path or "/")
    clean = marked.replace("{", "%7B").replace("}", "%7D").replace("#", "%23").replace("?", "%3F")
    return "/" + clean.replace("\0", "{").replace("\1", "}").lstrip("/")


def braced(path: str) -> list[str]:
    """The names in a path's braces."""
    return parameters_of(path.partition("#")[0])


def url_of(spot: ApiAddress, made: str) -> str | None:
    """The URL of an address; None if it has only a path that docrev made up."""
    path = spot.path.partition("#")[0]
    return None if not spot.server and path == made else spot.server + path


def usual_place(name: str, method: str, path: str) -> str:
    """Where a parameter goes if its record does not say it."""
    if name in braced(path):
        return "path"
    return "query" if method in ("GET", "HEAD", "OPTIONS", "DELETE") else "body"


def operation_of(
    name: ApiName, record: dict[str, object], spot: ApiAddress, *, made: str, operation_id: str
) -> dict[str, Json]:
    """The operation of a record: {name, description, method, url, required_parameters, optional_parameters, …}."""
    rest = {key: value for key, value in record.items() if key != "name"}
    operation: dict[str, Json] = {"operationId": operation_id, "summary": name.api}
    if isinstance(rest.get("description", ""), str) and (text := rest.pop("description", "")):
        operation["description"] = text
    if name.category:
        operation["tags"] = [name.category]
    own: dict[str, Json] = {}
    operation |= _arguments(rest, own, spot)
    operation["responses"] = {"200": {"description": ""} | _content(rest, own)}
    if rest.get("method") in (None, spot.method):
        rest.pop("method", None)
    if rest.get("url") == url_of(spot, made):
        rest.pop("url", None)
    elif "url" not in rest:
        rest["url"] = None
    return operation | {EXTRA: {"api_name": name.api} | own | kept(rest)}


def _arguments(rest: dict[str, Json], own: dict[str, Json], spot: ApiAddress) -> dict[str, Json]:
    """`parameters` and `requestBody` of a record, which they are taken out of."""
    gathered = _Arguments(spot)
    aside: dict[str, Json] = {}
    for key in LISTS:
        if isinstance(rest.get(key, []), list):
            left = [item for item in rest.pop(key, []) if not gathered.add(item, required=key == LISTS[0])]
            aside |= {key: left} if left else {}
    if aside:
        own[ASIDE] = aside
    return gathered.written()


@dataclass
class _Arguments:
    """The parameters of a record and the fields of its body, each once."""

    spot: ApiAddress
    parameters: list[Json] = field(default_factory=list)
    fields: dict[str, Json] = field(default_factory=dict)
    needed: list[Json] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def add(self, item: Json, *, required: bool) -> bool:
        """Add an entry of the record's lists; False if it has no name, or is there already."""
        name = string(mapping(item).get("name"))
        place = _place(item, self.spot) if name else ""
        if not place or (place, name) in self.seen:
            return False
        self.seen.add((place, name))
        if place == "body":
            self.fields[name] = _field(item)
            self.needed += [name] if required else []
        else:
            self.parameters.append(_parameter(item, name, place, required))
        return True

    def written(self) -> dict[str, Json]:
        """`parameters` and `requestBody`, with the parameters that the URL implies."""
        parameters = self.parameters + _implied(self.spot, self.seen)
        found: dict[str, Json] = {"parameters": parameters} if parameters else {}
        if self.fields:
            schema = {"type": "object", "properties": self.fields}
            schema |= {"required": self.needed} if self.needed else {}
            found["requestBody"] = {"required": bool(self.needed), "content": {"application/json": {"schema": schema}}}
        return found


def _place(item: dict[str, object], spot: ApiAddress) -> str:
    usual = usual_place(str(item["name"]), spot.method, spot.path)
    given = item.get("in")
    return str(given) if given in PLACES and usual != "path" else usual


def _split(item: dict[str, object]) -> tuple[dict[str, Json], str, dict[str, Json]]:
    schema, description, rest = parts_of(item)
    if rest.get("in") in (*PLACES, "path"):
        del rest["in"]
    return schema, description, rest


def _parameter(item: dict[str, object], name: str, place: str, required: bool) -> dict[str, Json]:
    schema, description, rest = _split(item)
    own: dict[str, Json] = {"optional": True} if place == "path" and not required else {}
    styles = {key: rest.pop(key) for key in STYLES if isinstance(rest.get(key), STYLES[key]) and place == "query"}
    told: dict[str, Json] = {"name": name, "in": place, "required": required or place == "path"}
    told |= {"description": description} if description else {}
    return told | styles | {"schema": schema} | ({EXTRA: own | kept(rest)} if own or rest else {})


def _field(item: dict[str, object]) -> dict[str, Json]:
    schema, description, rest = _split(item)
    return schema | ({"description": description} if description else {}) | ({EXTRA: kept(rest)} if rest else {})


def _implied(spot: ApiAddress, seen: set[tuple[str, str]]) -> list[Json]:
    """Parameters that the path has in its braces, or the URL in its query, and the record does not list."""
    told: list[tuple[str, str, dict[str, Json]]] = [("path", name, {"type": "string"}) for name in braced(spot.path)]
    told += [("query", name, {"type": "string", "enum": [value]}) for name, value in spot.fixed]
    return [
        {"name": name, "in": place, "required": True, "schema": schema, EXTRA: {IMPLIED: True}}
        for place, name, schema in told
        if (place, name) not in seen
    ]


def _content(rest: dict[str, object], own: dict[str, object]) -> dict[str, Json]:
    """The response's content by its sketch, which is taken out of the record if the schema says all of it."""
    key = "template_response" if rest.get("template_response") is not None else "schema"
    raw = rest.get(key)
    form, schema, whole = _schema_of_response(raw)
    if schema is None:
        return {}
    if key == "schema" and (whole or form == "sketch"):
        own |= {FORM: form}
    if whole:
        del rest[key]
    return {"content": {"application/json": {"schema": schema}}}


def _schema_of_response(raw: object) -> tuple[str, dict[str, Json] | None, bool]:
    """(form, schema, whether the schema says all of it) of a response: it is a schema already, or a sketch."""
    if _is_schema(raw):
        fit = fitted(raw, NOWHERE)
        return "schema", fit if isinstance(fit, dict) else None, same(restored(fit, NOWHERE), raw)
    schema = schema_of(raw)
    return "sketch", schema, schema is not None and same(sketch_of(schema), raw)


def _is_schema(raw: object) -> bool:
    record = mapping(raw)
    return record.get("type") in ("object", "array") and bool(record.keys() & {"properties", "items"})
