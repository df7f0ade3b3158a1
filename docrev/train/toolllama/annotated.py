"""Annotated ways of real documents as episodes, so that a small tool user learns from them beside invented services."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.models.tooluser.encoding import (
    action_symbols,
    past_symbols,
    prompt_symbols,
    sheet_symbols,
    spans,
    task_symbols,
    words_of,
)
from docrev.models.tooluser.grammar import Grammar
from docrev.models.tooluser.slots import Slots, Vocabulary
from docrev.models.tooluser.vocabulary import END
from docrev.prompts.agents import FINISH, GIVE_UP, Action, NextAction
from docrev.prompts.conversation import Round, rounds
from docrev.train.data.conversations import Conversation, read_conversations
from docrev.train.toolllama.episodes import Episode

KIND = "annotated"
HELD_OUT, MOST_HELD = 20, 100
"""One task in so many is not learned but measured, up to a number of them."""
MOST_WORDS = 400
_VALUE = re.compile(r"\"[^\"]*\"|\b\w*[A-Z0-9]\w*")
_SIGNS = Vocabulary.create(4096)
_KNOWN = frozenset(_SIGNS.known)


@dataclass(slots=True)
class AnnotatedEpisodes:
    """Episodes to learn, episodes to measure by, and the `words` to know: those of the documents, and common ones.

    `unsaid` are actions with values that nothing shown holds; they are context only, since a tool user copies what it
    says. `dropped` conversations held nothing else.
    """

    learned: list[Episode] = field(default_factory=list)
    held: list[Episode] = field(default_factory=list)
    words: tuple[str, ...] = ()
    unsaid: int = 0
    dropped: int = 0


def read_annotated(files: Iterable[Path]) -> AnnotatedEpisodes:
    """The conversations of files as episodes; the same task is never on both sides.

    Raises InputError for files that hold no conversations, for conversations that list no functions, and where nothing
    is left to learn.
    """
    reader = _ConversationReader()
    names: list[str] = []
    for file in files:
        names.append(str(file))
        for at, record in enumerate(read_conversations(file)):
            reader.add(record, f"{file}#/{at}")
    if not reader.found.learned:
        what = f"none of {reader.found.dropped} conversations holds an action that copies what is shown"
        raise InputError(what, where=", ".join(names), fix="annotate more instructions")
    reader.found.words = reader.words()
    return reader.found


class _ConversationReader:
    def __init__(self) -> None:
        self.found = AnnotatedEpisodes()
        self._documents: dict[str, dict[str, list[str]]] = {}
        self._in_documents: Counter[str] = Counter()
        self._in_tasks: dict[str, frozenset[str]] = {}
        self._held: set[str] = set()

    def words(self) -> tuple[str, ...]:
        """The words to know, the commonest first; names and what is quoted in a task are values, not words."""
        uses = Counter(one for words in self._in_tasks.values() for one in words)
        often = {one: count for one, count in uses.items() if count >= max(3, len(self._in_tasks) / 200)}
        both = Counter(often) + self._in_documents
        return tuple(sorted(both, key=lambda one: (-both[one], one))[:MOST_WORDS])

    def add(self, record: Conversation, where: str) -> None:
        try:
            steps = list(rounds(record.turns))
        except ValueError as error:
            fix = "give conversations that docrev generate annotations or ToolBench wrote"
            raise InputError(str(error), where=where, fix=fix) from None
        episode = self._episode(record.id, steps)
        if episode is None:
            self.found.dropped += 1
            return
        if self._holds(task := steps[0].prompt.task):
            self.found.held.append(episode)
            return
        self.found.learned.append(episode)
        self._in_tasks[task] = words_of(task_symbols(_VALUE.sub(" ", task)))

    def _holds(self, task: str) -> bool:
        """Whether a task is kept to measure by."""
        digest = hashlib.sha256(task.encode()).digest()
        if int.from_bytes(digest[:8], "big") % HELD_OUT == 0 and len(self._held) < MOST_HELD:
            self._held.add(task)
        return task in self._held

    def _episode(self, id: str, told: list[Round]) -> Episode | None:
        if not told:
            return None
        first = told[0].prompt
        by_name = {sheet.name: sheet for sheet in first.operations}
        listed = repr(first.operations)
        if listed not in self._documents:
            self._documents[listed] = {sheet.name: sheet_symbols(sheet) for sheet in first.operations}
            for symbols in self._documents[listed].values():
                self._in_documents.update(words_of(symbols))
        documents = self._documents[listed]
        task = task_symbols(first.task)
        task_words = words_of(task)
        turns: list[tuple[list[str], bool]] = []
        for at, (prompt, action) in enumerate(told):
            sign = thought(prompt, action)
            symbols = [sign, *action_symbols(action.action, action.arguments, by_name)]
            sayable = _sayable(prompt, symbols, action)
            self.found.unsaid += not sayable
            turns.append((symbols, sayable))
            if at + 1 < len(told):
                observed = past_symbols(told[at + 1].prompt.history[-1], by_name, task_words)
                turns.append((observed[observed.index(END) + 1 :], False))
        if not any(learned for _, learned in turns):
            return None
        needed = list(dict.fromkeys(action.action for _, action in told if action.action in by_name))
        return Episode(id, KIND, task, documents, documents, needed, turns)


def thought(prompt: NextAction, action: Action) -> str:
    """The sign of the thought that fits an action: by where its values come from."""
    if action.action == FINISH:
        return "<stuck>" if action.arguments.get("return_type") == GIVE_UP else "<answer>"
    if not action.arguments:
        return "<list>"
    spelt = {str(value) for _, value in spans(prompt.task)}
    return "<search>" if all(str(value) in spelt for value in action.arguments.values()) else "<read>"


def _sayable(prompt: NextAction, symbols: list[str], action: Action) -> bool:
    """Whether the grammar lets a tool user take this very action."""
    visible = prompt_symbols(prompt)
    if not set(symbols) - _KNOWN <= set(visible):
        return False
    slots = Slots(_SIGNS)
    slots.ids(visible)
    grammar, ids = Grammar(prompt, slots), slots.ids(symbols)
    if any(one not in grammar.allowed(ids[:at]) for at, one in enumerate(ids)):
        return False
    if action.action == FINISH:
        return True
    return grammar.action(ids).arguments == action.arguments
