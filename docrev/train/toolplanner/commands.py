"""From the options of `docrev train toolplanner` to what it writes and prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.spec import load
from docrev.spec.importers import read
from docrev.train.data.conversations import write_conversations
from docrev.train.data.instructions import read_instructions
from docrev.train.data.listing import Listing
from docrev.train.toolplanner.making import Maker, Parts, Trees
from docrev.train.toolplanner.rewards import BOTH, Feedback
from docrev.train.toolplanner.stages import write_preferences

ROWS = {1: "conversations.json", 2: "preferences.jsonl"}
Notice = Callable[[str], None]


def train(
    instructions: Path, specs: Sequence[str], options: Mapping[str, Any], notice: Notice
) -> tuple[dict[str, Json], str]:
    """Make the rows of a stage and train on them; what --json prints, and one line. Raises as `training.train`."""
    from docrev.train.toolplanner.training import Settings, require
    from docrev.train.toolplanner.training import train as train_on

    stage = cast(Literal[1, 2], int(options["stage"]))
    parts = parts_of(options["without"], stage)
    names = ("beta", "epochs", "rate", "batch", "limit", "steps", "seed")
    settings = Settings.of(stage, **{name: options[name] for name in names})
    require()
    file = Path(options["out"]) / ROWS[stage]
    counts = make(file, instructions, specs, stage, parts, options, notice)
    made = train_on(options["base"], file, options["out"], settings, resume=options["resume"], notice=notice)
    told: dict[str, Json] = {**made.to_json(), "stage": stage, "without": list(options["without"]), "data": counts}
    loss = "" if made.loss is None else f"; loss on {made.held} held out {made.loss:.3f}"
    left = "".join(f"-{name}" for name in ("tags", "path") if name in options["without"])
    use = f"use --runner toolplanner{left} --model local:{made.folder}"
    return told, f"stage {stage}: {made.rows} rows of {counts['solved']} instructions{loss}; {use}"


def parts_of(without: Sequence[str], stage: int) -> Parts:
    """What the flags leave. Raises UsageError for feedbacks that stage 1 does not have, or where both are left out."""
    feedback = BOTH - set(cast(Sequence[Feedback], without))
    if feedback != BOTH and stage == 1:
        raise UsageError("stage 1 learns from no feedback", where="--without", fix="give it with --stage 2")
    if not feedback:
        raise UsageError("without both feedbacks nothing is ranked", where="--without", fix="use the model of stage 1")
    return Parts("tags" not in without, "path" not in without, feedback)


def make(
    file: Path,
    instructions: Path,
    specs: Sequence[str],
    stage: int,
    parts: Parts,
    options: Mapping[str, Any],
    notice: Notice,
) -> dict[str, Json]:
    """Write the rows of a stage, and say what became of the instructions. Raises InputError where there is no row."""
    catalog = load(list(specs)) if specs else read("toolbench", [instructions]).catalog()
    found = read_instructions([instructions], Listing(catalog))
    for line in found.warnings():
        notice(line)
    maker = Maker(catalog, Trees(options["trees"]), parts, options["samples"], options["seed"])
    if stage == 1:
        conversations = maker.conversations(found.instructions)
        write_conversations(file, conversations)
        rows = len(conversations)
    else:
        preferences = maker.preferences(found.instructions)
        write_preferences(file, preferences)
        rows = len(preferences)
    notice(", ".join(f"{count} {what}" for what, count in maker.counts.items()))
    if not rows:
        what = "no instruction was solved as it asks" if not maker.counts["solved"] else "no round has a worse one"
        where = ", ".join(map(str, options["trees"]))
        raise InputError(what, where=where, fix="annotate more of them, or with another --runner or --model")
    return {"rows": rows, **maker.counts}
