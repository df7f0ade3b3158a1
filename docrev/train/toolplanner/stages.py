"""What the two stages train on: conversations for three tasks of one model, and preferences between two rounds.

A conversation is what the runner asks, as the model will be asked it: tags and path in the words of their prompts with
JSON for an answer, the tree as Thought, Action and Action Input (ToolPlanner §4.2, C.1.1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.eval.suites.reading import read_rows
from docrev.json_values.containers import mapping
from docrev.models.rendering import answer_schema, messages, written
from docrev.models.system_messages import with_schema
from docrev.prompts.agents import NextAction, Sheet
from docrev.prompts.conversation import Utterance, action_text, past_turns, turns
from docrev.prompts.planning import ExtractTags, PlanPath, SolutionPath, Tags
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json, Node, OperationKey, Task
from docrev.storage.atomic import write_json_lines
from docrev.train.data.agent_steps import Sheets, action, by_key, past
from docrev.train.data.conversations import Conversation, read_conversation
from docrev.train.toolplanner.pairs import RankedPair
from docrev.train.toolplanner.rewards import called

_ROWS = "give rows of {id, conversations, chosen, rejected, rewards}, as --stage 2 writes them"
HALVED = ("statement", "category")
"""Levels of which half of the tasks are kept: their texts are much alike (ToolPlanner §3.2)."""


def conversations(
    task: Task,
    sheets: Sequence[Sheet],
    way: Sequence[Node],
    categories: Mapping[str, str],
    *,
    tags: bool = True,
    path: bool = True,
) -> list[Conversation]:
    """The records of a solution for one instruction: its tags, its path, and its rounds one after another.

    `way` is from the root to the answer, `sheets` what was offered. Rounds in which nothing was sent are left out.
    Without `tags` all that was offered is left, without `path` there is none (table 5).
    """
    by_operation = by_key(sheets)
    rounds = [node for node in way if node.call is not None]
    tagging = _tags(called(rounds), by_operation, categories) if tags else Tags()
    left = _sheets_left(sheets, tagging.operations, tags=tags)
    planned = SolutionPath(operations=tuple(action(node, by_operation).action for node in rounds))
    tree = NextAction(task=task.text, operations=left, tags=tagging, path=planned.operations if path else ())
    spoken = [*turns(tree), *(turn for node in rounds for turn in past_turns(past(node, by_operation)))]
    records = [tagged(task, sheets, called(rounds), categories)] if tags else []
    if path:
        asked = PlanPath(task=task.text, operations=left, tags=tagging)
        records.append(_answered(f"Path: {task.id}", asked, planned))
    end = Utterance("assistant", action_text(action(way[-1], by_operation)))
    return [*records, Conversation(f"Tree: {task.id}", (*spoken, end))]


def _sheets_left(sheets: Sequence[Sheet], names: Collection[str], *, tags: bool) -> tuple[Sheet, ...]:
    """What of the sheets is named; all of them without `tags`."""
    return tuple(sheet for sheet in sheets if sheet.name in names or not tags)


def tagged(
    task: Task, sheets: Sequence[Sheet], keys: Sequence[OperationKey], categories: Mapping[str, str]
) -> Conversation:
    """The record of an instruction's tags, which needs no solution: `keys` are the operations that it is about."""
    extract = ExtractTags(task=task.text, operations=tuple(sheets), categories=dict(categories))
    return _answered(f"Tags: {task.id}", extract, _tags(keys, by_key(sheets), categories))


def _tags(about: Sequence[OperationKey], sheets: Sheets, categories: Mapping[str, str]) -> Tags:
    """The tags of operations, in the order in which they are listed: of no other order could all be right."""
    keys = [key for key in sheets if key in set(about)]
    tools = tuple(dict.fromkeys(key.tool for key in keys))
    named = dict.fromkeys(categories[tool] for tool in tools if tool in categories)
    return Tags(categories=tuple(named), tools=tools, operations=tuple(sheets[key].name for key in keys))


