"""From the options of `docrev train toolllama` to what it writes and prints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from docrev.errors import UsageError
from docrev.records import Json
from docrev.storage.atomic import write_json
from docrev.train.fitting import Recipe, Tell, require
from docrev.train.pace import time_left
from docrev.train.toolllama.finetune import tune

TRIAL = "trial.json"


def train(data: Sequence[Path], out: Path, options: Mapping[str, Any], tell: Tell) -> tuple[dict[str, Json], str]:
    """Train as the options say; what --json prints, and one line. Raises as `tune` and `scratch.train`."""
    if options.get("trial") and not options["from_scratch"] and not options["base"]:
        require()
        return {"folder": str(out), "trial": _tried(out, options["trial"], tell)}, f"written to {out / TRIAL}"
    if bool(options["from_scratch"]) == bool(options["base"]):
        raise UsageError("nothing to train, or two things", fix="give either --base or --from-scratch")
    if options["base"] and not data:
        raise UsageError("no conversations to learn from", fix="name files of conversations behind the options")
    require()
    return _from_scratch(data, out, options, tell) if options["from_scratch"] else _tuned(data, out, options, tell)


def _tuned(data: Sequence[Path], out: Path, options: Mapping[str, Any], tell: Tell) -> tuple[dict[str, Json], str]:
    recipe = Recipe(
        rate=options["rate"] or Recipe().rate, batch=options["batch"], epochs=options["epochs"], limit=options["limit"],
        ratio=options["ratio"], rank=options["lora"] or 0, last_only=options["last_only"], seed=options["seed"],
    )  # fmt: skip
    done = tune(options["base"], data, out, recipe, resume=options["resume"], tell=tell)
    line = f"{done.examples} conversations; loss held out {done.before:.3f} → {done.after:.3f}; use --model local:{out}"
    return {**asdict(done), "folder": str(out)}, line


def _from_scratch(
    data: Sequence[Path], out: Path, options: Mapping[str, Any], tell: Tell
) -> tuple[dict[str, Json], str]:
    from docrev.train.toolllama.annotated import read_annotated
    from docrev.train.toolllama.scratch import TrainingProgress, size
    from docrev.train.toolllama.scratch import train as from_nothing

    shape = size(options["from_scratch"])
    if options["rate"]:
        shape = replace(shape, rate=options["rate"])

    def note(one: TrainingProgress) -> None:
        own = "" if one.own_right is None else f"  own tasks held out: {one.own_right:.1%}, {one.own_exact:.1%}"
        limit = options["minutes"] or shape.minutes
        share = one.steps / options["steps"] if options["steps"] else one.minutes / limit
        left = time_left(share, 60 * one.minutes)
        tell(
            f"{one.minutes:5.1f} min ({one.cpu:.1f} of processors)  {one.steps:6} steps  loss {one.loss:.3f}  "
            f"unseen: right function or end {one.right:.1%}, whole action {one.exact:.1%}{own}{left}"
        )

    own = read_annotated(data) if data else None
    if own is not None:
        unsaid = f"; {own.unsaid} actions say what nothing shows, and are not learned" if own.unsaid else ""
        tell(f"{len(own.learned)} annotated ways to learn from, {len(own.held)} to measure by{unsaid}")

    log = from_nothing(
        shape, out, seed=options["seed"], minutes=options["minutes"],
        steps=options["steps"], start=options["resume"], rank=options["lora"] or 0, own=own, tell=note,
    )  # fmt: skip
    told: dict[str, Json] = {"folder": str(out), "log": [asdict(one) for one in log]}
    if options["trial"]:
        told["trial"] = _tried(out, options["trial"], tell)
    last = log[-1] if log else None
    right = f"{last.right:.1%} right functions or ends on unseen worlds; " if last else ""
    if last and last.own_right is not None:
        right += f"{last.own_right:.1%} in own tasks held out; "
    return told, f"{right}use --model local:{out}"


def _tried(out: Path, worlds: int, tell: Tell) -> dict[str, Json]:
    """The trial of the model in a folder, which is also written there."""
    from docrev.models.tooluser.model import ToolUser
    from docrev.train.toolllama.trial import whole_trial

    found: dict[str, Json] = dict(whole_trial(ToolUser(out), worlds, lambda row: tell(json.dumps(row))))
    write_json(out / TRIAL, found)
    return found
