"""The paper's comparison of search strategies (ToolBFS+ Table 4): correct, length, tool-calling success, calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docrev.search import SearchResult


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One strategy. Shares are 0–1; lengths are mean calls a solution, None if there is no solution.

    `common_length` is over the scenarios that all strategies solved: short solutions of easy scenarios alone do not
    make a strategy look good. `success` is the share of the solutions' calls that were answered with 2xx.
    """

    strategy: str
    scenarios: int
    solved: int
    correct: float
    length: float | None
    common_length: float | None
    success: float | None
    calls: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Strategies side by side over the same scenarios; `common` counts those that all of them solved."""

    rows: tuple[ComparisonRow, ...]
    common: int


def compare(
    results: Mapping[str, Sequence[SearchResult]], *, solved: Mapping[str, frozenset[str]] | None = None
) -> Comparison:
    """Compare strategies by name. `solved` gives the ids of the scenarios whose answer is true if an oracle says
    so; without it an answer that the judge accepted counts.
    """
    right = {name: _accepted(found) if solved is None else solved[name] for name, found in results.items()}
    common = frozenset.intersection(*right.values()) if right else frozenset()
    return Comparison(tuple(_row(name, results[name], right[name], common) for name in results), len(common))


def _accepted(results: Sequence[SearchResult]) -> frozenset[str]:
    return frozenset(result.scenario.id for result in results if result.solution is not None)


def _row(name: str, results: Sequence[SearchResult], right: frozenset[str], common: frozenset[str]) -> ComparisonRow:
    ways = {r.scenario.id: r.solution.calls for r in results if r.solution and r.scenario.id in right}
    made = [call for calls in ways.values() for call in calls]
    return ComparisonRow(
        strategy=name,
        scenarios=len(results),
        solved=len(right),
        correct=len(right) / len(results) if results else 0.0,
        length=_mean([len(calls) for calls in ways.values()]),
        common_length=_mean([len(calls) for name, calls in ways.items() if name in common]),
        success=_mean([call.ok for call in made]),
        calls=sum(result.calls for result in results),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
