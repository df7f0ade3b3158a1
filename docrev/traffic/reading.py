"""Records of traffic: HAR 1.2, JSON lines, and the saved examples of Postman collections."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from docrev.errors import InputError
from docrev.json_values.containers import mapping, sequence
from docrev.json_values.surrogates import without_surrogates
from docrev.language.characters import one_line
from docrev.records import Json
from docrev.spec.formats.postman.collection import Example, examples, is_collection
from docrev.spec.meaning import string
from docrev.storage.reading import read_text
from docrev.traffic import json_stream
from docrev.traffic.exchange import Exchange

MAX_RECORD = 512 * 2**20
"""The largest record that is read, in bytes."""
_HAR = re.compile(r'\s*\{\s*"log"\s*:')
_FIX = "give HAR 1.2, JSON lines of requests and responses, or a Postman collection"

Warn = Callable[[str], None]


def read_traffic(path: Path, warn: Warn) -> Iterator[Exchange]:
    """The exchanges in a record, in its order; what cannot be used is left out, and `warn` says why.

    Raises InputError, one line, if the file is missing, unreadable, too large, or no record of traffic.
    """
    text = _text(path)
    if _HAR.match(text):
        found = _of_har(text, str(path), warn)
    elif (tree := _collection(text)) is not None:
        found = _of_collection(examples(tree), str(path))
    else:
        found = _of_lines(text, str(path), warn)
    return map(_writable, found) if "\\ud" in text.lower() else found


def _writable(exchange: Exchange) -> Exchange:
    """An exchange without halves of surrogate pairs, which JSON can name and nobody can write."""
    return replace(
        exchange,
        method=str(without_surrogates(exchange.method)),
        url=str(without_surrogates(exchange.url)),
        request_headers=mapping(without_surrogates(exchange.request_headers)),
        request_body=str(without_surrogates(exchange.request_body)),
        headers=mapping(without_surrogates(exchange.headers)),
    )


def _text(path: Path) -> str:
    text = read_text(path, most=MAX_RECORD, fix=_FIX)
    if not text.strip():
        raise InputError("the file is empty", where=str(path), fix=_FIX)
    return text


def _collection(text: str) -> dict[str, Json] | None:
    """The Postman collection that a text is; None if it is something else."""
    if not text.lstrip().startswith("{") or len(text) > json_stream.MAX_ITEM:
        return None
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) and is_collection(tree) else None


# HAR


def _of_har(text: str, name: str, warn: Warn) -> Iterator[Exchange]:
    number = 0
    try:
        for entry in json_stream.items(text, json_stream.array_at(text, "log", "entries")):
            number += 1
            where = f"{name}: entry {number}"
            if (exchange := _of_entry(entry, where)) is not None:
                yield exchange
            else:
                warn(f"{where}: no request with a response: left out")
    except json_stream.BrokenJson as error:
        line = text.count("\n", 0, error.position) + 1
        if not number:
            raise InputError(f"no HAR: {error}", where=f"{name}:{line}", fix=_FIX) from None
        warn(f"{name}:{line}: {error}: what follows entry {number} is left out")


def _of_entry(entry: object, where: str) -> Exchange | None:
    """An entry of a HAR. None if it has no request, or no response (status 0)."""
    record = mapping(entry)
    request, response = mapping(record.get("request")), mapping(record.get("response"))
    status, content = response.get("status"), mapping(response.get("content"))
    method, url = string(request.get("method")).upper(), string(request.get("url"))
    if type(status) is not int or not 100 <= status <= 599 or not method or not url:
        return None
    headers = _headers(response.get("headers"))
    headers.setdefault("content-type", string(content.get("mimeType")))
    posted = mapping(request.get("postData"))
    sent = _headers(request.get("headers"))
    if posted:
        sent.setdefault("content-type", string(posted.get("mimeType")))
    return Exchange(method, url, status, sent, _posted(posted), headers, _content(content), where)


def _headers(listed: object) -> dict[str, str]:
    pairs = ((mapping(item).get("name"), mapping(item).get("value")) for item in sequence(listed))
    return {name.lower(): value for name, value in pairs if isinstance(name, str) and isinstance(value, str)}


def _posted(posted: dict[str, object]) -> str:
    if isinstance(posted.get("text"), str):
        return string(posted["text"])
    pairs = [(mapping(one).get("name"), mapping(one).get("value")) for one in sequence(posted.get("params"))]
    return urlencode([(name, value) for name, value in pairs if isinstance(name, str) and isinstance(value, str)])


def _content(content: dict[str, object]) -> bytes | None:
    text = content.get("text")
    if not isinstance(text, str):
        return None if content.get("size") else b""
    if content.get("encoding") != "base64":
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return None


# JSON lines


def _of_lines(text: str, name: str, warn: Warn) -> Iterator[Exchange]:
    """A line each: an entry of a HAR, or {method, url, status, request_headers, request_body, headers, body}."""
    used = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        exchange = _of_line(line, where) if len(line) <= json_stream.MAX_ITEM else None
        if exchange is not None:
            used += 1
            yield exchange
        elif not used:
            raise InputError("no record of a request and its response", where=where, fix=_FIX)
        else:
            warn(f"{where}: no request with a response: left out")


def _of_line(line: str, where: str) -> Exchange | None:
    try:
        record = mapping(json.loads(line))
    except (ValueError, RecursionError):
        return None
    if "request" in record:
        return _of_entry(record, where)
    status, method, url = record.get("status"), string(record.get("method")).upper(), string(record.get("url"))
    if type(status) is not int or not 100 <= status <= 599 or not method or not url:
        return None
    body = record.get("body")
    headers, sent = _plain_headers(record.get("headers")), _plain_headers(record.get("request_headers"))
    content, posted = _as_text(body), _as_text(record.get("request_body"))
    if body is not None and not isinstance(body, str):
        headers.setdefault("content-type", "application/json")
    if not isinstance(record.get("request_body"), str | None):
        sent.setdefault("content-type", "application/json")
    return Exchange(method, url, status, sent, posted, headers, content.encode("utf-8", "replace"), where)


def _plain_headers(headers: object) -> dict[str, str]:
    return {name.lower(): value for name, value in mapping(headers).items() if isinstance(value, str)}


def _as_text(body: object) -> str:
    return body if isinstance(body, str) else "" if body is None else json.dumps(body, ensure_ascii=False)


# Postman


def _of_collection(found: Iterable[Example], name: str) -> Iterator[Exchange]:
    for number, example in enumerate(found, 1):
        body = example.body.encode("utf-8", "replace")
        where = f"{name}: {one_line(example.name, 60) or f'example {number}'}"
        yield Exchange(
            example.request.method,
            example.request.url,
            example.status,
            example.request.headers,
            example.request.body,
            example.headers,
            body,
            where,
        )
