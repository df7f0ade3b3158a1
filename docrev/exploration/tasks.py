"""Tasks in one question a round: what they must cover, what is doubtful, and which responses feed which parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from docrev.exploration.scenarios import Board
from docrev.graph.tool_graph import ToolGraph
from docrev.prompts.exploring import DesignTasks, TaskDrafts
from docrev.prompts.steps import Ask, Steps
from docrev.records import Call, OperationKey, Scenario

LINKS = 24
"""Links of the tool graph that a question shows, the surest first."""
FEWEST = 4


def design_tasks(
    board: Board, graph: ToolGraph, claims: Sequence[tuple[OperationKey, str]], size: int
) -> Steps[list[Scenario]]:
    """Up to `size` new scenarios out of one question; [] if every working operation was used, or none can be made.

    `claims` are what is doubtful, by operation.
    """
    unused = [brief.key for brief in board.operations if brief.key in board.working and not board.uses.get(brief.key)]
    if not unused:
        return []
    working = tuple(brief for brief in board.operations if brief.key in board.working)
    prompt = DesignTasks(
        operations=working,
        calls=tuple(_samples(board)),
        cover=tuple(unused),
        doubts=tuple(f"{key}: {claim}" for key, claim in claims if key in board.working),
        links=tuple(islice(_links(graph, board), LINKS)),
        count=min(size, max(FEWEST, len(unused))),
        single_tool=board.single_tool,
        avoid=frozenset(board.texts),
    )
    drafts: TaskDrafts = yield Ask(prompt)
    scenarios = []
    for draft in drafts.tasks:
        scenario = Scenario(f"s{board.count + 1:03d}", draft.text, draft.operations)
        board.keep(scenario)
        scenarios.append(scenario)
    return scenarios


def _samples(board: Board) -> Iterator[Call]:
    """One call of each working operation that is in the catalog's order."""
    for brief in board.operations:
        if brief.key in board.working:
            yield from (call for call in board.sample(brief.key)[:1] if call.key == brief.key)


def _links(graph: ToolGraph, board: Board) -> Iterator[str]:
    edges = [edge for edge in graph.edges() if {edge.source, edge.target} <= board.working]
    best = {(edge.target, edge.location): edge for edge in sorted(edges, key=lambda edge: edge.score)}
    for edge in sorted(best.values(), key=lambda edge: (-edge.score, edge.target, edge.location)):
        yield f"{edge.source.operation} {edge.pointer} -> {edge.target} {edge.location}"
