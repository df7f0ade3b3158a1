"""Arguments to try for an operation, the likeliest first: documented, seen, named by errors, or guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product, zip_longest

from docrev.calls.media import is_text_or_file
from docrev.conventions import examples
from docrev.conventions.error_hints import TYPED
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.fields import NAMES, is_name_field
from docrev.conventions.hint_locations import name_at, schema_at
from docrev.conventions.ids import created_object, is_id_name
from docrev.conventions.lists import list_of
from docrev.conventions.parameters import ORDERING, Role, role_of
from docrev.conventions.ranks import unranked
from docrev.conventions.run_names import is_made_up, run_name, run_uuid
from docrev.conventions.statuses import INVALID
from docrev.exploration.bodies import body_variants, forms, marked, named_in
from docrev.exploration.contexts import Contexts, ends_in_paths, heads_of, parameters_of, path_arguments, shape_of
from docrev.exploration.given_values import GivenValues
from docrev.exploration.lessons import Lessons
from docrev.exploration.near_values import near_values, nouns_in
from docrev.exploration.subjects import Subject
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import join, last, placed, split
from docrev.language.words import words
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import MISSING, Body, Operation, Parameter, Schema

MAX_SETS = 40
MAX_VALUES = 6
MAX_ROWS = 20
"""Objects of the responses of an operation whose values are known to belong together."""
MAX_PATHS = 4
"""Path arguments that are tried in turn with other bodies, before the rest."""
MAX_ID = 64
"""Characters of a text that may be an id."""
MAX_GUESSES = 4
"""Attempts at an operation for which path arguments may be put together that nobody saw together."""


_ANYTHING = ("1", "a")
"""Texts that are guessed for anything, and may be the id of something."""


class Candidates:
    """Proposes arguments. It reads the graph and the contexts, and changes neither."""

    def __init__(self, graph: ToolGraph, contexts: Contexts, given: GivenValues) -> None:
        self._given = given
        self._graph, self._contexts, self.lessons = graph, contexts, Lessons()
        self._items: dict[tuple[str, str], Json] = {}
        self._linked: dict[tuple[OperationKey, str], list[Json]] = {}
        self._rows: dict[str, dict[OperationKey, list[dict[str, Json]]]] = {}
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
        rows = self._seen_together(subject.operation, list(best))
        sets = islice(self._vary(paths, best, others, bodies, rows), MAX_SETS)
        yield from self._given.sets(subject.operation, sets)

    def see(self, call: Call) -> None:
        """Take in the objects of a response: values that stand in one object belong together."""
        rows = self._rows.setdefault(call.key.tool, {}).setdefault(call.key, [])
        found = list_of(call)
        for thing in [*(found.things if found is not None else ()), call.body]:
            row = {"".join(words(name)): value for name, value in thing.items()} if isinstance(thing, dict) else {}
            row = {name: value for name, value in row.items() if isinstance(value, str | int | float)}
            if len(row) > 1 and row not in rows and len(rows) < MAX_ROWS:
                rows.append(row)

    def _seen_together(self, operation: Operation, locations: list[str]) -> list[dict[str, Json]]:
        """Values for all of two or more locations, each from one object of a response."""
        names = {location: "".join(words(location.partition(":")[2])) for location in locations}
        rows = (row for _, row in self._objects(operation.tool) if len(names) > 1 and row.keys() >= {*names.values()})
        return [{location: row[name] for location, name in names.items()} for row in islice(rows, MAX_VALUES)]

    def _objects(self, tool: str) -> Iterator[tuple[OperationKey, dict[str, Json]]]:
        """The objects of responses of a tool, with the operations that returned them, the newest of each first."""
        return ((key, row) for key, rows in self._rows.get(tool, {}).items() for row in reversed(rows))

    def _joined(self, operation: Operation, names: list[str]) -> Iterator[dict[str, Json]]:
        """Values for two path parameters from two objects, of which one refers to the other by its id.

        `/deployments/name/{flow_name}/{deployment_name}`: a deployment with a `flow_id`, and the flow with that `id`.
        """
        (*one, first), (*other, second) = (words(name) or ("",) for name in names)
        objects = list(self._objects(operation.tool))
        for kind, below in objects:
            reference = below.get("".join((*one, "id")))
            if not one or reference is None or second not in below or not {*other} <= nouns_in(kind.path):
                continue
            for _, above in objects:
                if above.get("id") == reference and first in above:
                    yield path_arguments(operation.path, (above[first], below[second]))
                    break

    @staticmethod
    def _vary(
        paths: list[dict[str, Json]],
        best: dict[str, Json],
        others: list[tuple[str, list[Json]]],
        bodies: list[Json],
        rows: list[dict[str, Json]],
    ) -> Iterator[dict[str, Json]]:
        def whole(path: dict[str, Json], query: dict[str, Json], body: Json) -> dict[str, Json]:
            return {**path, **query, **({} if body is None else {"body:": body})}

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
        known = [
            path_arguments(operation.path, values) for values in self._contexts.tuples(tool, heads[-1], owned=parents)
        ]
        # What errors said of ids in paths holds for all of them.
        known.sort(key=lambda path: not all(self.lessons.fits(tool, *one) for one in path.items()))
        known.sort(key=lambda path: not _is_typed(operation, path))
        top, inside = self._tree_paths(operation, heads)
        yield from (*known[:1], *top, *known[1:], *inside)
        if parents < len(names):
            yield from islice(self._guessed_paths(operation, names, heads, subject, parents), MAX_GUESSES)
            if subject is not None and subject.safe and subject.patience > 1:
                yield from islice(self._last_resorts(operation, names, heads), MAX_GUESSES * subject.patience)

    def _tree_paths(
        self, operation: Operation, heads: list[str]
    ) -> tuple[list[dict[str, Json]], list[dict[str, Json]]]:
        """The top of the tree that a GET takes paths of, and what other operations told of it; nothing otherwise."""
        tool, path = operation.tool, operation.path
        if operation.method != "GET" or not ends_in_paths(path):
            return [], []
        above = self._contexts.tuples(tool, heads[-2])[:1] if len(heads) > 1 else [()]
        inside = self._contexts.tree_paths(tool) if len(heads) == 1 else []
        top = [path_arguments(path, (*values, "")) for values in above]
        return top, [path_arguments(path, values) for values in inside]

    def _guessed_paths(
        self, operation: Operation, names: list[str], heads: list[str], subject: Subject | None, parents: int
    ) -> Iterator[dict[str, Json]]:
        """The values of one object for all; the longest known beginning, with values for the rest, seen or guessed.

        After some attempts, only if one value is missing, and with what an answer or an error had of it.
        """
        yield from self._tuples_seen(operation, names) if not parents else ()
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

    def _tuples_seen(self, operation: Operation, names: list[str]) -> Iterator[dict[str, Json]]:
        """Values for all path parameters: from one object each, then from two that belong together."""
        yield from self._seen_together(operation, [f"path:{name}" for name in names])
        if len(names) == 2:
            yield from islice(self._joined(operation, names), MAX_PATHS)

    def _last_resorts(self, operation: Operation, names: list[str], heads: list[str]) -> Iterator[dict[str, Json]]:
        """The longest known beginning of the path with anything for the rest, the same for all of it."""
        counts = range(len(names) - 1, 0, -1)
        above = ((count, self._contexts.tuples(operation.tool, heads[count - 1])) for count in counts)
        count, known = next(((count, tuples[0]) for count, tuples in above if tuples), (0, ()))
        missing = _path_parameters(operation, names[count:])
        for value in self._anything(operation, missing[0].schema):
            yield path_arguments(operation.path, (*known, *[value] * len(missing)))

    def _anything(self, operation: Operation, schema: Schema) -> list[Json]:
        """What a parameter may be of which nothing is known: ids and short texts that were seen, and commonplaces."""
        rows = self._objects(operation.tool)
        short = {name: value for _, row in rows for name, value in row.items() if _is_short(value)}
        ids = sorted(short, key=lambda name: (not is_id_name(name), not is_name_field(name)))
        seen = [*self._identifiers(operation)[:MAX_VALUES], *(short[name] for name in ids[:MAX_VALUES])]
        return _fitting([*_unique(seen), *examples.COMMONPLACE], schema)

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
        value = self.lessons.fitting(operation.tool, parameter.key, self.fresh(parameter.schema), parameter.schema)
        return {**path, parameter.key: value}

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
        found += near_values(operation, parameter.name, self._graph.values) if parameter.location == "path" else ()
        edges = self._graph.producers(operation.key, location)[:3]
        seen = [self._graph.values.samples(edge.source, edge.pointer)[:3] for edge in edges]
        found += [value for values in zip_longest(*seen) for value in values if value is not None]
        found += self._by_name(operation, parameter.name)
        found += examples.guess_values(_full_name(operation, parameter), schema) if invent else ()
        return list({repr(value): value for value in _fitting(found, schema)}.values())[:MAX_VALUES]

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
        linked = self._linked.get((operation.key, key), [])
        stated = [*self._given.values(operation, key), *_stated_values(subject, name, place), *linked]
        parameter = operation.parameter(key)
        if parameter is None:
            return [*stated, *self._by_name(operation, name), *self._identifiers(operation), *_of_name(name)]
        fitting = _fitting(stated, parameter.schema)
        known = self.values(operation, parameter)
        if subject.patience > 1 and subject.safe and not subject.reached:
            known += self._anything(operation, parameter.schema)
        if not parameter.required and subject.reached:
            return [*fitting, *known]
        # Needed, and nothing is known of it: perhaps it names what the tool is about, by its id.
        return [*fitting, *known[:2], *_fitting(self._identifiers(operation), parameter.schema), *known[2:]]

    def _identifiers(self, operation: Operation) -> list[Json]:
        """Ids that the tool's paths take, two of each kind."""
        shapes = self._contexts.shapes(operation.tool)
        return [values[-1] for shape in shapes for values in self._contexts.tuples(operation.tool, shape)[:2]]

    def full_body(self, subject: Subject) -> Json:
        """A request body with everything that is documented; None if there is no body, or it carries requests."""
        operation = subject.operation
        if operation.body is None or operation.body.schema is None or batch_body(operation, "/") is not None:
            return None
        full = self._example(subject, operation.body.schema, full=True)
        if not subject.safe:
            full = unranked(full, operation.body.schema.required)
        return self._taught(operation, self._corrected(full, full, subject))

    def _bodies(self, subject: Subject) -> list[Json]:
        """Request bodies: what is required, that with values that were seen, then all that is documented, then more.

        [None] if there is no body.
        """
        operation = subject.operation
        if operation.body is None or operation.body.schema is None:
            return [None if operation.body is None else self._undescribed(subject, operation.body)]
        schema = operation.body.schema
        minimal, every = (self._example(subject, schema, full=full) for full in (False, True))
        full = every if subject.safe else unranked(every, schema.required)
        start = marked(minimal, full) if subject.creates else minimal
        plain = [self._corrected(start, full, subject), *self._with_seen(subject, start)]
        plain += self._shown_before(subject)
        wide = [self._corrected(full, full, subject), minimal, full, *body_variants(schema, minimal, every)]
        open_forms = forms(schema, start, partial(self._example, subject))
        bodies = [self._taught(operation, body) for body in (*plain, *open_forms, *wide)]
        return list({canonical(body): body for body in bodies}.values())

    def _example(self, subject: Subject, schema: Schema, *, full: bool = False) -> Json:
        """A body of what is required, or with `full` of everything, of values that are known or made up."""

        def lookup(pointer: str, part: Schema) -> list[Json]:
            return self._known_of_body(subject, pointer, part)

        return examples.example_body(schema, lookup, full=full, number=self._number(subject))

    def see_linked(self, operation: Operation, arguments: Arguments) -> None:
        """Take in with which query arguments a response linked to an operation."""
        for location, value in arguments.items():
            kept = self._linked.setdefault((operation.key, location), [])
            if location.startswith("query:") and value not in kept and len(kept) < MAX_VALUES:
                kept.append(value)

    def see_item(self, call: Call, *, own: bool) -> None:
        """Take in an item as a GET shows it; the run's own stand for their kind."""
        place = (call.key.tool, shape_of(call.key.path))
        if own or place not in self._items:
            self._items[place] = created_object(call.body)

    def _shown_before(self, subject: Subject) -> Iterator[Json]:
        """For a change: the item as a GET shows it, as far as it may be sent, and each compound part of it alone."""
        operation = subject.operation
        shown = self._items.get((operation.tool, shape_of(operation.path)))
        schema = operation.body.schema if operation.body is not None else None
        if operation.method not in ("PUT", "PATCH") or not isinstance(shown, dict) or schema is None:
            return
        names = _writable_names(schema, shown)
        if names:
            yield {name: shown[name] for name in names}
        for name in names:
            if isinstance(shown[name], dict | list) and shown[name]:
                yield {name: shown[name]}

    def _known_of_body(self, subject: Subject, pointer: str, part: Schema) -> list[Json]:
        """What is known of a part of a body before anything is made up."""
        operation, name = subject.operation, name_at(f"body:{pointer}")
        own = self._contexts.own_ids(operation.tool, name)
        found = [*_stated_values(subject, name, "body"), *own]
        # What refers to a kind of thing that the run has made never refers to somebody's.
        for edge in self._graph.producers(operation.key, f"body:{pointer}")[:2] if not own else ():
            found += self._graph.values.samples(edge.source, edge.pointer)[:2]
        return _fitting(found, part)

    def _taught(self, operation: Operation, body: Json) -> Json:
        """The body with each value as errors wanted it under that name."""
        for pointer, value in leaves(body):
            schema = schema_at(operation, f"body:{pointer}")
            taught = self.lessons.fitting(operation.tool, f"body:{pointer}", value, schema)
            if taught != value:
                body = placed(body, pointer, taught)
        return body

    def _with_seen(self, subject: Subject, body: Json) -> Iterator[Json]:
        """The body with other values for what was made up: those that answers showed under the same names."""
        if not isinstance(body, dict):
            return
        for name, value in body.items():
            if is_made_up(value):
                part = schema_at(subject.operation, f"body:{join(name)}")
                mentioned = named_in(part.description) if part is not None else []
                seen = self.seen_as(subject.operation, join(name))[:2]
                # What is done to something is given no id or name of somebody's, but maybe a content.
                seen = [value for value in seen if _is_content(value)] if subject.acts else seen
                for other in _unique([*seen, *mentioned[:2]]):
                    yield {**body, name: other}

    def seen_as(self, operation: Operation, pointer: str) -> list[Json]:
        """Values that answers showed under a name: in the same place of what lies nearest to the operation first."""
        places = self._graph.values.named(operation.tool, last(pointer))
        stem, inside = shape_of(operation.path), split(pointer)

        def distance(place: tuple[OperationKey, str]) -> tuple[bool, bool, bool]:
            shape, seen = shape_of(place[0].path), [key for key in split(place[1].partition(":")[2]) if key != "0"]
            wanted = [key for key in inside if key != "0"]
            return seen[-len(wanted) :] != wanted, shape != stem, not shape.startswith(stem)

        near = sorted(places, key=distance)
        values = (value for place in near[:4] for value in self._graph.values.samples(*place)[:4])
        return list(dict.fromkeys(value for value in values if value != "" and not is_made_up(value)))

    def _in_path(self, operation: Operation, name: str) -> list[Json]:
        """Values for one path argument: those of known tuples, of the run's own first."""
        names, heads = parameters_of(operation.path), list(heads_of(operation.path))
        tuples = self._contexts.tuples(operation.tool, heads[names.index(name)]) if name in names else []
        return _unique([values[-1] for values in tuples])

    def _undescribed(self, subject: Subject, body: Body) -> Json:
        """A body without a schema: a text or a file of the run's own, or an empty object."""
        return run_name(self._number(subject)) if is_text_or_file(body.media_type) else {}

    def suggest(self, subject: Subject, location: str) -> list[Json]:
        """Values for a location that an error is about: the run's own, documented, seen, and made up ones."""
        place, _, rest = location.partition(":")
        operation = subject.operation
        own = [*self._given.values(operation, location), *self._contexts.own_ids(operation.tool, name_at(location))]
        if place == "path":
            return self._in_path(operation, rest)
        if place != "body":
            return [*own, *self.options(subject, location)]
        return self._suggest_in_body(subject, rest, own)

    def _suggest_in_body(self, subject: Subject, pointer: str, own: Sequence[Json]) -> list[Json]:
        operation, number = subject.operation, self._number(subject)
        name, part = last(pointer), schema_at(operation, f"body:{pointer}")
        if part is not None and (part.type in ("object", "array") or part.properties()):
            bodies = (examples.example_body(part, lambda p, s: [], full=full, number=number) for full in (False, True))
            return _unique([*bodies])
        found: list[Json] = list(own)
        if part is not None:
            called = examples.own_name(name, part, number)
            found += [*([] if called is None else [called]), *examples.documented_values(part)]
            found += [*self._known_of_body(subject, pointer, part), *named_in(part.description)]
        found += self._unproven(subject, pointer, part, number)
        return _unique(found if part is None else _fitting(found, part))

    def _unproven(self, subject: Subject, pointer: str, part: Schema | None, number: int) -> list[Json]:
        """Values that were seen under the name of a member, or are guessed.

        A text that is guessed is a name of the run, and so is all that an id or an action is given: anything else may
        be somebody's thing.
        """
        name = last(pointer)
        guessed = [*(examples.guess_values(name, part) if part is not None else ()), *_of_name(name)]
        named = [examples.named_after_run(value, number) for value in guessed]
        named = [value for value in named if is_made_up(value) or value not in _ANYTHING]
        if is_id_name(name) or subject.acts:
            return list(filter(is_made_up, named))
        return [*self.seen_as(subject.operation, pointer), *named]

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


