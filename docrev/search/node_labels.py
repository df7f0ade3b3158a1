"""Labels of a finished search tree (ToolBFS+ §3.3): right, wrong, irrelevant."""

from __future__ import annotations

from dataclasses import replace

from docrev.records import Node, Solution
from docrev.search.tree import SearchResult, Tree


def finished(tree: Tree, correct: Node | None) -> SearchResult:
    """The result of a search: `correct` is the node of the answer that was accepted, if one was."""
    way = tree.history(correct) if correct is not None else ()
    solution = None
    nodes = labelled(tree, way)
    if correct is not None and correct.plan is not None:
        by_id = {node.id: node for node in nodes}
        right = tuple(by_id[node.id] for node in way)
        solution = Solution(tree.scenario.id, tree.strategy, right, correct.plan.answer)
    return SearchResult(tree.scenario, tree.strategy, solution, nodes, tree.calls)


def labelled(tree: Tree, way: tuple[Node, ...]) -> tuple[Node, ...]:
    """All nodes with their labels, in the order of their making.

    Right is the root and what is on the way; wrong a child of a right node that is off it and was executed (whether it
    failed or not) or judged to be no right answer; the rest is irrelevant. Without a solution only the root is right to
    nothing, so no node gets a label.
    """
    if not way:
        return tuple(tree.nodes.values())
    right = {node.id for node in way} | {way[0].parent}
    return tuple(_label(node, right) for node in tree.nodes.values())


def _label(node: Node, right: set[str | None]) -> Node:
    if node.id in right:
        return replace(node, label="right")
    tried = node.call is not None or node.correct is False
    return replace(node, label="wrong" if tried and node.parent in right else "irrelevant")
