"""A capable model's answers on the hard suites, replayed: what it made of original and of revised documents.

Readers who knew nothing of each other answered by hand: the first 40 tasks of `bundled-hard`, and the 32 of
`bundled-hard-2`, on which nothing was developed; one with the original documents (two for the first), one with the
revised. `tests/recorded_answers` has documents, as they were then, and answers by what was asked. A change in how
prompts are rendered makes new questions of them, which nobody answered: then the rows say so, as they do since prompts
show in short what a task hardly needs (2026-11-27). Until fresh readers answer, benchmarks/README.md has what was
measured, and what today's prompts would cost with the same actions.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from table import Row, render

from docrev.errors import DocrevError
from docrev.eval.agents.bench import run
from docrev.eval.agents.summary import Line
from docrev.eval.settings import BenchSettings

ANSWERS = Path(__file__).resolve().parents[1] / "tests" / "recorded_answers"
CALLS, SILENT, HALF = 0.75, 0.9, 0.5
"""What is wanted: the share of the original's calls; of the silently misleading tasks, what is solved at least with the
revised documents, and at most with the original ones."""


@dataclass(frozen=True)
class Half:
    """Tasks that readers did: the first of a suite, the folder with the documents and the answers, and who had the
    original ones."""

    title: str
    suite: str
    tasks: int
    folder: str
    originals: tuple[str, ...]


FIRST = Half("", "bundled-hard", 40, "readers", ("original", "original-control"))
SECOND = Half(" on tasks by other hands", "bundled-hard-2", 32, "second_readers", ("original",))


def main() -> str:
    return "\n".join(map(_table, (FIRST, SECOND)))


def _table(half: Half) -> str:
    title = f"Readers, replayed{half.title}"
    try:
        with tempfile.TemporaryDirectory() as place:
            originals = [_answered(half, "original", reader, Path(place)) for reader in half.originals]
            revised = _answered(half, "revised", "revised", Path(place))
    except DocrevError as error:
        return render(title, [Row("answers", f"none for today's prompts: {error}")])
    silent, calls, paid = (sum(map(measure, originals)) / len(originals) for measure in (_silent, _calls, _paid))
    rows = [
        Row(
            "solved, originals and revised",
            f"{_each(_solved, originals)} and {_solved(revised)} of {half.tasks}",
        ),
        Row("silently misleading ones, originals", f"{silent:.3f}", "<= 0.500", silent <= HALF),
        Row(
            "silently misleading ones, revised",
            f"{_silent(revised):.3f}",
            f">= {SILENT:.3f}",
            _silent(revised) >= SILENT,
        ),
        Row(
            "calls a task, originals and revised",
            f"{_each(_calls, originals)} and {_calls(revised):.3g}",
            f"<= {CALLS} of their mean",
            _calls(revised) <= CALLS * calls,
        ),
        Row(
            "refused calls, originals and revised",
            f"{_each(_refused, originals)} and {_refused(revised)}",
            "revised 0",
            not _refused(revised),
        ),
        Row(
            "input tokens a solved task",
            f"{paid:,.0f} and {_paid(revised):,.0f}",
            "<= original",
            _paid(revised) <= paid,
        ),
    ]
    return render(title, rows)


def _answered(half: Half, name: str, reader: str, place: Path) -> Line:
    """The tasks with the documents of a setting, and the answers of a reader."""
    kept = place / f"{reader}.answers"
    with sqlite3.connect(kept) as database:
        database.executescript((ANSWERS / half.folder / f"{reader}.sql").read_text("utf-8"))
    database.close()
    settings = BenchSettings(
        docs=(f"{name}={ANSWERS / half.folder / name}",),
        model_for=(f"agent=recorded:{kept}",),
        limit=half.tasks,
        out=place / reader,
    )
    [line] = run(half.suite, settings).lines
    return line


def _each(measure: Callable[[Line], float], lines: Sequence[Line]) -> str:
    return ", ".join(f"{measure(line):.3g}" for line in lines)


def _solved(line: Line) -> int:
    return sum(outcome.solved for outcome in line.outcomes)


def _silent(line: Line) -> float:
    silent = [outcome.solved for outcome in line.outcomes if outcome.group == "silent"]
    return sum(silent) / len(silent)


def _calls(line: Line) -> float:
    return sum(outcome.length for outcome in line.outcomes) / len(line.outcomes)


def _refused(line: Line) -> int:
    return sum(outcome.length - outcome.calls_answered for outcome in line.outcomes)


def _paid(line: Line) -> float:
    return sum(outcome.tokens_in for outcome in line.outcomes) / max(_solved(line), 1)
