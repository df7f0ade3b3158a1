"""Calls as they are kept: what was asked and what came back, bounded, and redacted before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docrev.calls import body as bodies
from docrev.calls.http import Reply
from docrev.calls.limits import Limits
from docrev.calls.redact import Redactor
from docrev.calls.redirects import ended_at
from docrev.calls.request import Request
from docrev.conventions.statuses import is_success
from docrev.json_values.canonical import digest
from docrev.json_values.sampling import MAX_TEXT, cut_texts
from docrev.language.media_types import essence
from docrev.prompts.steps import Invoke
from docrev.records import Call, OperationKey

if TYPE_CHECKING:
    from docrev.spec.catalog import Catalog

_MAX_DETAIL, _MAX_HEADER = 200, 2000


class Recorder:
    """Makes the calls of one run from requests and replies."""

    def __init__(self, catalog: Catalog, limits: Limits, redactor: Redactor) -> None:
        self._catalog, self._limits, self._redactor = catalog, limits, redactor
        self._promises: dict[OperationKey, bool] = {}

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
        invoke, redactor, media_type = request.invoke, self._redactor, _media_type(reply)
        read = self._read(reply, invoke.key, incoming)
        reply.headers.pop("date", None)
        body = redactor.body(read.value, read.text) if read.text else None
        if len(read.text) > MAX_TEXT:
            # Cut after redaction: half a secret is still one.
            body = cut_texts(body)
        return Call(
            id=id,
            key=invoke.key,
            arguments=redactor.without_credentials(dict(invoke.arguments)),
            url=redactor.text(request.url),
            status=reply.status,
            headers={name: _cut(value) for name, value in redactor.headers(reply.headers).items()},
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

    def _read(self, reply: Reply, key: OperationKey, incoming: Callable[[str], str]) -> bodies.ResponseBody:
        """What a reply contains, with what went wrong: on the wire, in its content, or by what is documented."""
        if reply.error is not None:
            return bodies.ResponseBody(error=reply.error, detail=reply.detail)
        kind = reply.headers.get("content-type", "")
        read = bodies.read(reply.content, kind, self._limits, incoming)
        read.detail = reply.detail or read.detail
        is_page = read.error is None and isinstance(read.value, str) and _media_type(reply) == bodies.PAGE
        if is_page and self._promises_json(key):
            read.error, read.detail = bodies.NOT_JSON, "a page where the documentation says JSON"
        elif read.error == bodies.NOT_JSON and not is_success(reply.status):
            # An error page called JSON is still that error, as its status says.
            read.error = None
        return read

    def _promises_json(self, key: OperationKey) -> bool:
        if key not in self._promises:
            success = self._catalog[key].success
            self._promises[key] = success is not None and "json" in success.media_type
        return self._promises[key]


def _media_type(reply: Reply) -> str:
    return essence(reply.headers.get("content-type", ""))


def _cut(value: str) -> str:
    """The value of a header, on one line and of a bounded length: after redaction, as half a secret is still one."""
    cut = value[:_MAX_HEADER]
    return cut if cut.isprintable() else "".join(char if char.isprintable() else " " for char in cut)
