"""What refusals state of creations whose things have no path to be known by: which text is in use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.calls.routes import only_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.outcomes import DEPTH, AcceptedWrite
from docrev.facts.taken_messages import names_alone, says_taken
from docrev.grouping import grouped, only
from docrev.json_values.leaves import scalar_members
from docrev.records import Call


def stated_conflict(view: EvidenceView, accepted: Sequence[AcceptedWrite]) -> tuple[str, list[Call]]:
    """The one property whose text is in use, by refusals that name it, with these: an accepted creation before each of
    them gave it the same text. "" if there is none, or if they do not have the same status."""
    refused = filter(says_taken, view.observations[accepted[0].call.key].calls)
    repeated = grouped((at, call) for call in refused for at in _repeated(view, accepted, call))
    stated = {at: calls for at, calls in repeated.items() if names_alone(calls, at)}
    at = only(stated) or ""
    is_one = at != "" and len({call.status for call in stated[at]}) == 1
    return (at, [*stated[at]]) if is_one else ("", [])


def _repeated(view: EvidenceView, accepted: Sequence[AcceptedWrite], call: Call) -> Iterator[str]:
    """The properties in which a call has a text that an accepted one before it had at the same place."""
    place = only_path(call.arguments)
    before = [one for one in accepted if view.when(one.call) < view.when(call)]
    there = [one for one in before if only_path(one.call.arguments) == place]
    for at, value in scalar_members(call.arguments.get("body:"), depth=DEPTH):
        if isinstance(value, str) and value and any(one.sent.get(at) == value for one in there):
            yield at
