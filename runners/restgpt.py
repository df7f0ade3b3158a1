"""RestGPT (Song et al., 2023): planner, selector, caller and parser; plans get finer while they are carried out."""

from __future__ import annotations

from dataclasses import replace

from docrev.prompts.agents import (
    Action,
    Extract,
    FillArguments,
    Filled,
    NextSubGoal,
    ReadResponse,
    Selected,
    SelectOperation,
    Sheet,
    SubGoal,
    finish,
    give_up,
)
from docrev.prompts.steps import Steps
from docrev.records import Node, Task, Trajectory

from .toolbox import Toolbox
from .track import Track, TrackLimits, run, take


def restgpt(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """Coarse to fine: a sub-goal in words, an operation for it, its arguments, what the response says towards it.

    After each call the planner sees the parser's extract and says whether the sub-goal needs more ("continue"), what
    comes next, or that this is the end.
    """
    track = Track(task, tools, limits, "restgpt")
    return (yield from run(track, _chain(track)))


def _chain(track: Track) -> Steps[Node]:
    node = track.root
    goals: list[str] = []
    while node.depth < track.limits.steps:
        plan: SubGoal = yield from track.ask(
            NextSubGoal(
                **track.situation(node),
                operations=track.tools.sheets,
                goals=tuple(goals),
            )
        )
        if plan.state == "end":
            action = give_up(plan.thought) if plan.answer is None else finish(plan.answer, plan.thought)
            return (yield from take(track, node, action))
        if plan.state == "next" or not goals:
            goals.append(plan.text or plan.thought)
        node = yield from _pursue(track, node, goals[-1])
    return node


def _pursue(track: Track, node: Node, goal: str) -> Steps[Node]:
    """Selector, caller and parser, once each."""
    selected: Selected = yield from track.ask(
        SelectOperation(**track.situation(node), goal=goal, operations=track.tools.sheets)
    )
    sheet = track.tools.sheet(selected.action)
    if sheet is None:
        return (yield from take(track, node, Action(thought=goal, action=selected.action)))
    filled: Filled = yield from track.ask(FillArguments(**track.situation(node), purpose=goal, operation=sheet))
    child = yield from take(track, node, Action(thought=goal, action=sheet.name, arguments=filled.arguments))
    return (yield from _read(track, child, sheet, goal))


def _read(track: Track, node: Node, sheet: Sheet, goal: str) -> Steps[Node]:
    """The node with the parser's extract in place of the response; what failed is shown as it is."""
    call, past = node.call, track.seen[node.id]
    if call is None or not call.ok:
        return node
    extract: Extract = yield from track.ask(
        ReadResponse(
            task=track.task.text,
            history=track.history(node)[:-1],
            attempt=track.attempt,
            goal=goal,
            operation=sheet,
            arguments=past.arguments,
            response=track.tools.response(sheet, call),
        )
    )
    read = past.model_copy(update={"observation": extract.text})
    return track.keep(replace(node, observation=extract.text), read)
