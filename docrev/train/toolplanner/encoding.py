"""From turns to tokens: the conversation as the model is asked it, and the answers that may follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docrev.models.backend import Message
from docrev.models.system_messages import without_system
from docrev.models.tooluser.conversation_model import OWN_TEMPLATE, merge_turns
from docrev.prompts.conversation import Utterance
from docrev.train.toolplanner.stages import PreferenceRow


@dataclass(frozen=True, slots=True)
class PreferenceExample:
    """Token ids: what is asked, the answer that is learned, and one that is worse."""

    prompt: tuple[int, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]


@dataclass
class Encoder:
    """Encodes for one tokenizer; `shortened` and `dropped` count what was too long for `limit` tokens.

    A tokenizer without a chat template is given ToolLLaMA's form as its own, in which functions have a role.
    """

    tokenizer: Any
    limit: int
    shortened: int = 0
    dropped: int = 0

    def __post_init__(self) -> None:
        self.tokenizer.chat_template = self.tokenizer.chat_template or OWN_TEMPLATE

    @property
    def is_toolllama(self) -> bool:
        """Whether the form is ToolLLaMA's."""
        return bool(self.tokenizer.chat_template == OWN_TEMPLATE)

    def preferences(self, rows: Iterable[PreferenceRow]) -> Iterator[PreferenceExample]:
        """An example for each row: without its earliest rounds if it would be too long, none if that is too."""
        for row in rows:
            example = self._fitting(row)
            if example is not None:
                yield example

    def _fitting(self, row: PreferenceRow) -> PreferenceExample | None:
        chosen, rejected = (self._answer(row.prompt, text) for text in (row.chosen, row.rejected))
        room = self.limit - max(len(chosen), len(rejected))
        for left in _shorter(row.prompt):
            asked = self._ids(self.text(left))
            if len(asked) <= room:
                self.shortened += len(left) < len(row.prompt)
                return PreferenceExample(asked, chosen, rejected)
        self.dropped += 1
        return None

    def _answer(self, prompt: Sequence[Utterance], text: str) -> tuple[int, ...]:
        """An answer with what the template has around it; of one that changes what was before it, the answer alone."""
        asked, whole = self.text(prompt), self.text([*prompt, Utterance("assistant", text)], asks=False)
        if whole.startswith(asked):
            return self._ids(whole[len(asked) :].removesuffix("\n"))
        return (*self._ids(text.strip()), self.tokenizer.eos_token_id)

    def text(self, turns: Sequence[Utterance], *, asks: bool = True) -> str:
        """The turns, and what stands before an answer: as `docrev.models.tooluser.conversation_model` asks for it."""
        if self.is_toolllama:
            return self._rendered([{"role": turn.speaker, "content": turn.text} for turn in turns], asks)
        told_to = merge_turns(turns)
        try:
            return self._rendered(told_to, asks)
        except Exception:  # a template is code of the model's makers, and raises what it likes
            return self._rendered(without_system(told_to), asks)

    def _rendered(self, told: Sequence[Message], asks: bool) -> str:
        return str(self.tokenizer.apply_chat_template(told, tokenize=False, add_generation_prompt=asks))

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])


def _shorter(turns: Sequence[Utterance]) -> Iterator[Sequence[Utterance]]:
    """The turns, then without the first round, and so on; the system's, the task and an aside at the end stay."""
    yield turns
    first = next((at for at, turn in enumerate(turns) if turn.speaker == "assistant"), len(turns))
    head, rest = turns[:first], list(turns[first:])
    while any(turn.speaker == "assistant" for turn in rest):
        after = next((at for at, turn in enumerate(rest[1:], 1) if turn.speaker != "function"), len(rest))
        rest = rest[after:]
        yield (*head, *rest)
