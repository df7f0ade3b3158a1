"""Conversations to token ids with labels: what the assistant says is learned, all else is context (ToolLLM §3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docrev.models.tooluser.conversation_model import merge_turns
from docrev.prompts.conversation import Turn
from docrev.train.data.conversations import Conversation

IGNORED = -100
Part = tuple[str, bool]
"""A piece of the text, and whether it is learned."""


@dataclass(frozen=True, slots=True)
class LabelledExample:
    """Token ids of a conversation, and the same as labels: IGNORED where nothing is learned."""

    ids: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass
class Masker:
    """Encodes for one tokenizer to at most `limit` tokens; `last_only` learns the last of the assistant's turns alone.

    `cut` counts conversations that lost rounds at their end, `dropped` those of which nothing to learn was left, and
    `plain` is True if the chat template cannot be used turn by turn, so that ToolLLaMA's own form was.
    """

    tokenizer: Any
    limit: int
    last_only: bool = False
    cut: int = 0
    dropped: int = 0
    plain: bool = False

    def examples(self, records: Iterable[Conversation]) -> Iterator[LabelledExample]:
        """An example for each conversation that has something to learn."""
        for record in records:
            example = self._example(record.turns)
            if example is not None:
                yield example

    def _example(self, turns: Sequence[Turn]) -> LabelledExample | None:
        whole = turns
        while turns:
            if turns[-1].speaker != "assistant":
                turns = turns[:-1]
                continue
            example = self.encode(self.parts(turns))
            if len(example.ids) <= self.limit:
                self.cut += any(turn.speaker == "assistant" for turn in whole[len(turns) :])
                return example
            turns = turns[:-1]
        self.dropped += 1
        return None

    def encode(self, parts: Sequence[Part]) -> LabelledExample:
        """Each part by itself, so that no token lies across the border of what is learned."""
        ids: list[int] = []
        labels: list[int] = []
        last = max((at for at, (_, learned) in enumerate(parts) if learned), default=-1)
        for at, (text, learned) in enumerate(parts):
            told = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            ids += told
            labels += told if learned and (at == last or not self.last_only) else [IGNORED] * len(told)
        return LabelledExample(tuple(ids), tuple(labels))

    def parts(self, turns: Sequence[Turn]) -> list[Part]:
        """The text of a conversation: by the chat template if it has one that only ever adds, else as ToolLLaMA."""
        if self.tokenizer.chat_template and not self.plain:
            found = self._templated(turns)
            if found is not None:
                return found
            self.plain = True
        found = [(self.tokenizer.bos_token or "", False)]
        for turn in turns:
            if turn.speaker == "assistant":
                found += [("Assistant:", False), (f"{turn.text}{self.tokenizer.eos_token}", True), ("\n", False)]
            else:
                found.append((f"{turn.speaker.capitalize()}: {turn.text}\n", False))
        return found

    def _templated(self, turns: Sequence[Turn]) -> list[Part] | None:
        """The parts by the template; None if a later turn changes what earlier ones look like."""
        found, before = list[Part](), ""
        for at, turn in enumerate(turns):
            if turn.speaker != "assistant":
                continue
            try:
                asked, answered = self._shown(turns[:at], True), self._shown(turns[: at + 1], False)
            except Exception:  # a template is code of the model's makers, and raises what it likes
                return None
            if not asked.startswith(before) or not answered.startswith(asked):
                return None
            found += [(asked[len(before) :], False), (answered[len(asked) :], True)]
            before = answered
        return found

    def _shown(self, turns: Sequence[Turn], asks: bool) -> str:
        told = merge_turns(turns)
        return str(self.tokenizer.apply_chat_template(told, tokenize=False, add_generation_prompt=asks))
