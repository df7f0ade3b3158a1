"""Search strategies over tool use: Tool-BFS, DFSDT and ReACT share nodes, scenarios and planner.

All are generators of steps (`docrev.prompts.steps`): they do no I/O and are driven by `docrev.driver`, or by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from docrev.prompts.questions import Brief
from docrev.prompts.steps import Steps
from docrev.records import Experience, Scenario
from docrev.search.bfs import bfs
from docrev.search.dfsdt import dfsdt
from docrev.search.react import react
from docrev.search.tree import CALLS, DEPTH, SearchLimits, SearchResult, Tree
from docrev.settings.choices import Strategy

__all__ = ["STRATEGIES", "SearchLimits", "SearchResult", "Tree", "bfs", "dfsdt", "limits_of", "react", "search"]

STRATEGIES: dict[Strategy, Callable[[Tree], Steps[SearchResult]]] = {"bfs": bfs, "dfsdt": dfsdt, "react": react}
_WIDTH: dict[Strategy, int] = {"bfs": 3, "dfsdt": 2, "react": 1}


def limits_of(
    strategy: Strategy,
    width: int | None = None,
    depth: int = DEPTH,
    calls: int | None = CALLS,
    *,
    published: bool = False,
) -> SearchLimits:
    """The limits of a search: by default depth 8, 40 calls, and the strategy's own width: 3 for Tool-BFS (ToolBFS+
    §4.3), 2 for DFSDT (ToolLLM), 1 for ReACT. None for `calls` is no limit: level four of a full tree has 81 calls."""
    return SearchLimits(width or _WIDTH[strategy], depth, sys.maxsize if calls is None else calls, published)


def search(
    strategy: Strategy,
    scenario: Scenario,
    operations: Sequence[Brief],
    *,
    limits: SearchLimits | None = None,
    experiences: Sequence[Experience] = (),
) -> Steps[SearchResult]:
    """Solve `scenario` with `operations`, all that the planner may choose from (not only the scenario's own).

    `limits` default to those of `limits_of`. Yields steps; returns a `SearchResult`, with or without a solution. Raises
    nothing of its own: a failed call is a node like any other.
    """
    tree = Tree(scenario, strategy, tuple(operations), limits or limits_of(strategy), tuple(experiences))
    return STRATEGIES[strategy](tree)
