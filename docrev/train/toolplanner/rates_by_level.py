"""Match, pass and win rates by the granularity of the instruction (ToolPlanner tables 1 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from docrev.eval.agents.outcomes import TaskOutcome
from docrev.eval.metrics.paths import Level, Share
from docrev.language.tables import columns
from docrev.prompts.training import LEVELS
from docrev.records import Json

MATCHES: tuple[tuple[str, Level], ...] = (
    ("category", "category"),
    ("tool", "category"),
    ("tool", "tool"),
    ("operation", "category"),
    ("operation", "tool"),
    ("operation", "operation"),
    ("hybrid", "category"),
    ("hybrid", "tool"),
    ("hybrid", "operation"),
)
"""Levels of instructions with the levels that they are matched at: the nine columns of table 1."""
Column = TypeVar("Column", bound=Hashable)
_MATCHED: dict[Level, Callable[[TaskOutcome], bool | None]] = {
    "category": lambda one: one.match_category,
    "tool": lambda one: one.match_tool,
    "operation": lambda one: one.same_set,
}


@dataclass(frozen=True)
class ByLevel:
    """A row of table 1. Each is a share of tasks; what no task of a level can be judged by is not there.

    `match` by (instruction's level, matched at), `passed` and `won` by the instruction's level; `outcomes` are what
    they are counted from.
    """

    name: str
    match: dict[tuple[str, Level], Share]
    passed: dict[str, Share]
    won: dict[str, Share]
    outcomes: tuple[TaskOutcome, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Rates with their Wilson intervals, and each task, so that two runs can be paired."""
        return {
            "name": self.name,
            "match": {f"{level} at {at}": _told(share) for (level, at), share in self.match.items()},
            "pass": {level: _told(share) for level, share in self.passed.items()},
            "win": {level: _told(share) for level, share in self.won.items()},
            "average": {
                "match": average(self.match.values()),
                "pass": average(self.passed.values()),
                "win": average(self.won.values()),
            },
            "tasks": [_task(one) for one in self.outcomes],
        }


def _task(one: TaskOutcome) -> dict[str, Json]:
    level = one.level or "hybrid"
    match = {at: _MATCHED[at](one) for name, at in MATCHES if name == level}
    return {"id": one.task, "level": level, "match": {**match}, "pass": _passed(one), "win": one.preferred}


def by_level(name: str, outcomes: Sequence[TaskOutcome]) -> ByLevel:
    """The rates of outcomes, grouped by the level of their tasks (tasks without a level count as hybrid).

    The pass rate is what a judge said where there was one (unsure is a half), otherwise whether an answer was given
    that is true, if that is known; the win rate is the judge's preference.
    """
    groups: dict[str, list[TaskOutcome]] = {
        level: [one for one in outcomes if (one.level or "hybrid") == level] for level in LEVELS
    }
    match = {(level, at): share for level, at in MATCHES if (share := _share(map(_MATCHED[at], groups[level])))}
    passed: dict[str, Share] = {level: share for level in LEVELS if (share := _share(map(_passed, groups[level])))}
    won: dict[str, Share] = {
        level: share for level in LEVELS if (share := _share(one.preferred for one in groups[level]))
    }
    return ByLevel(name, match, passed, won, tuple(outcomes))


def _passed(one: TaskOutcome) -> float | None:
    if one.passed is not None or one.success is None:
        return one.passed
    return float(one.success)


def _share(values: Iterable[float | None]) -> Share | None:
    known = [float(value) for value in values if value is not None]
    return Share(sum(known), len(known)) if known else None


def average(shares: Iterable[Share]) -> float | None:
    """The mean of rates, each column counting the same as in table 1; None of nothing."""
    rates = [share.rate for share in shares if share.rate is not None]
    return sum(rates) / len(rates) if rates else None


def _told(share: Share) -> dict[str, Json]:
    return {"rate": share.rate, **share.interval._asdict(), "tasks": share.total}


def table(rows: Sequence[ByLevel]) -> str:
    """Table 1 as text, in percent with intervals, a column for each row: match by level and tag level, pass and win."""
    names = [row.name for row in rows]
    heads = {(level, at): f"{level}, {at}" for level, at in MATCHES}
    parts = _part(["match rate (instruction, matched at)", *names], [row.match for row in rows], heads)
    for title, found in (("pass rate", [row.passed for row in rows]), ("win rate", [row.won for row in rows])):
        if any(found):
            parts += ["", *_part([title, *names], found, {str(level): str(level) for level in LEVELS})]
    return "\n".join(parts)


def _part(head: Sequence[str], found: Sequence[Mapping[Column, Share]], titles: Mapping[Column, str]) -> list[str]:
    """A rate by level: what nobody can be judged by is left out."""
    shown = [key for key in titles if any(key in shares for shares in found)]
    lines = [[titles[key], *(shares[key].percent() if key in shares else "-" for shares in found)] for key in shown]
    return columns([head, *lines, ["average", *(_percent(average(shares.values())) for shares in found)]])


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"