def _answered(id: str, prompt: Prompt[AnswerT], answer: AnswerT) -> Conversation:
    asked = with_schema(messages(prompt), answer_schema(prompt))
    system, user = (one["content"] for one in asked)
    text = json.dumps(written(prompt, answer), ensure_ascii=False)
    return Conversation(id, (Utterance("system", system), Utterance("user", user), Utterance("assistant", text)))


def balanced(tasks: Iterable[Task], seed: int = 0) -> list[Task]:
    """The tasks with about half of those whose level says little; which, depends on their ids alone."""
    return [task for task in tasks if task.level not in HALVED or _is_even(f"{seed} {task.id}")]


def _is_even(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """One row of stage 2: after `prompt`, `chosen` is better than `rejected`, by these rewards."""

    id: str
    prompt: tuple[Utterance, ...]
    chosen: str
    rejected: str
    rewards: tuple[float, float] = (1, -3)
    sampled: str = ""

    def to_json(self) -> dict[str, Json]:
        """The row as files have it."""
        fields: dict[str, Json] = {"chosen": self.chosen, "rejected": self.rejected}
        fields |= {"rewards": list(self.rewards), "sampled": self.sampled}
        return Conversation(self.id, self.prompt, fields).to_json()


def preference(
    task: Task,
    sheets: Sequence[Sheet],
    pair: RankedPair,
    way: Sequence[Node],
    categories: Mapping[str, str],
    *,
    tags: bool = True,
    path: bool = True,
) -> PreferenceRow:
    """A pair as the model is asked at that point, with the tags and operations of the way that it is to follow.

    `way` is that way, `sheets` what was offered: what it leaves, and what the second round strays to, is shown. Without
    `tags` all of it is, without `path` there is no plan.
    """
    by_operation = by_key(sheets)
    planned = tuple(action(node, by_operation).action for node in way if node.call is not None)
    shown = {*planned, action(pair.rejected, by_operation).action}
    prompt = NextAction(
        task=task.text,
        history=tuple(past(node, by_operation) for node in pair.history if node.call is not None),
        operations=_sheets_left(sheets, shown, tags=tags),
        tags=_tags(called(way), by_operation, categories) if tags else Tags(),
        path=planned if path else (),
    )
    chosen, rejected = (action_text(action(node, by_operation)) for node in (pair.chosen, pair.rejected))
    id = f"Step {len(prompt.history) + 1}: {task.id}"
    return PreferenceRow(id, turns(prompt), chosen, rejected, pair.rewards, pair.sampled)


def write_preferences(file: Path, rows: Iterable[PreferenceRow]) -> None:
    """Write rows as JSON lines. Raises LockedError, StoreError."""
    write_json_lines(file, (row.to_json() for row in rows))


def read_preferences(file: Path) -> list[PreferenceRow]:
    """The rows of a file. Raises InputError (file and line) for what is none, and for a file without any."""
    rows = [_read(row, where) for row, where in read_rows(file)]
    if not rows:
        raise InputError("holds no preference", where=str(file), fix=_ROWS)
    return rows


def _read(row: object, where: str) -> PreferenceRow:
    fields = mapping(row)
    chosen, rejected, rewards = fields.get("chosen"), fields.get("rejected"), fields.get("rewards", [1, -3])
    if not isinstance(chosen, str) or not isinstance(rejected, str) or not chosen.strip() or not rejected.strip():
        raise InputError("is no preference", where=where, fix=_ROWS)
    if not _is_order(rewards):
        raise InputError(f"the rewards {rewards!r} do not put chosen first", where=where, fix=_ROWS)
    asked, sampled = read_conversation(fields, where), str(fields.get("sampled", ""))
    return PreferenceRow(asked.id, asked.turns, chosen, rejected, (rewards[0], rewards[1]), sampled)


def _is_order(rewards: Json) -> bool:
    """Whether these are two numbers, the first above the second; NaN is above nothing."""
    numbers = isinstance(rewards, list) and len(rewards) == 2 and all(type(one) in (int, float) for one in rewards)
    return numbers and rewards[0] > rewards[1]
