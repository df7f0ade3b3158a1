"""Rounds of a tree as an agent wrote them: functions by name, arguments by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docrev.prompts.agents import FINISH, Action, Outcome, Past, Sheet, finish, give_up
from docrev.records import Json, Node, OperationKey

Sheets = Mapping[OperationKey, Sheet]


def by_key(sheets: Sequence[Sheet]) -> Sheets:
    """The sheets of operations by the operations' keys."""
    return {sheet.key: sheet for sheet in sheets}


def action(node: Node, sheets: Sheets) -> Action:
    """What was said in a round; of an operation without a sheet its name as it stands."""
    plan = node.plan
    if plan is None:
        return Action(action=FINISH)
    if plan.key is None:
        return give_up(plan.thought) if plan.answer is None else finish(plan.answer, plan.thought)
    sheet = sheets.get(plan.key)
    name = sheet.name if sheet is not None else plan.key.operation
    return Action(thought=plan.thought, action=name, arguments=named(plan.arguments, sheet))


def past(node: Node, sheets: Sheets) -> Past:
    """A round with what came of it."""
    taken = action(node, sheets)
    outcome: Outcome = "invalid" if node.call is None else "answered" if node.call.ok else "failed"
    return Past(
        thought=taken.thought,
        action=taken.action,
        arguments=taken.arguments,
        observation=node.observation,
        outcome=outcome,
    )


def named(arguments: Mapping[str, object], sheet: Sheet | None) -> dict[str, Json]:
    """Arguments by location as arguments by name; the properties of a body one by one if the sheet has them so."""
    names = {one.location: one.name for one in sheet.parameters} if sheet is not None else {}
    by_name: dict[str, Json] = {}
    for location, value in arguments.items():
        if location == "body:" and location not in names and isinstance(value, Mapping):
            by_name |= {names.get(f"body:/{name}", str(name)): part for name, part in value.items()}
        else:
            by_name[names.get(location, location.partition(":")[2] or location)] = value
    return by_name
