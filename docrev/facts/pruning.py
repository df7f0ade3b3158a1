"""Which calls of a finished run are still needed: facts name them, or inference and revision look at them."""

from __future__ import annotations

from docrev.conventions.disguised_errors import is_disguised
from docrev.evidence import Evidence
from docrev.facts.observations import Observations, is_observed
from docrev.facts.samples import Sample, is_sampled
from docrev.records import Call, OperationKey


def prune(evidence: Evidence) -> int:
    """Remove the calls of the selected run that are not needed; returns how many.

    Facts, what would be inferred again, and what a revision writes stay the same, and so do the counts of calls.
    """
    return evidence.prune(needed_calls(evidence))


def needed_calls(evidence: Evidence) -> set[str]:
    """The ids of the calls that facts and experiences name, or that inference and revision look at."""
    samples: dict[OperationKey, Sample] = {}
    observations: dict[OperationKey, Observations] = {}
    needed = {id for fact in evidence.facts() for id in (*fact.calls, *fact.replays)}
    needed |= {id for one in evidence.experiences() for id in (*one.calls, *one.helped)}
    # One good answer shows that a tool answers more than errors called 200.
    frank: set[str] = set()
    for call in evidence.calls.select():
        sampled = is_sampled(call) and samples.setdefault(call.key, Sample(call.key)).add(call)
        observed = is_observed(call) and observations.setdefault(call.key, Observations(call.key)).add(call)
        if sampled or observed or call.purpose == "clean-up" or _is_first_frank(call, frank):
            needed.add(call.id)
    return needed


def _is_first_frank(call: Call, frank: set[str]) -> bool:
    """Whether a call is the first of its tool with a good answer that does not speak of an error; notes its tool."""
    if not call.ok or call.key.tool in frank or is_disguised(call):
        return False
    frank.add(call.key.tool)
    return True
