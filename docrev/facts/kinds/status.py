"""`status`: the operation returns this status, and why."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from docrev.conventions.statuses import PASSING
from docrev.evidence.queries import distinct
from docrev.facts.error_contradictions import contradictions
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Replay
from docrev.facts.samples import Sample
from docrev.facts.status_causes import Accepting, Cause, message
from docrev.grouping import grouped
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    value = KIND.value_of(fact)
    return call.status == value.status and value.message in (None, message(call.body))


def _without_message(fact: Fact) -> Fact | None:
    """The fact without a message that was another the second time: it names the moment, or the request."""
    value = KIND.value_of(fact)
    return replace(fact, value=replace(value, message=None).to_json()) if value.message is not None else None


def _from_calls(view: EvidenceView) -> Facts:
    return chain.from_iterable(map(_of_sample, view.samples.values()))


def _of_sample(sample: Sample) -> Facts:
    honest = not contradictions(chain.from_iterable(sample.by_status.values()))
    accepting = Accepting({at: one.texts | one.tried for at, one in sample.accepted.items()}, sample.always, honest)
    for status in sorted(sample.by_status.keys() - PASSING):
        # Messages that quote the request differ from call to call; one fact a cause is enough.
        caused = ((accepting.cause_of(call), call.id) for call in sample.by_status[status])
        groups = grouped((f"{cause.cause} {cause.parameter or ''}", (cause, call)) for cause, call in caused)
        for _, group in sorted(groups.items()):
            one_message = len(distinct((cause.message, call) for cause, call in group)) == 1
            value = group[0][0] if one_message else replace(group[0][0], message=None)
            yield KIND.fact(sample.key, "", value, (call for _, call in group))


KIND = Kind(
    "status", Cause, OPERATION, shows=_shows, replay=Replay(weight=3, weaker=_without_message), from_calls=_from_calls
)
