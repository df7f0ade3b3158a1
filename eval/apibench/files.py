"""All answers of APIBench in a folder, scored: one row a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.records import Json

from ..metrics.paths import Share
from ..suites.apibench_files import NAME, part_of, present
from ..suites.reading import folder_of
from .calls import require
from .score import Scores, score


@dataclass(frozen=True)
class ApiBenchRow:
    """A file of answers: `model` is its name without "response_" and the part."""

    part: str
    model: str
    answers: int
    scores: Scores

    def to_json(self) -> dict[str, Json]:
        """Percentages with their 95 % intervals (Wilson), as published and corrected."""
        columns = {"published": self.scores.published, "corrected": self.scores.corrected}
        return {"part": self.part, "model": self.model, "answers": self.answers} | {
            name: {
                "hallucination": _percent(column.hallucination),
                "hallucination_interval": _interval(column.hallucination),
                "accuracy": _percent(column.accuracy),
                "accuracy_interval": _interval(column.accuracy),
            }
            for name, column in columns.items()
        }


def score_folder(data: Path | None, answers: Sequence[Path] | None = None) -> list[ApiBenchRow]:
    """Score files of `answers`, by default every `response_*.jsonl` in a folder of evaluation sets and APIs, by name.

    Raises UsageError without a folder or the extra `bench`, InputError (file:line) for files that are not APIBench's.
    """
    require()
    place, parts = folder_of(data, NAME), present(data)
    found = [place] if place.is_file() else sorted(place.rglob("response_*.jsonl"))
    rows = []
    for file in answers if answers is not None else found:
        part = part_of(file, parts)
        if part is not None:
            scores = score(file, part.evaluation, part.apis, part.name)
            model = file.stem.removeprefix("response_").removeprefix(f"{part.name}_")
            rows.append(ApiBenchRow(part.title, model, len(scores.outcomes), scores))
    return rows


def to_text(rows: Sequence[ApiBenchRow]) -> str:
    """A line a file: hallucination and accuracy in percent with 95 % intervals, as published and corrected."""
    names = [f"{row.part} {row.model}" for row in rows]
    width = max([len("answers of"), *map(len, names)])
    head = "".join(f"  {name:<19}" for name in ("hallucination", "accuracy", "corrected hall.", "corrected acc."))
    lines = [f"{'answers of':<{width}}  {'n':>5}{head}".rstrip()]
    for name, row in zip(names, rows, strict=True):
        shares = (*row.scores.published, *row.scores.corrected)
        cells = "".join(f"  {share.percent(2):<19}" for share in shares)
        lines.append(f"{name:<{width}}  {row.answers:>5}{cells}".rstrip())
    return "\n".join(lines)


def _interval(share: Share) -> tuple[float, float]:
    low, high = share.interval
    return round(100 * low, 2), round(100 * high, 2)


def _percent(share: Share) -> float:
    return round(100 * (share.rate or 0.0), 2)
