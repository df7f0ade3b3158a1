"""The survey: the first phase of an exploration, which makes every operation answer once, if it can.

First what needs nothing, then what those answers make possible, then creations if they are allowed, and what those
make possible. Concrete values for the scenarios come from here: nothing in a scenario is invented (ToolBFS+ §3.2 asks
for concrete values, and leaves open where they come from).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import unquote

from docrev.calls.consent import consented_things, names_of
from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.routes import template
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import renumbered
from docrev.conventions.statuses import is_client_error, is_server_fault
from docrev.exploration.candidates import MAX_SENT, MAX_VALUES, Candidates, Subject, batch_body
from docrev.exploration.contexts import Contexts, fill, parameters_of, shape_of
from docrev.exploration.given_values import GivenValue, GivenValues
from docrev.exploration.read_trials import ReadTrials
from docrev.exploration.second_looks import SecondLooks
from docrev.graph.tool_graph import ToolGraph
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Catalog, Operation

MAX_OPTIONS = 12
"""Optional parameters of an operation that are tried, one call each."""
SAMPLES = 3
"""Different path arguments with which a reading operation is called."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What the survey found: arguments with which each operation returned 2xx, and why the others did not."""

    reached: dict[OperationKey, dict[str, Json]]
    missed: dict[OperationKey, str]


class _Spent(Exception):
    """The budget is spent: what is known so far is the result."""


