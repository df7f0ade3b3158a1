"""Chameleon (Lu et al., 2023): the whole plan is made before anything is called, and then executed as it stands."""

from __future__ import annotations

from docrev.prompts.agents import Action, FillArguments, Filled, MakePlan, NextAction, Planned, PlannedStep
from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory

from .toolbox import Toolbox
from .track import Track, TrackLimits, run, take


def chameleon(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """Plan, execute the steps one after another, answer from what they brought.

    The plan names operations and what each is for; arguments are filled when it is their turn, since most come from
    what was answered before. A step that fails is left at that: there is no new plan.
    """
    track = Track(task, tools, limits, "chameleon")
    return (yield from run(track, _execute(track)))


def _execute(track: Track) -> Steps[Node]:
    planned: Planned = yield from track.ask(MakePlan(**track.situation(track.root), operations=track.tools.sheets))
    node = track.root
    for part in planned.steps:
        if node.depth + 1 >= track.limits.steps:
            break
        node = yield from _step(track, node, part)
    # With no operations left to choose from, only the answer is.
    action: Action = yield from track.ask(NextAction(**track.situation(node), operations=()))
    return (yield from take(track, node, action))


def _step(track: Track, node: Node, part: PlannedStep) -> Steps[Node]:
    sheet = track.tools.sheet(part.action)
    if sheet is None:
        return (yield from take(track, node, Action(thought=part.purpose, action=part.action)))
    filled: Filled = yield from track.ask(FillArguments(**track.situation(node), purpose=part.purpose, operation=sheet))
    action = Action(thought=part.purpose, action=sheet.name, arguments=filled.arguments)
    return (yield from take(track, node, action))
