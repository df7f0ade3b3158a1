"""Stage 2: a model is trained so that rounds of good ways are likelier than others (hyper-parameters: table 7).

Stage 1 is what fine-tunes every tool user, on the conversations of three tasks: `docrev.train.toolllama.finetune`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from docrev.errors import InputError
from docrev.train.fitting import Fitted, Recipe, Rows, Tell, fit
from docrev.train.toolplanner.encoding import Encoder, PreferenceExample
from docrev.train.toolplanner.stages import read_preferences

STAGE_1 = Recipe(batch=2, fall="linear")
STAGE_2 = Recipe(rate=2e-5, warm_up=0.03, batch=1, epochs=3, fall="linear")
BETA = 1.0


def ranked(
    base: Path,
    file: Path,
    folder: Path,
    recipe: Recipe = STAGE_2,
    *,
    beta: float = BETA,
    resume: Path | None = None,
    tell: Tell = lambda _: None,
) -> Fitted:
    """Train `base` on the preferences of a file; `beta` weighs the ranking loss against cross-entropy.

    Raises as `fit`, and InputError for a file that is none and where too little is left to learn.
    """
    # Before torch is loaded: more threads than one make small models slower, and CPUs that others use much slower.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    found = read_preferences(file)

    def rows(tokenizer: Any, limit: int) -> Rows:
        from docrev.train.toolplanner.ranking import collate, ranking

        encoder = Encoder(tokenizer, limit)
        examples = list(encoder.preferences(found))
        if encoder.shortened or encoder.dropped:
            cut = f"{encoder.shortened} without their earliest rounds, {encoder.dropped} left out"
            tell(f"longer than {limit} tokens: {cut}")
        learned, held = split(examples, recipe.seed)
        if not learned:
            raise InputError("too few pairs to learn from", where=str(file), fix="give more, or a larger --limit")
        return Rows(
            learned,
            held,
            partial(collate, pad=tokenizer.pad_token_id),
            encoder.own,
            ranking(beta),
            encoder.shortened,
            encoder.dropped,
        )

    return fit(base, folder, recipe, rows, resume=resume, tell=tell)


HELD = 20
"""One in HELD pairs is not learned from but chooses the best checkpoint."""


def split(rows: Sequence[PreferenceExample], seed: int) -> tuple[list[PreferenceExample], list[PreferenceExample]]:
    """The pairs that are learned from, and those that are held: which, depends on what is asked in them alone.

    Pairs that ask the same are on one side, so nothing that is held was learned; if all do, nothing is learned.
    """
    numbers = [_number(row, seed) for row in rows]
    chosen = {number for number in numbers if number % HELD == 0} or set(sorted(numbers)[:1])
    learned = [row for row, number in zip(rows, numbers, strict=True) if number not in chosen]
    return learned, [row for row, number in zip(rows, numbers, strict=True) if number in chosen]


def _number(row: PreferenceExample, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {row.prompt}".encode()).digest()[:8], "big")
