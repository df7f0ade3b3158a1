"""A capable model's answers on the hard suites, replayed: what it made of original and of revised documents.

Four readers who knew nothing of each other answered by hand: the first 40 tasks of `bundled-hard`, and the 32 of
`bundled-hard-2`, on which nothing was developed; each with the original documents or with the revised ones.
`tests/recorded_answers` has documents, as they were then, and answers by what was asked. A change in how prompts are
rendered makes new questions of them, which nobody answered: then the rows say so.
"""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from table import Row, render

from docrev.errors import DocrevError
from docrev.eval.agents.bench import run
from docrev.eval.agents.summary import Line
from docrev.eval.settings import BenchSettings

ANSWERS = Path(__file__).resolve().parents[1] / "tests" / "recorded_answers" / "readers"
CALLS, SILENT, HALF = 0.75, 0.9, 0.5
"""What is wanted: the share of the original's calls; of the silently misleading tasks, what is solved at least with the
revised documents, and at most with the original ones."""


@dataclass(frozen=True)
class Half:
    """Tasks that readers did: the first of a suite; `name` begins the names of the files with their answers."""

    title: str
    suite: str
    tasks: int
    name: str


HALVES = (
    Half("", "bundled-hard", 40, "first"),
    Half(" on tasks by other hands", "bundled-hard-2", 32, "second"),
)


def main() -> str:
    return "\n".join(map(_table, HALVES))


def _table(half: Half) -> str:
    title = f"Readers, replayed{half.title}"
    try:
        with tempfile.TemporaryDirectory() as place:
            original, revised = (_answered(half, name, Path(place)) for name in ("original", "revised"))
    except DocrevError as error:
        return render(title, [Row("answers", f"none for today's prompts: {error}")])
    rows = [
        Row(
            "solved, original and revised",
            f"{_solved(original)} and {_solved(revised)} of {half.tasks}",
        ),
        Row(
            "silently misleading ones, original",
            f"{_silent(original):.3f}",
            f"<= {HALF:.3f}",
            _silent(original) <= HALF,
        ),
        Row(
            "silently misleading ones, revised",
            f"{_silent(revised):.3f}",
            f">= {SILENT:.3f}",
            _silent(revised) >= SILENT,
        ),
        Row(
            "calls a task, original and revised",
            f"{_calls(original):.3g} and {_calls(revised):.3g}",
            f"<= {CALLS} of the original's",
            _calls(revised) <= CALLS * _calls(original),
        ),
        Row(
            "calls of a task that both solve, original and revised",
            "{:.3g} and {:.3g}".format(*_both(original, revised)),
        ),
        Row(
            "refused calls, original and revised",
            f"{_refused(original)} and {_refused(revised)}",
            "revised 0",
            not _refused(revised),
        ),
        Row(
            "input tokens a solved task",
            f"{_paid(original):,.0f} and {_paid(revised):,.0f}",
            "<= original",
            _paid(revised) <= _paid(original),
        ),
    ]
    return render(title, rows)


def _answered(half: Half, name: str, place: Path) -> Line:
    """The tasks with the documents of a setting, and the answers of its reader."""
    kept = place / f"{name}.answers"
    with sqlite3.connect(kept) as database:
        database.executescript((ANSWERS / f"{half.name}-{name}.sql").read_text("utf-8"))
    database.close()
    settings = BenchSettings(
        docs=(f"{name}={ANSWERS / name}",),
        model_for=(f"agent=recorded:{kept}",),
        limit=half.tasks,
        out=place / name,
    )
    [line] = run(half.suite, settings).lines
    return line


def _solved(line: Line) -> int:
    return sum(outcome.solved for outcome in line.outcomes)


def _silent(line: Line) -> float:
    silent = [outcome.solved for outcome in line.outcomes if outcome.group == "silent"]
    return sum(silent) / len(silent)


def _calls(line: Line) -> float:
    return sum(outcome.length for outcome in line.outcomes) / len(line.outcomes)


def _both(*lines: Line) -> list[float]:
    """Mean calls by line, over the tasks that are solved in all lines: a wrong answer, given soon, costs few calls."""
    solved = [each for each in zip(*(line.outcomes for line in lines), strict=True) if all(o.solved for o in each)]
    return [sum(outcome.length for outcome in outcomes) / len(solved) for outcomes in zip(*solved, strict=True)]


def _refused(line: Line) -> int:
    return sum(outcome.length - outcome.calls_answered for outcome in line.outcomes)


def _paid(line: Line) -> float:
    return sum(outcome.tokens_in for outcome in line.outcomes) / max(_solved(line), 1)
