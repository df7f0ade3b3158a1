"""One API of a ToolBench tool as an operation of OpenAPI.

Parameters of GET, HEAD, OPTIONS and DELETE are query parameters, those of other methods properties of a JSON body,
names in the path's braces path parameters; a record's own `in` says otherwise. What has no place stands under
`x-toolbench`, of the operation, the parameter or the property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from docrev.records import Json
from docrev.spec.importers.names import digest, slug, unique
from docrev.spec.importers.schemas import NOWHERE, fitted, restored
from docrev.spec.importers.toolbench_parameters import EXTRA, kept, parts_of
from docrev.spec.importers.toolbench_responses import schema_of, sketch_of
from docrev.spec.values import same

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
PLACES = ("query", "header", "cookie", "body")
STYLES: dict[str, type] = {"explode": bool, "allowReserved": bool, "deprecated": bool}
LISTS = ("required_parameters", "optional_parameters")
ASIDE = "set_aside"
FORM = "response_form"
IMPLIED = "implied"
"""Marks a parameter that only the URL names: in its braces, or with a fixed value in its query."""

_BRACED = re.compile(r"\{([^{}/]+)\}")
_LONGEST_PATH = 80


class ApiName(NamedTuple):
    """What ToolBench calls an operation: its category, tool and API, spelled as in the data."""

    category: str
    tool: str
    api: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an API is served: method, path as the document has it, server ("" where none is known)."""

    method: str
    path: str
    server: str
    fixed: tuple[tuple[str, str], ...] = ()


def method_of(raw: Json) -> str:
    """The HTTP method that a record gives; GET where it gives none, POST where it is no method of HTTP."""
    if raw is None or raw == "":
        return "GET"
    word = raw.strip().upper() if isinstance(raw, str) else ""
    return word if word in METHODS else "POST"


def made_paths(names: Sequence[ApiName]) -> dict[ApiName, str]:
    """A path for each API of one tool that has no URL: `/get_user_orders`."""
    plain = {name: slug(name.api) or "operation" for name in names}
    return {name: f"/{word}" for name, word in unique(plain, {one: one for one in names}, _LONGEST_PATH).items()}


def spots(apis: Mapping[ApiName, dict[str, Json]]) -> dict[ApiName, Spot]:
    """Where the APIs of one tool are. Where two would be the same operation, each path gets `#` and the API's name."""
    made = made_paths(list(apis))
    plain = {name: _spot(record, made[name]) for name, record in apis.items()}
    taken: dict[tuple[str, str], list[ApiName]] = {}
    for name, spot in plain.items():
        taken.setdefault((spot.method, spot.path), []).append(name)
    for group in taken.values():
        for name in group if len(group) > 1 else ():
            spot = plain[name]
            mark = f"{slug(name.api) or 'operation'}"
            twins = sum(slug(other.api) == slug(name.api) for other in group)
            mark += f"-{digest(*name)}" if twins > 1 else ""
            plain[name] = Spot(spot.method, f"{spot.path}#{mark}", spot.server, spot.fixed)
    return plain


