"""Making more things of the run's own, in the ways in which some were made before, and in other forms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from docrev.calls.content import content, with_content
from docrev.calls.journal import Journal
from docrev.calls.path_texts import noun_of
from docrev.calls.policy import Policy
from docrev.calls.route_arguments import addressed
from docrev.calls.routes import without_path
from docrev.conventions.error_hints import hints_of
from docrev.conventions.fields import is_name_field
from docrev.conventions.ids import called, created_object, identifies, is_id, is_id_name, refers_to
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import is_client_error
from docrev.exploration.bodies import days_later, named_in, renamed_arguments
from docrev.exploration.candidates import Candidates
from docrev.exploration.contexts import Contexts
from docrev.exploration.mending import ValueSources, mended
from docrev.exploration.path_shapes import fill, path_arguments
from docrev.exploration.subjects import Perform, Subject
from docrev.json_values.containers import mapping
from docrev.json_values.pointer import join
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.language.words import singular, word_set, words
from docrev.prompts.steps import Steps
from docrev.records import Arguments, Call, JournalItem, Json
from docrev.spec import Operation, Schema

MAX_MENDS = 4
"""Refused attempts at one other form of a thing, each of them mended."""

MAX_PARENTS = 2
"""Other parents under which one more thing is made, if a parent has one already and takes no other."""

Kind = tuple[str, str]
"""A tool, and the shape of the paths of things: `/zones/{}`."""


class Makers:
    """Knows by which requests the run has made things, and makes more of them.

    `subjects` are the operations under survey, `perform` calls one of them and takes in what comes of it.
    """

    def __init__(
        self,
        subjects: Iterable[Subject],
        journal: Journal,
        policy: Policy,
        contexts: Contexts,
        candidates: Candidates,
        perform: Perform,
    ) -> None:
        self._subjects, self._journal, self._policy = list(subjects), journal, policy
        self._contexts, self._candidates, self._perform = contexts, candidates, perform
        self._recipes: dict[Kind, tuple[Subject, dict[str, Json]]] = {}
        self._single: set[Kind] = set()

    def learn(self, item: JournalItem, maker: Subject, arguments: dict[str, Json], answer: Json) -> None:
        """Take in what a request has made: whatever was answered, another one can be made by it."""
        aliases = self._contexts.learn_names(item, [*_names_sent(arguments), *called(created_object(answer))])
        kind = next(self._kinds(item), None)
        if kind is not None:
            self._recipes[kind] = maker, arguments
        for alias in aliases:
            self._recipes.update(dict.fromkeys(self._kinds(alias), (maker, arguments)))
        if not maker.reached:
            maker.stopped = "redirected"

    def is_single(self, kind: Kind) -> bool:
        """Whether there can be only one, which could be made again: one more was accepted, and nothing was new."""
        maker, made_by = self._recipes.get(kind, (None, {}))
        if maker is None or kind not in self._single:
            return False
        return self._policy.verdict(maker.operation, made_by, self._journal) is None

    def make(self, kind: Kind) -> Steps[JournalItem | None]:
        """Create one more thing in the way in which one was created before; None if none ever was."""
        maker, made_by = self._recipes.get(kind, (None, {}))
        if maker is None or (arguments := self._next_arguments(maker, made_by)) is None:
            return None
        call, item = yield from self._attempt(maker, arguments)
        for path in self._other_parents(maker.operation, arguments) if item is None and call.ok else ():
            _, item = yield from self._attempt(maker, addressed(arguments, path))
            if item is not None:
                break
        if item is None and call.ok:
            self._single.add(kind)
        return item

    def kind_at(self, item: JournalItem) -> Kind | None:
        """The kind of a thing, if the run knows how to make another one."""
        return next((kind for kind in self._kinds(item) if kind in self._recipes), None)

    def move(self, above: Kind, old: Collection[tuple[str, ...]], values: Sequence[Json]) -> Steps[None]:
        """Make again, in the thing of these path arguments, one of each kind that was made in the `old` one."""
        for kind in sorted(self._recipes, key=lambda kind: (kind[1].count("{}"), kind)):
            maker, made_by = self._recipes[kind]
            heads = [h for h in heads_of(maker.operation.route.path) if (maker.operation.tool, shape_of(h)) == above]
            for head in heads if kind != above else ():
                if tuple(str(made_by.get(f"path:{name}")) for name in parameters_of(head)) in old:
                    self._recipes[kind] = maker, addressed(made_by, path_arguments(head, values))
                    yield from self.make(kind)

    def _other_parents(self, operation: Operation, arguments: Arguments) -> list[dict[str, Json]]:
        """Path arguments of other things of the run's own that a creation may add to."""
        parents = len(parameters_of(operation.route.path))
        paths = self._candidates.paths.of(operation, parents=parents) if parents and operation.method == "POST" else ()
        others = (path for path in paths if any(arguments.get(name) != value for name, value in path.items()))
        allowed = (p for p in others if self._policy.verdict(operation, addressed(arguments, p), self._journal) is None)
        return list(islice(allowed, MAX_PARENTS))

    def make_forms(
        self, kind: Kind, error: str, sources: Callable[[Subject], ValueSources]
    ) -> Iterator[Steps[JournalItem | None]]:
        """Steps that create a thing in another form each: those forms first that an error on the thing mentions."""
        maker, made_by = self._recipes.get(kind, (None, {}))
        if maker is not None:
            suggest = sources(maker).suggest
            for body in other_forms(
                maker.operation, made_by.get("body:"), error, lambda name: suggest(f"body:{join(name)}")
            ):
                yield self._make_form(maker, {**made_by, "body:": body}, sources(maker))

    def fresh_path(self, operation: Operation) -> dict[str, Json] | None:
        """Path arguments that end in an id that the run chooses, below its own things or where the user consented."""
        path = self._candidates.paths.fresh(operation, parents=self._journal.effects.of(operation).parents)
        if path is None:
            path = self._candidates.paths.fresh(operation, fits=lambda path: self._policy.consents(operation, path))
        return path

    def joined_paths(self, operation: Operation) -> list[dict[str, Json]]:
        """Path arguments that put one of the run's own things, which lies elsewhere, below another of its own."""
        names, heads = parameters_of(operation.route.path), list(heads_of(operation.route.path))
        if len(names) < 2:
            return []
        things = self._contexts.by_kind.own_of_kind(operation.tool, names[-1])[:MAX_PARENTS]
        above = self._contexts.tuples(operation.tool, heads[-2], owned=len(names) - 1)[:MAX_PARENTS]
        return [path_arguments(operation.route.path, (*values, thing)) for values in above for thing in things]

    def again(self, operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
        """Arguments with names and times that nothing was given yet: either may have to be unique. What has neither is
        told apart by what it refers to, of which there may be only one for each thing.
        """
        said = content(operation, arguments)
        if said is None:
            return arguments
        number = self._candidates.numbers.next()
        other = renamed_arguments(operation, arguments, self._journal, number)
        told = days_later(content(operation, other), number)
        return with_content(operation, other, self._of_another(operation, said) if told == said else told)

    def make_referred(self, operation: Operation, arguments: Arguments) -> Steps[None]:
        """Create one more of what the body of a creation refers to of the run's own: another one may refer to that."""
        said = content(operation, arguments)
        for name, value in mapping(said).items():
            if is_id(value) and str(value) in map(str, self._contexts.by_kind.own_ids(operation.tool, name)):
                kind = self.kind_of(operation.tool, name)
                if kind is not None:
                    yield from self.make(kind)

    def kind_of(self, tool: str, name: str) -> Kind | None:
        """The kind of the things that the run has made to which a member may refer by its name."""
        return next((kind for kind in self._recipes if refers_to(name, _noun(kind)) and kind[0] == tool), None)

    def _of_another(self, operation: Operation, said: Json) -> Json:
        """A body that refers to another thing of the run's own of the same kind; as it is if there is none."""
        for name, value in mapping(said).items():
            # Paths have texts alone; what is an ID here is no name there.
            own = [str(id) for id in self._contexts.by_kind.own_ids(operation.tool, name)] if is_id(value) else []
            alike = (
                id for id in own if is_made_up(id) == is_made_up(value) and id.isdecimal() >= isinstance(value, int)
            )
            other = next((id for id in alike if id != str(value)), None)
            if is_id(value) and str(value) in own and other is not None:
                return {**said, name: type(value)(other)}
        return said

    def _make_form(
        self, maker: Subject, arguments: dict[str, Json], sources: ValueSources
    ) -> Steps[JournalItem | None]:
        following = self._next_arguments(maker, arguments)
        for _ in range(MAX_MENDS):
            if following is None:
                break
            call, item = yield from self._attempt(maker, following)
            if item is not None or not is_client_error(call.status):
                return item
            following = next(mended(maker.operation, following, hints_of(call), sources), None)
        return None

    def _next_arguments(self, maker: Subject, made_by: dict[str, Json]) -> dict[str, Json] | None:
        """What would make another one: under an id that nobody has, or with other names in the body."""
        operation = maker.operation
        if not maker.puts:
            return self.again(operation, made_by)
        path = self.fresh_path(operation)
        if path is None:
            return None
        self._journal.choose(operation, path)
        rest = without_path(made_by)
        return addressed(rest, path) if rest else next(self._candidates.sets_for(maker, [path]), None)

    def _attempt(self, maker: Subject, arguments: dict[str, Json]) -> Steps[tuple[Call, JournalItem | None]]:
        before = {item.id for item in self._journal.items}
        call = yield from self._perform(maker, arguments)
        return call, next((item for item in self._journal.items if item.id not in before and item.confirmed), None)

    def _kinds(self, item: JournalItem) -> Iterator[Kind]:
        for subject in self._subjects:
            operation = subject.operation
            shape = shape_of(operation.route.path)
            if operation.tool == item.tool and shape.endswith("}") and fill(shape, item.path) is not None:
                yield operation.tool, shape


def _noun(kind: Kind) -> str:
    return noun_of(kind[1].rpartition("/")[0])


def other_forms(
    maker: Operation, body: Json, error: str, suggest: Callable[[str], list[Json]]
) -> Iterator[dict[str, Json]]:
    """Other bodies of a creation: with what an error on the thing mentions, then with each other value of a choice.

    "not a slave domain (or has no master defined)" mentions the value `Slave` of `kind`, and the member `masters`.
    """
    schema = maker.body_schema
    if not isinstance(body, dict) or schema is None:
        return
    seen: list[dict[str, Json]] = []
    for form in _forms(schema.properties(), body, {singular(word) for word in word_set(error)}, suggest):
        if form not in seen and any(body.get(name) != value for name, value in form.items()):
            seen.append(form)
            yield {**body, **form}


def _forms(
    properties: Mapping[str, Schema], body: Mapping[str, Json], said: set[str], suggest: Callable[[str], list[Json]]
) -> list[dict[str, Json]]:
    """What to put into a body: what was said together, then each part of it, then each other value of a choice."""
    every = _choices(properties)
    chosen = {name: value for name, value in every if _is_mentioned(value, said) and value != body.get(name)}
    named = [name for name in properties if name not in {*body, *chosen} and _is_mentioned(name, said)]
    added = {name: value for name in named for value in suggest(name)[:1]}
    every.sort(key=lambda choice: choice[0] not in chosen)
    return [{**chosen, **added}, chosen, added, *({name: value} for name, value in every)]


def _choices(properties: Mapping[str, Schema]) -> list[tuple[str, Json]]:
    """The values that each property may have, as its schema lists them, then as its description mentions them."""
    listed = [(name, value) for name, part in properties.items() for value in part.enum or ()]
    described = ((name, part.description) for name, part in properties.items() if not part.enum)
    return listed + [(name, value) for name, text in described for value in named_in(text)]


def _is_mentioned(name: Json, said: set[str]) -> bool:
    parts = {singular(word) for word in words(name)} if isinstance(name, str) else set()
    return bool(parts) and parts <= said


def _names_sent(arguments: Arguments) -> list[str]:
    """The names in a request body that the run made up: what was created may be addressed by one of them."""
    body = arguments.get("body:")
    members = mapping(body).items()
    return [
        value
        for name, value in members
        if is_made_up(value) and (is_name_field(name) or is_id_name(name) or identifies(name))
    ]
