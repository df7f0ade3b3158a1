"""From an operation and its arguments to the request on the wire (OpenAPI 3.1 §4.8.12: style and explode)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from docrev.calls.bases import Base
from docrev.calls.media import encode, exploded
from docrev.calls.path_texts import encoded, plain
from docrev.calls.routes import Path, addresses_of
from docrev.conventions.methods import SAFE_METHODS
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(?: *;.*)?")
_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t", "tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request, ready to be sent. `target` is path and query behind the base URL; `headers` are without those
    that the user gave, of which those in `without` are left out; `safe` means GET, HEAD or OPTIONS."""

    invoke: Invoke
    method: str
    url: str
    target: str
    headers: dict[str, str]
    content: bytes
    safe: bool
    identity: str = field(repr=False)
    without: frozenset[str] = frozenset()

    def call_id(self, epoch: int, *, mark: str = "") -> str:
        """The id of the call it becomes: 10 hex digits over what is sent and `epoch`, the unsafe calls before it.

        The tool stands for its base URL, so that a service on another port gives the same ids.
        """
        text = f"{epoch}\n{self.invoke.repeat}\n{mark}\n{self.identity}"
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:10]


class Builder:
    """Builds the requests of one operation; what can be known before is worked out once."""

    def __init__(self, operation: Operation, path: Path, base: Base) -> None:
        self._path, self._base, self._key = path, base, operation.key
        self._whole = addresses_of(operation)
        self._method = operation.method
        self._safe = operation.method in SAFE_METHODS
        self._media_type = operation.body.media_type if operation.body else "application/json"
        self._schema = operation.body_schema
        self._others = {kind.lower(): kind for kind in operation.body.others} if operation.body else {}
        self._lists: dict[str, Callable[[str, Json], list[tuple[str, str]]]] = {
            p.key: _writer(p.style, p.explode)
            for p in (*operation.parameters, *operation.objects)
            if p.location == "query"
        }
        self._objects = {p.key: f"query:{p.of}" for p in operation.parameters if p.of and p.style == "json"}
        self._accept = _accepted(operation)

    def build(self, invoke: Invoke) -> Request:
        """The request; KeyError for a path argument that is missing."""
        arguments = invoke.arguments
        target = self._path.fill(arguments, self._whole) + self._path.slash
        placed = _by_place(arguments)
        if query := "".join(self._queried(placed.get("query", ()))):
            target += ("&" if "?" in target else "?") + query[1:]
        headers, content = {"accept": self._accept, **_given_headers(placed)}, b""
        if "body:" in arguments:
            headers["content-type"], content = self._content(arguments["body:"], headers.get("content-type", ""))
        without = sorted(name.lower() for name, value in placed.get("header", ()) if value is None)
        return Request(
            invoke=invoke,
            method=self._method,
            url=self._base.url + target,
            target=target,
            headers=headers,
            content=content,
            safe=self._safe,
            identity=self._identity(target, headers, arguments) + "".join(f"\n-{name}" for name in without),
            without=frozenset(without),
        )

    def _queried(self, arguments: Iterable[tuple[str, Json]]) -> Iterator[str]:
        """The query arguments as they stand in a URL, each behind an ampersand; members of JSON in their objects."""
        placed: dict[str, Json] = {}
        for name, value in arguments:
            if value is not None:
                key = f"query:{name}"
                owner = self._objects.get(key)
                if owner is None:
                    placed[key] = value
                else:
                    placed[owner] = {**mapping(placed.get(owner)), name: value}
        for key, value in placed.items():
            for name, text in self._lists.get(key, exploded)(key.removeprefix("query:"), value):
                yield f"&{quote(name, safe='[]$')}={encoded(text)}"

    def _identity(self, target: str, headers: dict[str, str], arguments: Arguments) -> str:
        wanted = any(name.lower() == "header:accept" for name in arguments)
        sent = "\n".join(f"{name}:{headers[name]}" for name in sorted(headers) if wanted or name != "accept")
        body = canonical(arguments["body:"]) if "body:" in arguments else ""
        return f"{self._key.tool}\n{self._method}\n{target}\n{sent}\n{body}"

    def _content(self, body: object, wanted: str) -> tuple[str, bytes]:
        """The content type and the bytes of a body, in the media type that is `wanted`, or else in that of the spec."""
        media_type = wanted if _MEDIA_TYPE.fullmatch(wanted) else self._media_type
        return encode(body, self._others.get(wanted.lower(), media_type), self._schema)


def _accepted(operation: Operation) -> str:
    """The value of Accept (RFC 9110 §12.5.1): what is documented of success, JSON first, and anything else at last."""
    responses = operation.responses.items()
    kinds = {kind for status, r in responses if status[:1] in ("2", "d") for kind in r.media_types if "/" in kind}
    documented = sorted(kinds - {"*/*"}, key=lambda kind: ("json" not in kind, kind))
    if not documented or any("json" in kind for kind in documented):
        documented = list(dict.fromkeys(["application/json", *documented]))
        return ", ".join([*documented, "*/*;q=0.1"])
    # Errors, at least, may come as JSON.
    return ", ".join([*documented, "application/json;q=0.5", "*/*;q=0.1"])


def _by_place(arguments: Arguments) -> dict[str, list[tuple[str, Json]]]:
    """(name, value) of the arguments at each place: path, query, header, cookie."""
    parts = ((location.partition(":"), value) for location, value in arguments.items())
    return grouped((place, (name, value)) for (place, _, name), value in parts)


def _given_headers(placed: Mapping[str, Sequence[tuple[str, Json]]]) -> dict[str, str]:
    """The headers that arguments ask for, cookies in one."""
    given = [(name.lower(), value) for name, value in placed.get("header", ()) if value is not None]
    headers = {name: _header_safe(plain(value)) for name, value in given}
    cookies = [f"{n}={quote(plain(v), safe='')}" for n, v in placed.get("cookie", ()) if v is not None]
    return headers | {"cookie": "; ".join(cookies)} if cookies else headers


def _header_safe(value: str) -> str:
    """A header value without what would end the header."""
    return "".join(c if " " <= c <= "~" or c == "\t" else quote(c, errors="replace") for c in value)


def _deep(name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in _deep(f"{name}[{key}]", item)]
    return exploded(name, value)


def _writer(style: str, explode: bool) -> Callable[[str, Json], list[tuple[str, str]]]:
    if style == "deepObject":
        return _deep
    if style == "json":
        return lambda name, value: [(name, canonical(value) if isinstance(value, list | dict) else plain(value))]
    if explode:
        return exploded
    separator = _SEPARATORS.get(style, ",")

    def joined(name: str, value: object) -> list[tuple[str, str]]:
        return [(name, separator.join(plain(v) for v in value) if isinstance(value, list) else plain(value))]

    return joined
