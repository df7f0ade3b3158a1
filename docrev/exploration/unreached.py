"""Why an operation was not reached: in the words of its most telling answer, and by a kind that says who could help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docrev.calls.journal import Journal
from docrev.conventions.disguised_errors import meant_status
from docrev.conventions.error_claims import VALUE_KINDS
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.statuses import CREDENTIALS, FEATURE_MISSING, NOT_FOUND, is_server_fault, is_success
from docrev.exploration.same_refusals import SAME_WORDS
from docrev.exploration.subjects import Subject
from docrev.language.path_templates import PARAMETER, parameters_of
from docrev.records import Call
from docrev.spec.route_places import place_of

UnreachedKind = Literal[
    "consent", "credentials", "value", "parent", "feature", "fault", "unmet", "unexplained", "unusable", "budget"
]
MEANINGS: dict[UnreachedKind, str] = {
    "consent": "needs your consent (--dry-run names the option)",
    "credentials": "needs other credentials (-H or --auth)",
    "value": "needs a value that only a person knows (--value)",
    "parent": "needs something to act on that could not be created",
    "feature": "needs a feature that is off, or not in this version",
    "fault": "failed with a server error",
    "unmet": "refused what was sent, and what it asks for could not be met",
    "unexplained": "refused what was sent without saying why",
    "unusable": "gave no usable answer: none in time, a redirect or a page",
    "budget": "was not tried: the budget was spent (--max-calls)",
}
"""What each kind says of an operation to somebody who knows nothing of docrev, in the order of who could help."""
HELPED_BY_VALUES: frozenset[UnreachedKind] = frozenset({"value", "unmet", "unexplained"})
"""The kinds in whose place "value" is said if the errors show what value is wanting."""
_STOPPED: dict[str, UnreachedKind] = {"credentials": "credentials", "unsupported": "feature", SAME_WORDS: "unmet"}
_NEEDS = {"credentials": "; it needs other credentials", "unsupported": "; it needs a feature that is off or not there"}
_NOT_OF_ACCESS = VALUE_KINDS | {"not-found", "exists", "required", "state"}
"""Kinds of hints that say of a 403 that no other credentials would help."""
_NOT_THERE = NOT_FOUND | {405, FEATURE_MISSING}
"""Statuses of an address that the service does not have."""


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What stood in the way of an operation beside its answers.

    `denial` is why the policy forbids it; `parent` the path of what the run created none of, and `makeable` whether
    some operation makes such things; `spent`: there was no budget to try it.
    """

    denial: str = ""
    parent: str = ""
    makeable: bool = False
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Unreached:
    """Why an operation was not reached, as a kind and in words."""

    kind: UnreachedKind
    why: str


def unreached(subject: Subject, obstacles: Obstacles) -> Unreached:
    """Why the survey did not reach an operation."""
    return Unreached(_kind(subject, obstacles), _why(subject, obstacles))


def denied_unsent(subject: Subject, journal: Journal) -> str:
    """Why many things cannot be removed at once though no call was tried: others are among them; "" if none are."""
    operation = subject.operation
    many = subject.last is None and journal.effects.of(operation).kind == "collection"
    shown = many and journal.things.saw_in(operation.tool, operation.route.path.rstrip("/"))
    return "the collection holds what this run did not create" if shown else ""


def _kind(subject: Subject, obstacles: Obstacles) -> UnreachedKind:
    if obstacles.denial:
        return "consent"
    if subject.stopped in _STOPPED:
        return _STOPPED[subject.stopped]
    if subject.last is None:
        return _kind_unsent(subject, obstacles)
    if not parameters_of(subject.operation.path) and all(_is_nowhere(call) for call in subject.calls):
        return "feature"
    return _kind_of_answer(_telling(subject.calls))


def _telling(calls: Sequence[Call]) -> Call:
    """The answer that says most of why an operation was not reached: the latest of the most frequent kind.

    That nothing is there under an id that was guessed says less than any other answer.
    """
    found = [call for call in calls if meant_status(call) not in NOT_FOUND] or list(calls)
    kinds = [_kind_of_answer(call) for call in found]
    kind = max(kinds, key=lambda kind: (kinds.count(kind), kind == kinds[-1]))
    return next(call for call, its in zip(reversed(found), reversed(kinds), strict=True) if its == kind)


def _is_nowhere(call: Call) -> bool:
    """Whether nothing is at an address, and no error says what is missing there."""
    missing = any(
        hint.kind == "required" or (hint.kind == "not-found" and (hint.values or hint.name)) for hint in hints_of(call)
    )
    return call.status in _NOT_THERE and not missing


def _kind_unsent(subject: Subject, obstacles: Obstacles) -> UnreachedKind:
    if obstacles.parent and not obstacles.makeable:
        # However many requests there were: none of them could make what it goes to.
        return "consent"
    if obstacles.spent:
        return "budget"
    if obstacles.parent:
        return "parent"
    return "consent" if subject.why else "value"


def _kind_of_answer(call: Call) -> UnreachedKind:
    if call.status is None or is_success(call.status) or call.status < 400:
        return "unusable"
    hints = {hint.kind for hint in hints_of(call)}
    stopping = next((kind for name, kind in _STOPPED.items() if name in hints), None)
    if stopping is not None:
        return stopping
    if is_server_fault(call.status):
        return "fault"
    if call.status in CREDENTIALS and not hints & _NOT_OF_ACCESS:
        return "credentials"
    return "unmet" if hints - {"invalid"} else "unexplained"


def _why(subject: Subject, obstacles: Obstacles) -> str:
    if obstacles.denial:
        return obstacles.denial
    if subject.last is None:
        return subject.why or _why_unsent(obstacles)
    call = subject.last if subject.stopped else _telling(subject.calls)
    if call.status is None:
        return subject.why or call.detail or call.error or "not answered"
    message = call.detail if call.error else summarise_error(call.body)
    which = "the last" if call is subject.last else "one"
    tries = f" ({which} of {subject.sent} attempts)" if subject.sent > 1 else ""
    return f"answered {call.status}{': ' + message if message else ''}{tries}{_NEEDS.get(subject.stopped, '')}"


def _why_unsent(obstacles: Obstacles) -> str:
    if obstacles.spent and (obstacles.makeable or not obstacles.parent):
        return "it was not tried: the budget was spent"
    if obstacles.parent:
        path = PARAMETER.sub(lambda found: f"{{{place_of(found[1]).name}}}", obstacles.parent)
        if obstacles.makeable:
            # Nothing that a person permits would help: what makes such things was refused, or not reached.
            return f"the run could not create {path} to call it on"
        return f"the run created no {path} to call it on; --dry-run says what would permit more"
    return "nothing is known that could be sent for its parameters"
