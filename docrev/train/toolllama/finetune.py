"""`--base`: a causal language model fine-tuned into a tool user, whole or by LoRA (ToolLLM §3.1, appendix A.4)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from docrev.errors import InputError
from docrev.models.tooluser.conversation_model import OWN_TEMPLATE
from docrev.train.data.conversations import Conversation, read_conversations
from docrev.train.fitting import Fitted, Recipe, Rows, Tell, fit
from docrev.train.toolllama.masking import IGNORED, LabelledExample, Masker


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
    collate = _padding(masker.tokenizer.pad_token_id)
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


def _padding(pad: int) -> Callable[[list[dict[str, list[int]]]], dict[str, Any]]:
    """Batches padded to their longest; what is padded is neither seen nor learned."""
    import torch

    def collate(rows: list[dict[str, list[int]]]) -> dict[str, Any]:
        width = max(len(row["input_ids"]) for row in rows)

        def filled(name: str, value: int) -> Any:
            return torch.tensor([row[name] + [value] * (width - len(row[name])) for row in rows])

        seen = torch.tensor([[1] * len(row["input_ids"]) + [0] * (width - len(row["input_ids"])) for row in rows])
        return {"input_ids": filled("input_ids", pad), "labels": filled("labels", IGNORED), "attention_mask": seen}

    return collate
