"""Calls as they are kept: what was asked and what came back, bounded, and redacted before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from docrev.calls import body as bodies
from docrev.calls.http import Reply
from docrev.calls.limits import Limits
from docrev.calls.redact import Redactor
from docrev.calls.redirects import ended_at
from docrev.calls.request import Request
from docrev.conventions.statuses import is_success
from docrev.json_values.canonical import canonical, digest
from docrev.json_values.sampling import MAX_TEXT, cut_texts
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.catalog import Catalog

_MAX_DETAIL, _MAX_HEADER = 200, 2000
_MOST_ALIKE, _LARGEST_ALIKE = 256, 16_384
"""How many responses, of up to so many bytes, are remembered: most are the same as one before."""


class Recorder:
    """Makes the calls of one run from requests and replies.

    Most replies are the same as one before: what they contain is read and redacted once, and is one object then.
    """

    def __init__(self, catalog: Catalog, limits: Limits, redactor: Redactor) -> None:
        self._catalog, self._limits, self._redactor = catalog, limits, redactor
        self._promises: dict[OperationKey, bool] = {}
        self._body_again = lru_cache(_MOST_ALIKE)(self._body)
        self._headers_again = lru_cache(_MOST_ALIKE)(self._headers)
        self._recent: dict[tuple[OperationKey, str, str], Call] = {}

    def denied(self, invoke: Invoke, reason: str, *, error: str = "denied") -> Call:
        """A call that is not made, for `reason`."""
        arguments = self._redactor.without_credentials(dict(invoke.arguments))
        return Call(
            id=digest([invoke.key, arguments, invoke.repeat, error], 10),
            key=invoke.key,
            arguments=arguments,
            url="",
            status=None,
            headers={},
            body=None,
            media_type="",
            purpose=invoke.purpose,
            scenario=invoke.scenario,
            error=error,
            detail=self._redactor.text(reason),
        )

    def record(self, request: Request, id: str, reply: Reply, url: str, incoming: Callable[[str], str]) -> Call:
        """What is kept of a request and its reply, which came from `url`; `incoming` translates what it contains."""
        invoke, redactor, media_type = request.invoke, self._redactor, reply.media_type
        read, body = self._read(reply, invoke.key, incoming)
        reply.headers.pop("date", None)
        call = Call(
            id=id,
            key=invoke.key,
            arguments=redactor.without_credentials(dict(invoke.arguments)),
            url=redactor.text(request.url),
            status=reply.status,
            headers=self._headers_again(tuple(reply.headers.items()), redactor.learned),
            body=body,
            media_type=redactor.text(media_type)[:_MAX_DETAIL],
            purpose=invoke.purpose,
            scenario=invoke.scenario,
            error=read.error,
            detail=redactor.text(read.detail)[:_MAX_DETAIL],
            size=reply.size,
            sampled=read.sampled,
            redirected=redactor.text(ended_at(request.url, url)),
        )
        if reply.size <= _LARGEST_ALIKE:
            self._share(call)
        return call

    def _share(self, call: Call) -> None:
        """Let a call have its readings together with the latest of the same request, if that was answered alike."""
        place = call.key, call.url, canonical(call.arguments)
        earlier = self._recent.get(place)
        if earlier is not None and _is_alike(call, earlier):
            call.share_readings(earlier)
            return
        if len(self._recent) >= _MOST_ALIKE:
            self._recent.clear()
        self._recent[place] = call

    def _read(
        self, reply: Reply, key: OperationKey, incoming: Callable[[str], str]
    ) -> tuple[bodies.ResponseBody, Json]:
        """What a reply contains, with what went wrong: on the wire, in its content, or by what is documented; and the
        body that is kept of it."""
        if reply.error is not None:
            return bodies.ResponseBody(error=reply.error, detail=reply.detail), None
        kind = reply.headers.get("content-type", "")
        again = self._body_again if len(reply.content) <= _LARGEST_ALIKE else self._body
        found, body = again(reply.content, kind, incoming, self._redactor.learned)
        read = replace(found, detail=reply.detail or found.detail)
        is_page = read.error is None and isinstance(read.value, str) and reply.media_type == bodies.PAGE
        if is_page and self._promises_json(key):
            read.error, read.detail = bodies.NOT_JSON, "a page where the documentation says JSON"
        elif read.error == bodies.NOT_JSON and not is_success(reply.status):
            # An error page called JSON is still that error, as its status says.
            read.error = None
        return read, body

    def _body(
        self, content: bytes, kind: str, incoming: Callable[[str], str], learned: int
    ) -> tuple[bodies.ResponseBody, Json]:
        """What a content is read as, and what is kept of it by a redactor that has learned so many secrets."""
        read = bodies.read(content, kind, self._limits, incoming)
        body = self._redactor.body(read.value, read.text) if read.text else None
        # Cut after redaction: half a secret is still one.
        return read, cut_texts(body) if len(read.text) > MAX_TEXT else body

    def _headers(self, headers: tuple[tuple[str, str], ...], learned: int) -> dict[str, str]:
        return {name: _cut(value) for name, value in self._redactor.headers(dict(headers)).items()}

    def _promises_json(self, key: OperationKey) -> bool:
        if key not in self._promises:
            success = self._catalog[key].success
            self._promises[key] = success is not None and "json" in success.media_type
        return self._promises[key]


def _is_alike(call: Call, earlier: Call) -> bool:
    """Whether the answer to a request is all that an earlier one to the same request was."""
    same = call.body is earlier.body and call.headers is earlier.headers and call.status == earlier.status
    how = (call.error, call.detail, call.size, call.sampled, call.redirected, call.media_type)
    then = (earlier.error, earlier.detail, earlier.size, earlier.sampled, earlier.redirected, earlier.media_type)
    return same and how == then


def _cut(value: str) -> str:
    """The value of a header, on one line and of a bounded length: after redaction, as half a secret is still one."""
    cut = value[:_MAX_HEADER]
    return cut if cut.isprintable() else "".join(char if char.isprintable() else " " for char in cut)
