"""A generated service that answers: requests are matched with operations, numbered, and performed."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, unquote

from stateful.description import Json, Operation, Service
from stateful.handling import Handling, Refused, Reply
from stateful.seeding import populated
from stateful.state import Request, World
from stateful.trap_effects import EFFECTS, readable

OVERRIDE = "_method"


class App:
    """A fresh service with somebody's data in it. `calls` counts the requests by the trap of their operation."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.world: World = populated(service)
        self.calls: Counter[str] = Counter()
        self.reached: set[str] = set()
        self.requests = 0

    def respond(self, method: str, target: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Reply:
        """Answer one request; `headers` have lower-case names."""
        self.requests += 1
        path, _, query = target.removeprefix(self.service.prefix).partition("?")
        self.world.request = Request(self.requests)
        try:
            value = readable(body)
            reply = self._perform(method, path, dict(parse_qsl(query, keep_blank_values=True)), value)
        except Refused as refused:
            reply = refused.reply
        finally:
            self.world.request = Request()
        return self._located(reply, (headers or {}).get("host", ""))

    def _located(self, reply: Reply, host: str) -> Reply:
        """A reply whose Location is as the service writes it."""
        if "Location" in reply.headers:
            before = f"http://{host}" if self.service.absolute else ""
            reply.headers["Location"] = f"{before}{self.service.prefix}{reply.headers['Location']}"
        return reply

    def _perform(self, method: str, path: str, query: Mapping[str, str], body: Json, within: str = "") -> Reply:
        segments = [unquote(segment) for segment in path.strip("/").split("/")]
        operation = self._find(method, segments)
        override = _override(operation, query, body)
        trap = "_method" if override != method else _trap(operation, query)
        target = self._find(override, segments) if override != method else operation
        name = f"{within}{operation.name}" + (f" ({OVERRIDE}={override})" if override != method else "")
        self.calls[trap] += 1
        request = self.world.request
        inner = Request(request.number, name, trap or request.trap, target.foreseeable)
        self.world.request = inner
        try:
            reply = EFFECTS[target.effect](self._handling(target, segments, query, body, name))
        finally:
            self.world.request = request
        if reply.status < 300:
            self.reached.add(operation.name)
        return reply

    def _handling(
        self, operation: Operation, segments: list[str], query: Mapping[str, str], body: Json, name: str
    ) -> Handling:
        if operation.effect == "batch":

            def perform(method: str, target: str, carried: Json) -> Reply:
                path, _, inner = target.partition("?")
                try:
                    return self._perform(method, path, dict(parse_qsl(inner)), carried, f"{name} carrying ")
                except Refused as refused:
                    return refused.reply

            operation = replace(operation, options={**operation.options, "perform": perform})
        values = {key: value for key, value in body.items() if key != OVERRIDE} if isinstance(body, dict) else body
        return Handling(self.service, self.world, operation, segments, query, copy.deepcopy(values))

    def _find(self, method: str, segments: list[str]) -> Operation:
        """The operation of a method and path; literal segments win over parameters."""
        fitting = [op for op in self.service.operations if _fits(op.path, segments)]
        if not fitting:
            raise Refused(404, "no such path")
        fitting.sort(key=lambda op: [step.startswith("{") for step in op.path.split("/")])
        template = fitting[0].path
        there = [op for op in fitting if op.method == method and _shape(op.path) == _shape(template)]
        if not there:
            raise Refused(405, f"{method} is not allowed here")
        return there[0]


def _fits(template: str, segments: list[str]) -> bool:
    steps = template.strip("/").split("/")
    return len(steps) == len(segments) and all(
        (step.startswith("{") and segment != "") or step == segment
        for step, segment in zip(steps, segments, strict=True)
    )


def _shape(template: str) -> list[str]:
    return ["{}" if step.startswith("{") else step for step in template.split("/")]


def _trap(operation: Operation, query: Mapping[str, str]) -> str:
    """The kind of trap that a request is for; one of query parameters needs one of them."""
    changing = operation.options.get("changing")
    return operation.trap if changing is None or any(name in query for name in changing) else ""


def _override(operation: Operation, query: Mapping[str, str], body: Json) -> str:
    """The method that a POST really means."""
    if operation.method != "POST" or not operation.options.get("override"):
        return operation.method
    named = query.get(OVERRIDE) or (body.get(OVERRIDE) if isinstance(body, dict) else None)
    return str(named).upper() if isinstance(named, str) and named else operation.method
