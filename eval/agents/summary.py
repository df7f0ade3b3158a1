"""What many outcomes amount to: rates and means with intervals, and differences between documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from docrev.records import Json

from ..intervals import bootstrap, mean, paired_bootstrap, wilson
from .outcomes import TaskOutcome

Kind = Literal["rate", "mean"]
Value = Callable[[TaskOutcome], float | bool | None]


class Metric(NamedTuple):
    """A column: its key in JSON, its title in tables, whether it is a rate, and what of an outcome it is.

    Titles of what was judged name the judge.
    """

    key: str
    title: str
    kind: Kind
    value: Value


def _answered(outcome: TaskOutcome) -> float | None:
    return outcome.calls_answered / outcome.calls_planned if outcome.calls_planned else None


METRICS: tuple[Metric, ...] = (
    Metric("success", "success", "rate", lambda outcome: outcome.success),
    Metric("correct_path", "correct path", "rate", lambda outcome: outcome.correct_path),
    Metric("judged", "Success % ({judge})", "rate", lambda outcome: outcome.judged),
    Metric("passed", "pass ({judge})", "rate", lambda outcome: outcome.passed),
    Metric("preferred", "win ({judge})", "rate", lambda outcome: outcome.preferred),
    Metric("covers_gold", "gold covered, any order", "rate", lambda outcome: outcome.covers),
    Metric("same_set", "same operations", "rate", lambda outcome: outcome.same_set),
    Metric("same_order", "same path", "rate", lambda outcome: outcome.same_order),
    Metric("match_category", "match: category", "rate", lambda outcome: outcome.match_category),
    Metric("match_tool", "match: tool", "rate", lambda outcome: outcome.match_tool),
    Metric("argument_f1", "argument F1", "mean", lambda outcome: outcome.argument_f1),
    Metric("tool_calling", "calls answered", "mean", _answered),
    Metric("length", "calls, solved", "mean", lambda outcome: outcome.length if outcome.solved else None),
    Metric("delta_length", "Δ length", "mean", lambda outcome: outcome.delta_length),
    Metric("invented", "invented operations", "mean", lambda outcome: outcome.invented),
    Metric("tokens_in", "tokens in", "mean", lambda outcome: outcome.tokens_in),
    Metric("tokens_out", "tokens out", "mean", lambda outcome: outcome.tokens_out),
)


class Measure(NamedTuple):
    """A value over `tasks` tasks, with its 95 % interval: Wilson's of a rate, the bootstrap's of a mean."""

    value: float
    low: float
    high: float
    tasks: int

    def to_json(self) -> dict[str, Json]:
        return {name: round(value, 6) for name, value in zip(self._fields, self, strict=True)}


@dataclass(frozen=True)
class Line:
    """One runner with one model on one set of documents; what its outcomes come to is computed when it is asked for."""

    docs: str
    runner: str
    model: str
    outcomes: tuple[TaskOutcome, ...] = field(repr=False)
    seed: int = 0

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """All metrics that some of the outcomes have."""
        measured: dict[str, Measure] = {}
        for metric in METRICS:
            values = [float(value) for outcome in self.outcomes if (value := metric.value(outcome)) is not None]
            if values:
                measured[metric.key] = _measure(metric.kind, values, self.seed)
        return measured

    @property
    def name(self) -> str:
        """How figures call the line."""
        return f"{self.docs} · {self.runner}"

    @property
    def most_tokens(self) -> int:
        return max((outcome.tokens_in for outcome in self.outcomes), default=0)

    def histogram(self, bins: int, most: int) -> list[int]:
        """How many tasks took how many input tokens, in `bins` equal parts of what is at most `most`."""
        counts = Counter(min(bins - 1, int(outcome.tokens_in / most * bins)) for outcome in self.outcomes)
        return [counts[place] for place in range(bins)]

    @property
    def errors(self) -> dict[str, int]:
        """How many tasks failed first by plan, caller and parser."""
        return {name: sum(outcome.error == name for outcome in self.outcomes) for name in ("plan", "caller", "parser")}

    @property
    def wins(self) -> tuple[int, int, int] | None:
        """How many tasks were done better than by the yardstick, as well, and worse; None if it is the yardstick."""
        verdicts = [outcome.preferred for outcome in self.outcomes if outcome.preferred is not None]
        return (verdicts.count(1.0), verdicts.count(0.5), verdicts.count(0.0)) if verdicts else None

    def of_group(self, group: str) -> Line:
        """The same line on the tasks of one group."""
        return replace(self, outcomes=tuple(outcome for outcome in self.outcomes if outcome.group == group))

    @property
    def finishes(self) -> dict[str, int]:
        """How many tasks ended in each way."""
        return dict(sorted(Counter(outcome.finish for outcome in self.outcomes).items()))

    @property
    def tokens_per_solved(self) -> float | None:
        """Input tokens of all tasks for each one that was solved."""
        solved = sum(outcome.solved for outcome in self.outcomes)
        return sum(outcome.tokens_in for outcome in self.outcomes) / solved if solved else None

    def to_json(self) -> dict[str, Json]:
        return {
            "docs": self.docs,
            "runner": self.runner,
            "model": self.model,
            "tasks": len(self.outcomes),
            "measures": {key: measure.to_json() for key, measure in self.measures.items()},
            "wins": dict(zip(("win", "tie", "lose"), self.wins, strict=True)) if self.wins else None,
            "errors": self.errors,
            "finishes": self.finishes,
            "tokens_in_per_solved": self.tokens_per_solved,
        }


def _measure(kind: Kind, values: Sequence[float], seed: int) -> Measure:
    interval = wilson(sum(values), len(values)) if kind == "rate" else bootstrap(values, seed=seed, samples=1000)
    return Measure(mean(values), interval.low, interval.high, len(values))


@dataclass(frozen=True)
class RateDifference:
    """How much better `after` is than `before` for one runner and model: the paired difference of solved tasks."""

    runner: str
    model: str
    before: str
    after: str
    value: float
    low: float
    high: float
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    tokens: float | None
    """Input tokens per solved task, after over before."""

    def to_json(self) -> dict[str, Json]:
        return {
            "runner": self.runner,
            "model": self.model,
            "before": self.before,
            "after": self.after,
            "solved": {"value": round(self.value, 6), "low": round(self.low, 6), "high": round(self.high, 6)},
            "gained": list(self.gained),
            "lost": list(self.lost),
            "tokens_in_per_solved_ratio": self.tokens,
        }


def difference(before: Line, after: Line, *, seed: int = 0) -> RateDifference | None:
    """The difference over the tasks that both have; None if there are none."""
    old, new = ({outcome.task: outcome.solved for outcome in line.outcomes} for line in (before, after))
    both = [task for task in new if task in old]
    if not both:
        return None
    first, second = ([float(solved[task]) for task in both] for solved in (old, new))
    interval = paired_bootstrap(first, second, seed=seed)
    return RateDifference(
        after.runner,
        after.model,
        before.docs,
        after.docs,
        mean(second) - mean(first),
        interval.low,
        interval.high,
        tuple(task for task in both if new[task] > old[task]),
        tuple(task for task in both if new[task] < old[task]),
        _ratio(before.tokens_per_solved, after.tokens_per_solved),
    )


def _ratio(before: float | None, after: float | None) -> float | None:
    return round(after / before, 4) if before and after else None
