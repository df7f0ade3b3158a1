"""`--base`: a causal language model fine-tuned into a tool user, whole or by LoRA (ToolLLM §3.1, appendix A.4)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from docrev.errors import InputError
from docrev.models.tooluser.conversation_model import OWN_TEMPLATE, merge_turns
from docrev.prompts.conversation import Utterance
from docrev.train.data.conversations import Conversation, read_conversations
from docrev.train.fitting import IGNORED, Fitted, Recipe, Rows, Tell, fit, padded

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

    def _example(self, turns: Sequence[Utterance]) -> LabelledExample | None:
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
            tokens = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            ids += tokens
            labels += tokens if learned and (at == last or not self.last_only) else [IGNORED] * len(tokens)
        return LabelledExample(tuple(ids), tuple(labels))

    def parts(self, turns: Sequence[Utterance]) -> list[Part]:
        """The text of a conversation: by the chat template if it has one that only ever adds, else as ToolLLaMA."""
        if self.tokenizer.chat_template and not self.plain:
            parts = self._templated(turns)
            if parts is not None:
                return parts
            self.plain = True
        parts = [(self.tokenizer.bos_token or "", False)]
        for turn in turns:
            if turn.speaker == "assistant":
                parts += [("Assistant:", False), (f"{turn.text}{self.tokenizer.eos_token}", True), ("\n", False)]
            else:
                parts.append((f"{turn.speaker.capitalize()}: {turn.text}\n", False))
        return parts

    def _templated(self, turns: Sequence[Utterance]) -> list[Part] | None:
        """The parts by the template; None if a later turn changes what earlier ones look like."""
        parts, before = list[Part](), ""
        for at, turn in enumerate(turns):
            if turn.speaker != "assistant":
                continue
            try:
                asked, answered = self._chat_text(turns[:at], True), self._chat_text(turns[: at + 1], False)
            except Exception:  # a template is code of the model's makers, and raises what it likes
                return None
            if not asked.startswith(before) or not answered.startswith(asked):
                return None
            parts += [(asked[len(before) :], False), (answered[len(asked) :], True)]
            before = answered
        return parts

    def _chat_text(self, turns: Sequence[Utterance], asks: bool) -> str:
        messages = merge_turns(turns)
        return str(self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=asks))


def tune(
    base: Path,
    files: Iterable[Path],
    folder: Path,
    recipe: Recipe | None = None,
    *,
    resume: Path | None = None,
    tell: Tell = lambda _: None,
) -> Fitted:
    """Fine-tune `base` on the conversations of `files`; the best checkpoint by the loss held out goes to `folder`.

    Raises as `fit`, and InputError for files that are none and where too little is left to learn.
    """
    chosen = recipe or Recipe()
    records = [record for file in files for record in read_conversations(file)]

    def rows(tokenizer: Any, limit: int) -> Rows:
        if tokenizer.chat_template == OWN_TEMPLATE:
            # It would show functions as users: with ToolLLaMA's form all have their roles.
            tokenizer.chat_template = None
        return _examples(Masker(tokenizer, limit, chosen.last_only), records, chosen, tell)

    return fit(base, folder, chosen, rows, resume=resume, tell=tell)


def _examples(masker: Masker, records: list[Conversation], recipe: Recipe, tell: Tell) -> Rows:
    """What is learned from, and what is held out. Raises InputError."""
    learned, held = _split(records, recipe)
    train, dev = list(masker.examples(learned)), list(masker.examples(held))
    if masker.plain:
        tell("the chat template changes earlier turns; conversations are written as ToolLLaMA has them")
    if masker.cut or masker.dropped:
        tell(f"longer than {masker.limit} tokens: {masker.cut} cut at a turn, {masker.dropped} left out")
    if not train or not dev:
        raise InputError("too few conversations with something to learn", fix="give more, or a larger --limit")
    own = masker.plain or not masker.tokenizer.chat_template
    if own:
        # Asked as it was trained: without a template it would be asked in paragraphs.
        masker.tokenizer.chat_template = OWN_TEMPLATE
    collate = partial(padded, pad=masker.tokenizer.pad_token_id)
    return Rows(_rows(train), _rows(dev), collate, own, cut=masker.cut, dropped=masker.dropped)


def _split(records: list[Conversation], recipe: Recipe) -> tuple[list[Conversation], list[Conversation]]:
    """Conversations to learn from, and those held out, by the seed."""
    order = list(range(len(records)))
    random.Random(f"dev {recipe.seed}").shuffle(order)
    count = max(1, round(recipe.dev * len(records)))
    out = set(order[:count])
    return [one for at, one in enumerate(records) if at not in out], [records[at] for at in sorted(out)]


def _rows(found: list[LabelledExample]) -> list[dict[str, list[int]]]:
    return [{"input_ids": list(one.ids), "labels": list(one.labels)} for one in found]
