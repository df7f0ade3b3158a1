"""What is returned for a page behind the last one of a list."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.kinds.past_end import KIND
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation


def past_end(observed: ObservedOperation) -> Iterator[Statement]:
    """That it is refused: most lists return an empty page, by which readers know that they are done."""
    for fact in observed.all(KIND.name):
        found = KIND.value_of(fact)
        name = found.parameter.partition(":")[2]
        yield Statement(f"If `{name}` is past the last page, returns {found.status}, not an empty list.", facts=(fact,))


def common_past_end(statement: Statement) -> str:
    """The same of all lists."""
    found = KIND.value_of(statement.facts[0])
    name = found.parameter.partition(":")[2]
    return f"If `{name}` is past the last page, lists return {found.status}, not an empty page."
