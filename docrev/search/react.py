"""ReACT: one chain of thought, action and observation, without a way back."""

from __future__ import annotations

from docrev.prompts.steps import Steps
from docrev.records import Plan
from docrev.search.node_labels import finished
from docrev.search.tree import SearchResult, Tree, gives_up, judge, next_plan, perform


def react(tree: Tree) -> Steps[SearchResult]:
    """Grow `tree` as one chain until the first final answer, right or wrong, or until depth or budget is spent."""
    node = tree.plant()
    while node.depth < tree.limits.depth:
        plan: Plan = yield from next_plan(tree, node, ())
        if gives_up(plan):
            break
        child = node.child(1, plan)
        if plan.final:
            judged = tree.add((yield from judge(tree, child)))
            return finished(tree, judged if judged.correct else None)
        if not tree.left or child.depth >= tree.limits.depth:
            break
        tree.calls += 1
        node = tree.add((yield from perform(tree, child)))
    return finished(tree, None)