def _spot(record: dict[str, Json], made: str) -> Spot:
    method, url = method_of(record.get("method")), record.get("url")
    if not isinstance(url, str) or not url.strip():
        return Spot(method, made, "")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return Spot(method, made, "")
    del port
    if not parts.netloc and not parts.path.startswith("/"):
        return Spot(method, made, "")
    whole = parts.scheme in ("http", "https") and bool(parts.netloc) and not re.search(r"[{}\s<>]", parts.netloc)
    return Spot(
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

    marked = _BRACED.sub(once, path or "/")
    clean = marked.replace("{", "%7B").replace("}", "%7D").replace("#", "%23").replace("?", "%3F")
    return "/" + clean.replace("\0", "{").replace("\1", "}").lstrip("/")


def braced(path: str) -> list[str]:
    """The names in a path's braces."""
    return _BRACED.findall(path.partition("#")[0])


def url_of(spot: Spot, made: str) -> str | None:
    """The URL that a spot tells by itself; None where it tells none."""
    path = spot.path.partition("#")[0]
    return None if not spot.server and path == made else spot.server + path


def usual_place(name: str, method: str, path: str) -> str:
    """Where a parameter goes that does not say it."""
    if name in braced(path):
        return "path"
    return "query" if method in ("GET", "HEAD", "OPTIONS", "DELETE") else "body"


def operation_of(
    name: ApiName, record: dict[str, Json], spot: Spot, *, made: str, operation_id: str
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


def _arguments(rest: dict[str, Json], own: dict[str, Json], spot: Spot) -> dict[str, Json]:
    """`parameters` and `requestBody` of a record, which they are taken out of."""
    parameters: list[Json] = []
    fields: dict[str, Json] = {}
    needed: list[Json] = []
    aside: dict[str, Json] = {}
    seen: set[tuple[str, str]] = set()
    for key in LISTS:
        if not isinstance(rest.get(key, []), list):
            continue
        kept: list[Json] = []
        for item in rest.pop(key, []):
            name = item.get("name") if isinstance(item, dict) else None
            place = _place(item, spot) if isinstance(name, str) and name else ""
            if not isinstance(name, str) or not place or (place, name) in seen:
                kept.append(item)
                continue
            seen.add((place, name))
            required = key == LISTS[0]
            if place == "body":
                fields[name] = _field(item)
                needed += [name] if required else []
            else:
                parameters.append(_parameter(item, name, place, required))
        if kept:
            aside[key] = kept
    if aside:
        own[ASIDE] = aside
    parameters += _implied(spot, seen)
    found: dict[str, Json] = {"parameters": parameters} if parameters else {}
    if fields:
        schema = {"type": "object", "properties": fields} | ({"required": needed} if needed else {})
        found["requestBody"] = {"required": bool(needed), "content": {"application/json": {"schema": schema}}}
    return found


def _place(item: dict[str, Json], spot: Spot) -> str:
    usual = usual_place(str(item["name"]), spot.method, spot.path)
    given = item.get("in")
    return str(given) if given in PLACES and usual != "path" else usual


def _split(item: dict[str, Json]) -> tuple[dict[str, Json], str, dict[str, Json]]:
    schema, description, rest = parts_of(item)
    if rest.get("in") in (*PLACES, "path"):
        del rest["in"]
    return schema, description, rest


def _parameter(item: dict[str, Json], name: str, place: str, required: bool) -> dict[str, Json]:
    schema, description, rest = _split(item)
    own: dict[str, Json] = {"optional": True} if place == "path" and not required else {}
    styles = {key: rest.pop(key) for key in STYLES if isinstance(rest.get(key), STYLES[key]) and place == "query"}
    told: dict[str, Json] = {"name": name, "in": place, "required": required or place == "path"}
    told |= {"description": description} if description else {}
    return told | styles | {"schema": schema} | ({EXTRA: own | kept(rest)} if own or rest else {})


def _field(item: dict[str, Json]) -> dict[str, Json]:
    schema, description, rest = _split(item)
    return schema | ({"description": description} if description else {}) | ({EXTRA: kept(rest)} if rest else {})


def _implied(spot: Spot, seen: set[tuple[str, str]]) -> list[Json]:
    """Parameters that the path has in its braces, or the URL in its query, and the record does not list."""
    told: list[tuple[str, str, dict[str, Json]]] = [("path", name, {"type": "string"}) for name in braced(spot.path)]
    told += [("query", name, {"type": "string", "enum": [value]}) for name, value in spot.fixed]
    return [
        {"name": name, "in": place, "required": True, "schema": schema, EXTRA: {IMPLIED: True}}
        for place, name, schema in told
        if (place, name) not in seen
    ]


def _content(rest: dict[str, Json], own: dict[str, Json]) -> dict[str, Json]:
    """The response's content by its sketch, which is taken out of the record where the schema says all of it."""
    key = "template_response" if rest.get("template_response") is not None else "schema"
    raw = rest.get(key)
    if isinstance(raw, dict) and raw.get("type") in ("object", "array") and raw.keys() & {"properties", "items"}:
        schema = fitted(raw, NOWHERE)
        schema = schema if isinstance(schema, dict) else None
        whole = schema is not None and same(restored(schema, NOWHERE), raw)
        own |= {FORM: "schema"} if whole and key == "schema" else {}
    else:
        schema = schema_of(raw)
        whole = schema is not None and same(sketch_of(schema), raw)
        own |= {FORM: "sketch"} if schema is not None and key == "schema" else {}
    if schema is None:
        return {}
    if whole:
        del rest[key]
    return {"content": {"application/json": {"schema": schema}}}
