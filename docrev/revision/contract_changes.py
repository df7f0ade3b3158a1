"""What the changes of a contract have in common: where they stand, and the facts and calls behind them."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.records import Change, Fact, Json
from docrev.revision.observations import ObservedOperation
from docrev.spec import Place

_MAX_CALLS = 5
_CALLS_OF_FACT = 2


def contract_change(
    observed: ObservedOperation, place: Place, name: str, before: Json, after: Json, facts: Iterable[Fact]
) -> Change:
    """A change of the member `name` (a JSON pointer without its first slash) of the object at `place`."""
    facts = tuple(facts)
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:_CALLS_OF_FACT]))[:_MAX_CALLS]
    return Change(place.file, f"{place.pointer}/{name}", before, after, observed.key, "contract", facts, calls)
