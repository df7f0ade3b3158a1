"""Results of recoveries as text."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.eval.recovery import Point, Result
from docrev.eval.scores import Score, Tally
from docrev.language.tables import columns

SHOWN = 20
"""Wrong statements that a table names."""


def recovery(result: Result) -> str:
    """Recall and precision a kind, what is wrong, and what it cost."""
    lines = [
        f"operations answered   {result.reached} of {result.operations}",
        f"requests              {result.requests} ({result.calls_per_operation:.1f} an operation)",
        f"seconds               {result.seconds}",
        "",
        *score(result.facts),
        "",
        *_wrong(result.facts),
        *(f"left out: {count} × {why}" for why, count in result.left_out.items()),
        "",
        f"revised spec, keywords and sentences: {_short(result.revised.total)}",
    ]
    return "\n".join(lines)


def score(scores: Score) -> list[str]:
    """A line a kind: hidden, recovered, recall; of what was said right, wrong, silent, precision."""
    rows = [(name, scores.kinds[name]) for name in sorted(scores.kinds)] + [("all", scores.total)]
    head = ("kind", "hidden", "recovered", "recall", "right", "wrong", "silent", "precision")
    cells = [
        (
            name, str(tally.hidden), str(tally.recovered), share(tally.recall), str(tally.right), str(tally.wrong),
            str(tally.silent), share(tally.precision),
        )
        for name, tally in rows
    ]  # fmt: skip
    mean = ("mean over kinds", "", "", share(scores.mean_recall), "", "", "", "")
    return columns([head, *cells, mean], right=range(1, len(head)))


def _wrong(scores: Score) -> list[str]:
    lines = [
        f"wrong: {said}; true is {'no such thing' if true is None else true}" for said, true in scores.wrong[:SHOWN]
    ]
    more = len(scores.wrong) - SHOWN
    return [*lines, *([f"… and {more} more"] if more > 0 else []), *([""] if lines else [])]


def _short(tally: Tally) -> str:
    return f"recall {share(tally.recall)}, precision {share(tally.precision)}, {tally.wrong} wrong"


def points(curve: Sequence[Point]) -> str:
    """A line a point of a curve."""
    head = ("order", "budget", "calls", "recall", "mean over kinds", "precision")
    cells = [
        (
            point.order, str(point.budget), f"{point.calls:.1f}", share(point.recall), share(point.mean_recall),
            share(point.precision),
        )
        for point in curve
    ]  # fmt: skip
    return "\n".join(columns([head, *cells], right=range(1, len(head))))


def share(value: float | None) -> str:
    """0.9312 as "0.931"; "-" if there is none."""
    return "-" if value is None else f"{value:.3f}"
