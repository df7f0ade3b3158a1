"""Suggestions of a model: one question for an operation that stays unreached when the survey has no ideas left.

What a model suggests is one more call, which is judged by the policy like any other and mended like any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import islice

from docrev.calls.journal import Journal
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.run_names import run_name
from docrev.conventions.statuses import NOT_FOUND, ON_ARGUMENTS, is_client_error, is_server_fault
from docrev.exploration.candidates import Candidates
from docrev.exploration.subjects import Subject
from docrev.json_values.canonical import canonical
from docrev.models.answer_checks import locations
from docrev.prompts.briefs import contract
from docrev.prompts.questions import SuggestCall, SuggestedCall
from docrev.records import Call, Json
from docrev.spec import Operation

MAX_QUESTIONS = 3
"""Questions for one operation, each for another failure: what the last suggestion led to may want another one."""
MAX_CALLS = 4
"""Refusals that a question shows."""
MAX_PATHS = 4
MAX_VALUES = 4
MAX_LOCATIONS = 20
_VARIABLE = re.compile(r"""["'`].*?["'`]|\d+""")
"""What differs between two messages of one failure: what was sent, and counters."""


@dataclass(slots=True)
class Suggestions:
    """Asks for calls, never twice for the same failure of an operation."""

    candidates: Candidates
    journal: Journal
    _asked: set[tuple[str, str]] = field(default_factory=set)
    _questions: Counter[str] = field(default_factory=Counter)

    def questions(self, subjects: Iterable[Subject], answering: Collection[str]) -> list[tuple[Subject, SuggestCall]]:
        """The questions to be asked now: what others need comes before them; () if there is nothing left to ask.

        `answering` are the tools that returned 2xx: for the others only refusals of what was sent are worth a question.
        """
        waiting = [subject for subject in subjects if self._is_worth(subject, answering)]
        above = {other.operation.key for subject in waiting for other in subject.dependants}
        first = [subject for subject in waiting if subject.operation.key not in above] or waiting
        return [(subject, self._question(subject)) for subject in first]

    def _is_worth(self, subject: Subject, answering: Collection[str]) -> bool:
        """Whether other arguments could help, and nothing was asked about the latest failure."""
        name = str(subject.operation.key)
        if subject.reached or subject.stopped or self._questions[name] >= MAX_QUESTIONS:
            return False
        last = subject.last
        if last is not None and not _may_be_answered(subject, last):
            return False
        if subject.operation.tool not in answering and (last is None or last.status not in ON_ARGUMENTS):
            return False
        return (name, _failure(last)) not in self._asked and self._has_target(subject)

    def _has_target(self, subject: Subject) -> bool:
        """Whether the run has what an unsafe call must go to."""
        operation = subject.operation
        parents = self._own_parents(operation)
        return not parents or subject.puts or any(True for _ in self.candidates.paths.of(operation, parents=parents))

    def _own_parents(self, operation: Operation) -> int:
        """How many parameters of its path must address something of the run's own: 0 if it only reads."""
        return 0 if operation.method in SAFE_METHODS else self.journal.effects.of(operation).parents

    def _question(self, subject: Subject) -> SuggestCall:
        operation, name = subject.operation, str(subject.operation.key)
        self._asked.add((name, _failure(subject.last)))
        self._questions[name] += 1
        parents = self._own_parents(operation)
        brief = contract(operation)
        places = [place for place in locations(brief) if not place.startswith("path:")][:MAX_LOCATIONS]
        known = {place: tuple(self.candidates.suggest(subject, place)[:MAX_VALUES]) for place in places}
        return SuggestCall(
            operation=brief,
            calls=tuple(_unlike(subject.calls)),
            why=subject.why,
            paths=tuple(
                path for path in islice(self.candidates.paths.of(operation, parents=parents), MAX_PATHS) if path
            ),
            values={place: values for place, values in known.items() if values},
            name=run_name(self.candidates.numbers.next()),
        )


def usable(suggested: SuggestedCall) -> dict[str, Json] | None:
    """The arguments that a model suggests; None if there are none, or one that says who calls."""
    names = [place.partition(":") for place in suggested.arguments]
    if any(where == "cookie" or role_of(name) is Role.CREDENTIAL for where, _, name in names if where != "body"):
        return None
    return suggested.arguments or None


def _may_be_answered(subject: Subject, refusal: Call) -> bool:
    """Whether the API refused what was sent, so that other arguments could be accepted."""
    if refusal.status in NOT_FOUND and not subject.operation.parameters:
        # Its address is all that it has, and nobody is there.
        return False
    return is_client_error(refusal.status) or is_server_fault(refusal.status)


def _failure(call: Call | None) -> str:
    """What a refusal complains about, without what was sent: the same failure has the same name."""
    if call is None:
        return ""
    hints = sorted({f"{hint.kind} {hint.place} {hint.pointer}" for hint in hints_of(call)})
    return canonical([call.status, hints, "" if hints else _VARIABLE.sub("", summarise_error(call.body))])


def _unlike(calls: Iterable[Call]) -> list[Call]:
    """The latest calls of each failure, oldest first."""
    found: dict[str, Call] = {}
    for call in calls:
        found.pop(_failure(call), None)
        found[_failure(call)] = call
    return list(found.values())[-MAX_CALLS:]
