"""All answers of APIBench in a folder, scored: one row a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.records import Json

from ..metrics.paths import Share
from ..suites.reading import find, folder_of
from .calls import require
from .score import Scores, score

NAME = "apibench"


@dataclass(frozen=True)
class ApiBenchRow:
    """A file of answers: `model` is its name without "response_torchhub_"."""

    model: str
    answers: int
    scores: Scores

    def to_json(self) -> dict[str, Json]:
        """Percentages with their 95 % intervals (Wilson), as published and corrected."""
        columns = {"published": self.scores.published, "corrected": self.scores.corrected}
        return {"model": self.model, "answers": self.answers} | {
            name: {
                "hallucination": _percent(column.hallucination),
                "hallucination_interval": _interval(column.hallucination),
                "accuracy": _percent(column.accuracy),
                "accuracy_interval": _interval(column.accuracy),
            }
            for name, column in columns.items()
        }


def score_folder(data: Path | None) -> list[ApiBenchRow]:
    """Score every `response_*.jsonl` below a folder that has the evaluation set and the APIs, by name.

    Raises UsageError without a folder or the extra `bench`, InputError (file:line) for files that are not APIBench's.
    """
    require()
    place = folder_of(data, NAME)
    evaluation, apis = find(data, "torchhub_eval.json", NAME), find(data, "torchhub_api.jsonl", NAME)
    files = [place] if place.is_file() else sorted(place.rglob("response_*.jsonl"))
    rows = [(file, score(file, evaluation, apis)) for file in files]
    return [
        ApiBenchRow(file.stem.removeprefix("response_torchhub_"), len(found.outcomes), found) for file, found in rows
    ]


def to_text(rows: Sequence[ApiBenchRow]) -> str:
    """A line a file: hallucination and accuracy in percent with 95 % intervals, as published and corrected."""
    width = max([len("answers of"), *(len(row.model) for row in rows)])
    head = "".join(f"  {name:<19}" for name in ("hallucination", "accuracy", "corrected hall.", "corrected acc."))
    lines = [f"{'answers of':<{width}}  {'n':>5}{head}".rstrip()]
    for row in rows:
        shares = (*row.scores.published, *row.scores.corrected)
        cells = "".join(f"  {share.percent(2):<19}" for share in shares)
        lines.append(f"{row.model:<{width}}  {row.answers:>5}{cells}".rstrip())
    return "\n".join(lines)


def _interval(share: Share) -> tuple[float, float]:
    low, high = share.interval
    return round(100 * low, 2), round(100 * high, 2)


def _percent(share: Share) -> float:
    return round(100 * (share.rate or 0.0), 2)
