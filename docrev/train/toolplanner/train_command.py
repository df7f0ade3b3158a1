"""`docrev train toolplanner`: what it writes and prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import cast

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.train.data.annotating import catalog_of
from docrev.train.data.conversations import Conversation, write_conversations
from docrev.train.data.instructions import read_instructions
from docrev.train.data.tool_listing import ToolListing
from docrev.train.fitting import Tell, require
from docrev.train.settings import PlannerTraining
from docrev.train.toolllama.base_model import default_ratio
from docrev.train.toolllama.finetune import tune
from docrev.train.toolplanner.build import Parts, RowBuilder, Trees
from docrev.train.toolplanner.rewards import BOTH, Feedback
from docrev.train.toolplanner.stages import PreferenceRow, write_preferences
from docrev.train.toolplanner.training import STAGE_1, STAGE_2, ranked

ROWS = {1: "conversations.json", 2: "preferences.jsonl"}


def train(
    instructions: Path, specs: Sequence[str], settings: PlannerTraining, notice: Tell
) -> tuple[dict[str, Json], str]:
    """Make the rows of a stage and train on them; what --json prints, and one line. Raises as `fit` and `make`."""
    stage = int(settings.stage)
    parts = parts_of(settings.without, stage)
    given = settings.model_dump(include={"rate", "batch", "each", "epochs"}, exclude_none=True)
    recipe = replace(STAGE_1 if stage == 1 else STAGE_2, **given, limit=settings.limit, seed=settings.seed)
    ratio = settings.ratio or default_ratio(settings.base, settings.limit)
    recipe = replace(recipe, rank=settings.lora or 0, ratio=ratio)
    require()
    base, out, resume = settings.base, settings.out, settings.resume
    file = out / ROWS[stage]
    counts = make(file, instructions, specs, parts=parts, settings=settings, notice=notice)
    if stage == 1:
        told = asdict(tune(base, [file], out, recipe, resume=resume, tell=notice))
    else:
        told = asdict(ranked(base, file, out, recipe, beta=settings.beta, resume=resume, tell=notice))
    left = "".join(f"-{name}" for name in ("tags", "path") if name in settings.without)
    line = (
        f"stage {stage}: {counts['rows']} rows of {counts['solved']} instructions; loss held out "
        f"{told['before']:.3f} → {told['after']:.3f}; use --runner toolplanner{left} --model local:{out}"
    )
    return {**told, "folder": str(out), "stage": stage, "without": list(settings.without), "data": counts}, line


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
    found = read_instructions([instructions], ToolListing(catalog))
    for line in found.warnings():
        notice(line)
    maker = RowBuilder(catalog, Trees(settings.trees), parts, settings.samples, settings.seed)
    rows: Sequence[Conversation | PreferenceRow]
    if int(settings.stage) == 1:
        write_conversations(file, rows := maker.conversations(found.instructions))
    else:
        write_preferences(file, rows := maker.preferences(found.instructions))
    notice(", ".join(f"{count} {what}" for what, count in maker.counts.items()))
    if not maker.counts["solved"] or not rows:
        what = "no instruction was solved as it asks" if not maker.counts["solved"] else "no round has a worse one"
        where = ", ".join(map(str, settings.trees))
        raise InputError(what, where=where, fix="annotate more of them, or with another --runner or --model")
    return {"rows": len(rows), **maker.counts}
