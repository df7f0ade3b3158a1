"""`also-deletes`: what lay in a thing, or was named by it, is gone once that was deleted; the value is the operation
that returned it."""

from __future__ import annotations

from itertools import chain

from docrev.conventions.statuses import NOT_THERE
from docrev.facts.attached_things import read_after
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, TextValue
from docrev.records import Call, OperationKey


def _from_calls(view: EvidenceView) -> Facts:
    gone: dict[tuple[OperationKey, OperationKey], list[Call]] = {}
    stayed: set[tuple[OperationKey, OperationKey]] = set()
    for deletion in (one for one in view.deletions if one.call.ok):
        inside = (later for _, later in deletion.contents if later is not None)
        for later in chain(inside, read_after(view, deletion)):
            pair = deletion.call.key, later.key
            if later.status in NOT_THERE:
                gone.setdefault(pair, []).extend([deletion.call, later])
            else:
                stayed.add(pair)
    for (key, reader), calls in sorted(gone.items()):
        if (key, reader) not in stayed:
            yield KIND.fact(key, "", TextValue(str(reader)), ids(calls))


KIND = Kind("also-deletes", TextValue, OPERATION, from_calls=_from_calls)
