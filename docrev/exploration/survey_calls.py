"""The calls of a survey: what is sent to each operation, and what the survey learns of the answers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain, islice
from urllib.parse import unquote

from docrev.calls.closing_actions import closes
from docrev.calls.consent import consented_things
from docrev.calls.journal import Journal
from docrev.calls.names_sent import keeping_names
from docrev.calls.policy import Policy
from docrev.calls.route_arguments import addressed
from docrev.calls.routes import least_sent, only_path, without_path
from docrev.conventions.methods import SAFE_METHODS
from docrev.exploration.candidate_bodies import batch_body
from docrev.exploration.candidates import MAX_VALUES, Candidates
from docrev.exploration.closed_things import ClosedThings
from docrev.exploration.contexts import Contexts
from docrev.exploration.experiments import Spent
from docrev.exploration.given_values import GivenValue, GivenValues
from docrev.exploration.learning import Learner
from docrev.exploration.needs import note_dependants
from docrev.exploration.other_targets import OtherTargets
from docrev.exploration.read_trials import ReadTrials
from docrev.exploration.repeated_creations import Makers
from docrev.exploration.second_looks import SecondLooks
from docrev.exploration.subjects import Subject
from docrev.exploration.suggestions import Suggestions
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import canonical
from docrev.language.path_templates import ends_in_parameter, parameters_of, shape_of
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json, OperationKey
from docrev.spec import Catalog, Operation

MAX_DELETIONS = 3
"""Things that are made to be deleted, until a deletion works."""
MAX_MISSES = 4
"""Times that a PUT to an id of our own choice finds nothing there: then it creates nothing."""
MAX_STRANGE = 2
"""Operations at which an ID of our own choice is tried, where none was accepted and a POST chooses IDs, too."""


class SurveyCalls:
    """What a survey knows of operations, and how it calls one of them; `Surveyor` decides which one is next.

    The values that a person has `given` are tried before all others. `asks`: a model says what to send where nothing
    is left to try. `looks` see whether a GET changed what it read.
    """

    def __init__(
        self,
        catalog: Catalog,
        graph: ToolGraph,
        journal: Journal,
        policy: Policy,
        looks: SecondLooks,
        given: Sequence[GivenValue] = (),
        *,
        asks: bool = False,
    ) -> None:
        self._graph, self._journal, self._policy, self._looks = graph, journal, policy, looks
        self._contexts = Contexts(catalog, graph)
        self._candidates = Candidates(graph, self._contexts, GivenValues(given), journal.effects, journal.things.codes)
        self._suggestions = Suggestions(self._candidates, journal) if asks else None
        self._trials = ReadTrials(journal, self._candidates, looks)
        kinds = {op.key: journal.effects.of(op).kind for op in catalog.operations}
        self._subjects = {
            op.key: Subject(
                op,
                kinds[op.key] == "action",
                kinds[op.key] == "creation",
                journal.effects.puts(op),
                journal.effects.takes_away(op),
                closes(op) and not journal.effects.takes_away(op),
            )
            for op in catalog.operations
        }
        operations = catalog.operations
        self._forbidden = {op.key: why for op in operations if (why := policy.permits(op)) is not None}
        for tool, head, value in consented_things(policy.within, operations):
            self._contexts.suppose(tool, head, value)
        self._learner = Learner(self._subjects, graph, journal, self._contexts, self._candidates)
        self._makers = Makers(self._subjects.values(), journal, policy, self._contexts, self._candidates, self._perform)
        self._other_targets = OtherTargets(journal, policy, self._contexts, self._learner, self._makers, self._perform)
        self._closed = ClosedThings(journal, policy, self._contexts, self._makers, self._perform)
        self._is_last = False
        self._filled: set[OperationKey] = set()
        self._known_items: set[str] = set()
        self._spent = False
        self._tried_readings: dict[OperationKey, tuple[int, ...]] = {}
        note_dependants([*self._subjects.values()])

    @property
    def permitted(self) -> tuple[OperationKey, ...]:
        """The operations that the policy lets be called."""
        return tuple(key for key in self._subjects if key not in self._forbidden)

    def _call_all(self, batch: list[tuple[Subject, dict[str, Json]]]) -> Steps[None]:
        wanted = [(Invoke(s.operation.key, arguments, "survey"), s.arguments) for s, arguments in batch]
        calls = yield from self._looks.around(wanted)
        for (subject, arguments), call in zip(batch, calls, strict=True):
            self._learner.learn(subject, arguments, call)
            self._closed.note(subject, arguments, call)
        if any(call.error == "budget" for call in calls):
            raise Spent

    def _read_target(self, change: Operation, arguments: dict[str, Json]) -> Steps[None]:
        """Read what could not be changed, once: most often what a GET shows is what a PUT takes."""
        twin = self._journal.routes.twin(change.key, "GET")
        subject = self._subjects.get(twin.key) if twin is not None else None
        if subject is None or self._candidates.seen.has_seen_own(change) or not self._journal.owns(change, arguments):
            return
        unsent = subject.new(iter([addressed(least_sent(subject.operation), only_path(arguments))]))
        if unsent is not None and self._may_send(subject.operation, unsent):
            yield from self._call_all([(subject, unsent)])

    def _unsafe_sets(self, subject: Subject) -> Iterator[dict[str, Json]]:
        """Arguments to try for what may change something; a thing that has to keep its name is sent with it."""
        return (keeping_names(self._journal, subject.operation, sets) for sets in self._all_unsafe_sets(subject))

    def _all_unsafe_sets(self, subject: Subject) -> Iterator[dict[str, Json]]:
        operation = subject.operation
        batch = batch_body(operation, self._plain_path(operation.tool))
        if batch is not None:
            return iter([{"body:": batch}])
        if self._journal.effects.puts(operation):
            return chain(self._candidates.sets_for(subject, self._put_paths(subject)), self._consented_sets(subject))
        parents = self._journal.effects.of(operation).parents
        own = self._candidates.sets(subject, parents=parents)
        return chain(own, self._joined_sets(subject, parents), self._consented_sets(subject)) if parents else own

    def _joined_sets(self, subject: Subject, parents: int) -> Iterator[dict[str, Json]]:
        """Arguments that do something to one of the run's own things within another: `/teams/{}/users/attach/{}`."""
        if parents == len(parameters_of(subject.operation.route.path)):
            yield from self._candidates.sets_for(subject, self._makers.joined_paths(subject.operation))

    def _put_paths(self, subject: Subject) -> list[dict[str, Json]]:
        """Where a PUT may go: to what the run created, and to an id of its own choice unless that creates nothing."""
        operation = subject.operation
        count = len(parameters_of(operation.route.path))
        own = list(islice(self._candidates.paths.of(operation, parents=count), MAX_VALUES))
        fresh = self._learner.chosen.get(operation.key)
        free = subject.misses < MAX_MISSES and not self._has_ids_of_its_own(operation)
        if fresh is None and free and (fresh := self._makers.fresh_path(operation)) is not None:
            self._learner.chosen[operation.key] = fresh
            self._journal.choose(operation, fresh)
        for path in self._makers.joined_paths(operation):
            self._journal.choose(operation, path)
            own += [path] if path not in own else []
        return [*own, fresh] if free and fresh is not None else own

    def _next_mended(self, subject: Subject) -> dict[str, Json] | None:
        """The next mended arguments: for a thing of the run's own, if there is one by now, and not for an ID of its
        own choice.
        """
        fresh, count = self._learner.chosen.get(subject.operation.key), len(parameters_of(subject.operation.route.path))
        while (arguments := subject.next_mended()) is not None and fresh == only_path(arguments):
            own = next(self._candidates.paths.of(subject.operation, parents=count), None)
            if own is None:
                break
            moved = keeping_names(self._journal, subject.operation, addressed(arguments, own))
            if (unsent := subject.new(iter([moved]))) is not None:
                return unsent
        return arguments

    def _next_change(self, subject: Subject) -> dict[str, Json] | None:
        mended = self._next_mended(subject)
        return subject.new(self._unsafe_sets(subject)) if mended is None else mended

    def _has_ids_of_its_own(self, operation: Operation) -> bool:
        """Whether the API chooses the IDs of what a PUT goes to: a POST makes it, and chosen ones were not found."""
        routes, key = self._journal.routes, operation.key
        if routes.on_path(key.tool, routes.path(key).collection, "POST") is None:
            return False
        others = (s for s in self._subjects.values() if s.puts and s.operation.tool == key.tool and not s.reached)
        return sum(subject.misses > 0 for subject in others) >= MAX_STRANGE

    def _consented_sets(self, subject: Subject) -> Iterator[dict[str, Json]]:
        """Arguments that address what exists, as far as the user consented to that."""
        operation = subject.operation
        paths = self._candidates.paths.of(operation, subject=subject)
        consented = (path for path in paths if self._policy.consents(operation, path))
        return self._candidates.sets_for(subject, list(islice(consented, MAX_VALUES)))

    def _plain_path(self, tool: str) -> str:
        """The path of a reading operation that works without arguments."""
        for subject in self._safe():
            if subject.operation.tool == tool and subject.arguments == {} and subject.operation.method == "GET":
                return subject.operation.path
        return "/"

    def _perform(self, subject: Subject, arguments: dict[str, Json]) -> Steps[Call]:
        call: Call = yield Invoke(subject.operation.key, arguments, "survey")
        self._learner.learn(subject, arguments, call)
        self._closed.note(subject, arguments, call)
        if call.error == "budget":
            raise Spent
        made = {call.id: (arguments, call.body)}
        if call.ok and self._journal.creations.pending(subject.operation):
            # Nothing lists what was made: a second one shows that both are the run's own.
            other = self._makers.again(subject.operation, arguments)
            if other == arguments:
                yield from self._makers.make_referred(subject.operation, arguments)
                other = self._makers.again(subject.operation, arguments)
            if other != arguments:
                second: Call = yield Invoke(subject.operation.key, other, "survey")
                made[second.id] = other, second.body
        for item in self._journal.items:
            if item.id not in self._known_items and item.confirmed and not item.deleted:
                self._known_items.add(item.id)
                self._contexts.learn_created(item)
                if item.call in made:
                    self._makers.learn(item, subject, *made[item.call])
        return call

    def _disown(self) -> None:
        for item in self._journal.items:
            if item.deleted and item.id in self._known_items:
                self._known_items.discard(item.id)
                self._contexts.forget(item)

    def _close(self, subject: Subject) -> Steps[None]:
        """Do what may close a thing to a spare one; where none can be made, to what is there, after all else."""
        while (arguments := self._next_change(subject)) is not None:
            if not self._is_last:
                is_closed = yield from self._closed.close_spare(subject, arguments)
                if not is_closed:
                    subject.take_back(arguments)
                return
            if self._may_send(subject.operation, arguments):
                yield from self._perform(subject, arguments)
            if subject.reached or subject.sent >= 2 * MAX_DELETIONS * subject.patience:
                return

    def _delete(self, subject: Subject) -> Steps[None]:
        """Delete something made for it: what the scenarios will stand on stays."""
        operation = subject.operation
        if subject.sent >= MAX_DELETIONS * subject.patience:
            return
        path = operation.route.path
        if not parameters_of(path):
            yield from self._delete_some(subject)
            return
        head = path[: path.rindex("}") + 1]
        parents = len(parameters_of(path))
        before = [canonical(path) for path in self._candidates.paths.of(operation, parents=parents)]
        kind = operation.tool, shape_of(head)
        item = yield from self._makers.make(kind)
        paths = list(self._candidates.paths.of(operation, parents=parents))
        if item is not None:
            paths = [path for path in paths if canonical(path) not in before]
        elif not self._makers.is_single(kind) and not self._is_last:
            return
        # What there can be only one of is deleted itself, and made again.
        fitting = self._deletions(subject, paths)
        if fitting:
            # A thing may have several addresses: another one for each attempt.
            yield from self._perform(subject, fitting[subject.sent % len(fitting)])
            self._disown()
            if item is None:
                yield from self._makers.make(kind)

    def _deletions(self, subject: Subject, paths: Iterable[dict[str, Json]]) -> list[dict[str, Json]]:
        """The arguments of deletions of the things at some paths, with what was mended, that may be sent."""
        mended = subject.mended.popleft() if subject.mended else {}
        rest = without_path(mended) or least_sent(subject.operation)
        sets = (addressed(rest, path) for path in paths)
        return [arguments for arguments in sets if self._may_send(subject.operation, arguments)]

    def _may_send(self, operation: Operation, arguments: dict[str, Json]) -> bool:
        return self._policy.verdict(operation, arguments, self._journal) is None

    def _delete_some(self, subject: Subject) -> Steps[None]:
        """Delete from a top-level list, by a query that only finds what was made for it."""
        operation = subject.operation
        names = [p.name for p in operation.parameters if p.location == "query" and p.name.strip("_").lower() == "id"]
        item = yield from self._makers.make((operation.tool, shape_of(operation.path) + "/{}"))
        if item is not None and names:
            yield from self._perform(subject, {f"query:{names[0]}": unquote(item.path.rpartition("/")[2])})
        elif not subject.calls:
            subject.why = "nothing shows that it would remove only what this run created"

    def _safe(self, besides: Container[OperationKey] = ()) -> list[Subject]:
        return [subject for subject in self._permitted(SAFE_METHODS) if subject.operation.key not in besides]

    def _unsafe(self, *methods: str) -> list[Subject]:
        """Unsafe operations that may be permitted, parents before what lies under them."""
        found = self._permitted(methods)
        return sorted(found, key=_depth)

    def _permitted(self, methods: Container[str]) -> list[Subject]:
        subjects = (subject for subject in self._subjects.values() if subject.operation.route.method in methods)
        return [subject for subject in subjects if subject.operation.key not in self._forbidden]


def _depth(subject: Subject) -> int:
    """How many things an operation's own lies in."""
    path = subject.operation.route.path
    return path.count("{") - ends_in_parameter(path)
