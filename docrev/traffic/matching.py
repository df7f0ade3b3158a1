"""From an exchange to a call of a catalog's operation: which operation it is, with which arguments, redacted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode

from docrev.calls import body as bodies
from docrev.calls.bases import given_bases, origin, parse_base
from docrev.calls.limits import Limits
from docrev.calls.media import CONTENT_TYPE
from docrev.calls.redact import MASK, Redactor, secret_name
from docrev.calls.routes import Routes
from docrev.errors import UsageError
from docrev.grouping import grouped
from docrev.json_values.canonical import digest
from docrev.json_values.containers import mapping
from docrev.json_values.sampling import cut_texts, sampled
from docrev.language.media_types import essence
from docrev.language.urls import split_url
from docrev.records import Call, Json
from docrev.spec.operation import FORM
from docrev.spec.security import security_schemes
from docrev.traffic.exchange import Exchange

if TYPE_CHECKING:
    from docrev.spec.catalog import Catalog
    from docrev.spec.operation import Operation, Parameter

_MAX_HEADER = 2000
_MAX_URL = 10_000
_MOST_SECRETS = 10_000
_SHORTEST_SECRET = 8
"""Characters of a secret that is looked for wherever it may stand; a shorter one would be found in what is none."""
_CREDENTIALS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token"})
_SCHEME = re.compile(r"[A-Za-z]+ +(.+)")
_DEEP = re.compile(r"([^\[\]]+)\[([^\[\]]*)\]")


def secrets_of(exchanges: Iterable[Exchange], catalog: Catalog) -> list[str]:
    """What is secret in traffic and may be repeated elsewhere in it: credentials, cookies, values of such names."""
    keys = {scheme.parameter.lower() for scheme in security_schemes(catalog) if scheme.parameter}
    found: dict[str, None] = {}
    for exchange in exchanges:
        for name, value in _secrets_in(exchange, keys):
            parts = re.split(r"[;=,] *", value) if name.endswith("cookie") else [value]
            bare = _SCHEME.fullmatch(value)
            parts += [bare[1]] if bare else []
            found |= dict.fromkeys(part for part in parts if len(part) >= _SHORTEST_SECRET)
        if len(found) >= _MOST_SECRETS:
            break
    return list(found)[:_MOST_SECRETS]


def _secrets_in(exchange: Exchange, keys: set[str]) -> Iterable[tuple[str, str]]:
    for headers in (exchange.request_headers, exchange.headers):
        for name, value in headers.items():
            if name in _CREDENTIALS or name == "set-cookie" or name in keys or secret_name(name.removeprefix("x-")):
                yield name, value
    for name, value in parse_qsl(split_url(exchange.url).query):
        if name.lower() in keys or secret_name(name):
            yield name, value


class Matcher:
    """Matches exchanges to the operations of a catalog. `base_urls` are as for `docrev explore`, and may be none.

    A tool without a base URL lives at its spec's servers; if the spec names none, at any host.
    """

    def __init__(self, catalog: Catalog, base_urls: Sequence[str], redactor: Redactor) -> None:
        self.catalog, self._redactor, self._limits = catalog, redactor, Limits(max_size=2**63)
        self._routes = Routes(catalog.operations)
        named, common = given_bases(catalog.tools, base_urls)
        chosen = {tool: named.get(tool, common) for tool in catalog.tools}
        self._places = {
            tool: [_place(url)] if url else [_place(server) for server in catalog.servers.get(tool, ())] or [("", "")]
            for tool, url in chosen.items()
        }

    def call(self, exchange: Exchange) -> Call | None:
        """The call that an exchange is; None if it is of no operation of the catalog."""
        found = self._resolved(exchange)
        if found is None:
            return None
        operation, arguments = found
        redactor = self._redactor
        kind = exchange.headers.get("content-type", "")
        read = bodies.read(exchange.body, kind, self._limits) if exchange.body else bodies.ResponseBody()
        value = cut_texts(redactor.body(read.value, read.text)) if read.text else None
        call = Call(
            id="",
            key=operation.key,
            arguments=mapping(cut_texts(redactor.value(arguments))),
            url=self._public_url(exchange.url),
            status=exchange.status,
            headers=_headers(redactor.headers(exchange.headers)),
            body=value,
            media_type=redactor.text(essence(kind))[:100],
            purpose="observed",
            error=None if read.error == "not-json" and exchange.status >= 400 else read.error,
            detail=redactor.text(read.detail)[:200],
            size=len(exchange.body or b""),
            sampled=read.sampled or exchange.body is None,
        )
        return identified(call)

    def _public_url(self, url: str) -> str:
        """A URL without secrets: neither userinfo nor fragment, nor the values of arguments that are named as such."""
        parts = split_url(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        query = urlencode([(name, MASK if secret_name(name) else value) for name, value in pairs])
        bare = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" + (f"?{query}" if query else "")
        return self._redactor.text(bare)[:_MAX_URL]

    def _resolved(self, exchange: Exchange) -> tuple[Operation, dict[str, Json]] | None:
        parts = split_url(exchange.url)
        try:
            there = origin(parts.scheme, parts.hostname or "", parts.port)
        except ValueError:
            return None
        for tool, places in self._places.items():
            for host, prefix in places:
                inside = parts.path.startswith(prefix) and parts.path[len(prefix) :][:1] in ("/", "")
                if host not in ("", there) or not inside:
                    continue
                found = self._routes.resolve(tool, exchange.method, parts.path[len(prefix) :] or "/")
                if found is not None:
                    return found[0], self._arguments(found[0], found[1], parts.query, exchange)
        return None

    def _arguments(
        self, operation: Operation, of_path: Mapping[str, object], query: str, exchange: Exchange
    ) -> dict[str, Json]:
        declared = {parameter.key: parameter for parameter in operation.parameters}
        arguments = {place: _typed(value, declared.get(place)) for place, value in of_path.items()}
        arguments |= _queried(query, declared)
        for place, parameter in declared.items():
            value = exchange.request_headers.get(parameter.name.lower())
            if parameter.location == "header" and value is not None:
                arguments[place] = value
        if exchange.request_body:
            kind = essence(exchange.request_headers.get("content-type", ""))
            arguments["body:"] = _sent(exchange.request_body, kind)
            expected = operation.body.media_type if operation.body else "application/json"
            if kind and kind != expected:
                arguments[CONTENT_TYPE] = kind
        return arguments


def identified(call: Call) -> Call:
    """A call that was watched, with the id that says what was asked and returned: the same twice is one."""
    identity = [call.key, call.arguments, call.status, call.body, call.media_type, call.error]
    return replace(call, id=digest(identity, 10), purpose="observed", scenario=None)


def _place(url: str) -> tuple[str, str]:
    """(origin, prefix) of a base URL; of a relative one, the prefix alone."""
    if "://" not in url:
        return "", split_url(url).path.rstrip("/")
    try:
        base = parse_base(url)
    except UsageError:
        return "", ""
    return base.origin, base.prefix


def _queried(query: str, declared: Mapping[str, Parameter]) -> dict[str, Json]:
    """Query arguments by location: repeated names are lists, `name[key]` of a declared object is one."""
    values = grouped((name, value) for name, value in parse_qsl(query, keep_blank_values=True))
    found: dict[str, Json] = {}
    for name, texts in values.items():
        place = f"query:{name}"
        parameter, deep = declared.get(place), _DEEP.fullmatch(name)
        if parameter is None and deep and (whole := declared.get(f"query:{deep[1]}")) and whole.schema.type == "object":
            found.setdefault(f"query:{deep[1]}", {})[deep[2]] = texts[-1]
        elif len(texts) > 1:
            found[place] = list(texts)
        elif parameter is not None and parameter.schema.type == "array":
            found[place] = texts if parameter.explode else texts[0].split(",")
        else:
            found[place] = _typed(texts[0], parameter)
    return found


def _typed(text: Json, parameter: Parameter | None) -> Json:
    """An argument as the type that the spec declares, if it reads as that; in a URL everything is text."""
    kind = parameter.schema.type if parameter is not None else ""
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind == "integer" and re.fullmatch(r"-?(0|[1-9]\d{0,17})", str(text)):
        return int(text)
    if kind == "number" and re.fullmatch(r"-?(0|[1-9]\d{0,14})\.\d{0,14}[1-9]", str(text)):
        return float(text)
    return text


def _sent(text: str, kind: str) -> Json:
    """A request body as a value: JSON and forms taken apart."""
    if kind == FORM:
        return {unquote(name): value for name, value in parse_qsl(text, keep_blank_values=True)}
    if "json" in kind or text.lstrip()[:1] in ("{", "["):
        try:
            return sampled(json.loads(text, parse_constant=lambda name: None))[0]
        except (ValueError, RecursionError):
            return text
    return text


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Response headers, on one line each and of a bounded length, without the moment."""
    plain = {
        name: "".join(c if c.isprintable() else " " for c in value[:_MAX_HEADER]) for name, value in headers.items()
    }
    return {name: value for name, value in plain.items() if name not in ("date", "age") and not name.startswith(":")}