def _unique(values: Sequence[Json]) -> list[Json]:
    return list({canonical(value): value for value in values}.values())


def _first(good: Json, options: list[Json]) -> list[Json]:
    """The options with the value in front that an error found nothing wrong with."""
    return options if good is None else [good, *(value for value in options if value != good)]


def _stated_values(subject: Subject, name: str, place: str) -> list[Json]:
    """What errors say that a parameter or property may be: the allowed values, or some of the type."""
    about_it = [s for s in subject.statements.values() if s.name == name and s.place in ("", place)]
    allowed: list[Json] = [value for s in about_it if s.kind == "allowed-values" for value in s.values]
    return allowed + [value for s in about_it if s.kind in TYPED for value in examples.values_of_type(s.values[0])]


def _stated(subject: Subject | None, parameter: Parameter) -> list[Json]:
    """The values that errors allowed for a path parameter; or else those for what errors without a hint call it."""
    if subject is None:
        return []
    return _allowed(subject, parameter) or _called(subject, parameter)


def _allowed(subject: Subject, parameter: Parameter) -> list[Json]:
    on_it = [s for s in subject.statements.values() if s.name == parameter.name and s.place in ("", "path")]
    allowed = (value for s in on_it if s.kind == "allowed-values" for value in s.values)
    return [value for value in _fitting(allowed, parameter.schema) if value != ""]


