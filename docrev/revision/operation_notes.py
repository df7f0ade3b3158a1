"""What is appended to the purpose of an operation, with the facts and calls that show it."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.revision.notes import Notes
from docrev.revision.observations import Observations, ObservedOperation
from docrev.revision.operation_wording import SENTENCES, OperationContext, failing
from docrev.revision.places import Spot
from docrev.settings.choices import Examples

MAX_CALLS = 5


def of_operation(
    observed: ObservedOperation, observations: Observations, spots: Sequence[Spot], *, examples: Examples
) -> Notes:
    """The notes on an operation, beside its first paragraph."""
    context = OperationContext(observed, observations, spots, examples)
    written = [(kind, text) for kind, sentences in SENTENCES for text in sentences(context)]
    facts = observed.all(*dict.fromkeys(kind for kind, _ in written if kind))
    calls = [call.id for call in observed.bad[:MAX_CALLS]] if any(failing(context)) else []
    calls += [call for found in context.misuses for call in found.calls[-2:]]
    return Notes(tuple(text for _, text in written), tuple(facts), tuple(dict.fromkeys(calls)))