class Surveyor:
    """Runs one survey, of what the policy permits; `looks` see whether a GET changed what it read.

    The values that a person has `given` are tried before all others.
    """

    def __init__(
        self,
        catalog: Catalog,
        graph: ToolGraph,
        journal: Journal,
        policy: Policy,
        looks: SecondLooks,
        given: Sequence[GivenValue] = (),
    ) -> None:
        self._graph, self._journal, self._policy, self._looks = graph, journal, policy, looks
        self._contexts = Contexts(catalog, graph)
        self._candidates = Candidates(graph, self._contexts, GivenValues(given))
        self._trials = ReadTrials(journal, self._candidates, looks)
        self._subjects = {operation.key: Subject(operation) for operation in catalog.operations}
        operations = catalog.operations
        self._forbidden = {op.key: why for op in operations if (why := policy.permits(op)) is not None}
        for tool, head, value in consented_things(policy.within, operations):
            self._contexts.suppose(tool, head, value)
        self._recipes: dict[tuple[str, str], Subject] = {}
        self._known_items: set[str] = set()

    def reach(self) -> Steps[None]:
        """Call operations until each has returned 2xx or nothing new can be tried."""
        try:
            yield from self._look_around()
            for subject in self._unsafe("POST", "PUT"):
                if not self._trials.is_about(subject):
                    yield from self._reach(subject)
                    yield from self._look_around()
            for subject in self._unsafe("PATCH"):
                yield from self._reach(subject)
            yield from self._send_more()
            for subject in filter(self._trials.is_about, self._unsafe("POST")):
                yield from self._trials.run(subject, self._perform)
            yield from self._look_around()
            for subject in reversed(self._unsafe("DELETE")):
                yield from self._delete(subject)
        except _Spent:
            pass

    def vary(self) -> Steps[Survey]:
        """Call the operations that worked with other arguments; returns what the whole survey found."""
        try:
            yield from self._more_samples()
            yield from self._try_options()
        except _Spent:
            pass
        subjects = self._subjects.items()
        reached = {key: subject.arguments for key, subject in subjects if subject.arguments is not None}
        return Survey(reached, {key: self._why(subject) for key, subject in subjects if not subject.reached})

    # Reading

    def _look_around(self) -> Steps[None]:
        """Call every safe operation that has not worked yet with what is known by now, round after round."""
        while True:
            batch: list[tuple[Subject, dict[str, Json]]] = []
            for subject in self._safe():
                if subject.open:
                    arguments = subject.new(self._candidates.sets(subject))
                    if arguments is not None:
                        batch.append((subject, arguments))
            if not batch:
                return
            yield from self._call_all(batch)

    def _more_samples(self) -> Steps[None]:
        """Call what takes path arguments with some other ones: one sample is no evidence."""
        for _ in range(SAMPLES - 1):
            batch = []
            for subject in self._safe():
                if subject.arguments is not None and parameters_of(subject.operation.path):
                    rest = {k: v for k, v in subject.arguments.items() if not k.startswith("path:")}
                    sets = ({**path, **rest} for path in self._known_paths(subject.operation))
                    arguments = subject.new(sets)
                    if arguments is not None:
                        batch.append((subject, arguments))
            yield from self._call_all(batch)

    def _known_paths(self, operation: Operation) -> Iterator[dict[str, Json]]:
        for index, path in enumerate(self._candidates.paths(operation)):
            if index >= SAMPLES + 2:
                return
            yield path

    def _try_options(self) -> Steps[None]:
        """Try each optional parameter by itself, added to a call that worked."""
        for attempt in range(2):
            batch = []
            for subject in self._safe():
                if subject.arguments is None:
                    continue
                optional = [
                    parameter
                    for parameter in subject.operation.parameters
                    if parameter.location == "query" and parameter.key not in subject.arguments
                ]
                for parameter in optional[:MAX_OPTIONS]:
                    values = self._candidates.options(subject, parameter.key)
                    if len(values) > attempt:
                        sets = iter([{**subject.arguments, parameter.key: values[attempt]}])
                        arguments = subject.new(sets)
                        if arguments is not None:
                            batch.append((subject, arguments))
            yield from self._call_all(batch)

    def _call_all(self, batch: list[tuple[Subject, dict[str, Json]]]) -> Steps[None]:
        wanted = [(Invoke(s.operation.key, arguments, "survey"), s.arguments) for s, arguments in batch]
        calls = yield from self._looks.around(wanted)
        for (subject, arguments), call in zip(batch, calls, strict=True):
            self._learn(subject, arguments, call)
        if any(call.error == "budget" for call in calls):
            raise _Spent

    # Writing

    def _reach(self, subject: Subject) -> Steps[None]:
        """Try an unsafe operation until it answers 2xx: creations anywhere, the rest on what the run created."""
        operation = subject.operation
        while subject.open:
            if operation.method == "PUT" and operation.path.endswith("}") and subject.sent < MAX_SENT // 2:
                arguments = self._fresh(subject)
            else:
                arguments = subject.new(self._unsafe_sets(subject))
            if arguments is None:
                return
            yield from self._perform(subject, arguments)

    def _send_more(self) -> Steps[None]:
        """Where a creation took a bare body, make one with everything that is documented: it shows what is kept."""
        for subject in self._unsafe("POST"):
            full = self._candidates.full_body(subject)
            if subject.arguments is not None and full is not None:
                arguments = subject.new(iter([{**subject.arguments, "body:": full}]))
                if arguments is not None:
                    yield from self._perform(subject, arguments)

    def _unsafe_sets(self, subject: Subject) -> Iterator[dict[str, Json]]:
        operation = subject.operation
        batch = batch_body(operation, self._plain_path(operation.tool))
        if batch is not None:
            return iter([{"body:": batch}])
        parents = self._journal.effects.of(operation).parents
        own = self._candidates.sets(subject, parents=parents)
        return chain(own, self._consented_sets(subject)) if parents else own

    def _consented_sets(self, subject: Subject) -> Iterator[dict[str, Json]]:
        """Arguments that address what exists, as far as the user consented to that."""
        operation = subject.operation
        paths = self._candidates.paths(operation, subject=subject)
        consented = (path for path in paths if self._policy.consents(operation, path))
        return self._candidates.sets_for(subject, list(islice(consented, MAX_VALUES)))

    def _plain_path(self, tool: str) -> str:
        """The path of a reading operation that works without arguments."""
        for subject in self._safe():
            if subject.operation.tool == tool and subject.arguments == {}:
                return subject.operation.path
        return "/"

    def _fresh(self, subject: Subject) -> dict[str, Json] | None:
        """Arguments under an id that docrev chooses; the driver has the GET twin show that nothing is there."""
        operation = subject.operation
        path = self._candidates.fresh_path(operation, parents=self._journal.effects.of(operation).parents)
        if path is None:
            path = self._candidates.fresh_path(operation, fits=lambda path: self._policy.consents(operation, path))
        if path is None:
            return None
        self._journal.choose(subject.operation, path)
        return next(self._candidates.sets_for(subject, [path]), None)

    def _perform(self, subject: Subject, arguments: dict[str, Json]) -> Steps[Call]:
        call: Call = yield Invoke(subject.operation.key, arguments, "survey")
        self._learn(subject, arguments, call)
        if call.error == "budget":
            raise _Spent
        if call.ok and self._journal.pending(subject.operation) and call.arguments.get("body:") is not None:
            # Nothing lists what was made: a second one shows that both are the run's own.
            again = {**arguments, "body:": renumbered(arguments["body:"], self._candidates.next_number())}
            yield Invoke(subject.operation.key, again, "survey")
        for item in self._journal.items:
            if item.id not in self._known_items and item.confirmed and not item.deleted:
                self._known_items.add(item.id)
                self._contexts.learn_created(item)
                shape = next((shape for shape in self._shapes(item)), None)
                if shape is not None:
                    self._recipes[shape] = subject
        return call

    def _disown(self) -> None:
        for item in self._journal.items:
            if item.deleted and item.id in self._known_items:
                self._known_items.discard(item.id)
                self._contexts.forget(item)

    def _shapes(self, item: JournalItem) -> Iterator[tuple[str, str]]:
        for subject in self._subjects.values():
            operation = subject.operation
            shape = shape_of(operation.path)
            if operation.tool == item.tool and shape.endswith("}") and fill(shape, item.path) is not None:
                yield operation.tool, shape

    def _delete(self, subject: Subject) -> Steps[None]:
        """Delete something made for it: what the scenarios will stand on stays."""
        operation = subject.operation
        if parameters_of(operation.path):
            head = operation.path[: operation.path.rindex("}") + 1]
            item = yield from self._make(operation.tool, shape_of(head))
            parents = len(parameters_of(operation.path))
            path = next(self._candidates.paths(operation, parents=parents), None) if item is not None else None
            if path is not None:
                yield from self._perform(subject, path)
                self._disown()
        else:
            yield from self._delete_some(subject)

    def _delete_some(self, subject: Subject) -> Steps[None]:
        """Delete from a top-level list, by a query that only finds what was made for it."""
        operation = subject.operation
        names = [p.name for p in operation.parameters if p.location == "query" and p.name.strip("_").lower() == "id"]
        item = yield from self._make(operation.tool, shape_of(operation.path) + "/{}")
        if item is not None and names:
            yield from self._perform(subject, {f"query:{names[0]}": unquote(item.path.rpartition("/")[2])})

    def _make(self, tool: str, shape: str) -> Steps[JournalItem | None]:
        """Create one more item of a shape in the way in which one was created before; None if none ever was."""
        maker = self._recipes.get((tool, shape))
        if maker is None or maker.arguments is None:
            return None
        if maker.operation.method == "PUT":
            arguments = self._fresh(maker)
        else:
            arguments = self._renamed(maker.arguments)
        if arguments is None:
            return None
        before = {item.id for item in self._journal.items}
        yield from self._perform(maker, arguments)
        return next((item for item in self._journal.items if item.id not in before), None)

    def _renamed(self, arguments: dict[str, Json]) -> dict[str, Json]:
        """Arguments with names in the body that nothing was given yet."""
        if "body:" not in arguments:
            return arguments
        return {**arguments, "body:": renumbered(arguments["body:"], self._candidates.next_number())}

    # What is learned

    def _learn(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        subject.last = call
        if call.error in ("denied", "budget"):
            subject.why = call.detail or call.error
            subject.sent += call.error == "denied"
            return
        subject.sent += 1
        subject.broken += is_server_fault(call.status) or call.error in ("timeout", "too-slow")
        if call.ok:
            subject.made += 1
            subject.arguments = subject.arguments if subject.arguments is not None else arguments
            self._graph.observe(call)
            self._contexts.observe(call)
        elif is_client_error(call.status):
            subject.learn_refusal(arguments, call)

    def _why(self, subject: Subject) -> str:
        call = subject.last
        if subject.operation.key in self._forbidden:
            return self._forbidden[subject.operation.key]
        if call is None:
            return subject.why or self._why_unsent(subject.operation)
        if call.status is None:
            return subject.why or call.detail or call.error or "not answered"
        message = call.detail if call.error else summarise_error(call.body)
        tries = f" (the last of {subject.sent} attempts)" if subject.sent > 1 else ""
        return f"answered {call.status}{': ' + message if message else ''}{tries}"

    def _why_unsent(self, operation: Operation) -> str:
        parents = self._journal.effects.of(operation).parents if operation.method not in SAFE_METHODS else 0
        if parents and not any(True for _ in self._candidates.paths(operation, parents=parents)):
            thing = names_of(template(operation.path), parents)[0].replace("_", " ")
            return f"the run has no {thing} of its own to call it on; --dry-run says what would permit more"
        return "nothing is known that could be sent for its parameters"

    def _safe(self) -> list[Subject]:
        return self._permitted(SAFE_METHODS)

    def _unsafe(self, *methods: str) -> list[Subject]:
        """Unsafe operations that may be permitted, parents before what lies under them."""
        found = self._permitted(methods)
        return sorted(found, key=lambda s: s.operation.path.count("{") - s.operation.path.endswith("}"))

    def _permitted(self, methods: Container[str]) -> list[Subject]:
        subjects = (subject for subject in self._subjects.values() if subject.operation.method in methods)
        return [subject for subject in subjects if subject.operation.key not in self._forbidden]
