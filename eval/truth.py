"""What a good spec states that a call can show: its keywords and its extensions, as statements.

Extensions of a truth, beside OpenAPI's keywords. Of a parameter or a body property: `x-filters` (name of the field of
the listed items), `x-at-least` and `x-at-most` (the same, of a bound on it; they go before `x-filters`), `x-searches`
(names of such fields), `x-sorts` (pointer of the array), `x-limits` (pointer of the array), `x-pages` (`by`, `list`,
`next`), `x-clamps` (a number over the maximum is taken as the maximum), `x-ignored`, `x-comes-from` (places where its
values are found: `operation`, `field`). Of an operation: `x-volatile` (places that differ from call to call),
`x-broken`. Of the document: `x-unknown-parameters`.

Left out, because no call can show it, each with its reason in `Truth.left_out`: texts and examples; that a path
parameter is required (its absence is another path); types of headers and cookies (text); formats that are not seen in
a value (int32, password); everything of an operation that never works, but that; the type of an ignored parameter;
bounds, patterns and constants of responses (samples show none); effects on a field that the answer does not have;
allowed values of an id (another is unknown, not refused); 401, 403, 429 and 5xx that no `security` and no `x-broken`
announces; 404 of a path without parameters; contents of maps (`additionalProperties`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from docrev.eval.statements import TextStatement
from docrev.facts.registry import BOUNDS
from docrev.json_values.pointer import escape
from docrev.records import Json, OperationKey
from docrev.spec import Catalog, Place
from docrev.spec.meaning import MISSING
from docrev.spec.operation import Operation, Parameter
from docrev.spec.schema import Schema

FORMATS = frozenset(["date", "date-time", "time", "uuid", "email", "uri", "ipv4", "ipv6", "hostname"])
"""Formats that a value shows, or whose breach a service refuses."""
_ANNOUNCED = frozenset([401, 403, 407, 429])
DEPTH = 8


@dataclass(frozen=True, slots=True)
class KnownTruth:
    """What the truth has at a location: its schema and, of parameters, the node with the extensions."""

    schema: Schema
    node: Mapping[str, Json] = field(default_factory=dict)
    required: bool = False


@dataclass(slots=True)
class Truth:
    """Statements by place, what is known at each location, and what was left out and why.

    `closed`: the truth is whole, so that a parameter, a response field or a status that it does not have is none.
    `answers` are statuses that are true and were never documented, so none that were hidden.
    """

    catalog: Catalog
    closed: bool
    statements: dict[tuple[OperationKey, str, str, str], TextStatement] = field(default_factory=dict)
    known: dict[tuple[OperationKey, str], KnownTruth] = field(default_factory=dict)
    volatile: set[tuple[OperationKey, str]] = field(default_factory=set)
    left_out: list[tuple[OperationKey, str, str, str]] = field(default_factory=list)
    answers: dict[OperationKey, tuple[str, ...]] = field(default_factory=dict)
    extended: bool = True

    def leave_out(self, key: OperationKey, kind: str, location: str, why: str) -> None:
        self.left_out.append((key, kind, location, why))

    def add(self, key: OperationKey, kind: str, location: str, value: object, part: str = "") -> None:
        statement = TextStatement(key, kind, location, part, value)
        self.statements.setdefault(statement.place, statement)

    def at(self, key: OperationKey, location: str) -> KnownTruth | None:
        return self.known.get((key, location))

    def operation(self, name: object) -> Operation | None:
        """The operation whose key reads so."""
        return next((one for one in self.catalog.operations if str(one.key) == name), None)

    def kinds_at(self, key: OperationKey, location: str) -> set[str]:
        """The kinds of the statements at a location."""
        return {kind for where, kind, place, _ in self.statements if (where, place) == (key, location)}


def truth_of(catalog: Catalog, *, closed: bool = False, extended: bool = True) -> Truth:
    """The truth that a catalog of good specs tells; without its extensions where it is not to be `extended`."""
    truth = Truth(catalog, closed, extended=extended)
    for operation in catalog.operations:
        _Reader(truth, operation).read()
    _created(truth)
    return truth


class _Reader:
    """Reads one operation into a truth."""

    def __init__(self, truth: Truth, operation: Operation) -> None:
        self.truth, self.operation, self.key = truth, operation, operation.key
        self.node = self._extensions(operation.place)

    def _extensions(self, place: Place) -> Mapping[str, Json]:
        return self._extended(self.truth.catalog.node(place))

    def _extended(self, node: Json) -> Mapping[str, Json]:
        taken = isinstance(node, Mapping) and self.truth.extended
        return {name: value for name, value in node.items() if str(name).startswith("x-")} if taken else {}

    def read(self) -> None:
        volatile = self.node.get("x-volatile") or ()
        self.truth.volatile.update((self.key, place) for place in volatile)
        self._learn()
        if self.node.get("x-broken"):
            self.truth.add(self.key, "broken", "", {"status": 500})
            self.truth.leave_out(self.key, "", "", "the operation never works")
            return
        for parameter in self.operation.parameters:
            self._parameter(parameter)
        self._body()
        self._responses()
        self._whole()

    def _learn(self) -> None:
        """What is at each location, whether or not a call can show it."""
        for parameter in self.operation.parameters:
            node = self._extensions(parameter.place) if parameter.declared else {}
            self.truth.known[self.key, parameter.key] = KnownTruth(parameter.schema, node, parameter.required)
        if (schema := self.operation.body_schema) is not None:
            for pointer, below, required in walk(schema, lenient=False):
                self.truth.known[self.key, f"body:{pointer}"] = KnownTruth(below, self._extended(below.node), required)
        for status, response in self.operation.responses.items():
            if status.isdecimal() and response.schema is not None:
                for pointer, below, required in walk(response.schema):
                    self.truth.known[self.key, f"{status}:{pointer}"] = KnownTruth(below, {}, required)

    def _parameter(self, parameter: Parameter) -> None:
        known = self.truth.known[self.key, parameter.key]
        if parameter.required and parameter.location != "path":
            self.truth.add(self.key, "required", parameter.key, True)
        self._argument(parameter.key, known)
        self._effects(parameter.key, known.node)

    def _body(self) -> None:
        body = self.operation.body
        if body is None or body.schema is None:
            return
        if body.required:
            self.truth.add(self.key, "required", "body:", True)
        for (key, location), known in list(self.truth.known.items()):
            if key == self.key and location.startswith("body:/") and not known.schema.get("readOnly"):
                if known.required:
                    self.truth.add(self.key, "required", location, True)
                self._argument(location, known)
                self._effects(location, known.node)

    def _argument(self, location: str, known: KnownTruth) -> None:
        schema, truth, key = known.schema, self.truth, self.key
        place = location.partition(":")[0]
        if place in ("header", "cookie"):
            truth.leave_out(key, "type", location, "headers and cookies are text")
        elif known.node.get("x-ignored"):
            truth.leave_out(key, "type", location, "it is ignored, so any value is taken")
        elif schema.type is not None:
            truth.add(key, "type", location, schema.type)
        self._format(location, schema)
        if schema.enum is not None and place == "path" and known.node.get("x-comes-from"):
            truth.leave_out(key, "allowed-values", location, "an id that is unknown is not refused for its value")
        elif schema.enum is not None:
            truth.add(key, "allowed-values", location, schema.enum)
        if schema.default is not MISSING and schema.default is not None:
            truth.add(key, "default", location, schema.default)
        if schema.pattern is not None:
            truth.add(key, "pattern", location, schema.pattern)
        for kind, end, value in _ends(known):
            truth.add(key, kind, location, value, end)

    def _format(self, location: str, schema: Schema) -> None:
        if schema.format in FORMATS:
            self.truth.add(self.key, "format", location, schema.format)
        elif schema.format is not None:
            self.truth.leave_out(self.key, "format", location, f"{schema.format} is not seen in a value")

    def _effects(self, location: str, node: Mapping[str, Json]) -> None:
        truth, key = self.truth, self.key
        if node.get("x-ignored"):
            truth.add(key, "ignored", location, True)
        if isinstance(node.get("x-limits"), str):
            truth.add(key, "limits", location, self._answer(node["x-limits"]))
        if isinstance(node.get("x-pages"), Mapping):
            pages = {name: self._answer(value) if name != "by" else value for name, value in node["x-pages"].items()}
            truth.add(key, "pages", location, pages)
        self._choice(location, node)
        if isinstance(node.get("x-sorts"), str):
            self._sorts(location, node["x-sorts"])
        origins = [dict(origin) for origin in node.get("x-comes-from") or () if isinstance(origin, Mapping)]
        if origins:
            truth.add(key, "comes-from", location, origins)

    def _choice(self, location: str, node: Mapping[str, Json]) -> None:
        """By what a parameter chooses items: a search goes before bounds, these before a filter."""
        if isinstance(node.get("x-searches"), list):
            fields = map(self._item_field, map(str, node["x-searches"]))
            self._effect("searches", location, list(filter(None, fields)))
            return
        for kind in (*BOUNDS, "filters"):
            if isinstance(node.get(f"x-{kind}"), str):
                self._effect(kind, location, self._item_field(node[f"x-{kind}"]))
                return

    def _effect(self, kind: str, location: str, value: object) -> None:
        if value:
            self.truth.add(self.key, kind, location, value)
        else:
            self.truth.leave_out(self.key, kind, location, "the answer does not have the field")

    def _sorts(self, location: str, array: str) -> None:
        parameter = self.truth.known[self.key, location]
        for value in parameter.schema.enum or ():
            # Where the list does not have the field, the GETs of its items show the order.
            field = self._answer(f"{array}/0/{str(value).lstrip('-+')}")
            order = "descending" if str(value).startswith("-") else "ascending"
            self.truth.add(self.key, "sorts", location, {"field": field, "order": order}, str(value))

    def _status(self) -> str:
        return next((status for status in self.operation.responses if status[:1] == "2"), "200")

    def _answer(self, pointer: str) -> str:
        return f"{self._status()}:{pointer}"

    def _item_field(self, name: str) -> str:
        """The location of a field of the listed items: `200:/data/0/region`; "" where no item has it."""
        ending = f"/0/{name}"
        places = [place for key, place in self.truth.known if key == self.key and place.endswith(ending)]
        return min((place for place in places if place.startswith(f"{self._status()}:")), key=len, default="")

    def _responses(self) -> None:
        for status, response in self.operation.responses.items():
            if not status.isdecimal():
                continue
            why = self._unseen(status)
            if why:
                self.truth.leave_out(self.key, "status", "", why)
                continue
            self.truth.add(self.key, "status", "", True, status)
            if response.schema is not None:
                self._answers(status, response.schema)

    def _unseen(self, status: str) -> str:
        """Why no call shows this status; "" where one may."""
        if int(status) in _ANNOUNCED or int(status) >= 500:
            return "" if status == "401" and self.operation.security else f"nothing announces {status}"
        named = any(parameter.location == "path" for parameter in self.operation.parameters)
        return "404 of a path without parameters" if status == "404" and not named else ""

    def _answers(self, status: str, schema: Schema) -> None:
        """Fields, types, formats, nulls and value sets of a response."""
        for pointer, below, required in walk(schema):
            location = f"{status}:{pointer}"
            if required:
                self.truth.add(self.key, "field", location, True)
            if below.type is not None:
                self.truth.add(self.key, "type", location, below.type)
            if below.nullable and pointer:
                self.truth.add(self.key, "nullable", location, True)
            self._format(location, below)
            if below.enum is not None and len(below.enum) >= 2 and below.type != "boolean":
                self.truth.add(self.key, "observed-values", location, [one for one in below.enum if one is not None])

    def _whole(self) -> None:
        if self.operation.security and "401" in self.operation.responses:
            self.truth.add(self.key, "needs-credentials", "", {"status": 401})
        document = self._extensions(Place(self.truth.catalog.files[self.key.tool], ""))
        unknown = document.get("x-unknown-parameters")
        if unknown and any(one.location == "query" for one in self.operation.parameters) and self.key.method == "GET":
            self.truth.add(self.key, "unknown-parameters", "", unknown)


def walk(schema: Schema, *, lenient: bool = True) -> Iterator[tuple[str, Schema, bool]]:
    """Pointer, schema and whether it is always there, of everything below (and of "", which is).

    Where an object says of none of its properties that it is required, it does not part them: all count as there,
    if `lenient`, which is for answers.
    """
    always: dict[str, bool] = {"": True}
    for pointer, below in schema.walk(DEPTH):
        yield pointer, below, always.get(pointer, False) and pointer != "" and not pointer.endswith("/0")
        names = below.required
        for name in below.properties():
            escaped = escape(name)
            always[f"{pointer}/{escaped}"] = name in names or (lenient and not names)


def _ends(known: KnownTruth) -> Iterator[tuple[str, str, Json]]:
    """(kind, minimum or maximum, value) of the bounds of an argument."""
    for end, step in (("minimum", 1), ("maximum", -1)):
        if (value := _inclusive(known.schema, end, step)) is not None:
            yield "clamps" if end == "maximum" and known.node.get("x-clamps") else "range", end, value
    for end in ("minimum", "maximum"):
        if (value := known.schema.get(f"{end[:3]}Length")) is not None:
            yield "length", end, value


def _inclusive(schema: Schema, end: str, step: int) -> Json:
    """A bound that is allowed itself; None for an exclusive bound of numbers that may be fractions."""
    value, exclusive = schema.get(end), schema.get(f"exclusive{end.capitalize()}")
    if exclusive is None or exclusive is False:
        return value
    bound = value if exclusive is True else exclusive
    return bound + step if schema.type == "integer" and isinstance(bound, int | float) else None


def _created(truth: Truth) -> None:
    """What a POST creates and where it is read: told by the read whose id comes from its answer."""
    origins = [one for one in truth.statements.values() if one.kind == "comes-from" and one.location[:5] == "path:"]
    for origin in origins:
        last = origin.key.path.rpartition("/")[2]
        if origin.key.method != "GET" or last != "{" + origin.location.removeprefix("path:") + "}":
            continue
        for source in origin.value:
            operation = truth.operation(source["operation"])
            if operation is not None and operation.method == "POST":
                value = {"operation": str(origin.key), "field": source["field"]}
                truth.add(operation.key, "creates", "", value)
