"""`docrev train toolllama`: what it writes and prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.errors import UsageError
from docrev.records import Json
from docrev.storage.atomic import write_json
from docrev.train.fitting import Recipe, Tell, require
from docrev.train.pace import time_left
from docrev.train.settings import ToolUserTraining
from docrev.train.toolllama.base_model import default_ratio
from docrev.train.toolllama.finetune import tune

if TYPE_CHECKING:
    from docrev.train.toolllama.scratch import TrainingProgress

TRIAL = "trial.json"


def train(data: Sequence[Path], settings: ToolUserTraining, tell: Tell) -> tuple[dict[str, Json], str]:
    """Train as the options say; what --json prints, and one line. Raises as `tune` and `scratch.train`."""
    out = settings.out
    if settings.trial and not settings.from_scratch and not settings.base:
        require()
        return {"folder": str(out), "trial": _tried(out, settings.trial, tell)}, f"written to {out / TRIAL}"
    if bool(settings.from_scratch) == bool(settings.base):
        raise UsageError("nothing to train, or two things", fix="give either --base or --from-scratch")
    if settings.base and not data:
        raise UsageError("no conversations to learn from", fix="name files of conversations behind the options")
    require()
    return _from_scratch(data, settings, tell) if settings.from_scratch else _tuned(data, settings, tell)


def _tuned(data: Sequence[Path], settings: ToolUserTraining, tell: Tell) -> tuple[dict[str, Json], str]:
    assert settings.base is not None
    recipe = Recipe(
        rate=settings.rate or Recipe().rate, batch=settings.batch, epochs=settings.epochs, limit=settings.limit,
        ratio=settings.ratio or default_ratio(settings.base, settings.limit), rank=settings.lora or 0,
        last_only=settings.last_only, seed=settings.seed,
    )  # fmt: skip
    done = tune(settings.base, data, settings.out, recipe, resume=settings.resume, tell=tell)
    loss = f"loss held out {done.before:.3f} → {done.after:.3f}"
    line = f"{done.rows} conversations; {loss}; use --model local:{settings.out}"
    return {**asdict(done), "examples": done.rows, "folder": str(settings.out)}, line


def _from_scratch(data: Sequence[Path], settings: ToolUserTraining, tell: Tell) -> tuple[dict[str, Json], str]:
    from docrev.train.toolllama.annotated import read_annotated
    from docrev.train.toolllama.scratch import size
    from docrev.train.toolllama.scratch import train as from_nothing

    out = settings.out
    assert settings.from_scratch is not None
    shape = size(settings.from_scratch)
    if settings.rate:
        shape = replace(shape, rate=settings.rate)

    def note(one: TrainingProgress) -> None:
        own = "" if one.own_right is None else f"  own tasks held out: {one.own_right:.1%}, {one.own_exact:.1%}"
        limit = settings.minutes or shape.minutes
        share = one.steps / settings.steps if settings.steps else one.minutes / limit
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
        shape, out, seed=settings.seed, minutes=settings.minutes,
        steps=settings.steps, start=settings.resume, rank=settings.lora or 0, own=own, tell=note,
    )  # fmt: skip
    result: dict[str, Json] = {"folder": str(out), "log": [asdict(one) for one in log]}
    if settings.trial:
        result["trial"] = _tried(out, settings.trial, tell)
    return result, f"{_results(log[-1]) if log else ''}use --model local:{out}"


def _results(last: TrainingProgress) -> str:
    right = f"{last.right:.1%} right functions or ends on unseen worlds; "
    return right if last.own_right is None else f"{right}{last.own_right:.1%} in own tasks held out; "


def _tried(out: Path, worlds: int, tell: Tell) -> dict[str, Json]:
    """The trial of the model in a folder, which is also written there."""
    from docrev.models.tooluser.model import ToolUser
    from docrev.train.toolllama.trial import whole_trial

    trial: dict[str, Json] = dict(whole_trial(ToolUser(out), worlds, lambda row: tell(json.dumps(row))))
    write_json(out / TRIAL, trial)
    return trial
