"""`deletes`: whether a thing is `gone` once it was deleted, or `kept`: it can still be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from docrev.conventions.statuses import NOT_FOUND
from docrev.facts.call_values import ids
from docrev.facts.creations import readings_by_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, TextValue
from docrev.grouping import grouped, parted
from docrev.records import Call, OperationKey

GONE, KEPT = "gone", "kept"
_LEAST_KEPT = 2
"""Things that must still be read: one may be on its way out."""
_SHOWN = 2


def _from_calls(view: EvidenceView) -> Facts:
    for key, pairs in sorted(grouped(_read_afterwards(view)).items()):
        gone, kept = parted(pairs, lambda pair: pair[1].status in NOT_FOUND)
        is_kept = len(kept) >= _LEAST_KEPT and all(after.ok for _, after in kept)
        if (gone and not kept) or (is_kept and not gone):
            shown = ids(chain.from_iterable((gone or kept)[:_SHOWN]))
            yield KIND.fact(key, "", TextValue(GONE if gone else KEPT), shown)


def _read_afterwards(view: EvidenceView) -> Iterator[tuple[OperationKey, tuple[Call, Call]]]:
    """The deletions of what the run had made, by operation, each with the first reading of the thing after it."""
    calls = chain.from_iterable(seen.calls for seen in view.observations.values())
    readings = readings_by_path(sorted(calls, key=lambda call: view.order[call.id]))
    for call, path, _ in view.deletions:
        later = (one for one in readings.get((call.key.tool, path), []) if view.order[one.id] > view.order[call.id])
        after = next(later, None)
        if call.ok and after is not None and view.observations[after.key].good:
            yield call.key, (call, after)


KIND = Kind("deletes", TextValue, OPERATION, from_calls=_from_calls)
