"""What a creation does with the ID of something that nothing has, as statements on an operation."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.kinds.unknown_references import KEPT, NULL, REFUSED
from docrev.grouping import grouped
from docrev.language.phrases import joined_names
from docrev.revision import labels
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation


def unknown_references(observed: ObservedOperation) -> Iterator[Statement]:
    """One sentence for all properties with which the same becomes of such an ID."""
    facts = observed.all("unknown-references")
    by_outcome = grouped(((fact.value["becomes"], fact.value["status"]), fact) for fact in facts)
    for (becomes, status), found in sorted(by_outcome.items()):
        names = joined_names((labels.field_name(fact.location) for fact in found), "or")
        if becomes == REFUSED:
            text = f"Returns {status} if nothing has the {names} that is sent."
        elif becomes == KEPT:
            text = f"A {names} that nothing has is not refused but stored."
        else:
            instead = "null" if becomes == NULL else "another value"
            text = f"A {names} that nothing has is not refused but replaced by {instead}."
        yield Statement(text, facts=tuple(found))
