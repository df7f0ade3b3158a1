"""Other forms of the run's own things, for operations that refuse the things that they are called on, or refer to.

A transfer may take secondary zones alone, and an option may be added only to a question that has choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from docrev.calls.journal import Journal
from docrev.calls.path_texts import last_segment
from docrev.calls.policy import Policy
from docrev.calls.route_arguments import addressed
from docrev.calls.routes import only_path
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.hint_locations import BODY, located, name_at, value_at
from docrev.conventions.ids import is_id
from docrev.exploration.contexts import Contexts
from docrev.exploration.learning import Learner
from docrev.exploration.mending import changed
from docrev.exploration.path_shapes import fill, path_arguments
from docrev.exploration.repeated_creations import Kind, Makers
from docrev.exploration.same_refusals import SAME_WORDS
from docrev.exploration.subjects import Perform, Subject
from docrev.json_values.canonical import canonical
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.prompts.steps import Steps
from docrev.records import JournalItem, Json, OperationKey

MAX_FORMS = 5
"""Other forms of a thing that are made for an operation that refuses the thing."""
MAX_FORMS_REFERRED = 10
"""Those that are made for a body that refers to the thing: errors say less of it, and choices of a kind are many."""

_FOR_ITS_TARGET = frozenset({400, 405, 409, 412, 422, 423, 424})
"""Statuses of refusals that may be for what a thing is, or for its state."""
_FOR_WHAT_IT_IS = frozenset({"invalid", "not-found"})
"""Kinds of hints on a reference that may be for what it refers to, where that is there."""


class OtherTargets:
    """Calls operations that were refused for what the run's own thing is, and not for what was sent, on others."""

    def __init__(
        self,
        journal: Journal,
        policy: Policy,
        contexts: Contexts,
        learner: Learner,
        makers: Makers,
        perform: Perform,
    ) -> None:
        self._journal, self._policy, self._contexts = journal, policy, contexts
        self._learner, self._makers, self._perform = learner, makers, perform
        self._made: Counter[OperationKey] = Counter()

    def run(self, subjects: Iterable[Subject]) -> Steps[None]:
        """Call operations on other forms of what refused them, until each is reached or no form is left."""
        for subject in subjects:
            if self._is_refused_for_its_target(subject):
                yield from self._call_on_others(subject)
            elif (reference := self._refused_reference(subject)) is not None:
                yield from self._refer_to_others(subject, *reference)

    def _call_on_others(self, subject: Subject) -> Steps[None]:
        # The policy may forbid on one form what it permitted on another: a copy of a folder is more than one of a file.
        last, *others = reversed([arguments for arguments, _ in subject.refusals])
        refused = [last, *sorted(others, key=lambda arguments: len(canonical(arguments)))]
        kind = subject.operation.tool, shape_of(list(heads_of(subject.operation.route.path))[-1])
        error = summarise_error(subject.last.body) if subject.last is not None else ""
        forms = islice(self._makers.make_forms(kind, error, self._learner.sources), MAX_FORMS * subject.patience)
        for make in forms:
            item = yield from make
            values = fill(kind[1], item.path) if item is not None else None
            if values is not None:
                path = path_arguments(subject.operation.route.path, values)
                yield from self._send(subject, [addressed(arguments, path) for arguments in refused])
            if subject.reached:
                break

    def _refer_to_others(self, subject: Subject, arguments: dict[str, Json], location: str, kind: Kind) -> Steps[None]:
        """Send the body with the ID of another form of what it refers to, until that is no longer refused."""
        key, error = subject.operation.key, summarise_error(subject.last.body) if subject.last is not None else ""
        forms = self._makers.make_forms(kind, error, self._learner.sources)
        for make in islice(forms, self._made[key], self._made[key] + MAX_FORMS_REFERRED):
            self._made[key] += 1
            item: JournalItem | None = yield from make
            if item is None:
                continue
            id: Json = last_segment(item.path)
            if isinstance(value_at(arguments, location), int) and str(id).isdecimal():
                id = int(str(id))
            beside = addressed(arguments, self._path_beside(subject, item))
            yield from self._send(subject, [changed(beside, location, id)])
            if subject.reached or not self._blames(subject, location):
                break

    def _path_beside(self, subject: Subject, item: JournalItem) -> dict[str, Json]:
        """The path arguments of a refusal with which an operation is nearest to a thing, as in the same parent."""
        path = self._journal.routes.path(subject.operation.key)
        tried = (arguments for arguments, _ in subject.refusals)
        return only_path(max(tried, key=lambda sent: _shared(path.fill(sent) or "", item.path)))

    def _send(self, subject: Subject, sets: Sequence[dict[str, Json]]) -> Steps[None]:
        """Make the first call with one of these arguments that is new and permitted."""
        allowed = (one for one in sets if self._policy.verdict(subject.operation, one, self._journal) is None)
        new = subject.new(allowed)
        if new is not None:
            yield from self._perform(subject, new)

    def _is_refused_for_its_target(self, subject: Subject) -> bool:
        """Whether no argument is blamed for the latest refusal of an operation on something of the run's own."""
        # What is said alike of several operations may be on the form of the thing that they were called on.
        stopped = subject.stopped not in ("", SAME_WORDS)
        if subject.reached or stopped or subject.last is None or not subject.refusals:
            return False
        operation, (arguments, hints) = subject.operation, subject.refusals[-1]
        blamed = [location for location in located(operation, arguments, hints) if not location.startswith("path:")]
        own = bool(parameters_of(operation.route.path)) and self._journal.owns(operation, arguments)
        return own and not blamed and subject.last.status in _FOR_ITS_TARGET

    def _refused_reference(self, subject: Subject) -> tuple[dict[str, Json], str, Kind] | None:
        """The refused body that was blamed for the least else than a reference to a thing of the run's own, the place
        of that reference, and the kind of the thing; None if none was."""
        if subject.reached or subject.stopped or subject.safe:
            return None
        found = []
        for arguments, hints in subject.refusals:
            blamed = located(subject.operation, arguments, hints)
            for location, on_it in blamed.items():
                kind = self._kind_at(subject, arguments, location, on_it)
                if kind is not None:
                    found.append((len(blamed), arguments, location, kind))
        return min(found, key=lambda one: one[0])[1:] if found else None

    def _kind_at(self, subject: Subject, arguments: dict[str, Json], location: str, hints: list[Hint]) -> Kind | None:
        """The kind of the run's own thing that a body refers to at a location, if hints may be for what that is."""
        tool, value = subject.operation.tool, value_at(arguments, location)
        if not location.startswith(f"{BODY}/") or not is_id(value) or not {h.kind for h in hints} & _FOR_WHAT_IT_IS:
            return None
        own = map(str, self._contexts.by_kind.own_ids(tool, name_at(location)))
        return self._makers.kind_of(tool, name_at(location)) if str(value) in own else None

    def _blames(self, subject: Subject, location: str) -> bool:
        """Whether the latest refusal is still for what is at a location."""
        if not subject.refusals:
            return False
        return location in located(subject.operation, *subject.refusals[-1])


def _shared(path: str, other: str) -> int:
    """How many segments two paths have in common from their start."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
