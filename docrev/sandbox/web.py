"""What the services share on the wire: reading parameters, faults, JSON answers, a counter of requests.

Reading a parameter yields a `ParameterFault` by kind; how a fault is worded is each service's own style.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from docrev.records import Json

Type = Literal["string", "integer", "number", "date"]


class ParameterFault(NamedTuple):
    """What is wrong with one value: `kind` is missing, type, choice, minimum, maximum, short, long or unknown."""

    where: str
    name: str
    kind: str
    param: Param


class InvalidRequest(Exception):
    """Values that a service refuses, all of them at once."""

    def __init__(self, faults: Sequence[ParameterFault]) -> None:
        self.faults = faults
        super().__init__(", ".join(fault.name for fault in faults))


class NotFound(Exception):
    """Nothing has this id."""

    def __init__(self, noun: str = "") -> None:
        self.noun = noun
        super().__init__(noun)


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter, or one property of a body. With `clamps` a number over `maximum` is taken as `maximum`."""

    name: str
    type: Type = "string"
    required: bool = False
    default: Json = None
    minimum: float | None = None
    maximum: float | None = None
    clamps: bool = False
    choices: tuple[str, ...] = ()
    length: tuple[int, int] = (0, 10_000)
    nullable: bool = False


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


NUMBERS: Mapping[str, Callable[[str], Json]] = {"integer": int, "number": _finite}
DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


def read_query(request: Request, params: Iterable[Param]) -> dict[str, Json]:
    """The declared query parameters with defaults filled in; raises InvalidRequest with every fault."""
    values: dict[str, Json] = dict(request.query_params)
    for param in params:
        raw = values.get(param.name)
        if raw == "":
            del values[param.name]
        elif raw is not None and param.type in NUMBERS:
            try:
                values[param.name] = NUMBERS[param.type](raw)
            except ValueError:
                continue
    return _read(values, params, "query")


async def read_body(request: Request, params: Iterable[Param], *, partial: bool = False) -> dict[str, Json]:
    """The declared properties of a JSON body, with `partial` only those sent. Raises InvalidRequest."""
    try:
        body = json.loads(await request.body())
    except ValueError:
        raise InvalidRequest([ParameterFault("body", "", "type", Param("", "string"))]) from None
    if not isinstance(body, dict):
        raise InvalidRequest([ParameterFault("body", "", "type", Param("", "string"))])
    if not partial:
        return _read(body, params, "body")
    return _read(body, [param for param in params if param.name in body], "body")


def _read(values: Mapping[str, Json], params: Iterable[Param], where: str) -> dict[str, Json]:
    faults: list[ParameterFault] = []
    out: dict[str, Json] = {}
    for param in params:
        value = values.get(param.name)
        if value is None and (param.nullable and param.name in values):
            out[param.name] = None
        elif value is None:
            out[param.name] = param.default
            if param.required or param.name in values:
                faults.append(
                    ParameterFault(where, param.name, "missing" if param.name not in values else "type", param)
                )
        elif kind := fault(param, value):
            faults.append(ParameterFault(where, param.name, kind, param))
        else:
            out[param.name] = min(value, param.maximum) if param.clamps else value
    if faults:
        raise InvalidRequest(faults)
    return out


def fault(param: Param, value: Json) -> str:
    """The kind of fault that `value` has, or ""."""
    if not _typed(param.type, value):
        return "type"
    if isinstance(value, str):
        if param.choices and value not in param.choices:
            return "choice"
        low, high = param.length
        return "short" if len(value) < low else "long" if len(value) > high else ""
    if param.minimum is not None and value < param.minimum:
        return "minimum"
    return "maximum" if param.maximum is not None and value > param.maximum and not param.clamps else ""


def _typed(kind: Type, value: Json) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, str) and (kind == "string" or DATE.fullmatch(value) is not None)


def encode(value: Json) -> bytes:
    """A JSON value as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def pick(row: Mapping[str, Json], *names: str) -> bytes:
    """Some fields of a row as an encoded JSON object."""
    return encode({name: row[name] for name in names})


def array(items: Iterable[bytes]) -> bytes:
    """Encoded items as an encoded JSON array."""
    return b"[" + b",".join(items) + b"]"


def answer(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response with encoded JSON."""
    return Response(content, status, headers, media_type="application/json")


class Counted:
    """An app that counts its requests."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.requests = app, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.requests += 1
        await self.app(scope, receive, send)


class ErrorWording(Protocol):
    """How a service words what it refuses: its module `errors`."""

    def invalid(self, request: Request, error: Exception, /) -> Response: ...

    def not_found(self, request: Request, error: Exception, /) -> Response: ...

    def http(self, request: Request, error: Exception, /) -> Response: ...


def counted_app(routes: Sequence[BaseRoute], errors: ErrorWording) -> Counted:
    """A service of some routes; its handlers see the counter as `request.app.state.counted`."""
    starlette = Starlette(
        routes=routes,
        exception_handlers={InvalidRequest: errors.invalid, NotFound: errors.not_found, HTTPException: errors.http},
    )
    starlette.state.counted = counted = Counted(starlette)
    return counted
