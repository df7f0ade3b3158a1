"""What the words of a revision buy: solved tasks and input tokens for each, by how many words an operation may get."""

from __future__ import annotations

import tempfile
from pathlib import Path

from table import Row, render

from docrev import api
from docrev.eval.agents.bench import run
from docrev.eval.settings import BenchSettings
from docrev.eval.suites.registry import suites
from docrev.settings.choices import DEFAULT_WORDS

SUITES = ("bundled", "bundled-heldout", "bundled-hard")
WORDS = (0, 10, 25, 50, 100)
ALL = 100_000
"""More than any operation could use."""


def main() -> str:
    with tempfile.TemporaryDirectory() as place:
        return "\n".join(_curve(name, Path(place, name)) for name in SUITES if name in suites())


def _curve(name: str, out: Path) -> str:
    """One exploration of the suite's services, revised with each number of words."""
    run(name, BenchSettings(docs=("original", "revised"), out=out, limit=1))
    specs = sorted((out / "docs" / "original").iterdir())
    given = []
    for words in (*WORDS, ALL):
        folder = out / "words" / str(words)
        api.revise(specs, evidence=out / "docs" / "explored", write_to=folder, words=words, edit="contract")
        given.append(f"{words}={folder}")
    report = run(name, BenchSettings(docs=("original", *given), out=out))
    rows = []
    for line in report.lines:
        solved = sum(outcome.solved for outcome in line.outcomes)
        chosen = " (default)" if line.docs == str(DEFAULT_WORDS) else ""
        label = "original" if line.docs == "original" else f"{'all' if line.docs == str(ALL) else line.docs} words"
        text = (
            f"{solved} of {len(line.outcomes)} solved, {line.tokens_per_solved or 0:,.0f} input tokens per solved task"
        )
        rows.append(Row(f"{label}{chosen}", text))
    return render(f"Worth: {name}, built-in agent, ReACT", rows)


if __name__ == "__main__":
    print(main())
