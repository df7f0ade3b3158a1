"""Tool-BFS (ToolBFS+ §3.3, Algorithm 1): level by level, so the first correct answer is a shortest one."""

from __future__ import annotations

from docrev.prompts.steps import Steps
from docrev.records import Node, Plan
from docrev.search.node_labels import finished
from docrev.search.tree import SearchResult, Tree, gives_up, judge, next_plan, perform, same_plan, unsafe


def bfs(tree: Tree) -> Steps[SearchResult]:
    """Grow `tree` until the shallowest level with a correct answer; of several, the one with the lowest index.

    A level has two halves. First every node of the level above is asked for its children (nodes side by side, the
    children of one node one after another, each told of its siblings) and all answers are judged. Only if none is
    correct are the level's calls made: side by side, what may change something alone and in order. Budget is handed
    out by index before any call is made, so the outcome does not depend on the order of arrival.
    """
    level = [tree.plant()]
    for depth in range(1, tree.limits.depth + 1):
        grown: list[list[Node]] = yield [_children(tree, node) for node in level]
        nodes = [tree.add(node) for children in grown for node in children]
        correct = next((node for node in nodes if node.correct), None)
        if correct is not None or depth == tree.limits.depth:
            return finished(tree, correct)
        level = yield from _calls(tree, nodes)
        if not tree.limits.published:
            level = _live(level)
        if not level:
            break
    return finished(tree, None)


def _children(tree: Tree, node: Node) -> Steps[list[Node]]:
    """Up to `width` children of `node`: answers judged, calls not made yet.

    Equal plans are dropped, and nothing is asked after a correct answer. A model that gives up says that it has
    nothing more: it is not asked again, and nothing is kept of that.
    """
    siblings: list[Plan] = []
    children: list[Node] = []
    for index in range(1, tree.limits.width + 1):
        plan: Plan = yield from next_plan(tree, node, siblings)
        if any(same_plan(plan, other) for other in siblings):
            continue
        if gives_up(plan):
            if tree.limits.published:
                continue
            break
        siblings.append(plan)
        child = node.child(index, plan)
        if plan.final:
            child = yield from judge(tree, child)
        children.append(child)
        if child.correct:
            break
    return children


def _calls(tree: Tree, nodes: list[Node]) -> Steps[list[Node]]:
    """Make the calls of a level, as far as the budget goes; in the order of `nodes`."""
    paid = [node for node in nodes if node.plan and node.plan.key][: tree.left]
    tree.calls += len(paid)
    safe = [node for node in paid if node.plan and not unsafe(node.plan)]
    done: list[Node] = yield [perform(tree, node) for node in safe]
    called = {node.id: node for node in done}
    for node in paid:
        if node.id not in called:
            called[node.id] = yield from perform(tree, node)
    return [tree.add(called[node.id]) for node in paid]


def _live(nodes: list[Node]) -> list[Node]:
    """The nodes worth going on from.

    After a failed call nothing is known that its parent did not know, and what the parent can do about it lies one
    level higher: the search goes on from failed nodes only if nothing else is left.
    """
    answered = [node for node in nodes if node.call is not None and node.call.ok]
    return answered or nodes
