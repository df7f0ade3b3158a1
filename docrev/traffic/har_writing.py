"""Evidence as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/): what browsers, proxies and testers read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from importlib.metadata import version
from urllib.parse import parse_qsl

from docrev.calls.media import CONTENT_TYPE
from docrev.calls.path_texts import plain
from docrev.json_values.canonical import compact
from docrev.language.urls import split_url
from docrev.records import Call, Json

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""Evidence has no clock: calls stand a second apart, in their order."""


def har(calls: Iterable[Call]) -> dict[str, Json]:
    """The calls that got a response, as the log of a HAR; bodies as they were kept, without what was masked."""
    answered = (call for call in calls if call.status is not None and call.url)
    entries = [_entry(call, number) for number, call in enumerate(answered)]
    creator = {"name": "docrev", "version": version("docrev")}
    return {"log": {"version": "1.2", "creator": creator, "entries": entries}}


def _entry(call: Call, number: int) -> dict[str, Json]:
    return {
        "startedDateTime": (_BEGINNING + timedelta(seconds=number)).isoformat(),
        "time": 0,
        "request": _request(call),
        "response": _response(call),
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
    }


def _request(call: Call) -> dict[str, Json]:
    given = {place.removeprefix("header:"): value for place, value in call.arguments.items() if place[:7] == "header:"}
    headers = {name: plain(value) for name, value in given.items() if value is not None}
    request: dict[str, Json] = {
        "method": call.key.method,
        "url": call.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "queryString": _pairs(parse_qsl(split_url(call.url).query, keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": -1,
    }
    if "body:" in call.arguments:
        headers.setdefault(CONTENT_TYPE.removeprefix("header:"), "application/json")
        body = call.arguments["body:"]
        text = body if isinstance(body, str) else compact(body)
        request["postData"] = {"mimeType": headers["content-type"], "text": text}
    return request | {"headers": _pairs(headers.items())}


def _response(call: Call) -> dict[str, Json]:
    assert call.status is not None
    content: dict[str, Json] = {"size": call.size, "mimeType": call.media_type}
    if call.body is not None or call.media_type == "application/json":
        content["text"] = call.body if isinstance(call.body, str) else json.dumps(call.body, ensure_ascii=False)
    if call.sampled:
        content["comment"] = "only the first items of its lists were kept"
    return {
        "status": call.status,
        "statusText": HTTPStatus(call.status).phrase if call.status in HTTPStatus.__members__.values() else "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(call.headers.items()),
        "content": content,
        "redirectURL": call.headers.get("location", ""),
        "headersSize": -1,
        "bodySize": -1,
    }


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in pairs]
