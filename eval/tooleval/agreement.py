"""How far a judge agrees with the truth of a benchmark, or with people's labels (ToolLLM §4.1: 87.1 % and 80.3 %)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.language.tables import columns
from docrev.records import Json
from docrev.storage.reading import read_text

from ..metrics.paths import Share

Key = tuple[str, str, str]
"""Documents, agent and task; in labels the first two may be empty and then stand for any."""
_WORTH = {
    **dict.fromkeys(("1", "true", "yes", "pass", "passed", "solved", "win", "second"), 1.0),
    **dict.fromkeys(("0.5", "unsure", "tie"), 0.5),
    **dict.fromkeys(("0", "false", "no", "fail", "failed", "unsolved", "lose", "first"), 0.0),
}
COLUMNS = ("judged", "passed", "preferred")
TITLES = {"judged": "Success %", "passed": "pass", "preferred": "win"}


@dataclass(frozen=True, slots=True)
class Agreement:
    """One column of a judge against labels, as pairs of numbers: 1 (passes, wins), 0.5 (unsure, tie) and 0."""

    column: str
    pairs: tuple[tuple[float, float], ...]

    @property
    def agreement(self) -> Share:
        """Pairs that are the same; who is unsure agrees only with labels that are."""
        return Share(sum(judged == label for judged, label in self.pairs), len(self.pairs))

    @property
    def false_passes(self) -> tuple[int, int]:
        """How many of the judge's passes (or wins) the labels deny, and how many passes there are."""
        passes = [label for judged, label in self.pairs if judged == 1.0]
        return sum(label == 0.0 for label in passes), len(passes)

    @property
    def missed(self) -> tuple[int, int]:
        """How many passes (or wins) of the labels the judge did not give, and how many there are."""
        wanted = [judged for judged, label in self.pairs if label == 1.0]
        return sum(judged != 1.0 for judged in wanted), len(wanted)

    def to_json(self) -> dict[str, Json]:
        (false, passes), (missed, wanted) = self.false_passes, self.missed
        return {
            "column": self.column,
            "rows": len(self.pairs),
            "agreement": round(self.agreement.rate or 0.0, 6),
            "false": [false, passes],
            "missed": [missed, wanted],
        }


def agreements(report: Path, labels: Path | None = None) -> tuple[str, list[Agreement]]:
    """The judge of a benchmark's report, and how far each of its columns agrees with the truth, or with `labels`.

    The truth is whether the task was executed with success; of two lines of which one solved a task, that is the
    better one, and what both or neither solved is not compared. Labels are a CSV file with the columns `task`, and
    `docs`, `runner`, `judged`, `passed` or `preferred` as far as they are known. Raises InputError for other files.
    """
    data = _report(report)
    outcomes = {(row["docs"], row["runner"], row["task"]): row for row in data["outcomes"]}
    labelled = _truths(data, outcomes) if labels is None else _labels(labels)
    compared = [Agreement(column, tuple(_pairs(outcomes, labelled, column))) for column in COLUMNS]
    if not any(one.pairs for one in compared):
        raise InputError("nothing to compare", where=str(labels or report), fix="label tasks that the report has")
    return str(data["judge"]), [one for one in compared if one.pairs]


def to_text(judge: str, found: Sequence[Agreement]) -> str:
    """One row a column, with the 95 % interval."""
    rows = [(f"judge {judge}", "rows", "agreement", "false passes", "missed")]
    for one in found:
        (false, passes), (missed, wanted) = one.false_passes, one.missed
        counts = f"{false} of {passes}", f"{missed} of {wanted}"
        rows.append((TITLES[one.column], str(one.agreement.total), one.agreement.percent(), *counts))
    return "\n".join(columns(rows, right=(1,)))


def _report(place: Path) -> dict[str, Json]:
    file = place / "report.json" if place.is_dir() else place
    try:
        data = json.loads(file.read_text("utf-8"))
        return {"judge": data["judge"], "outcomes": list(data["outcomes"]), "against": data.get("against")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("no report of a benchmark", where=str(file), fix="give the --out of docrev bench") from error


def _truths(data: Mapping[str, Json], outcomes: Mapping[Key, Mapping[str, Json]]) -> dict[Key, dict[str, float]]:
    labelled: dict[Key, dict[str, float]] = {}
    first: dict[str, str] = {}
    for docs, runner, task in outcomes:
        first.setdefault(runner, docs)
        solved = outcomes[docs, runner, task]["success"]
        if solved is None:
            continue
        labelled[docs, runner, task] = dict.fromkeys(("judged", "passed"), float(solved))
        against, _, docs_against = str(data["against"] or f"{runner}/{first[runner]}").partition("/")
        other = outcomes.get((docs_against, against, task), {}).get("success")
        if other is not None and other != solved:
            labelled[docs, runner, task]["preferred"] = float(solved)
    return labelled


def _labels(file: Path) -> dict[Key, dict[str, float]]:
    labelled: dict[Key, dict[str, float]] = {}
    rows = list(csv.DictReader(read_text(file).splitlines()))
    for at, row in enumerate(rows, 2):
        values = {column: row[column].strip().casefold() for column in COLUMNS if (row.get(column) or "").strip()}
        if "task" not in row or not set(values.values()) <= set(_WORTH):
            raise InputError(
                "not a label", where=f"{file}:{at}", fix="write task, and yes, no, unsure, win, tie or lose"
            )
        key = ((row.get("docs") or "").strip(), (row.get("runner") or "").strip(), (row["task"] or "").strip())
        labelled[key] = {column: _WORTH[value] for column, value in values.items()}
    return labelled


def _pairs(
    outcomes: Mapping[Key, Mapping[str, Json]], told: Mapping[Key, Mapping[str, float]], column: str
) -> Iterator[tuple[float, float]]:
    for (docs, runner, task), row in outcomes.items():
        keys = ((docs, runner, task), (docs, "", task), ("", runner, task), ("", "", task))
        label = next((told[key][column] for key in keys if column in told.get(key, {})), None)
        if label is not None and row.get(column) is not None:
            yield float(row[column]), label
