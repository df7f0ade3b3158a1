"""DFSDT (ToolLLM §3.3 and appendix): a depth-first decision tree, in pre-order, siblings shown to each other."""

from __future__ import annotations

from docrev.prompts.agents import Past
from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory

from .toolbox import Toolbox
from .track import Track, TrackLimits, run, step

WIDTH = 2
"""Children of a node (ToolLLM's tree_beam_size)."""
BACK = 2
"""Levels that giving up goes back from the node that it makes: the next action is a sibling of what was done last
(ToolBench's prune_back_length)."""


def dfsdt(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """Follow the first child to its end before its sibling is thought of; the first answer ends the search.

    A model that keeps its first choice makes a ReACT chain of it. Giving up prunes: the search goes on with a sibling
    of the node before. Where every way ends without an answer, the longest way is the trajectory's.
    """
    track = Track(task, tools, limits, "dfsdt")
    return (yield from run(track, search(track)))


def search(track: Track, first: int = 1) -> Steps[Node]:
    """One tree, to its answer or to where it ends; the root's children are numbered from `first`."""
    result: Node | int = yield from _visit(track, track.root, first)
    if isinstance(result, Node):
        return result
    return track.last if track.last.plan is not None and track.last.plan.final else _deepest(track)


def _visit(track: Track, node: Node, first: int = 1) -> Steps[Node | int]:
    """The node of an answer below `node`; without one, how many levels the search goes back from `node`.

    1 is to its parent, which goes on with its next child.
    """
    siblings: list[Past] = []
    for index in range(first, first + WIDTH):
        if node.depth >= track.limits.steps:
            return 1
        child, action = yield from step(track, node, index=index, siblings=siblings)
        if child.plan is not None and child.plan.final:
            if child.plan.answer is not None:
                return child
            return BACK - 1
        same = any((action.action, action.arguments) == (other.action, other.arguments) for other in siblings)
        siblings.append(track.seen[child.id])
        if same or child.reason == "same-call":
            # What was tried is not tried again below: a loop would fill the tree.
            continue
        result: Node | int = yield from _visit(track, child)
        if isinstance(result, Node):
            return result
        if result > 1:
            return result - 1
    return 1


def _deepest(track: Track) -> Node:
    return max(track.nodes.values(), key=lambda node: node.depth, default=track.root)
