"""Path arguments to try: known tuples, then shorter ones with values for the rest, then guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product

from docrev.conventions import examples
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.examples import fitting_values
from docrev.conventions.statuses import INVALID, NOT_FOUND
from docrev.exploration.contexts import Contexts
from docrev.exploration.given_values import GivenValues
from docrev.exploration.lessons import Lessons
from docrev.exploration.parameter_values import ParameterValues
from docrev.exploration.path_shapes import ends_in_paths, path_arguments, shared_parameters
from docrev.exploration.run_numbers import RunNumbers
from docrev.exploration.seen_objects import SeenObjects
from docrev.exploration.subjects import Subject
from docrev.json_values.canonical import unique
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.language.words import words
from docrev.records import Json
from docrev.spec import MISSING, Operation, Parameter
from docrev.spec.bare_paths import fixed_arguments

MAX_PATHS = 4
"""Pairs of objects that path arguments are taken from."""
MAX_GUESSES = 4
"""Attempts at an operation for which path arguments may be put together that nobody saw together."""


class CandidatePaths:
    """Proposes path arguments, the likeliest first."""

    def __init__(
        self,
        contexts: Contexts,
        values: ParameterValues,
        seen: SeenObjects,
        lessons: Lessons,
        numbers: RunNumbers,
        given: GivenValues,
    ) -> None:
        self._contexts, self._values, self._seen = contexts, values, seen
        self._lessons, self._numbers, self._given = lessons, numbers, given

    def of(
        self, operation: Operation, *, parents: int = 0, subject: Subject | None = None
    ) -> Iterator[dict[str, Json]]:
        """Path arguments: a person's first, then known tuples, then tuples of a shorter path with values for the rest.

        The first `parents` of them are those of something that the run created. What the errors of a `subject` say
        about its path arguments counts.
        """
        fixed = fixed_arguments(operation)
        for path in self._given.paths(operation, self._seen_paths(operation, parents, subject), parents):
            yield {**path, **fixed}

    def _seen_paths(self, operation: Operation, parents: int, subject: Subject | None) -> Iterator[dict[str, Json]]:
        names, tool = parameters_of(operation.route.path), operation.tool
        if not names:
            yield {}
            return
        heads = list(heads_of(operation.route.path))
        known = [
            path_arguments(operation.route.path, values)
            for values in self._contexts.tuples(tool, heads[-1], owned=parents)
        ]
        # What errors said of ids in paths holds for all of them.
        known.sort(key=lambda path: not all(self._lessons.fits(tool, *one) for one in path.items()))
        known, strays = self._without_strays(operation, known)
        top, inside = self._tree_paths(operation, heads)
        yield from self._by_field(operation, names, heads) if not parents else ()
        yield from (*known[:1], *top, *known[1:], *inside)
        if parents < len(names):
            yield from islice(self._guessed_paths(operation, names, heads, subject, parents), MAX_GUESSES)
        yield from strays
        if parents < len(names) and subject is not None and subject.safe and subject.patience > 1:
            yield from islice(self._last_resorts(operation, names, heads), MAX_GUESSES * subject.patience)

    def _without_strays(
        self, operation: Operation, paths: list[dict[str, Json]]
    ) -> tuple[list[dict[str, Json]], list[dict[str, Json]]]:
        """Known path arguments, those of the documented types first; and those of other types, if the documentation or
        the name tells what is wanted, or nothing was shown below this path: the ID of a visit for `/my/visits/{date}`.
        """
        parameters = {parameter.key: parameter for parameter in operation.parameters}
        shown = self._contexts.shown(operation.tool, operation.route.path)
        typed: list[dict[str, Json]] = []
        others: list[dict[str, Json]] = []
        strays: list[dict[str, Json]] = []
        for path in paths:
            odd = [
                parameters[key] for key, value in path.items() if key in parameters and _is_odd(value, parameters[key])
            ]
            is_stray = any(map(_is_told, odd)) or tuple(map(str, path.values())) not in shown
            (strays if odd and is_stray else others if odd else typed).append(path)
        return [*typed, *others], strays

    def _by_field(self, operation: Operation, names: list[str], heads: list[str]) -> Iterator[dict[str, Json]]:
        """What things have in the field that a GET calls its only parameter after, if other operations call it
        otherwise: `/posts/{slug}/preview` beside `/posts/{id}`."""
        called = self._contexts.names(operation.tool, heads[0])
        if operation.route.method == "GET" and len(names) == 1 and len(called) > 1:
            collection = shape_of(heads[0]).rpartition("/")[0]
            for value in self._seen.fields(operation.tool, collection, names[0]):
                yield path_arguments(operation.route.path, (value,))

    def _tree_paths(
        self, operation: Operation, heads: list[str]
    ) -> tuple[list[dict[str, Json]], list[dict[str, Json]]]:
        """The top of the tree that a GET takes paths of, and what other operations told of it; nothing otherwise."""
        tool, path = operation.tool, operation.route.path
        if operation.route.method != "GET" or not ends_in_paths(path):
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
            stated = [self._stated(subject, parameter) for parameter in missing]
            if tired and len(missing) > 1 and not all(stated):
                return
            rest = [
                (said or self._values.of(operation, parameter, invent=not tired))[:3]
                for said, parameter in zip(stated, missing, strict=True)
            ]
            for values, more in product(known, product(*rest)):
                yield path_arguments(operation.route.path, (*values, *more))

    def _tuples_seen(self, operation: Operation, names: list[str]) -> Iterator[dict[str, Json]]:
        """Values for all path parameters: that another path takes together, from one object each, then from two that
        belong together."""
        yield from islice(self._namesakes(operation, names), MAX_PATHS)
        yield from self._seen.together(operation, [f"path:{name}" for name in names])
        if len(names) == 2:
            yield from islice(self._seen.joined(operation, names), MAX_PATHS)

    def _namesakes(self, operation: Operation, names: list[str]) -> Iterator[dict[str, Json]]:
        """What another path that ends in a parameter of the same name takes, below what is known of the beginning.

        Where the two begin alike, `/runs/{}/tries/{}` and `/runs/{}/{}/tries/{}`, the beginning has the same values.
        """
        path, heads = operation.route.path, list(heads_of(operation.route.path))
        for shape, values in self._contexts.namesakes(operation.tool, path):
            rest = len(names) - len(values)
            alike = shared_parameters(shape, shape_of(path)) if rest else 0
            above = self._contexts.tuples(operation.tool, heads[alike + rest - 1]) if rest else [()]
            fitting = (beginning for beginning in above if beginning[:alike] == values[:alike])
            for beginning in islice(fitting, 2):
                yield path_arguments(path, (*beginning, *values[alike:]))

    def _last_resorts(self, operation: Operation, names: list[str], heads: list[str]) -> Iterator[dict[str, Json]]:
        """The longest known beginning of the path with anything for the rest, the same for all of it."""
        counts = range(len(names) - 1, 0, -1)
        above = ((count, self._contexts.tuples(operation.tool, heads[count - 1])) for count in counts)
        count, known = next(((count, tuples[0]) for count, tuples in above if tuples), (0, ()))
        missing = _path_parameters(operation, names[count:])
        for value in self._values.anything(operation, missing[0].name, missing[0].schema) if missing else ():
            yield path_arguments(operation.route.path, (*known, *[value] * len(missing)))

    def _stated(self, subject: Subject | None, parameter: Parameter) -> list[Json]:
        """The values that errors allowed for a path parameter; or else those for what errors without a hint call it; or
        what is known of the things of which they say that one was not found: "Person x not found"."""
        if subject is None:
            return []
        return _allowed(subject, parameter) or _called(subject, parameter) or self._missed(subject, parameter)

    def _missed(self, subject: Subject, parameter: Parameter) -> list[Json]:
        operation = subject.operation
        texts = [summarise_error(call.body) for call in subject.calls if call.status in NOT_FOUND]
        nouns = dict.fromkeys(word for text in texts for word in words(text))
        known = [id for noun in nouns for id in self._contexts.by_kind.known_ids(operation, noun)]
        # What has no path of its own may be listed all the same.
        listed = [] if known else [id for noun in nouns for id in self._seen.listed_under(operation, noun)]
        return unique(fitting_values([*known, *listed], parameter.schema))

    def fresh(
        self, operation: Operation, *, parents: int = 0, fits: Callable[[dict[str, Json]], bool] = lambda path: True
    ) -> dict[str, Json] | None:
        """The first path arguments that fit, of which the last is an id that docrev chooses.

        The first `parents` are of the run's own. None for a segment of an address, which the API gives.
        """
        names, heads = parameters_of(operation.route.path), list(heads_of(operation.route.path))
        above = self._contexts.tuples(operation.tool, heads[-2], owned=parents) if len(names) > 1 else [()]
        above = above or self._documented_above(operation, names, heads, parents)
        paths = (path_arguments(operation.route.path, (*values, None)) for values in above)
        path = next(filter(fits, paths), None)
        parameter = next(iter(_path_parameters(operation, names[-1:])), None)
        if path is None or parameter is None:
            return None
        value = self._lessons.fitting(
            operation.tool, parameter.key, self._numbers.fresh(parameter.schema), parameter.schema
        )
        return {**path, **fixed_arguments(operation), parameter.key: value}

    def _documented_above(
        self, operation: Operation, names: list[str], heads: list[str], parents: int
    ) -> list[tuple[Json, ...]]:
        """What is known of the path without its last two parameters, with what is documented for the last but one: it
        says of what sort the new thing is, and nothing lists sorts: `/rooms/{id}/send/{type}/{key}`."""
        if parents > len(names) - 2:
            return []
        known = self._contexts.tuples(operation.tool, heads[-3], owned=parents) if len(names) > 2 else [()]
        sort = next(iter(_path_parameters(operation, names[-2:-1])), None)
        return [(*values, one) for values in known for one in (_documented(sort) if sort is not None else ())]

    def argument(self, operation: Operation, name: str) -> list[Json]:
        """Values for one path argument: those of known tuples, of the run's own first."""
        names, heads = parameters_of(operation.route.path), list(heads_of(operation.route.path))
        tuples = self._contexts.tuples(operation.tool, heads[names.index(name)]) if name in names else []
        return unique([values[-1] for values in tuples])


