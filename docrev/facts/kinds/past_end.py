"""`past-end`: a page behind the last one is refused: who reads on until one is empty never sees that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from docrev.conventions.paging import goes_on, total_of
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.statuses import is_client_error
from docrev.facts.call_values import ids
from docrev.facts.comparable_reads import request_without
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record, Replay, shows_status
from docrev.facts.trials import list_in
from docrev.facts.wire_values import whole_number
from docrev.records import Call, Fact, OperationKey

_OTHER_REASONS = frozenset({401, 403, 405, 429})


@dataclass(frozen=True)
class PastEnd(Record):
    """The status, and the location of the parameter for the number of the page, or of the first item."""

    status: int
    parameter: str


def last_page(call: Call) -> float:
    """The number of the last page of a list, given the response with the first one; infinite if it may go on."""
    found = list_in(call) if call.ok else None
    if found is None or not found.items:
        return inf
    total = total_of(call)
    if total is None:
        return inf if goes_on(call, len(found.items)) else 1
    return -(-total // len(found.items))


def _from_calls(view: EvidenceView) -> Facts:
    for key, seen in sorted(view.observations.items()):
        if key.method == "GET":
            for at in sorted({at for call in seen.calls for at in call.arguments if _is_page(at)}):
                yield from _of_parameter(key, seen.calls, at)


def _of_parameter(key: OperationKey, calls: Sequence[Call], location: str) -> Facts:
    """Numbers of pages behind the last one that were refused, where none was accepted."""
    tried = [*_behind(calls, location)]
    refused = [pair for pair in tried if _is_refused(pair[1])]
    if len({call.status for _, call in refused}) == 1 and not any(call.ok for _, call in tried):
        yield KIND.fact(key, "", PastEnd(refused[0][1].status or 0, location), ids(refused[0]))


def _is_refused(call: Call) -> bool:
    return call.status is not None and is_client_error(call.status) and call.status not in _OTHER_REASONS


def _is_page(location: str) -> bool:
    return location.startswith("query:") and role_of(location.partition(":")[2]) is Role.PAGE


def _behind(calls: Sequence[Call], location: str) -> Iterator[tuple[Call, Call]]:
    """(the first page, the call for one behind the last) with the same other arguments."""
    first = {
        request_without(call, location): call for call in reversed(calls) if call.ok and location not in call.arguments
    }
    for call in calls:
        page, plain = whole_number(call.arguments.get(location)), first.get(request_without(call, location))
        # A service that counts from 0 has one page less than the number says: one more is behind the last for certain.
        if page is not None and plain is not None and page > last_page(plain):
            yield plain, call


def _refutes(fact: Fact, call: Call) -> bool:
    found = list_in(call) if call.ok else None
    return fact.value["parameter"] in call.arguments and found is not None and not found.items


KIND = Kind(
    "past-end",
    PastEnd,
    OPERATION,
    shows=shows_status,
    refutes=_refutes,
    replay=Replay(weight=6),
    from_calls=_from_calls,
)
