"""`not-empty`: a thing is not deleted as long as something lies in it; once that was deleted, it is."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.conventions.statuses import CREDENTIALS, NOT_FOUND, PASSING, is_client_error
from docrev.facts.call_values import ids
from docrev.facts.deletions import Deletion
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.status_causes import message
from docrev.grouping import grouped, only


@dataclass(frozen=True)
class NotEmpty(Record):
    """The status and the message of the refusal; `operation` made what lies in the thing, if that is of one kind."""

    status: int
    operation: str | None = None
    message: str | None = None


_OF_OTHER_CAUSES = NOT_FOUND | CREDENTIALS | PASSING


def _from_calls(view: EvidenceView) -> Facts:
    full = {one.call.key for one in view.deletions if one.call.ok and one.contents}
    emptied = {(one.call.key, one.path): one.call for one in view.deletions if one.call.ok}
    refused = grouped(
        (one.call.key, one) for one in filter(_is_refused, view.deletions) if (one.call.key, one.path) in emptied
    )
    for key, found in refused.items():
        if key not in full and _are_alike(found):
            yield KIND.fact(key, "", _value(found), ids([found[0].call, emptied[key, found[0].path]]))


def _is_refused(one: Deletion) -> bool:
    """Whether the deletion of something full was refused, for no other cause."""
    return bool(one.contents) and is_client_error(one.call.status) and one.call.status not in _OF_OTHER_CAUSES


def _are_alike(refused: list[Deletion]) -> bool:
    return len({one.call.status for one in refused}) == 1


def _value(refused: list[Deletion]) -> NotEmpty:
    first = refused[0].call
    makers = {str(made.key) for one in refused for made, _ in one.contents}
    return NotEmpty(first.status or 0, only(makers), message(first.body) or None)


KIND = Kind("not-empty", NotEmpty, OPERATION, from_calls=_from_calls)
