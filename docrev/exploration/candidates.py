"""Arguments to try for an operation, the likeliest first: documented, seen, named by errors, or guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product, zip_longest

from docrev.conventions import examples
from docrev.conventions.error_hints import TYPED, Hint, hints_of
from docrev.conventions.fields import NAMES
from docrev.conventions.parameters import ORDERING, Role, role_of
from docrev.conventions.run_names import run_name, run_uuid
from docrev.exploration.contexts import Contexts, heads_of, parameters_of, path_arguments
from docrev.exploration.given_values import GivenValues
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import canonical
from docrev.language.words import words
from docrev.records import Call, Json, OperationKey
from docrev.spec import MISSING, Operation, Parameter, Schema

MAX_SENT = 12
"""Attempts at an operation that has not answered 2xx yet; a quarter of them if its server fails."""
MAX_SETS = 16
MAX_VALUES = 6
MAX_GUESSES = 4
"""Attempts at an operation for which path arguments may be put together that nobody saw together."""


@dataclass(slots=True)
class Subject:
    """An operation under survey: what was tried, what its errors say, whether it returned 2xx."""

    operation: Operation
    tried: set[str] = field(default_factory=set)
    statements: dict[tuple[str, str, str], Hint] = field(default_factory=dict)
    good: dict[str, Json] = field(default_factory=dict)
    arguments: dict[str, Json] | None = None
    sent: int = 0
    made: int = 0
    broken: int = 0
    last: Call | None = None
    why: str = ""

    @property
    def reached(self) -> bool:
        return self.arguments is not None

    @property
    def open(self) -> bool:
        """Whether it is still worth an attempt."""
        return not self.reached and self.sent < MAX_SENT and self.broken < MAX_SENT // 4

    def learn_refusal(self, arguments: Mapping[str, Json], call: Call) -> None:
        """Take in what an error says, and which of the arguments it found nothing wrong with."""
        statements = [hint for hint in hints_of(call) if hint.name]
        for statement in statements:
            self.statements.setdefault((statement.place, statement.name, statement.kind), statement)
        blamed = {statement.name for statement in statements}
        if blamed & {location.partition(":")[2] for location in arguments}:
            self.good.update({k: v for k, v in arguments.items() if k.partition(":")[2] not in blamed})

    def new(self, sets: Iterator[dict[str, Json]]) -> dict[str, Json] | None:
        """The first set of arguments that was not tried; it counts as tried from now on."""
        for arguments in sets:
            name = canonical(arguments)
            if name not in self.tried:
                self.tried.add(name)
                return arguments
        return None


class Candidates:
    """Proposes arguments. It reads the graph and the contexts, and changes neither."""

    def __init__(self, graph: ToolGraph, contexts: Contexts, given: GivenValues) -> None:
        self._given = given
        self._graph, self._contexts = graph, contexts
        self._fresh = 0
        self._numbers: dict[tuple[OperationKey, int], int] = {}

    def sets(self, subject: Subject, *, parents: int = 0) -> Iterator[dict[str, Json]]:
        """Whole sets of arguments: first the best of everything, then one thing changed at a time.

        The first `parents` path arguments are those of something that the run created.
        """
        paths = self.paths(subject.operation, parents=parents, subject=subject)
        yield from self.sets_for(subject, list(islice(paths, MAX_VALUES)))

    def sets_for(self, subject: Subject, paths: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
        """Whole sets of arguments with these path arguments."""
        others = [(key, _first(subject.good.get(key), self.options(subject, key))) for key in self._needed(subject)]
        bodies = self._bodies(subject)
        if not paths or any(not options for _, options in others):
            return
        best = {key: options[0] for key, options in others}
        sets = islice(self._vary(paths, best, others, bodies), MAX_SETS)
        yield from self._given.sets(subject.operation, sets)

    @staticmethod
    def _vary(
        paths: list[dict[str, Json]], best: dict[str, Json], others: list[tuple[str, list[Json]]], bodies: list[Json]
    ) -> Iterator[dict[str, Json]]:
        def whole(path: dict[str, Json], query: dict[str, Json], body: Json) -> dict[str, Json]:
            return {**path, **query, **({} if body is None else {"body:": body})}

        yield whole(paths[0], best, bodies[0])
        for body in bodies[1:]:
            yield whole(paths[0], best, body)
        for key, options in others:
            for value in options[1:]:
                yield whole(paths[0], {**best, key: value}, bodies[-1])
        for path in paths[1:]:
            yield whole(path, best, bodies[0])

    def paths(
        self, operation: Operation, *, parents: int = 0, subject: Subject | None = None
    ) -> Iterator[dict[str, Json]]:
        """Path arguments: a person's first, then known tuples, then tuples of a shorter path with values for the rest.

        The first `parents` of them are those of something that the run created. What the errors of a `subject` say
        about its path arguments counts.
        """
        yield from self._given.paths(operation, self._seen_paths(operation, parents, subject), parents)

    def _seen_paths(self, operation: Operation, parents: int, subject: Subject | None) -> Iterator[dict[str, Json]]:
        names, tool = parameters_of(operation.path), operation.tool
        if not names:
            yield {}
            return
        heads = list(heads_of(operation.path))
        for values in self._contexts.tuples(tool, heads[-1], owned=parents):
            yield path_arguments(operation.path, values)
        if parents < len(names):
            yield from islice(self._guessed_paths(operation, names, heads, subject, parents), MAX_GUESSES)

    def _guessed_paths(
        self, operation: Operation, names: list[str], heads: list[str], subject: Subject | None, parents: int
    ) -> Iterator[dict[str, Json]]:
        """The longest known beginning of the path, with values for the rest that somebody returned, or guesses.

        After some attempts, only if one value is missing, and with what an answer or an error had of it.
        """
        tired = subject is not None and subject.sent >= MAX_GUESSES
        for count in range(len(names) - 1, parents - 1, -1):
            known = self._contexts.tuples(operation.tool, heads[count - 1], owned=parents)[:2] if count else [()]
            missing = _path_parameters(operation, names[count:])
            stated = [_stated(subject, parameter) for parameter in missing]
            if tired and len(missing) > 1 and not all(stated):
                return
            rest = [
                (said or self.values(operation, parameter, invent=not tired))[:3]
                for said, parameter in zip(stated, missing, strict=True)
            ]
            for values, more in product(known, product(*rest)):
                yield path_arguments(operation.path, (*values, *more))

    def fresh_path(
        self, operation: Operation, *, parents: int = 0, fits: Callable[[dict[str, Json]], bool] = lambda path: True
    ) -> dict[str, Json] | None:
        """The first path arguments that fit, of which the last is an id that docrev chooses.

        The first `parents` are of the run's own.
        """
        names, heads = parameters_of(operation.path), list(heads_of(operation.path))
        above = self._contexts.tuples(operation.tool, heads[-2], owned=parents) if len(names) > 1 else [()]
        paths = (path_arguments(operation.path, (*values, None)) for values in above)
        path = next(filter(fits, paths), None)
        if path is None:
            return None
        [parameter] = _path_parameters(operation, names[-1:])
        return {**path, parameter.key: self.fresh(parameter.schema)}

    def fresh(self, schema: Schema) -> Json:
        """A value that nobody used yet: a name of the run, or a large number if a number is wanted."""
        number = self.next_number()
        if schema.type in ("integer", "number"):
            return 900_000_000 + number
        return run_uuid(number) if schema.format == "uuid" else run_name(number)

    def next_number(self) -> int:
        """The number of the next thing that gets a name of the run."""
        self._fresh += 1
        return self._fresh

    def _number(self, subject: Subject) -> int:
        """The number of what an operation will create: the same until it has created it."""
        place = (subject.operation.key, subject.made)
        if place not in self._numbers:
            self._numbers[place] = self.next_number()
        return self._numbers[place]

    def values(self, operation: Operation, parameter: Parameter, *, invent: bool = True) -> list[Json]:
        """Values for a parameter: stated, returned by an operation that feeds it, seen under its name, invented."""
        schema, location = parameter.schema, parameter.key
        found: list[Json] = [] if parameter.example in (None, MISSING) else [parameter.example]
        found += examples.documented_values(schema)
        edges = self._graph.producers(operation.key, location)[:3]
        seen = [self._graph.values.samples(edge.source, edge.pointer)[:3] for edge in edges]
        found += [value for values in zip_longest(*seen) for value in values if value is not None]
        found += self._by_name(operation, parameter.name)
        found += examples.guess_values(parameter.name, schema) if invent else ()
        fitting = [fit for value in found if (fit := examples.fit_type(value, schema.type)) is not None]
        return list({repr(value): value for value in fitting}.values())[:MAX_VALUES]

    def _by_name(self, operation: Operation, name: str) -> list[Json]:
        """What answers suggest for a filter, a sort or a search: the operation's own first, then its tool's."""
        parts, seen, role = words(name), self._graph.values, role_of(name)
        own = {pointer.rpartition("/")[2]: pointer for pointer in reversed(seen.fields(operation.key))}
        if role in ORDERING:
            fields = [field for field in own if field and not field.isdigit()]
            return sorted(fields, key=lambda field: field not in NAMES)[:2]
        if role is Role.SEARCH:
            return [word for sample in self._samples(operation, own, NAMES) if (word := _longest(sample))]
        found = self._samples(operation, own, (name, "".join(parts), "_".join(parts)))
        return found or self._samples(operation, own, (f"{name}_code", f"{name}_id", f"{name}Id", f"{name}Code"))

    def _samples(self, operation: Operation, own: dict[str, str], names: Sequence[str]) -> list[Json]:
        seen = self._graph.values
        places = [(operation.key, own[name]) for name in names if name in own]
        if not places:
            places = [place for name in names for place in seen.named(operation.tool, name)][:3]
        return [value for key, pointer in places for value in seen.samples(key, pointer)[:2]]

    def _needed(self, subject: Subject) -> list[str]:
        """The query and header locations that a call must have: declared as required, or required by an error."""
        operation = subject.operation
        keys = [p.key for p in operation.parameters if p.required and p.location in ("query", "header")]
        for statement in subject.statements.values():
            if statement.kind != "required" or statement.place in ("body", "path"):
                continue
            if statement.place == "" and (operation.body is not None or f"{{{statement.name}}}" in operation.path):
                continue
            keys.append(f"{statement.place or 'query'}:{statement.name}")
        return list(dict.fromkeys(keys))

    def options(self, subject: Subject, key: str) -> list[Json]:
        """Values for a query or header location: those that errors name come first."""
        place, _, name = key.partition(":")
        operation = subject.operation
        stated = [*self._given.values(operation, key), *_stated_values(subject, name, place)]
        parameter = operation.parameter(key)
        if parameter is None:
            return [*stated, *self._by_name(operation, name), *self._identifiers(operation), *_of_name(name)]
        fitting = [fit for value in stated if (fit := examples.fit_type(value, parameter.schema.type)) is not None]
        known = self.values(operation, parameter)
        if not parameter.required and subject.reached:
            return [*fitting, *known]
        # Needed, and nothing is known of it: perhaps it names what the tool is about, by its id.
        return [*fitting, *known[:2], *self._identifiers(operation), *known[2:]]

    def _identifiers(self, operation: Operation) -> list[Json]:
        """Ids that the tool's paths take, two of each kind."""
        shapes = self._contexts.shapes(operation.tool)
        return [values[-1] for shape in shapes for values in self._contexts.tuples(operation.tool, shape)[:2]]

    def full_body(self, subject: Subject) -> Json:
        """A request body with everything that is documented; None if there is no body, or it carries requests."""
        operation = subject.operation
        if operation.body is None or operation.body.schema is None or batch_body(operation, "/") is not None:
            return None
        return self._bodies(subject)[-1]

    def _bodies(self, subject: Subject) -> list[Json]:
        """Request bodies: what is required, then all that is documented; [None] if there is no body."""
        operation = subject.operation
        if operation.body is None or operation.body.schema is None:
            return [None] if operation.body is None else [{}]
        schema, key = operation.body.schema, operation.key

        def lookup(pointer: str, part: Schema) -> list[Json]:
            name = pointer.rpartition("/")[2]
            found = _stated_values(subject, name, "body")
            for edge in self._graph.producers(key, f"body:{pointer}")[:2]:
                found += self._graph.values.samples(edge.source, edge.pointer)[:2]
            return [fit for value in found if (fit := examples.fit_type(value, part.type)) is not None]

        number = self._number(subject)
        minimal = examples.example_body(schema, lookup, number=number)
        full = examples.example_body(schema, lookup, full=True, number=number)
        bodies = [self._corrected(minimal, full, subject), self._corrected(full, full, subject), minimal, full]
        return list({canonical(body): body for body in bodies}.values())

    def _corrected(self, body: Json, full: Json, subject: Subject) -> Json:
        """The body as errors want it: with what they missed, without what they refused."""
        if not isinstance(body, dict):
            return body
        changed = dict(body)
        for statement in subject.statements.values():
            name = statement.name
            if statement.place not in ("", "body"):
                continue
            if statement.kind == "required":
                known = full.get(name) if isinstance(full, dict) else None
                guess = examples.named_after_run(_of_name(name)[0], self._number(subject))
                changed.setdefault(name, guess if known is None else known)
            elif not _stated_values(subject, name, "body"):
                changed.pop(name, None)
        return changed