def _allowed(subject: Subject, parameter: Parameter) -> list[Json]:
    on_it = [s for s in subject.statements.values() if s.name == parameter.name and s.place in ("", "path")]
    allowed = (value for s in on_it if s.kind == "allowed-values" for value in s.values)
    return [value for value in fitting_values(allowed, parameter.schema) if value != ""]


def _called(subject: Subject, parameter: Parameter) -> list[Json]:
    refusals = (summarise_error(call.body) for call in subject.calls if call.status in INVALID)
    return unique([value for text in refusals for value in examples.values_of_name(text, parameter.schema)])


def _is_odd(value: Json, parameter: Parameter) -> bool:
    """Whether a value cannot be of the type and format of a parameter."""
    return examples.fit(value, parameter.schema) is None


def _is_told(parameter: Parameter) -> bool:
    """Whether the documentation gives a value of a parameter, or its name says what it is: `date`, `year`."""
    named = examples.values_of_name(parameter.name, parameter.schema)
    return bool(_documented(parameter) or fitting_values(named, parameter.schema))


def _documented(parameter: Parameter) -> list[Json]:
    """The values of a parameter that the documentation itself gives."""
    stated = [parameter.example, *examples.documented_values(parameter.schema)]
    return fitting_values((value for value in stated if value not in (None, MISSING)), parameter.schema)


def _path_parameters(operation: Operation, names: list[str]) -> list[Parameter]:
    """The path parameters in the order of the path; the catalog has declared the undeclared."""
    known = {parameter.name: parameter for parameter in operation.parameters if parameter.location == "path"}
    return [known[name] for name in names if name in known]
