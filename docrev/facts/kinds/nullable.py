"""`nullable`: a part of a response may be null. A value that is there does not refute it."""

from __future__ import annotations

from docrev.facts.call_values import ids, response_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Holds, Kind
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return None in response_values(call, fact.location)


def _from_calls(view: EvidenceView) -> Facts:
    for sample in view.samples.values():
        for location, place in sample.places:
            if place.nulls and not location.endswith(":"):
                calls = sample.by_status[int(location.partition(":")[0])]
                having = (call for call in calls if None in response_values(call, location))
                yield KIND.fact(sample.key, location, Holds(), ids(having))


KIND = Kind("nullable", Holds, RESPONSE, shows=_shows, from_calls=_from_calls)