def batch_body(operation: Operation, path: str) -> Json:
    """The body of an operation that carries other requests: one GET of `path`; None if it carries none."""
    schema = operation.body.schema if operation.body is not None else None
    for name, part in (schema.properties() if schema is not None else {}).items():
        item = part.items()
        inner = item.properties() if item is not None else {}
        target = next((key for key in ("path", "url", "uri", "relative_url") if key in inner), None)
        if target is not None and part.type == "array":
            return {name: [{**({"method": "GET"} if "method" in inner else {}), target: path}]}
    return None


def _first(good: Json, options: list[Json]) -> list[Json]:
    """The options with the value in front that an error found nothing wrong with."""
    return options if good is None else [good, *(value for value in options if value != good)]


def _stated_values(subject: Subject, name: str, place: str) -> list[Json]:
    """What errors say that a parameter or property may be: the allowed values, or some of the type."""
    about_it = [s for s in subject.statements.values() if s.name == name and s.place in ("", place)]
    allowed: list[Json] = [value for s in about_it if s.kind == "allowed-values" for value in s.values]
    return allowed + [value for s in about_it if s.kind in TYPED for value in examples.values_of_type(s.values[0])]


def _stated(subject: Subject | None, parameter: Parameter) -> list[Json]:
    """The values that errors allowed for a path parameter."""
    statements = subject.statements.values() if subject is not None else ()
    on_it = [s for s in statements if s.name == parameter.name and s.place in ("", "path")]
    allowed = (value for s in on_it if s.kind == "allowed-values" for value in s.values)
    values = (examples.fit_type(value, parameter.schema.type) for value in allowed)
    return [value for value in values if value not in (None, "")]


def _longest(text: Json) -> str:
    """The longest word of a name: what a search for it would be given."""
    return max(str(text).split(), key=len, default="")


def _of_name(name: str) -> list[Json]:
    return [examples.BY_WORD[word] for word in reversed(words(name)) if word in examples.BY_WORD] + ["docrev", "a"]


def _path_parameters(operation: Operation, names: list[str]) -> list[Parameter]:
    """The path parameters in the order of the path; the catalog has declared the undeclared."""
    known = {parameter.name: parameter for parameter in operation.parameters if parameter.location == "path"}
    return [known[name] for name in names if name in known]
