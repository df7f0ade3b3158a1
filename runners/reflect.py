"""Reflect (CRITIC, Gou et al., 2023): what a tool answered is criticised, and the action corrected if need be."""

from __future__ import annotations

from docrev.prompts.agents import Critique, CritiqueAction
from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory

from .toolbox import Toolbox
from .track import Track, TrackLimits, run, step


def reflect(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """ReACT, with a critique by the tool's response after each action; its advice goes into the next prompt.

    What is corrected stays in the history, as what was tried: an API has no way back. A final answer is criticised
    once, too; the one after that counts.
    """
    track = Track(task, tools, limits, "reflect")
    return (yield from run(track, _chain(track)))


def _chain(track: Track) -> Steps[Node]:
    node, advice, doubted = track.root, "", False
    while node.depth < track.limits.steps:
        grown, _ = yield from step(track, node, advice=advice)
        final = grown.plan is not None and grown.plan.final
        if final and (doubted or node.depth + 1 >= track.limits.steps):
            return grown
        critique: Critique = yield from track.ask(
            CritiqueAction(**track.situation(grown), operations=track.tools.sheets)
        )
        if final and critique.correct:
            return grown
        doubted = doubted or final
        node, advice = grown, "" if critique.correct else critique.advice
    return node
