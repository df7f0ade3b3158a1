"""From turns to tokens: the conversation as the model is asked it, and the answers that may follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docrev.models.backend import Message
from docrev.models.plainly import without_system
from docrev.prompts.conversation import Turn
from docrev.train.data.conversations import Conversation
from docrev.train.toolplanner.stages import Preference

_ROLES = {"system": "system", "user": "user", "assistant": "assistant", "function": "user"}


@dataclass(frozen=True, slots=True)
class Example:
    """Token ids: what is asked, the answer that is learned, and one that is worse; () in stage 1."""

    prompt: tuple[int, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...] = ()


@dataclass
class Encoder:
    """Encodes for one tokenizer; `shortened` and `dropped` count what was too long for `limit` tokens."""

    tokenizer: Any
    limit: int
    shortened: int = 0
    dropped: int = 0

    def rounds(self, records: Iterable[Conversation]) -> Iterator[Example]:
        """An example for each assistant's turn, after all that was said before it (stage 1)."""
        for record in records:
            for at, turn in enumerate(record.turns):
                if turn.speaker == "assistant":
                    yield from self._fitting(record.turns[:at], turn.text)

    def preferences(self, rows: Iterable[Preference]) -> Iterator[Example]:
        """An example for each row (stage 2)."""
        for row in rows:
            yield from self._fitting(row.prompt, row.chosen, row.rejected)

    def _fitting(self, prompt: Sequence[Turn], *answers: str) -> Iterator[Example]:
        """The example, without its earliest rounds where it would be too long; none where that is not enough."""
        ends = [self._answer(text) for text in answers]
        room = self.limit - max(map(len, ends))
        for left in _shorter(prompt):
            asked = self._ids(self.text(left))
            if len(asked) <= room:
                self.shortened += len(left) < len(prompt)
                yield Example(asked, *ends)
                return
        self.dropped += 1

    def text(self, turns: Sequence[Turn]) -> str:
        """What stands before an answer: by the chat template, or as ToolLLaMA has it where there is none."""
        if not self.tokenizer.chat_template:
            told = "".join(f"{turn.speaker.capitalize()}: {turn.text}\n" for turn in turns)
            return f"{self.tokenizer.bos_token or ''}{told}Assistant:"
        told_to = _merged(turns)
        try:
            return self._rendered(told_to)
        except Exception:  # a template is code of the model's makers, and raises what it likes
            return self._rendered(without_system(told_to))

    def _rendered(self, told: Sequence[Message]) -> str:
        return str(self.tokenizer.apply_chat_template(told, tokenize=False, add_generation_prompt=True))

    def _answer(self, text: str) -> tuple[int, ...]:
        return (*self._ids(text), self.tokenizer.eos_token_id)

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])


def _shorter(turns: Sequence[Turn]) -> Iterator[Sequence[Turn]]:
    """The turns, then without the first round, and so on; the system's, the task and an aside at the end stay."""
    yield turns
    first = next((at for at, turn in enumerate(turns) if turn.speaker == "assistant"), len(turns))
    head, rest = turns[:first], list(turns[first:])
    while any(turn.speaker == "assistant" for turn in rest):
        after = next((at for at, turn in enumerate(rest[1:], 1) if turn.speaker != "function"), len(rest))
        rest = rest[after:]
        yield (*head, *rest)


def _merged(turns: Sequence[Turn]) -> list[dict[str, str]]:
    """Messages for a chat template: what functions answer is the user's, and one role never speaks twice in a row."""
    found: list[dict[str, str]] = []
    for turn in turns:
        role = _ROLES[turn.speaker]
        if found and found[-1]["role"] == role:
            found[-1]["content"] += f"\n\n{turn.text.strip()}"
        else:
            found.append({"role": role, "content": turn.text.strip()})
    return found
