"""ToolLLaMA's training records: conversations of system, user, assistant and function turns.

    [{"id": "Step 3: …", "conversations": [{"from": "system", "value": "…"}, {"from": "user", "value": "…"}, …]}]

as a JSON list or JSON lines; `human` and `gpt` of older files are the user and the assistant. What a record has beside
these two keys is kept. Multi-round: a record is the whole way, every assistant's turn one that a model is to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.eval.suites.reading import read_rows
from docrev.prompts.agents import Action, Past, Sheet
from docrev.prompts.conversation import SPEAKERS, Utterance, action_text, past_turns, system, user
from docrev.prompts.toolbench_form import toolbench_system
from docrev.records import Json
from docrev.settings.choices import AgentForm
from docrev.storage.atomic import write_json

_ALIASES = {"human": "user", "gpt": "assistant"}
_ROWS = "give a list of {id, conversations}"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One record: `turns` in order, `rest` what else it has."""

    id: str
    turns: tuple[Utterance, ...]
    rest: dict[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The record as files have it."""
        turns = [{"from": turn.speaker, "value": turn.text} for turn in self.turns]
        return {"id": self.id, "conversations": turns, **self.rest}


def conversation(
    id: str,
    task: str,
    sheets: Sequence[Sheet],
    history: Iterable[Past],
    last: Action | None = None,
    form: AgentForm = "docrev",
) -> Conversation:
    """A way as a record: the task with the functions that were offered, every action taken, and the final one."""
    opening = toolbench_system(sheets) if form == "toolbench" else system(sheets)
    turns = [Utterance("system", opening), Utterance("user", user(task))]
    for past in history:
        turns += past_turns(past)
    return Conversation(id, tuple(turns if last is None else [*turns, Utterance("assistant", action_text(last))]))


def read_conversations(file: Path) -> list[Conversation]:
    """The records of a file. Raises InputError (file, and line or entry) for what is none, or for an empty list."""
    records = [read_conversation(row, where) for row, where in read_rows(file)]
    if not records:
        raise InputError("holds no conversation", where=str(file), fix=_ROWS)
    return records


def write_conversations(file: Path, records: Iterable[Conversation]) -> None:
    """Write records as one JSON list. Raises LockedError, StoreError."""
    write_json(file, [record.to_json() for record in records])


def read_conversation(row: Json, where: str) -> Conversation:
    """The record that a row is. Raises InputError if it is none."""
    turns = row.get("conversations") if isinstance(row, dict) else None
    if not isinstance(turns, list) or not turns:
        raise InputError("is no conversation", where=where, fix=_ROWS)
    rest = {name: value for name, value in row.items() if name not in ("id", "conversations")}
    return Conversation(str(row.get("id", "")), tuple(_turn(one, where) for one in turns), rest)


def _turn(one: Json, where: str) -> Utterance:
    speaker = one.get("from") if isinstance(one, dict) else None
    speaker = _ALIASES.get(str(speaker), speaker)
    if speaker not in SPEAKERS or not isinstance(one.get("value"), str):
        raise InputError("a turn has no speaker or no text", where=where, fix=f"from is one of {', '.join(SPEAKERS)}")
    return Utterance(speaker, one["value"])
