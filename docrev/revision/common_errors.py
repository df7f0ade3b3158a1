"""How a whole API refuses: the statuses that nobody would expect, and what the bodies of errors are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from docrev.conventions.statuses import INVALID, is_client_error
from docrev.facts import status_causes
from docrev.facts.kinds import status as status_kind
from docrev.language.phrases import joined_names
from docrev.records import Call, Fact
from docrev.revision.majority import MAX_CALLS, MIN_OPERATIONS, MOST, have_most
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.response_samples import shared_names
from docrev.revision.text_errors import text_errors

_INVALID, _MISSING = " not valid", " missing"


def common_errors(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """What is returned for what is invalid or missing, and in which form errors come."""
    yield from _refusals(operations)
    yield from _faults(operations)
    yield from _errors(operations)
    yield from text_errors(operations)


def _refusals(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """The status of what is invalid or missing, if nobody would expect it: one sentence if both return the same."""
    found = ((cause, _common_status(operations, cause)) for cause in (_INVALID, _MISSING))
    by_cause = {cause: common for cause, common in found if common is not None}
    statuses = {status for status, _ in by_cause.values()}
    if len(by_cause) == len(statuses):
        for cause, (status, facts) in by_cause.items():
            what = "Invalid values" if cause == _INVALID else "Missing required values"
            yield Statement(f"{what} return {status}.", "status", "undeclared", facts)
    else:
        shown = tuple(fact for _, found in by_cause.values() for fact in found)
        yield Statement(f"Missing or invalid values return {statuses.pop()}.", "status", "undeclared", shown)


def _common_status(operations: Iterable[ObservedOperation], cause: str) -> tuple[int, tuple[Fact, ...]] | None:
    """The status that all operations return for a cause, with the facts that show it; None if it is the usual one."""
    facts = tuple(fact for observed in operations for fact in _blamed(observed, cause))
    counted = Counter(status for _, status in {(fact.key, fact.value["status"]) for fact in facts})
    status, count = max(counted.items(), key=lambda pair: pair[1], default=(0, 0))
    if count < max(MIN_OPERATIONS, counted.total()) or status in INVALID:
        return None
    return status, facts


def _faults(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """That server errors are what comes of invalid values, where no operation refuses any in another way: who reads one
    tries the same request again."""
    failing = [*chain.from_iterable(_caused(observed, _is_fault) for observed in operations)]
    refusing = chain.from_iterable(_caused(observed, _is_refusal) for observed in operations)
    if len({fact.key for fact in failing}) >= MIN_OPERATIONS and not any(refusing):
        lacking = [*chain.from_iterable(map(_lacking, operations))]
        is_of_missing = len({call.key for call in lacking}) >= MIN_OPERATIONS
        text = f"Invalid {'or missing ' if is_of_missing else ''}values return 500, not 400."
        yield Statement(text, "status", "trap", tuple(failing), calls=tuple(call.id for call in lacking[:MAX_CALLS]))


def _is_fault(cause: str) -> bool:
    return cause.startswith(status_causes.FAILS_FOR)


def _is_refusal(cause: str) -> bool:
    return cause.endswith((_INVALID, _MISSING))


def _lacking(observed: ObservedOperation) -> Iterator[Call]:
    """The calls that failed with nothing but what an accepted one has, and not all of it."""
    for call in observed.bad:
        sent = call.arguments.items()
        if call.status == status_causes.FAULT and any(sent < good.arguments.items() for good in observed.good):
            yield call


def _blamed(observed: ObservedOperation, end: str) -> Iterator[Fact]:
    return _caused(observed, lambda cause: cause.endswith(end))


def _caused(observed: ObservedOperation, is_cause: Callable[[str], bool]) -> Iterator[Fact]:
    """The facts on the statuses of an operation whose cause is of a kind."""
    for fact in observed.at(""):
        if fact.kind == "status" and is_cause(status_kind.KIND.value_of(fact).cause):
            yield fact


def _errors(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """The fields that errors have where all of an operation's are objects, unless schemas say so at most operations."""
    undeclared = [call for observed in operations for call in observed.bad if _is_undeclared(observed, call.status)]
    objects = _of_objects_alone(undeclared)
    names = shared_names([call.body for call in objects])
    if names and have_most(objects, undeclared) and not _are_declared(operations, names):
        text = f"Most errors are JSON objects with {joined_names(names)}."
        yield Statement(text, "", "undeclared", calls=tuple(call.id for call in objects[:MAX_CALLS]))


def _of_objects_alone(calls: Sequence[Call]) -> list[Call]:
    """The calls of the operations of which all that is returned are objects."""
    others = {call.key for call in calls if not isinstance(call.body, dict)}
    return [call for call in calls if call.key not in others]


def disguised_errors(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """That errors come with a status of success, and the members that show it; who looks at the status takes them for
    results."""
    having = [found for observed in operations if (found := observed.disguised)]
    calls = [*chain.from_iterable(having)]
    shared = shared_names([call.body for call in calls]) if len(having) >= MIN_OPERATIONS else []
    if names := [name for name in shared if any(call.body[name] for call in calls)]:
        status = Counter(call.status for call in calls).most_common(1)[0][0]
        members = joined_names(names)
        text = f"Errors may be returned with status {status}: see {members} in the body."
        yield Statement(text, "", "trap", calls=tuple(found[0].id for found in having[:MAX_CALLS]))


def _are_declared(operations: Iterable[ObservedOperation], names: Collection[str]) -> bool:
    """Whether most operations declare errors with these fields: that some status is not declared says little then."""
    bad = [observed for observed in operations if observed.bad]
    declaring = [
        observed
        for observed in bad
        if any(
            response.schema is not None and {*names} <= {*response.schema.properties()}
            for status, response in observed.operation.responses.items()
            if status[:1] != "2"
        )
    ]
    return len(declaring) >= MOST * len(bad)


def _is_undeclared(observed: ObservedOperation, status: int | None) -> bool:
    """Whether a status is an error of the client, and the document has no schema for it."""
    if status is None or not is_client_error(status):
        return False
    response = observed.operation.response(status)
    return response is None or response.schema is None
