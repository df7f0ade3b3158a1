"""New codes among the values that are suggested for a member, where a name of the run was refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.hint_locations import name_at
from docrev.conventions.ids import identifies
from docrev.conventions.run_names import is_made_up, mark_of
from docrev.conventions.shaped_values import examples_in, shaped_like
from docrev.records import Json


def with_codes(suggested: Sequence[Json], given: Json, location: str, hints: Iterable[Hint]) -> list[Json]:
    """The suggested values, with a new code for each that is one behind the names of the run.

    Errors give examples, too. What is there already comes last: it may be the code of somebody's thing.
    """
    if not is_made_up(given) or not identifies(name_at(location)):
        return [*suggested]
    samples = [*(example for hint in hints for example in examples_in(hint.text)), *suggested]
    return [*filter(is_made_up, suggested), *shaped_like(samples, mark_of(given)), *suggested]
