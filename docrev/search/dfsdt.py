"""DFSDT (ToolLLM §3.3): depth first, pre-order; a node that gives up sends the search back to its parent."""

from __future__ import annotations

from docrev.prompts.steps import Steps
from docrev.records import Node, Plan
from docrev.search.node_labels import finished
from docrev.search.tree import SearchResult, Tree, gives_up, judge, next_plan, perform, same_plan


def dfsdt(tree: Tree) -> Steps[SearchResult]:
    """Grow `tree` depth first until an answer is judged correct or the budget is spent.

    A child is followed to its end before its sibling is thought of; giving up prunes the node at which it happened.
    """
    correct = yield from _visit(tree, tree.plant())
    return finished(tree, correct)


def _visit(tree: Tree, node: Node) -> Steps[Node | None]:
    siblings: list[Plan] = []
    for index in range(1, tree.limits.width + 1):
        if node.depth >= tree.limits.depth:
            return None
        plan: Plan = yield from next_plan(tree, node, siblings)
        if any(same_plan(plan, other) for other in siblings):
            continue
        if gives_up(plan):
            return None
        siblings.append(plan)
        correct = yield from _follow(tree, node.child(index, plan), plan)
        if correct is not None or not tree.left:
            return correct
    return None


def _follow(tree: Tree, child: Node, plan: Plan) -> Steps[Node | None]:
    if plan.final:
        judged = tree.add((yield from judge(tree, child)))
        return judged if judged.correct else None
    if child.depth >= tree.limits.depth or not tree.left:
        return None
    tree.calls += 1
    called = tree.add((yield from perform(tree, child)))
    return (yield from _visit(tree, called))
