"""ReACT (Yao et al., 2022): one chain of thought, action and observation; and ReACT@N, which starts over."""

from __future__ import annotations

from collections.abc import Callable

from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory

from .toolbox import Toolbox
from .track import Track, TrackLimits, run, step

TRIES = 200
"""Chains of ReACT@N if no number is given: as many as its questions allow, which are DFSDT's (ToolLLM §3.3)."""


def react(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """One chain until Finish, or until a limit is reached."""
    track = Track(task, tools, limits, "react")
    return (yield from run(track, _chain(track, 1)))


def repeated(name: str, tries: int) -> Callable[[Task, Toolbox, TrackLimits], Steps[Trajectory]]:
    """ReACT@N: chains from the beginning, none knowing the others, until one answers or the limits are reached."""

    def runner(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
        track = Track(task, tools, limits, name)
        return (yield from run(track, _chains(track, tries)))

    return runner


def _chains(track: Track, tries: int) -> Steps[Node]:
    end = track.root
    for track.attempt in range(tries):
        end = yield from _chain(track, track.attempt + 1)
        if end.plan is not None and end.plan.answer is not None:
            break
    return end


def _chain(track: Track, index: int) -> Steps[Node]:
    """A chain that begins with child number `index` of the root."""
    node = track.root
    while node.depth < track.limits.steps:
        node, _ = yield from step(track, node, index=index if node is track.root else 1)
        if node.plan is not None and node.plan.final:
            break
    return node
