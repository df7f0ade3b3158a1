"""One simulated service: requests in, answers out, with no network. What was asked does not change what is true."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote

from docrev.calls.routes import Routes
from docrev.errors import UsageError
from docrev.json_values.canonical import canonical
from docrev.language.urls import split_url
from docrev.records import Arguments, Json, OperationKey
from docrev.simulator import checks
from docrev.simulator.entities import Entities, Entity
from docrev.simulator.faults import error_body
from docrev.simulator.kinds import EntityKinds
from docrev.simulator.render import Renderer
from docrev.simulator.scenes import RequestScene
from docrev.simulator.spec_examples import Examples
from docrev.simulator.truth import TrueStatement, truth
from docrev.simulator.writes import UnknownId, WorldWriter
from docrev.spec import MISSING, Catalog, Operation

KEPT = 4096
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE")


class WorldReply(NamedTuple):
    """An answer: status, headers, and the body as it goes over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        """The body's JSON value; None if there is no body."""
        return json.loads(self.body) if self.body else None


class RequestRefused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, name: str = "") -> None:
        self.status, self.message, self.name = status, message, name
        super().__init__(message)


class World:
    """The service that a spec describes, with entities drawn for `seed`.

    It answers the same to the same request until something is written; what one operation shows is valid in the
    others. Raises UsageError for a catalog of several specs.
    """

    def __init__(self, catalog: Catalog, seed: int = 0) -> None:
        if len(catalog.tools) != 1:
            raise UsageError(f"a world is made of one spec, not of {len(catalog.tools)}", fix="name one file")
        self.catalog, self.seed, self.tool = catalog, seed, catalog.tools[0]
        self.operations = catalog.operations
        self.kinds = EntityKinds(self.operations)
        self.routes = Routes(self.operations)
        self._examples = Examples(self.operations, self.kinds)
        self._url = next((url.rstrip("/") for url in catalog.servers[self.tool] if "{" not in url), "")
        self._readable = frozenset(one.path.rstrip("/") for one in self.operations if one.method == "GET")
        self.reset()

    def reset(self) -> None:
        """Undo everything that was written."""
        self.entities = Entities(self.kinds, self.seed, self._examples, self._url)
        self.renderer = Renderer(self.entities)
        self._writer = WorldWriter(self.entities, self._readable)
        self._kept: dict[tuple[str, str], WorldReply] = {}

    def call(self, key: OperationKey, arguments: Arguments) -> WorldReply:
        """Call an operation with arguments by location, as `records.Arguments` has them."""
        path = self.routes.path(key).fill(arguments)
        query = {
            name.partition(":")[2]: _texts(value) for name, value in arguments.items() if name.startswith("query:")
        }
        headers = {
            name.partition(":")[2]: str(value) for name, value in arguments.items() if name.startswith("header:")
        }
        body = json.dumps(arguments["body:"]).encode() if "body:" in arguments else b""
        return self.respond(key.method, path, query, headers, body)

    def truth(self, operation: Operation) -> list[TrueStatement]:
        """What this world does with each parameter of an operation: what documentation of it could say truly."""
        return truth(operation, self.renderer.lenses(operation))

    def respond(
        self,
        method: str,
        path: str,
        query: Mapping[str, list[str]] | str = "",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> WorldReply:
        """Answer one request. `path` is percent-encoded and may hold a query of its own."""
        parts = split_url(path)
        path, raw = parts.path, query if isinstance(query, str) else ""
        fields = parse_qs(raw or parts.query, keep_blank_values=True) if not isinstance(query, Mapping) else dict(query)
        kept = (path, canonical(fields)) if method in ("GET", "HEAD") else None
        reply = self._kept.get(kept) if kept else None
        if reply is None:
            reply = self._answer(method, path, fields, headers or {}, body)
            if kept:
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                self._kept[kept] = reply
            elif method not in ("OPTIONS", "TRACE"):
                self._kept.clear()
        if method != "HEAD":
            return reply
        return WorldReply(reply.status, {**reply.headers, "content-length": str(len(reply.body))}, b"")

    def _answer(
        self, method: str, path: str, query: dict[str, list[str]], headers: Mapping[str, str], body: bytes
    ) -> WorldReply:
        operation: Operation | None = None
        try:
            if method == "OPTIONS":
                return WorldReply(204, {"allow": ", ".join(self._allowed(path))}, b"")
            operation, named = self._route("GET" if method == "HEAD" else method, path)
            read = checks.read(operation, named, query, {name.lower(): value for name, value in headers.items()})
            sent = _parsed(operation, body)
            faults = [fault for fault in read.faults if fault.where != "path"] or read.faults
            faults += checks.read_body(operation, sent) if not faults else []
            if faults:
                raise RequestRefused(400, "; ".join(map(str, faults)), faults[0].name)
            return self._perform(operation, named, read.values, path, None if sent is MISSING else sent)
        except RequestRefused as refused:
            extra = {"allow": ", ".join(self._allowed(path))} if refused.status == 405 else {}
            reply = _reply(refused.status, error_body(operation, refused.status, refused.message, refused.name))
            return WorldReply(reply.status, {**reply.headers, **extra}, reply.body)

    def _route(self, method: str, path: str) -> tuple[Operation, dict[str, str]]:
        found = self.routes.resolve(self.tool, method, path)
        if found is None:
            allowed = self._allowed(path)
            raise (
                RequestRefused(405, f"{method} is not allowed here")
                if allowed
                else RequestRefused(404, f"there is no {path}")
            )
        operation, arguments = found
        return operation, {name[5:]: str(value) for name, value in arguments.items() if name.startswith("path:")}

    def _allowed(self, path: str) -> list[str]:
        found = [method for method in METHODS if self.routes.resolve(self.tool, method, path)]
        if not found:
            return []
        return [*found, *(["HEAD"] if "GET" in found and "HEAD" not in found else []), "OPTIONS"]

    def _perform(
        self, operation: Operation, named: Mapping[str, str], values: dict[str, object], path: str, body: object
    ) -> WorldReply:
        scene = RequestScene(operation, values, [], f"{self._url}{quote(unquote(path))}")
        made = self._enter(scene, named, body)
        if operation.method != "GET":
            try:
                shown = made or self._writer.write(scene, path, body)
            except UnknownId as unknown:
                raise RequestRefused(404, f"there is nothing with the id '{unknown}'") from unknown
            return self._written(scene, shown, made is not None)
        scene.state = self._writer.state(path)
        schema = operation.success.schema if operation.success is not None else None
        return _reply(_status(operation, 200), None if schema is None else self.renderer.body(scene, schema))

    def _enter(self, scene: RequestScene, named: Mapping[str, str], body: object) -> Entity | None:
        """Find what the path addresses. A PUT to an id that is free makes what it sends, and returns it."""
        operation = scene.operation
        steps = self.kinds.steps(operation)
        for place, step in enumerate(steps):
            nested = self.kinds.kind(step.kind).parent is not None
            parent = scene.chain[-1] if nested and scene.chain else None
            if not step.parameter:
                scene.chain.append(self.entities.all(step.kind)[0])
                continue
            last = place == len(steps) - 1 and operation.path.rstrip("/").endswith(f"{{{step.parameter}}}")
            found = self.entities.get(step.kind, named[step.parameter], parent)
            if found is None and last and _creates_by_put(operation):
                return self._writer.put(scene, step.kind, named[step.parameter], parent, body)
            if found is None:
                raise RequestRefused(
                    404, f"there is no {step.kind} with the id '{named[step.parameter]}'", step.parameter
                )
            scene.chain.append(found)
            if last:
                scene.target = found
        return None

    def _written(self, scene: RequestScene, shown: Entity | None, made: bool) -> WorldReply:
        operation = scene.operation
        created = made or (shown is not None and operation.method == "POST")
        status = _status(operation, 201 if created and "201" in operation.responses else 200)
        schema = response.schema if (response := operation.response(status)) is not None else None
        headers = {"location": f"{scene.url}/{shown.id}"} if created and shown is not None and not made else {}
        if schema is None or status == 204:
            return WorldReply(status, headers, b"")
        scene.target = shown
        reply = _reply(status, self.renderer.body(scene, schema))
        return WorldReply(status, {**reply.headers, **headers}, reply.body)


def _creates_by_put(operation: Operation) -> bool:
    return operation.method == "PUT" and "201" in operation.responses


def _status(operation: Operation, wanted: int) -> int:
    """The documented status of a success: the wanted one if it is there, otherwise the first."""
    told = [int(code) for code in operation.responses if code.isdigit() and code[:1] == "2"]
    return wanted if wanted in told or not told else told[0]


def _parsed(operation: Operation, body: bytes) -> Json:
    """A request body's JSON value, or its form's fields; MISSING if there is none."""
    if not body.strip():
        return MISSING
    if operation.body is not None and "form" in operation.body.media_type:
        return {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise RequestRefused(400, "the request body must be JSON") from None


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(one).lower() if isinstance(one, bool) else str(one) for one in values]


def _reply(status: int, value: object) -> WorldReply:
    if value is None:
        return WorldReply(status, {}, b"")
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return WorldReply(status, {"content-type": "application/json"}, content)
