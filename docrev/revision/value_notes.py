"""What is appended to the purpose of a parameter or property, with the facts and calls that show it."""

from __future__ import annotations

from docrev.revision.notes import Notes
from docrev.revision.observations import Observations
from docrev.revision.places import Spot
from docrev.revision.quotations import quote
from docrev.revision.value_wording import SENTENCES, DocumentedValue, ignored, status_facts
from docrev.settings.choices import Examples

MAX_CALLS = 5


def of_value(spot: Spot, observations: Observations, purpose: str, *, examples: Examples) -> Notes:
    """The notes on a parameter or a property, beside its `purpose`."""
    value = DocumentedValue(spot, observations, purpose, examples)
    if text := ignored(value):
        return Notes((text,), tuple(value.known.all("ignored")))
    written = {kind: text for kind, sentence in SENTENCES if (text := sentence(value))}
    facts = [fact for kind in written for fact in value.known.all(kind)]
    if "required" in written or "status" in written:
        facts += [fact for fact, _ in status_facts(spot.first)]
    shown = value.example
    called = dict.fromkeys(call for seen, call in value.used if not shown or quote(seen) == shown)
    calls = (list(called) or [call for _, call in value.used])[:MAX_CALLS]
    calls += [fact.calls[0] for fact in facts if fact.kind == "status" and fact.calls]
    return Notes(tuple(written.values()), tuple(facts), tuple(dict.fromkeys(calls)))
