"""Search strategies over tool use: Tool-BFS, DFSDT and ReACT share nodes, scenarios and planner.

All are generators of steps (`docrev.prompts.steps`): they do no I/O and are driven by `docrev.driver`, or by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from docrev.prompts.questions import Brief
from docrev.prompts.steps import Steps
from docrev.records import Experience, Scenario
from docrev.search.bfs import bfs
from docrev.search.dfsdt import dfsdt
from docrev.search.react import react
from docrev.search.tree import SearchLimits, SearchResult, Tree
from docrev.settings.choices import Strategy

__all__ = ["STRATEGIES", "SearchLimits", "SearchResult", "Tree", "bfs", "dfsdt", "react", "search"]

STRATEGIES: dict[Strategy, Callable[[Tree], Steps[SearchResult]]] = {"bfs": bfs, "dfsdt": dfsdt, "react": react}
_WIDTH: dict[Strategy, int] = {"bfs": 3, "dfsdt": 2, "react": 1}


def search(
    strategy: Strategy,
    scenario: Scenario,
    operations: Sequence[Brief],
    *,
    limits: SearchLimits | None = None,
    experiences: Sequence[Experience] = (),
) -> Steps[SearchResult]:
    """Solve `scenario` with `operations`, all that the planner may choose from (not only the scenario's own).

    `limits` default to depth 8, 40 calls, and the strategy's own width: 3 for Tool-BFS (ToolBFS+ §4.3), 2 for DFSDT
    (ToolLLM), 1 for ReACT. Yields steps; returns a `SearchResult`, with or without a solution. Raises nothing of its
    own: a failed call is a node like any other.
    """
    bounds = limits or replace(SearchLimits(), width=_WIDTH[strategy])
    tree = Tree(scenario, strategy, tuple(operations), bounds, tuple(experiences))
    return STRATEGIES[strategy](tree)
