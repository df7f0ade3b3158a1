"""Requests that a request carries in its body (`POST /batch`): found, and resolved against the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.effects import is_batch
from docrev.calls.routes import Routes
from docrev.json_values.containers import mapping
from docrev.language.urls import split_url
from docrev.records import Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_PATHS = ("path", "url", "uri", "href", "relative_url", "relativeUrl", "endpoint")
_METHODS = ("method", "httpMethod", "http_method", "verb")
_VERBS = frozenset(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"])
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Carried:
    """One carried request. `operation` is None if the catalog knows none of this method and path."""

    method: str
    target: str
    headers: Mapping[str, Json]
    operation: Operation | None
    arguments: dict[str, Json]


def carried(operation: Operation, body: object, routes: Routes, *, origin: str, prefix: str) -> list[Carried] | None:
    """The requests in a body; None if an operation named as a batch carries something that cannot be read."""
    named = is_batch(operation)
    found = _entries(body, {}, named, _DEPTH)
    if named and not found and _objects(body):
        return None
    return [_resolve(entry, operation.tool, routes, origin, prefix) for entry in found]


def answers(requests: list[Carried], call: Call) -> list[CreationAnswer]:
    """What became of carried requests, by their place in the list: an object with a status for each."""
    lists = [v for v in (call.body.values() if isinstance(call.body, dict) else [call.body]) if isinstance(v, list)]
    results = next((found for found in lists if len(found) == len(requests)), [])
    return [
        CreationAnswer(
            request.operation, request.arguments, call.id, result["status"], _headers(result), result.get("body")
        )
        for request, result in zip(requests, results, strict=False)
        if request.operation is not None and isinstance(result, dict) and isinstance(result.get("status"), int)
    ]


def _headers(result: dict[str, object]) -> dict[str, str]:
    found = result.get("headers")
    return {str(n).lower(): str(v) for n, v in mapping(found).items()}


def _entries(value: object, defaults: dict[str, object], named: bool, depth: int) -> list[dict[str, Json]]:
    """The objects in a body that are requests, with the defaults that stand beside their list."""
    if not depth:
        return []
    if isinstance(value, list):
        return [entry for item in value for entry in _entries(item, defaults, named, depth - 1)]
    if not isinstance(value, dict):
        return []
    if _is_request(value, defaults, named):
        return [{**defaults, **value}]
    return [entry for item, given in _parts(value) for entry in _entries(item, given, named, depth - 1)]


def _parts(body: dict[str, Json]) -> list[tuple[Json, dict[str, Json]]]:
    """The members of a body, each list with the defaults that stand beside it."""
    beside = body["defaults"] if isinstance(body.get("defaults"), dict) else {}
    return [(item, beside if isinstance(item, list) else {}) for name, item in body.items() if name != "defaults"]


def _is_request(value: dict[str, object], defaults: dict[str, object], named: bool) -> bool:
    """Whether an object states where a request goes; in a body that is `named` a batch, a path is enough."""
    if _first(value, _PATHS) is None and _first(value, _METHODS) is None:
        return False
    merged = {**defaults, **value}
    method = _first(merged, _METHODS)
    known = isinstance(method, str) and method.upper() in _VERBS
    return isinstance(_first(merged, _PATHS), str) and (known or (named and method is None))


def _first(entry: dict[str, object], names: tuple[str, ...]) -> Json:
    return next((entry[name] for name in names if name in entry), None)


def _objects(body: object) -> bool:
    """Whether there is anything in a body that may be a request: an object in a list, or a text."""
    if isinstance(body, dict):
        return any(_objects(value) for name, value in body.items() if name != "defaults")
    return isinstance(body, str) or (isinstance(body, list) and bool(body))


def _path_below(target: str, origin: str, prefix: str) -> str | None:
    """The path below the base URL that a carried request goes to; None if it goes to another server."""
    path = target.removeprefix(origin) if target.startswith(origin + "/") else target
    if not path.startswith("/") or path.startswith("//") or split_url(path).netloc:
        return None
    # With or without the base URL's own path: what a server takes differs, what it means does not.
    return path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path


def _resolve(entry: dict[str, Json], tool: str, routes: Routes, origin: str, prefix: str) -> Carried:
    """A carried request with the operation that it goes to."""
    method, target = str(_first(entry, _METHODS) or "GET").upper(), str(_first(entry, _PATHS) or "")
    headers = entry["headers"] if isinstance(entry.get("headers"), dict) else {}
    path = _path_below(target, origin, prefix)
    found = routes.resolve(tool, method, path) if path is not None else None
    if found is None:
        return Carried(method, target, headers, None, {})
    arguments = dict(found[1]) | {f"header:{name}": value for name, value in headers.items()}
    body = {"body:": entry["body"]} if "body" in entry else {}
    return Carried(method, target, headers, found[0], arguments | body)
