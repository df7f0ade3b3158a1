"""Properties that docrev made up: what was sent without being asked for and merely came back says nothing of an API."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.facts.registry import PROVES_READ
from docrev.json_values import pointer as pointers
from docrev.records import Fact
from docrev.spec import Operation


def invented(operations: Iterable[tuple[Operation, Iterable[str], Iterable[Fact]]]) -> frozenset[str]:
    """The names of body properties that were sent and that no body declares, nor any fact shows to be read.

    Each operation comes with the locations that calls of it sent, and with its facts.
    """
    sent: set[str] = set()
    known: set[str] = set()
    for operation, locations, facts in operations:
        sent |= {name for at in locations if at.startswith("body:") for name in pointers.split(at[5:])}
        if operation.body is not None and operation.body.schema is not None:
            known |= {pointers.last(at) for at, _ in operation.body.schema.walk() if at}
        # That an answer's text has a format is only told where texts without it were refused.
        proven = (fact for fact in facts if fact.kind in PROVES_READ)
        known |= {
            pointers.last(fact.location)
            for fact in proven
            if fact.location.startswith("body:/") or fact.kind == "format"
        }
    return frozenset(sent - known)
