"""`conditions`: what a write returns whose condition is false: `If-Match` with another `ETag` than the thing has, or
`If-None-Match: *` for a thing that is there.

A service that ignores them lets one writer undo what another one wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from docrev.conventions.preconditions import ANYTHING, IF_MATCH, IF_NONE_MATCH, entity_tag
from docrev.conventions.statuses import CREDENTIALS, NOT_FOUND, is_client_error
from docrev.evidence.queries import reader_at
from docrev.facts.call_values import ids
from docrev.facts.creations import concrete_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.records import Call, OperationKey

_LEAST = 2
"""Writes that a false condition did not keep from being made, to say that it is ignored."""


@dataclass(frozen=True)
class Condition(Record):
    """The header of the condition, and the status if it is false; without a status the header is ignored."""

    header: str
    status: int | None = None


def _from_calls(view: EvidenceView) -> Facts:
    for key, seen in view.observations.items():
        for header in (IF_MATCH, IF_NONE_MATCH):
            sent = [call for call in seen.calls if f"header:{header}" in call.arguments]
            false = [call for call in sent if _is_false(view, header, call)]
            yield from _of_header(view, key, header, false, seen.good)


def _of_header(
    view: EvidenceView, key: OperationKey, header: str, false: Sequence[Call], good: Sequence[Call]
) -> Facts:
    """What false conditions came to, if all came to the same."""
    if len(false) >= _LEAST and all(call.ok for call in false):
        yield KIND.fact(key, "", Condition(header), ids(false))
    elif len({call.status for call in false}) == 1 and _is_of_condition(false[0]):
        # What was accepted before only may be refused by now, because it was done.
        later = [call for call in good if view.when(call) > view.when(false[0])]
        for control in islice(_controls(header, false[0], later), 1):
            yield KIND.fact(key, "", Condition(header, false[0].status), ids([false[0], control]))


def _controls(header: str, refused: Call, good: Sequence[Call]) -> Iterator[Call]:
    """The same as what was refused, with the thing's own tag, or without `If-None-Match`: it is not for the rest."""
    for call in good:
        is_conditional = f"header:{header}" in call.arguments
        if _without(header, call) == _without(header, refused) and is_conditional == (header == IF_MATCH):
            yield call


def _is_of_condition(call: Call) -> bool:
    return call.error is None and is_client_error(call.status) and call.status not in NOT_FOUND | CREDENTIALS


def _is_false(view: EvidenceView, header: str, call: Call) -> bool:
    """Whether the thing was there, and had another tag, when it was read last before a call."""
    value, now = call.arguments[f"header:{header}"], view.when(call)
    before = [one for one in _readings(view, call) if view.when(one) < now]
    tag = entity_tag(max(before, key=view.when)) if before else ""
    return tag != "" and (value == ANYTHING if header == IF_NONE_MATCH else value != tag)


def _readings(view: EvidenceView, call: Call) -> Iterator[Call]:
    """The GETs of the thing that a call writes."""
    seen = reader_at(view.observations, call.key.tool, call.key.path)
    path = concrete_path(call)
    return (one for one in (seen.good if seen is not None else ()) if concrete_path(one) == path)


def _without(header: str, call: Call) -> dict[str, object]:
    return {at: value for at, value in call.arguments.items() if at != f"header:{header}"}


KIND = Kind("conditions", Condition, OPERATION, from_calls=_from_calls)
