"""`referred`: what the deletion of a thing comes to while another one names it by its ID: it is refused as long as that
is there, that is deleted too, or its reference to the thing is cleared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from docrev.conventions.statuses import (
    BUSY,
    CREDENTIALS,
    NOT_FOUND,
    NOT_THERE,
    PASSING,
    is_client_error,
    is_server_fault,
)
from docrev.facts.call_values import ids
from docrev.facts.deletions import Deletion, Referrer, has_id
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.status_causes import message
from docrev.grouping import grouped
from docrev.records import Call

REFUSED, DELETED, CLEARED = "refused", "deleted", "cleared"


@dataclass(frozen=True)
class Referred(Record):
    """`operation` made the thing that names the other one at `pointer` of its body; of a refusal the status and the
    message, too."""

    effect: str
    operation: str
    pointer: str
    status: int | None = None
    message: str | None = None


class _Seen(NamedTuple):
    """What one deletion came to, and the calls that show it; `effect` is "" for what shows none of the effects."""

    effect: str
    status: int | None
    message: str | None
    calls: tuple[Call, ...]


_OF_OTHER_CAUSES = NOT_FOUND | CREDENTIALS | PASSING | BUSY


def _from_calls(view: EvidenceView) -> Facts:
    seen = grouped(
        ((one.call.key, referrer.made.key, referrer.pointer), _what_came(view, one, referrer))
        for one in view.deletions
        for referrer in one.referrers
    )
    for (key, maker, pointer), every in sorted(seen.items()):
        effects = {one[:2] for one in every if one is not None}
        found = [one for one in every if one is not None]
        if len(effects) == 1 and found[0].effect:
            effect, status, text, _ = found[0]
            value = Referred(effect, str(maker), pointer, status, text)
            yield KIND.fact(key, "", value, ids(chain.from_iterable(one.calls for one in found)))


def _what_came(view: EvidenceView, one: Deletion, referrer: Referrer) -> _Seen | None:
    """What a deletion came to with one thing that names the other; None if that says nothing."""
    call, after = one.call, referrer.after
    if not call.ok:
        return _refusal(view, one, referrer)
    if after is None:
        return None
    if after.status in NOT_THERE:
        return _Seen(DELETED, None, None, (call, after))
    return _Seen(CLEARED if after.ok and not has_id(after, one.id) else "", None, None, (call, after))


def _refusal(view: EvidenceView, one: Deletion, referrer: Referrer) -> _Seen | None:
    """A refusal for nothing else: once what named the thing alone was deleted, the thing was, too."""
    call = one.call
    is_refused = is_client_error(call.status) or is_server_fault(call.status)
    if one.contents or len(one.referrers) > 1 or not is_refused or call.status in _OF_OTHER_CAUSES:
        return None
    done = next((later for later in _later(view, one) if view.when(later.call) > referrer.end), None)
    shown = done is not None and done.call.ok
    return _Seen(REFUSED, call.status, message(call.body) or None, (call, done.call)) if done and shown else None


def _later(view: EvidenceView, one: Deletion) -> Iterator[Deletion]:
    """The later deletions of the same thing."""
    now = view.when(one.call)
    for later in view.deletions:
        if (later.call.key.tool, later.path) == (one.call.key.tool, one.path) and view.when(later.call) > now:
            yield later


KIND = Kind("referred", Referred, OPERATION, from_calls=_from_calls)
