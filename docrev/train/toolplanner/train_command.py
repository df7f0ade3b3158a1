"""`docrev train toolplanner`: what it writes and prints."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.train.data.annotating import catalog_of
from docrev.train.data.conversations import Conversation, write_conversations
from docrev.train.data.instructions import read_instructions
from docrev.train.data.tool_listing import ToolListing
from docrev.train.fitting import Fitted, Recipe, Rows, Tell, fit, require
from docrev.train.settings import PlannerTraining
from docrev.train.toolllama.base_model import default_ratio
from docrev.train.toolllama.finetune import tune
from docrev.train.toolplanner.build import Parts, RowBuilder, Trees
from docrev.train.toolplanner.encoding import Encoder, PreferenceExample
from docrev.train.toolplanner.rewards import BOTH, Feedback
from docrev.train.toolplanner.stages import PreferenceRow, read_preferences, write_preferences

ROWS = {1: "conversations.json", 2: "preferences.jsonl"}


def train(
    instructions: Path, specs: Sequence[str], settings: PlannerTraining, notice: Tell
) -> tuple[dict[str, Json], str]:
    """Make the rows of a stage and train on them; what --json prints, and one line. Raises as `fit` and `make`."""
    stage = int(settings.stage)
    parts = parts_of(settings.without, stage)
    options = settings.model_dump(include={"rate", "batch", "each", "epochs"}, exclude_none=True)
    recipe = replace(STAGE_1 if stage == 1 else STAGE_2, **options, limit=settings.limit, seed=settings.seed)
    ratio = settings.ratio or default_ratio(settings.base, settings.limit)
    recipe = replace(recipe, rank=settings.lora or 0, ratio=ratio)
    require()
    base, out, resume = settings.base, settings.out, settings.resume
    file = out / ROWS[stage]
    counts = make(file, instructions, specs, parts=parts, settings=settings, notice=notice)
    if stage == 1:
        fitted = asdict(tune(base, [file], out, recipe, resume=resume, tell=notice))
    else:
        fitted = asdict(ranked(base, file, out, recipe, beta=settings.beta, resume=resume, tell=notice))
    left = "".join(f"-{name}" for name in ("tags", "path") if name in settings.without)
    line = (
        f"stage {stage}: {counts['rows']} rows of {counts['solved']} instructions; loss held out "
        f"{fitted['before']:.3f} → {fitted['after']:.3f}; use --runner toolplanner{left} --model local:{out}"
    )
    return {**fitted, "folder": str(out), "stage": stage, "without": list(settings.without), "data": counts}, line


def parts_of(without: Sequence[str], stage: int) -> Parts:
    """What the flags leave. Raises UsageError for feedbacks that stage 1 does not have, or if both are left out."""
    feedback = BOTH - set(cast(Sequence[Feedback], without))
    if feedback != BOTH and stage == 1:
        raise UsageError("stage 1 learns from no feedback", where="--without", fix="give it with --stage 2")
    if not feedback:
        raise UsageError("without both feedbacks nothing is ranked", where="--without", fix="use the model of stage 1")
    return Parts("tags" not in without, "path" not in without, feedback)


def make(
    file: Path, instructions: Path, specs: Sequence[str], *, parts: Parts, settings: PlannerTraining, notice: Tell
) -> dict[str, Json]:
    """Write the rows of a stage, and say what became of the instructions. Raises InputError if there is no row."""
    catalog = catalog_of([instructions], specs)
    read = read_instructions([instructions], ToolListing(catalog))
    for line in read.warnings():
        notice(line)
    maker = RowBuilder(catalog, Trees(settings.trees), parts, settings.samples, settings.seed)
    rows: Sequence[Conversation | PreferenceRow]
    if int(settings.stage) == 1:
        write_conversations(file, rows := maker.conversations(read.instructions))
    else:
        write_preferences(file, rows := maker.preferences(read.instructions))
    notice(", ".join(f"{count} {what}" for what, count in maker.counts.items()))
    if not maker.counts["solved"] or not rows:
        what = "no instruction was solved as it asks" if not maker.counts["solved"] else "no round has a worse one"
        where = ", ".join(map(str, settings.trees))
        raise InputError(what, where=where, fix="annotate more of them, or with another --runner or --model")
    return {"rows": len(rows), **maker.counts}


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
    preferences = read_preferences(file)

    def rows(tokenizer: Any, limit: int) -> Rows:
        from docrev.train.toolplanner.ranking import collate, ranking

        encoder = Encoder(tokenizer, limit)
        examples = list(encoder.preferences(preferences))
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
            encoder.is_toolllama,
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
