"""Arguments to try for an operation, the likeliest first: documented, seen, named by errors, or guessed."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice, zip_longest

from docrev.calls.effects import Effects
from docrev.calls.route_arguments import addressed
from docrev.calls.routes import only_path
from docrev.calls.seen_codes import SeenCodes
from docrev.conventions.examples import fitting_values
from docrev.conventions.fields import is_name_field
from docrev.conventions.hint_locations import may_have_body, name_at, schema_at
from docrev.exploration.candidate_bodies import CandidateBodies, name_inside, stated_values
from docrev.exploration.candidate_paths import CandidatePaths
from docrev.exploration.contexts import Contexts
from docrev.exploration.given_values import GivenValues
from docrev.exploration.lessons import Lessons
from docrev.exploration.parameter_values import ParameterValues, guessed_by_name
from docrev.exploration.run_numbers import RunNumbers
from docrev.exploration.scopes import Scopes
from docrev.exploration.seen_objects import SeenObjects
from docrev.exploration.subjects import Subject
from docrev.graph.tool_graph import ToolGraph
from docrev.records import Json
from docrev.spec import Operation, Parameter

MAX_SETS = 40
MAX_VALUES = 6
MAX_OPTIONAL = 4
"""Optional parameters that may be needed though no error names them."""
MAX_PATHS = 4
"""Path arguments that are tried in turn with other bodies, before the rest."""


class Candidates:
    """Proposes arguments. It reads the graph and the contexts, and changes neither.

    `paths` and `bodies` propose parts of them; `seen` and `lessons` are what answers showed and errors taught. `codes`
    are those that may be somebody's.
    """

    def __init__(
        self,
        graph: ToolGraph,
        contexts: Contexts,
        given: GivenValues,
        effects: Effects,
        codes: SeenCodes | None = None,
    ) -> None:
        self._given, self._contexts = given, contexts
        self.seen, self.lessons, self.numbers = SeenObjects(), Lessons(), RunNumbers()
        self._values = ParameterValues(graph, contexts, self.seen)
        self.paths = CandidatePaths(contexts, self._values, self.seen, self.lessons, self.numbers, given)
        self._scopes = Scopes(effects, self.numbers)
        self.bodies = CandidateBodies(graph, contexts, self.seen, self.lessons, self.numbers, self._scopes, codes)

    def sets(self, subject: Subject, *, parents: int = 0) -> Iterator[dict[str, Json]]:
        """Whole sets of arguments: first the best of everything, then one thing changed at a time.

        The first `parents` path arguments are those of something that the run created.
        """
        paths = self.paths.of(subject.operation, parents=parents, subject=subject)
        yield from self.sets_for(subject, list(islice(paths, MAX_VALUES)))

    def sets_for(self, subject: Subject, paths: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
        """Whole sets of arguments with these path arguments."""
        others = [(key, _first(subject.good.get(key), self.options(subject, key))) for key in self._needed(subject)]
        bodies = self.bodies.of(subject)
        if not paths or any(not options for _, options in others):
            return
        best = {key: options[0] for key, options in others}
        others += [(key, [None, *options[:1]]) for key, options in self._perhaps_needed(subject, best)]
        rows = self.seen.together(subject.operation, list(best))
        sets = islice(self._vary(paths, best, others, bodies, rows), MAX_SETS)
        yield from self._given.sets(subject.operation, sets)

    @staticmethod
    def _vary(
        paths: list[dict[str, Json]],
        best: dict[str, Json],
        others: list[tuple[str, list[Json]]],
        bodies: list[Json],
        rows: list[dict[str, Json]],
    ) -> Iterator[dict[str, Json]]:
        def whole(path: dict[str, Json], query: dict[str, Json], body: Json) -> dict[str, Json]:
            return addressed({**only_path(path), **query, **({} if body is None else {"body:": body})}, path)

        yield whole(paths[0], best, bodies[0])
        for row in rows:
            yield whole(paths[0], {**best, **row}, bodies[0])
        for body, path in zip_longest(bodies[1:], paths[1:MAX_PATHS]):
            if body is not None:
                yield whole(paths[0], best, body)
            if path is not None:
                yield whole(path, best, bodies[0])
        for key, options in others:
            for value in options[1:]:
                yield whole(paths[0], {**best, key: value}, bodies[0])
        for path in paths[MAX_PATHS:]:
            yield whole(path, best, bodies[0])

    def _needed(self, subject: Subject) -> list[str]:
        """The query and header locations that a call must have: declared as required, or required by an error."""
        operation = subject.operation
        keys = [p.key for p in operation.parameters if p.required and p.location in ("query", "header")]
        for statement in subject.statements.values():
            if statement.kind != "required" or statement.place in ("body", "path"):
                continue
            if statement.place == "" and (may_have_body(operation) or f"{{{statement.name}}}" in operation.path):
                continue
            keys.append(f"{statement.place or 'query'}:{statement.name}")
        return list(dict.fromkeys(keys))

    def _perhaps_needed(self, subject: Subject, needed: Container[str]) -> list[tuple[str, list[Json]]]:
        """Optional parameters of what only reads that may be needed, since it refused to be called without them."""
        if not subject.safe or not any(call.status in (400, 422) for call in subject.calls):
            return []
        queried = [p.key for p in subject.operation.parameters if p.location == "query" and p.key not in needed]
        return [(key, self.options(subject, key)) for key in queried[:MAX_OPTIONAL]]

    def options(self, subject: Subject, key: str) -> list[Json]:
        """Values for a query or header location: those that errors name come first."""
        place, _, name = key.partition(":")
        operation = subject.operation
        linked = self.seen.linked(operation, key)
        stated = [*self._given.values(operation, key), *stated_values(subject, name, place), *linked]
        parameter = operation.parameter(key)
        if parameter is None:
            return [
                *stated,
                *self._values.by_name(operation, name),
                *self._values.identifiers(operation),
                *guessed_by_name(name),
            ]
        is_name = subject.creates and is_name_field(name)
        if place == "query" and not subject.safe and (operation.body is None or is_name):
            # It says what is to be made or changed, as a body would.
            own = self._contexts.by_kind.own_ids(operation.tool, name)
            return self.bodies.suggest_for(subject, f"/{name}", parameter.schema, [*stated, *own])
        return self._for_declared(subject, parameter, stated)

    def _for_declared(self, subject: Subject, parameter: Parameter, stated: Sequence[Json]) -> list[Json]:
        """Values for a declared parameter that makes nothing, those that are `stated` first."""
        operation, key = subject.operation, parameter.key
        scope = self._scopes.queried(operation, key, parameter.schema)
        fitting = fitting_values([*stated, *scope], parameter.schema)
        known = self._values.of(operation, parameter)
        compound = parameter.style == "json"
        if subject.patience > 1 and subject.safe and not subject.reached and not compound:
            known += self._values.anything(operation, parameter.name, parameter.schema)
        if compound or (not parameter.required and subject.reached):
            return [*fitting, *known]
        # Needed, and nothing is known of it: perhaps it names what the tool is about, by its id.
        ids = fitting_values(self._values.identifiers(operation), parameter.schema)
        values = [*fitting, *known[:2], *ids, *known[2:]]
        # What an error said of such values holds for all of them.
        return sorted(values, key=lambda value: not self.lessons.fits(operation.tool, key, value))

    def as_given(self, operation: Operation, body: Json) -> Json:
        """A body with what a person gave for its members."""
        return self._given.in_body(operation, body)

    def suggest(self, subject: Subject, location: str) -> list[Json]:
        """Values for a location that an error is about: the run's own, documented, seen, and made up ones."""
        place, _, rest = location.partition(":")
        operation = subject.operation
        called = name_inside(rest) if place == "body" else name_at(location)
        part = schema_at(operation, location)
        own = [*self._given.values(operation, location), *self.bodies.own_values(operation, called, part)]
        if place == "path":
            return self.paths.argument(operation, rest)
        if place != "body":
            return [*own, *self.options(subject, location)]
        return self.bodies.suggest(subject, rest, own)


def _first(good: Json, options: list[Json]) -> list[Json]:
    """The options with the value in front that an error found nothing wrong with."""
    return options if good is None else [good, *(value for value in options if value != good)]
