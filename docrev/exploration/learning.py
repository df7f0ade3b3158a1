"""What the answers of a survey teach: what worked, what an error asks for, and what other operations have of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docrev.calls.absences import taken_member
from docrev.calls.creation_answers import answer_in
from docrev.calls.journal import Journal
from docrev.conventions.disguised_errors import is_disguised, meant_status
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.hint_locations import BODY, is_sent, located
from docrev.conventions.ids import called, created_object, is_id_name
from docrev.conventions.links import links_in
from docrev.conventions.run_names import is_invented, renumbered
from docrev.conventions.statuses import (
    BUSY,
    FEATURE_MISSING,
    NOT_ACCEPTABLE,
    NOT_ALLOWED,
    NOT_FOUND,
    is_client_error,
    is_server_fault,
)
from docrev.exploration.bodies import emptied
from docrev.exploration.candidates import Candidates
from docrev.exploration.contexts import Contexts
from docrev.exploration.mending import STOPPING, ValueSources, acceptable, mended
from docrev.exploration.path_answers import is_empty
from docrev.exploration.path_shapes import fill, path_arguments
from docrev.exploration.same_refusals import SameRefusals
from docrev.exploration.subjects import Subject
from docrev.exploration.unsaid_hints import hinted, supposed
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.pointer import join
from docrev.language.path_templates import ends_in_parameter, heads_of, parameters_of, shape_of
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.spec import Operation
from docrev.spec.schema import properties_of

_CHANGING_THINGS = frozenset({"action", "part"})
"""Kinds of effects of what is done to a thing, be it by POST or by PUT (`PUT /drafts/{id}/publish`)."""
_PLAIN = frozenset({"string", "integer", "number"})
"""JSON types of what a service may want without saying so, of a value that is easily made up."""
MAX_STOPS = 2
"""Refusals for want of credentials, or of a feature, after which nothing more is asked of an operation."""


class Learner:
    """Takes in the answers to the operations under survey.

    `answered` counts by tool the answers of which something new may come, `cut_off` are the operations that the budget
    ended; `chosen` has the ids that PUTs chose for what they will create.
    """

    def __init__(
        self,
        subjects: Mapping[OperationKey, Subject],
        graph: ToolGraph,
        journal: Journal,
        contexts: Contexts,
        candidates: Candidates,
    ) -> None:
        self._subjects, self._graph, self._journal = subjects, graph, journal
        self._contexts, self._candidates = contexts, candidates
        self.answered: Counter[str] = Counter()
        self.cut_off: set[OperationKey] = set()
        self.chosen: dict[OperationKey, dict[str, Json]] = {}
        self._same = SameRefusals()

    def learn(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        """Take in an answer, or that a request was not sent."""
        if call.error in ("denied", "budget"):
            self._learn_denial(subject, arguments, call)
            return
        self.cut_off.discard(subject.operation.key)
        meant = replace(call, status=meant_status(call))
        _count(subject, arguments, call)
        if subject.faults == 1 and subject.creates:
            self._add_plain_members(subject, arguments, call)
        if is_disguised(call):
            subject.doubtful = subject.doubtful or arguments
            self._learn_refusal(subject, arguments, meant)
        elif call.ok:
            self._learn_success(subject, arguments, call)
        elif (
            is_client_error(call.status)
            or call.status == FEATURE_MISSING
            or _blames(subject.operation, arguments, call)
        ):
            self._learn_refusal(subject, arguments, meant)

    def _learn_denial(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        """Take in why a request was not sent."""
        subject.why = call.detail or call.error or ""
        if call.error == "budget":
            self.cut_off.add(subject.operation.key)
            subject.take_back(arguments)
        else:
            subject.sent += 1
            subject.denied.append(arguments)
            name = taken_member(subject.why)
            hints = [Hint("exists", "body", join(name), (), subject.why)] if name else []
            if hints and subject.asks_anew(arguments, hints):
                subject.consider(mended(subject.operation, arguments, hints, self.sources(subject)))

    def _add_plain_members(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        """Where a creation failed without saying why, send the texts and numbers that are documented, too: the service
        may want more than is said to be required."""
        body, full = arguments.get(BODY), self._candidates.bodies.full(subject)
        if not is_server_fault(call.status) or not isinstance(body, dict) or not isinstance(full, dict):
            return
        properties = properties_of(subject.operation.body_schema)
        plain = {name for name, part in properties.items() if part.type in _PLAIN and not is_id_name(name)}
        more = {name: value for name, value in full.items() if name in plain and name not in body}
        subject.consider([{**arguments, BODY: {**body, **more}}] if more else [])

    def sources(self, subject: Subject) -> ValueSources:
        """Where new values for an operation come from."""
        return ValueSources(
            lambda location: self._candidates.suggest(subject, location),
            lambda value: renumbered(value, self._candidates.numbers.next()),
            lambda noun: self._candidates.bodies.of_kind(subject, noun),
        )

    def _learn_success(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        operation = subject.operation
        self.answered[operation.tool] += subject.safe or not subject.successes
        if not subject.safe and not subject.successes:
            self._same.note_change(operation.tool)
        changes_thing = not subject.removes and self._journal.effects.of(operation).kind in _CHANGING_THINGS
        if changes_thing and not subject.successes:
            self._ask_again_on(operation, arguments)
        # The top of a tree is no example of what is in it.
        subject.see_success(arguments, is_empty=subject.safe and (is_empty(call) or "" in arguments.values()))
        self.chosen.pop(operation.key, None)
        self._graph.observe(call)
        self._contexts.observe(call)
        self._candidates.seen.observe(call)
        self._follow_links(call)
        self._follow_creation(operation, arguments, call)
        if _reads_item(call, arguments):
            self._candidates.seen.see_item(operation, call, own=self._journal.owns(operation, arguments))
            item = self._journal.item(operation, arguments)
            if item is not None and item.confirmed:
                self._contexts.learn_names(item, called(created_object(call.body)))

    def _ask_again_on(self, action: Operation, arguments: dict[str, Json]) -> None:
        """Let what was refused for no argument be tried again on the thing of the run's own that an action changed:
        it may have been refused for what the thing was before, as a draft that nobody had published.
        """
        item = self._journal.item(action, arguments)
        if item is None or not item.confirmed:
            return
        for subject in self._subjects.values():
            if subject.reached or subject.operation.tool != action.tool or subject.operation.key == action.key:
                continue
            for head in heads_of(subject.operation.route.path):
                if (values := fill(shape_of(head), item.path)) is not None:
                    subject.ask_again(path_arguments(head, values))

    def _follow_creation(self, operation: Operation, arguments: dict[str, Json], call: Call) -> None:
        """Take in under which path something may be read by now, be it certain or not that the run made it."""
        creation = self._journal.creation(operation, arguments)
        named = (
            self._journal.creations.named_item(creation, answer_in(call, operation, arguments)) if creation else None
        )
        if named is not None:
            self._contexts.learn_link(operation.tool, named)

    def _follow_links(self, call: Call) -> None:
        """Take in what the links of a response lead to: paths of operations, and values of their query parameters."""
        tool = call.key.tool
        for link in links_in(call):
            path = self._journal.local(tool, link)
            self._contexts.learn_link(tool, path.partition("?")[0])
            found = self._journal.routes.resolve(tool, "GET", path)
            if found is not None:
                self._candidates.seen.see_linked(*found)

    def _learn_refusal(self, subject: Subject, arguments: dict[str, Json], call: Call) -> None:
        """Take in what a refusal says: of values, of what is not there, and of what is to be sent next."""
        operation = subject.operation
        hints = _asked_by(operation, arguments, call)
        if (subject.puts or subject.creates) and not subject.reached:
            hints += supposed(operation, arguments, hints)
        subject.learn_refusal(arguments, hints)
        _note_stops(subject, hints, call.status)
        self._same.note(subject, arguments, hints, summarise_error(call.body))
        self._pass_on(operation.key, hints, arguments)
        if call.status in NOT_FOUND:
            subject.misses += 1
        self._contexts.observe_missing(call, hints)
        found = located(operation, arguments, hints)
        subject.rule_out(arguments, found)
        if not any(is_sent(arguments, location) for location in found if not location.startswith("path:")):
            subject.see_unblamed(arguments)
        for location, on_it in found.items():
            self._candidates.lessons.note(operation.tool, location, on_it)
        if call.status == NOT_ACCEPTABLE:
            subject.consider(acceptable(operation, arguments, call))
        if subject.asks_anew(arguments, hints):
            subject.consider(mended(operation, arguments, hints, self.sources(subject)))

    def _pass_on(self, key: OperationKey, hints: Sequence[Hint], arguments: dict[str, Json]) -> None:
        """What was refused for its method is an idea for the operation with each method that the error names."""
        for method in (method for hint in hints if hint.kind == "method" for method in hint.values):
            other = self._subjects.get(OperationKey(key.tool, f"{method} {key.path}"))
            if other is not None and not other.reached and method != key.method:
                kept = ("path:", "body:") if other.operation.body is not None else ("path:",)
                other.consider([{name: value for name, value in arguments.items() if name.startswith(kept)}])


def _reads_item(call: Call, arguments: Arguments) -> bool:
    return call.key.method == "GET" and ends_in_parameter(call.key.path) and "" not in arguments.values()


def _asked_by(operation: Operation, arguments: Arguments, call: Call) -> list[Hint]:
    """What a refusal asks for, or hints at without saying it."""
    hints = hints_of(call)
    told = located(operation, arguments, hints)
    # Nobody sent what is called unknown there: the error is on something else.
    is_meant = any(
        is_sent(arguments, at) or any(hint.kind != "unknown" for hint in on_it) for at, on_it in told.items()
    )
    return hints if is_meant else hints + hinted(operation, arguments, summarise_error(call.body))


def _blames(operation: Operation, arguments: Arguments, call: Call) -> bool:
    """Whether a server error says in a message what was wrong with the request, as a refusal would: some services have
    no other status for it."""
    said = isinstance(call.body, dict) and is_server_fault(call.status) and call.status not in BUSY
    return said and bool(located(operation, arguments, _asked_by(operation, arguments, call)))


def _count(subject: Subject, arguments: dict[str, Json], call: Call) -> None:
    """Count an answer, and what it says by its status alone."""
    subject.calls.append(call)
    subject.sent += 1
    subject.stale += 1
    if call.status in BUSY:
        subject.put_off(arguments)
    else:
        _note_fault(subject, arguments, call)
    if is_client_error(call.status) and meant_status(call) not in (*NOT_FOUND, *BUSY):
        subject.see_refused(arguments)


def _note_fault(subject: Subject, arguments: dict[str, Json], call: Call) -> None:
    """Take in what failed without saying where: perhaps for what was made up where the documentation says nothing."""
    is_fault = is_server_fault(call.status) and not _blames(subject.operation, arguments, call)
    subject.faults += is_fault or call.error in ("timeout", "too-slow")
    body = arguments.get(BODY)
    less = emptied(subject.operation.body_schema, body)
    if less != body and not call.ok and not located(subject.operation, arguments, hints_of(call)):
        subject.consider([{**arguments, BODY: less}])
    if is_fault and subject.safe and (fewer := _without_made_up(subject.operation, arguments)) != arguments:
        subject.consider([fewer])


def _without_made_up(operation: Operation, arguments: Arguments) -> dict[str, Json]:
    """Arguments without the texts of the run in the query that may be null: null is sent by leaving them out, and what
    the contract calls required there may only have no default.
    """
    queried = {one.key: one.schema for one in operation.parameters if one.location == "query"}
    no_value = (at for at, value in arguments.items() if is_invented(value) and at in queried)
    left_out = {at for at in no_value if queried[at].nullable}
    return {at: value for at, value in arguments.items() if at not in left_out}


def _note_stops(subject: Subject, hints: Sequence[Hint], status: int | None) -> None:
    """Count a refusal that no other arguments end; after MAX_STOPS of them the subject is stopped."""
    stops = [hint for hint in hints if hint.kind in STOPPING or _is_other_method(subject.operation, hint, status)]
    subject.stops += bool(stops)
    if subject.stops >= MAX_STOPS:
        subject.stopped = stops[0].kind if stops else subject.stopped


def _is_other_method(operation: Operation, hint: Hint, status: int | None) -> bool:
    """Whether a path has other methods than that of an operation, whatever the arguments: as the error says, or since
    there are none in the path."""
    others = operation.method not in hint.values if hint.values else not parameters_of(operation.path)
    return hint.kind == "method" and status == NOT_ALLOWED and others
