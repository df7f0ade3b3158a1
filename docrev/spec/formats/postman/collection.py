"""What a Postman collection (v2.0, v2.1) holds: requests in folders, and saved examples of their responses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from docrev.json_values.containers import mapping, sequence
from docrev.records import Json
from docrev.spec.meaning import string
from docrev.spec.operation import FORM

_VARIABLE = re.compile(r"\{\{([^{}]+)\}\}")
_PATH_VARIABLE = re.compile(r"(?<=/):([A-Za-z_][\w-]*)(?=[/?#]|$)")
_MOST_FOLDERS = 40
"""Folders in folders that are followed."""
_MOST_ROUNDS = 5
"""Variables may name variables."""


@dataclass(frozen=True, slots=True)
class PostmanRequest:
    """A request of a collection: `record` is as it stands there, `url` has its variables filled in where known."""

    method: str
    url: str
    headers: dict[str, str]
    body: str
    record: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Example:
    """A saved example: the request that was sent, and its response."""

    name: str
    request: PostmanRequest
    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a collection with a request, the names of the folders that it lies in, and how it says who asks."""

    name: str
    folders: tuple[str, ...]
    request: PostmanRequest
    record: dict[str, Json] = field(repr=False)
    variables: Mapping[str, str] = field(repr=False)
    auth: Mapping[str, object] = field(repr=False)


def is_collection(tree: Mapping[str, object]) -> bool:
    """Whether a JSON object is a Postman collection."""
    return isinstance(tree.get("info"), dict) and isinstance(tree.get("item"), list)


def items(tree: Mapping[str, object]) -> Iterator[Item]:
    """All requests of a collection, in its order."""
    variables = _variables(tree.get("variable"))
    stack: list[tuple[Json, tuple[str, ...], Mapping[str, object]]] = [
        (entry, (), mapping(tree.get("auth"))) for entry in reversed(sequence(tree.get("item")))
    ]
    while stack:
        entry, folders, above = stack.pop()
        record = mapping(entry)
        auth = mapping(mapping(record.get("request")).get("auth")) or mapping(record.get("auth")) or above
        if isinstance(record.get("item"), list) and len(folders) < _MOST_FOLDERS:
            inside = (*folders, string(record.get("name")))
            stack += [(inner, inside, auth) for inner in reversed(record["item"])]
        elif "request" in record:
            name = string(record.get("name"))
            yield Item(name, folders, _request(record["request"], variables), record, variables, auth)


def examples(tree: Mapping[str, object]) -> Iterator[Example]:
    """All saved examples of a collection that have a status."""
    for item in items(tree):
        for entry in sequence(item.record.get("response")):
            response = mapping(entry)
            status = response.get("code")
            if type(status) is int and 100 <= status <= 599:
                original = response.get("originalRequest", item.request.record)
                request = _request(original, item.variables)
                headers = _headers(response.get("header"))
                yield Example(string(response.get("name")), request, status, headers, string(response.get("body")))


def _request(record: object, variables: Mapping[str, str]) -> PostmanRequest:
    request = {"url": record} if isinstance(record, str) else mapping(record)
    method = string(request.get("method")).upper() or "GET"
    headers = {name: filled(value, variables) for name, value in _headers(request.get("header")).items()}
    body, kind = _body(mapping(request.get("body")), variables)
    if kind:
        headers.setdefault("content-type", kind)
    return PostmanRequest(method, _url(request.get("url"), variables), headers, body, request)


def _url(url: object, variables: Mapping[str, str]) -> str:
    parts = mapping(url)
    raw = url if isinstance(url, str) else string(parts.get("raw"))
    given = _variables(parts.get("variable"))
    text = _PATH_VARIABLE.sub(lambda found: given.get(found[1]) or found[0], filled(raw, variables))
    return filled(text, variables)


def _variables(listed: object) -> dict[str, str]:
    """Variables by name; those without a value are left out."""
    found: dict[str, str] = {}
    for entry in map(mapping, sequence(listed)):
        name, value = entry.get("key", entry.get("id")), entry.get("value")
        if isinstance(name, str) and isinstance(value, str | int | float) and value != "":
            found[name] = str(value)
    return found


def filled(text: str, variables: Mapping[str, str]) -> str:
    """A text with the values of variables; those without a value stand as they are."""
    for _ in range(_MOST_ROUNDS):
        new = _VARIABLE.sub(lambda found: variables.get(found[1].strip(), found[0])[:2000], text)
        if new == text or len(new) > 100_000:
            break
        text = new
    return text


def _headers(listed: object) -> dict[str, str]:
    entries = (mapping(entry) for entry in sequence(listed))
    return {
        string(entry.get("key")).lower(): string(entry.get("value"))
        for entry in entries
        if entry.get("key") and not entry.get("disabled")
    }


def _body(body: dict[str, object], variables: Mapping[str, str]) -> tuple[str, str]:
    """A request body as text, and its media type; ("", "") for what is no text."""
    mode = body.get("mode")
    if mode == "raw":
        language = mapping(mapping(body.get("options")).get("raw")).get("language")
        return filled(string(body.get("raw")), variables), "application/json" if language == "json" else ""
    if mode == "urlencoded":
        pairs = [
            (string(entry.get("key")), filled(string(entry.get("value")), variables))
            for entry in map(mapping, sequence(body.get("urlencoded")))
            if not entry.get("disabled")
        ]
        return urlencode(pairs), FORM
    return "", ""