def _called(subject: Subject, parameter: Parameter) -> list[Json]:
    refusals = (summarise_error(call.body) for call in subject.calls if call.status in INVALID)
    return _unique([value for text in refusals for value in examples.values_of_name(text, parameter.schema)])


def _fitting(values: Iterable[Json], schema: Schema) -> list[Json]:
    """The values that can be of a schema's type and format, as that type."""
    return [fitting for value in values if (fitting := examples.fit(value, schema)) is not None]


def _full_name(operation: Operation, parameter: Parameter) -> str:
    """The name of a parameter; in a path, after what stands before it: `status codes` for `/status/{codes}`."""
    before = operation.path.partition(f"/{{{parameter.name}}}")[0].rpartition("/")[2]
    in_path = parameter.location == "path" and "{" not in before
    return f"{before} {parameter.name}" if in_path else parameter.name


def _is_typed(operation: Operation, path: dict[str, Json]) -> bool:
    """Whether path arguments can be of the types and formats of their parameters."""
    parameters = ((operation.parameter(key), value) for key, value in path.items())
    return all(p is None or examples.fit(value, p.schema) is not None for p, value in parameters)


def _writable_names(schema: Schema, item: Mapping[str, Json]) -> list[str]:
    """The properties of a body that an item has and that may be sent."""
    return [name for name, part in schema.properties().items() if name in item and not part.get("readOnly")]


def _is_short(value: Json) -> bool:
    """Whether a value may be an id: a whole number, or a text without spaces."""
    return type(value) is int or (isinstance(value, str) and 0 < len(value) <= MAX_ID and not set(value) & {" ", "\n"})


def _is_content(value: Json) -> bool:
    """Whether a text is written in some language, such as XML or JSON: it names nothing."""
    return isinstance(value, str) and value.lstrip()[:1] in ("<", "{", "[") and len(value) > 2


def _longest(text: Json) -> str:
    """The longest word of a name: what a search for it would be given."""
    return max(str(text).split(), key=len, default="")


def _of_name(name: str) -> list[Json]:
    return [examples.BY_WORD[word] for word in reversed(words(name)) if word in examples.BY_WORD] + ["docrev", "a"]


def _path_parameters(operation: Operation, names: list[str]) -> list[Parameter]:
    """The path parameters in the order of the path; the catalog has declared the undeclared."""
    known = {parameter.name: parameter for parameter in operation.parameters if parameter.location == "path"}
    return [known[name] for name in names if name in known]
