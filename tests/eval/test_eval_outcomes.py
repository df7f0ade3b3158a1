"""Which part of an agent failed first, and what judges' columns come to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from trajectories import did, key, task

from docrev.eval.agents.outcomes import TaskOutcome, error_class, outcome
from docrev.eval.agents.summary import Line
from docrev.eval.agents.tables import average, title
from docrev.records import Task, Trajectory

GOLD = task("GET /a", "GET /b", arguments=({"query:q": "x"}, {"path:id": 7}))
TWO_WAYS = replace(GOLD, gold=(*GOLD.gold, (key("GET /a"),)))


@pytest.mark.parametrize(
    ("wanted", "done", "expected"),
    [
        (GOLD, did("GET /a"), "plan"),
        # Both were called, and the second one failed.
        (GOLD, did(("GET /a", {"query:q": "x"}), ("GET /b", {"path:id": 7}, 404)), "caller"),
        # Both answered, one of them to a value that the gold path denies.
        (GOLD, did(("GET /a", {"query:q": "y"}), ("GET /b", {"path:id": 7})), "caller"),
        # A second call of the same operation was right.
        (GOLD, did(("GET /a", {"query:q": "y"}), ("GET /a", {"query:q": "x"}), ("GET /b", {"path:id": "7"})), "parser"),
        # What was left out contradicts nothing, and what was added does not either.
        (GOLD, did("GET /a", ("GET /b", {"path:id": 7, "query:page": 2})), "parser"),
        # Another gold path asks for no arguments.
        (TWO_WAYS, did(("GET /a", {"query:q": "y"})), "parser"),
    ],
)
def test_the_part_that_failed_first(wanted: Task, done: Trajectory, expected: str) -> None:
    """ToolBFS+ §6, figure 4: a caller error is a wrong argument of the right operation, answered or not."""
    assert error_class(wanted, done, solved=False) == expected
    assert error_class(wanted, done, solved=True) == ""


def _row(name: str, group: str, preferred: float | None) -> TaskOutcome:
    row = outcome(replace(GOLD, id=name, group=group), did("GET /a"), {})
    return replace(row, preferred=preferred)


def test_wins_ties_and_losses_and_groups() -> None:
    rows = (_row("1", "G1", 1.0), _row("2", "G1", 0.5), _row("3", "G2", 0.0), _row("4", "G2", 1.0))
    line = Line("revised", "react", "m", rows)
    assert line.wins == (2, 1, 1)
    assert line.of_group("G1").wins == (1, 1, 0)
    assert Line("original", "react", "m", (_row("1", "G1", None),)).wins is None
    assert average([0.75, 0.5]) == "62.5"
    assert title("passed", "rules") == "pass (rules)"
    assert title("preferred", "openai:x") == "win (openai:x)"
