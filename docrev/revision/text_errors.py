"""Errors that are plain text where results are JSON: who parses them fails a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from docrev.conventions.statuses import is_client_error
from docrev.records import Call
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation

_LEAST = 3
"""Operations that must return such errors."""
_MOST = 2 / 3
_MAX_CALLS = 5


def text_errors(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """That most errors are plain text, or which may be, unless the document says so."""
    results = {type(call.body) for observed in operations for call in observed.good if call.body is not None}
    found = {observed.key: calls for observed in operations if (calls := [*_undeclared_texts(observed)])}
    if len(found) < _LEAST or not results or not results <= {dict, list}:
        return
    failing = [observed for observed in operations if any(is_client_error(call.status) for call in observed.bad)]
    every = [call for calls in found.values() for call in calls]
    if len(found) >= _MOST * len(failing) and len(every) >= _MOST * sum(map(_count_errors, failing)):
        text = "Most errors are plain text, not JSON."
    else:
        status = Counter(call.status for call in every).most_common(1)[0][0]
        text = f"Errors with {status} may be plain text, not JSON."
    yield Statement(text, "", "undeclared", calls=tuple(calls[0].id for calls in found.values())[:_MAX_CALLS])


def _count_errors(observed: ObservedOperation) -> int:
    return sum(is_client_error(call.status) and call.body is not None for call in observed.bad)


def _undeclared_texts(observed: ObservedOperation) -> Iterator[Call]:
    """The errors of an operation that are text, of statuses that are not declared so."""
    for call in observed.bad:
        if is_client_error(call.status) and isinstance(call.body, str) and call.body.strip():
            response = observed.operation.response(call.status or 0)
            if response is None or not any("text" in each for each in response.media_types):
                yield call
