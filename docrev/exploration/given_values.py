"""Values that a person gives: `--value tenant=main`, `--value 'GET /x/{id}:id=42'`. They are tried before all others.

A value is no consent: whatever it goes into is judged by the policy like any other call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice, product

from docrev.calls.consent import fits, is_bare, names_of
from docrev.calls.routes import template
from docrev.conventions.examples import fit_type
from docrev.conventions.ids import is_called
from docrev.conventions.parameters import takes_paths
from docrev.errors import UsageError
from docrev.json_values.canonical import unique
from docrev.json_values.leaves import members
from docrev.json_values.pointer import find, join, last, placed, replaced
from docrev.language.path_templates import parameters_of
from docrev.language.words import words
from docrev.records import Json, OperationKey
from docrev.spec import Operation, Schema

_OPTION = "--value"
_LOCATION = re.compile(r"(path|query|header|cookie|body):(.+)", re.S)
_OPERATION = re.compile(r"[A-Za-z]+ /")
_BODY_DEPTH = 4
_MAX_COMBINATIONS = 8
_MAX_PATHS = 64
"""Sets of path arguments made of several given values: two values for each of three parameters."""


@dataclass(frozen=True, slots=True)
class GivenValue:
    """One value. `operation` is "" if it is for every operation, `location` if it is for any kind of parameter.

    `name` is that of a parameter or a member of a body, or a pointer into the body.
    """

    name: str
    text: str
    location: str = ""
    operation: str = ""


def parse_values(texts: Iterable[str], operations: Sequence[Operation]) -> tuple[GivenValue, ...]:
    """Read `[METHOD /path:][LOCATION:]NAME=VALUE`. Raises UsageError, also for names that nothing has."""
    values = tuple(_parse(text, operations) for text in texts)
    for value in values:
        _check(value, operations)
    return values


def _parse(text: str, operations: Sequence[Operation]) -> GivenValue:
    operation, rest = "", text.strip()
    if _OPERATION.match(rest):
        names = {op.key.operation for op in operations if rest.startswith(f"{op.key.operation}:")}
        if not names:
            fix = "docrev explore --dry-run lists the operations"
            raise UsageError(f"{text!r} names no operation of the specs", where=_OPTION, fix=fix)
        operation = max(names, key=len)
        rest = rest[len(operation) + 1 :]
    name, equals, value = (part.strip() for part in rest.partition("="))
    if not equals or not words(name):
        fix = "write NAME=VALUE or 'METHOD /path:NAME=VALUE'"
        raise UsageError(f"{text!r} gives no value", where=_OPTION, fix=fix)
    located = _LOCATION.fullmatch(name)
    given = GivenValue(name, value, operation=operation)
    return given if located is None else replace(given, location=located[1], name=located[2])


def _check(value: GivenValue, operations: Sequence[Operation]) -> None:
    """Raise UsageError for a name that nothing has, or that things of several kinds have."""
    about = [op for op in operations if value.operation in ("", op.key.operation)]
    given = GivenValues((value,))
    if not any(given.is_named(operation) for operation in about):
        raise _unknown_name(value.name, about)
    if not any(given.places(operation) for operation in about):
        raise UsageError(f"{value.name} cannot be {value.text!r}", where=_OPTION, fix="see its schema in the specs")
    kinds = _kinds(value, about)
    if len(kinds) > 1 and is_bare(value.name) and not value.operation and not takes_paths(value.name):
        choices = " or ".join(f"{kind}=…" for kind in sorted(kinds)[:3])
        raise UsageError(f"{value.name} may be of things of several kinds", where=_OPTION, fix=f"write {choices}")


def _unknown_name(name: str, operations: Sequence[Operation]) -> UsageError:
    places = {key for operation in operations for key in all_places(operation)}
    near = get_close_matches(name, sorted(map(_name, places)), 1)
    fix = f"write {near[0]}" if near else "name a path, query, header or body parameter as the specs do"
    return UsageError(f"no parameter is called {name}", where=_OPTION, fix=fix)


def _kinds(value: GivenValue, operations: Iterable[Operation]) -> set[str]:
    """What the things are called that a value names in the paths of operations."""
    return {names_of(template(operation.path), n)[0] for operation in operations for n in _numbers(value, operation)}


def _name(key: str) -> str:
    """The name in a location: `id` for `path:id` and `body:/zone/id`."""
    place, _, name = key.partition(":")
    return last(name) if place == "body" else name


def _numbers(value: GivenValue, operation: Operation) -> list[int]:
    """The numbers, from 1, of the path parameters that a value is for."""
    path = template(operation.path)
    return [n for n in range(1, len(path.names) + 1) if fits(value.name, path, n)]


def all_places(operation: Operation) -> Iterator[str]:
    """All locations of an operation that may get a value."""
    yield from (parameter.key for parameter in operation.parameters)
    schema = operation.body_schema
    if schema is not None:
        yield from (f"body:{pointer}" for pointer, _ in schema.walk(max_depth=_BODY_DEPTH) if pointer)


class GivenValues:
    """What a person gave, as candidates: the first value of a name first."""

    def __init__(self, values: Sequence[GivenValue] = ()) -> None:
        self._values = values
        self._known: dict[OperationKey, dict[str, list[Json]]] = {}

    def places(self, operation: Operation) -> dict[str, list[Json]]:
        """The values for each location of an operation, `path:id` or `body:/zone/id`, in the type that it wants."""
        if not self._values:
            return {}
        if operation.key not in self._known:
            self._known[operation.key] = self._placed(operation)
        return self._known[operation.key]

    def in_body(self, operation: Operation, body: Json, number: int = 0) -> Json:
        """A body with the value `number` (the last one if there are fewer) that was given for each of its members."""
        places = self.places(operation)
        given = {p: places[f"body:{p}"] for p, _ in members(body, depth=_BODY_DEPTH) if f"body:{p}" in places}
        for pointer, values in given.items():
            body = replaced(body, pointer, values[min(number, len(values) - 1)])
        for pointer, value in self._loose(operation, body, number):
            body = replaced(body, pointer, value)
        return body

    def is_named(self, operation: Operation) -> bool:
        """Whether any value is for an operation by its name, whatever its type."""
        return any(self._keys(value, operation) for value in self._of(operation))

    def values(self, operation: Operation, key: str) -> list[Json]:
        """The values for one location, also for one that the spec does not have."""
        known = self.places(operation)
        if key in known or not self._values or key.startswith("path:"):
            return known.get(key, [])
        about = (value for value in self._of(operation) if value.location in ("", key.partition(":")[0]))
        return [_typed(value.text, None) for value in about if _is_for(value, key)]

    def paths(
        self, operation: Operation, paths: Iterable[dict[str, Json]], parents: int = 0
    ) -> Iterator[dict[str, Json]]:
        """Path arguments, those with the given values first.

        The first `parents` stay as they are: they must address what the run created.
        """
        given = {
            f"path:{name}": self.values(operation, f"path:{name}") for name in parameters_of(operation.path)[parents:]
        }
        wanted = {key: values for key, values in given.items() if values}
        if not wanted:
            yield from paths
            return
        found = list(paths)
        chosen = [dict(zip(wanted, values, strict=True)) for values in product(*wanted.values())]
        for values in chosen[:_MAX_COMBINATIONS]:
            # What is known to belong to the given values comes before what was found beside others.
            beside = [path for path in found if all(str(path.get(key)) == str(value) for key, value in values.items())]
            yield from unique(islice(({**path, **values} for path in (*beside, *found)), _MAX_PATHS))
        yield from found

    def sets(self, operation: Operation, sets: Iterator[dict[str, Json]]) -> Iterator[dict[str, Json]]:
        """Sets of arguments, each with the given values first, then as it was."""
        given = {key: v for key, v in self.places(operation).items() if not key.startswith("path:")}
        if not given:
            yield from sets
            return
        for arguments in sets:
            for number in range(max(map(len, given.values()))):
                yield self._filled(operation, arguments, given, number)
            yield arguments

    def _filled(
        self, operation: Operation, arguments: dict[str, Json], given: dict[str, list[Json]], number: int
    ) -> dict[str, Json]:
        """The arguments with the value `number` of each location: of those that are there, and of those that a person
        named for this very operation."""
        filled, named = dict(arguments), self._named(operation)
        if "body:" in filled:
            filled["body:"] = self.in_body(operation, filled["body:"], number)
        for key, values in given.items():
            value, pointer = values[min(number, len(values) - 1)], key.partition(":")[2]
            if not key.startswith("body:"):
                if key in filled or key in named:
                    filled[key] = value
            elif key in named and isinstance(body := filled.get("body:", {}), dict) and not find(body, pointer)[0]:
                filled["body:"] = placed(body, pointer, value)
        return filled

    def _loose(self, operation: Operation, body: Json, number: int) -> list[tuple[str, Json]]:
        """Values for members of a body that no schema describes."""
        described = {key.partition(":")[2] for key in all_places(operation)}
        found = []
        for pointer, _ in members(body, depth=_BODY_DEPTH):
            about = [v for v in self._of(operation) if pointer not in described and _is_in_body(v, pointer)]
            if about:
                found.append((pointer, _typed(about[min(number, len(about) - 1)].text, None)))
        return found

    def _of(self, operation: Operation) -> list[GivenValue]:
        """The values for an operation: those that name it come first."""
        found = [value for value in self._values if value.operation in ("", operation.key.operation)]
        return sorted(found, key=lambda value: not value.operation)

    def _named(self, operation: Operation) -> set[str]:
        return {key for value in self._of(operation) if value.operation for key in self._keys(value, operation)}

    def _placed(self, operation: Operation) -> dict[str, list[Json]]:
        schemas = {parameter.key: parameter.schema for parameter in operation.parameters}
        if operation.body_schema is not None:
            walked = operation.body_schema.walk(max_depth=_BODY_DEPTH)
            schemas |= {f"body:{pointer}": schema for pointer, schema in walked}
        found: dict[str, list[Json]] = {}
        for value in self._of(operation):
            for key in self._keys(value, operation):
                typed = _typed(value.text, schemas.get(key))
                if typed is not None and typed not in found.setdefault(key, []):
                    found[key].append(typed)
        return {key: values for key, values in found.items() if values}

    @staticmethod
    def _keys(value: GivenValue, operation: Operation) -> list[str]:
        """The locations of an operation that a value is for; one that names the operation may name a new one."""
        numbers = set(_numbers(value, operation))
        path = [f"path:{name}" for n, name in enumerate(parameters_of(operation.path), 1) if n in numbers]
        keys = [key for key in all_places(operation) if key in path or _is_for(value, key)]
        keys = [key for key in keys if value.location in ("", key.partition(":")[0])]
        return keys or (_new_places(value, operation) if value.operation else [])


def _new_places(value: GivenValue, operation: Operation) -> list[str]:
    """The location that a value names and the spec does not: a member of a body, or a parameter after its place."""
    if value.location in ("", "body"):
        name = value.name if value.name.startswith("/") else join(value.name)
        return [f"body:{name}"] if operation.body is not None else []
    return [f"{value.location}:{value.name}"] if value.location != "path" else []


def _is_for(value: GivenValue, key: str) -> bool:
    """Whether a value is for a location that is not in the path."""
    place, _, name = key.partition(":")
    return place != "path" and (_is_in_body(value, name) if place == "body" else is_called(name, value.name))


def _is_in_body(value: GivenValue, pointer: str) -> bool:
    return value.location in ("", "body") and (pointer == value.name or is_called(last(pointer), value.name))


def _typed(text: str, schema: Schema | None) -> Json:
    """A value in the type that a schema wants; None if it cannot be that."""
    kind = schema.type if schema is not None else None
    if kind in ("array", "object", "boolean", "null"):
        try:
            value: Json = json.loads(text)
        except ValueError:
            value = text
        return [value] if kind == "array" and not isinstance(value, list) else value
    return fit_type(text, kind)
