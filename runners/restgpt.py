"""RestGPT (Song et al., 2023): planner, selector, caller and parser; plans get finer while they are carried out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from docrev.json_values.leaves import values_at
from docrev.prompts.agents import (
    Action,
    ConstructedRequest,
    ConstructRequest,
    Extract,
    NextSubGoal,
    ReadResponse,
    Selected,
    Selection,
    SelectOperation,
    SelectValues,
    Sheet,
    SubGoal,
    finish,
    give_up,
)
from docrev.prompts.steps import Steps
from docrev.records import Json, Node, Task, Trajectory

from .compression import tokens
from .toolbox import Toolbox
from .track import Track, TrackLimits, Unusable, run, take

MAX_PLAN = 4
"""Calls of the plan for one sub-goal, at most."""
MAX_SELECTED = 500
"""Tokens of what a selection takes from a response: a parser's output is as short in RestGPT."""


def restgpt(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
    """Coarse to fine: a sub-goal in words, the calls for it, the arguments of each, what its response says towards it.

    The planner sees no operations. After the calls of a plan it sees what the parser took from the responses, and says
    whether the sub-goal needs more ("continue"), what comes next, or that this is the end.
    """
    track = Track(task, tools, limits, "restgpt")
    return (yield from run(track, _chain(track)))


def _chain(track: Track) -> Steps[Node]:
    node = track.root
    goals: list[str] = []
    while node.depth < track.limits.steps:
        plan: SubGoal = yield from track.ask(NextSubGoal(**track.situation(node), goals=tuple(goals)))
        if plan.state == "end":
            action = give_up(plan.thought) if plan.answer is None else finish(plan.answer, plan.thought)
            return (yield from take(track, node, action))
        if plan.state == "next" or not goals:
            goals.append(plan.text or plan.thought)
        node = yield from _pursue(track, node, goals[-1])
    return node


def _pursue(track: Track, node: Node, goal: str) -> Steps[Node]:
    """The selector once, then caller and parser for each call of its plan, until one fails."""
    selected: Selected = yield from track.ask(
        SelectOperation(**track.situation(node), goal=goal, operations=track.tools.sheets)
    )
    for name in selected.actions[:MAX_PLAN] or ("",):
        if node.depth >= track.limits.steps:
            break
        node = yield from _call(track, node, goal, name)
        if node.call is None or not node.call.ok:
            break
    return node


def _call(track: Track, node: Node, goal: str, name: str) -> Steps[Node]:
    sheet = track.tools.sheet(name)
    if sheet is None:
        return (yield from take(track, node, Action(thought=goal, action=name)))
    request: ConstructedRequest = yield from track.ask(
        ConstructRequest(**track.situation(node), goal=goal, operation=sheet)
    )
    child = yield from take(track, node, Action(thought=goal, action=sheet.name, arguments=request.arguments))
    return (yield from _read(track, child, sheet, goal, request.output))


def _read(track: Track, node: Node, sheet: Sheet, goal: str, output: str) -> Steps[Node]:
    """The node with what the parser took in place of the response; what failed is shown as it is."""
    call, past = node.call, track.seen[node.id]
    if call is None or not call.ok:
        return node
    question = {
        "task": track.task.text,
        "history": track.history(node)[:-1],
        "attempt": track.attempt,
        "goal": goal,
        "operation": sheet,
        "arguments": past.arguments,
        "response": track.tools.response(sheet, call),
    }
    text = ""
    try:
        selection: Selection = yield from track.ask(SelectValues(**question, output=output or goal))
        text = selected_text(selection, call.body)
    except Unusable:
        # What is no selection selects nothing: the response is read instead.
        pass
    if not text:
        extract: Extract = yield from track.ask(ReadResponse(**question))
        text = extract.text
    return track.keep(replace(node, observation=text), past.model_copy(update={"observation": text}))


def selected_text(selection: Selection, body: object) -> str:
    """What a selection takes from a response, as JSON; "" if it takes nothing, or so much that it selects nothing."""
    rows = list(_rows(selection, body))[: max(0, selection.first)]
    text = json.dumps(rows[0] if len(rows) == 1 else rows, ensure_ascii=False) if rows else ""
    return text if tokens(text) <= MAX_SELECTED else ""


def _rows(selection: Selection, body: Json) -> Iterator[dict[str, Json]]:
    for found in values_at(body, selection.items):
        for item in found if isinstance(found, list) else [found]:
            if selection.where and selection.equals not in values_at(item, _pointer(selection.where)):
                continue
            row = {field: values_at(item, _pointer(field)) for field in selection.fields}
            row = {field: values[0] if len(values) == 1 else values for field, values in row.items() if values}
            if row:
                yield row


def _pointer(field: str) -> str:
    """A field's name, or a pointer, as a pointer."""
    return field if field.startswith("/") or not field else f"/{field}"
