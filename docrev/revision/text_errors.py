"""Errors that are plain text where results are JSON: a client that parses them fails a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from docrev.conventions.statuses import is_client_error
from docrev.records import Call
from docrev.revision.majority import MAX_CALLS, MIN_OPERATIONS, MOST
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation

_LEAST_CALLS = 2


def text_errors(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """That most errors are plain text, or which may be, unless the document says so."""
    found = list(filter(None, ([*_undeclared_texts(observed)] for observed in operations)))
    if len(found) >= MIN_OPERATIONS and all(map(_returns_json, operations)):
        every = list(chain.from_iterable(found))
        which = f"Errors with {Counter(call.status for call in every).most_common(1)[0][0]} may be"
        if len(every) >= MOST * sum(map(_count_errors, operations)):
            which = "Most errors are"
        yield Statement(
            f"{which} plain text, not JSON.", "", "undeclared", calls=tuple(calls[0].id for calls in found[:MAX_CALLS])
        )


def labelled_json(observed: ObservedOperation) -> Iterator[Statement]:
    """That errors are plain text though their header calls them JSON: a client that believes it fails."""
    for status in sorted({call.status for call in observed.bad if call.status is not None}):
        calls = [call for call in observed.bad if call.status == status]
        if len(calls) >= _LEAST_CALLS and all(map(_is_labelled_text, calls)):
            text = f"The body of a {status} is plain text, though its `Content-Type` says JSON."
            yield Statement(text, calls=tuple(call.id for call in calls[:MAX_CALLS]))


def _is_labelled_text(call: Call) -> bool:
    """Whether a text did not read as the JSON that its media type promised: why not, the call tells."""
    return isinstance(call.body, str) and "json" in call.media_type and bool(call.detail)


def _count_errors(observed: ObservedOperation) -> int:
    return sum(is_client_error(call.status) and call.body is not None for call in observed.bad)


def _returns_json(observed: ObservedOperation) -> bool:
    """Whether all that an operation returns, if anything, is JSON's objects and lists."""
    return all(isinstance(call.body, dict | list) for call in observed.good if call.body is not None)


def _undeclared_texts(observed: ObservedOperation) -> Iterator[Call]:
    """The errors of an operation that are text, of statuses that are not declared so; a text in JSON is JSON."""
    for call in observed.bad:
        is_text = isinstance(call.body, str) and ("json" not in call.media_type or call.detail)
        if is_client_error(call.status) and is_text and call.body.strip():
            response = observed.operation.response(call.status or 0)
            if response is None or not any("text" in each for each in response.media_types):
                yield call
