"""`stays-taken`: what was deleted cannot be created again: a name stays in use though the thing is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docrev.conventions.run_names import is_made_up
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.taken_messages import says_taken
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.records import Call, Json, OperationKey

_LEAST = 2
"""Creations that must have been refused."""


@dataclass(frozen=True)
class TakenAfterwards(Record):
    """The creation that is refused after the deletion, and its status."""

    operation: str
    status: int


def _from_calls(view: EvidenceView) -> Facts:
    found = grouped(((deletion, refused.key, refused.status), refused) for deletion, refused in _refused(view))
    for (deletion, maker, status), calls in sorted(found.items(), key=lambda pair: pair[0][0]):
        if len(calls) >= _LEAST:
            yield KIND.fact(deletion, "", TakenAfterwards(str(maker), status or 0), ids(calls))


def _refused(view: EvidenceView) -> Iterator[tuple[OperationKey, Call]]:
    """The refusals of creations that were repeated after what they had made was deleted, each with the deletion."""
    deleted = {(call.key.tool, path): call for call, path, *_ in view.deletions if call.ok}
    for alike in grouped((canonical(one.call.arguments), one) for one in view.created).values():
        one, deletion = alike[0], deleted.get(alike[0].place)
        if deletion is None or len(alike) > 1:
            continue
        later = (call for call in view.observations[one.call.key].calls if call.arguments == one.call.arguments)
        again = [call for call in later if view.when(call) > view.lifetimes[one.call.id][1]]
        if all(map(says_taken, again)) and not _is_listed_after(view, one.call, deletion):
            yield from ((deletion.key, call) for call in again)


def _is_listed_after(view: EvidenceView, made: Call, deletion: Call) -> bool:
    """Whether the list shows a thing after its deletion: then that removed nothing, whatever it was answered."""
    listing = view.observations.get(OperationKey(made.key.tool, f"GET {made.key.path}"))
    lists = (call for call in (listing.good if listing is not None else ()) if view.when(call) > view.when(deletion))
    names = _names_of_the_run(made.arguments.get("body:"))
    return any(not names.isdisjoint(_names_of_the_run(call.body)) for call in lists)


def _names_of_the_run(body: Json) -> set[str]:
    return {value for _, value in leaves(body) if isinstance(value, str) and is_made_up(value)}


KIND = Kind("stays-taken", TakenAfterwards, OPERATION, from_calls=_from_calls)
