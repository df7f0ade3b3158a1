"""Training a ToolPlanner: stage 1 on conversations, stage 2 on preferences (hyper-parameters: appendix A, table 7)."""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from docrev.errors import DocrevError, InputError, StoreError, UsageError
from docrev.models.tooluser.speaking import write_form
from docrev.records import Json
from docrev.train.data.conversations import read_conversations
from docrev.train.toolplanner.encoding import Encoder, Example
from docrev.train.toolplanner.stages import read_preferences

if TYPE_CHECKING:
    from docrev.train.toolplanner.ranking import RankingTrainer

PIP = "pip install 'docrev[train]'"
REPORT = "docrev-training.json"
Notice = Callable[[str], None]
HELD, FEWEST = 20, 10
"""One in HELD rows is not learned from but chooses the best checkpoint, where there are FEWEST rows at all."""


@dataclass(frozen=True)
class Settings:
    """How to train. `batch` rows are learned from at once, `accumulate` such batches in a step; `limit` in tokens.

    `beta` weighs the ranking loss of stage 2. `steps` ends earlier than `epochs` would; `save_every` steps a
    checkpoint is kept and the held rows are looked at, 0 does so once an epoch.
    """

    stage: Literal[1, 2]
    beta: float = 1.0
    epochs: float = 2
    rate: float = 5e-5
    warmup: float = 0.04
    batch: int = 2
    accumulate: int = 1
    limit: int = 8192
    steps: int | None = None
    save_every: int = 0
    seed: int = 0

    @classmethod
    def of(cls, stage: Literal[1, 2], **options: Any) -> Settings:
        """The paper's settings of a stage, with what is given in their place. Raises UsageError."""
        paper = {"epochs": 3, "rate": 2e-5, "warmup": 0.03, "batch": 1} if stage == 2 else {}
        made = cls(stage, **{**paper, **{name: value for name, value in options.items() if value is not None}})
        positive = {"--epochs": made.epochs, "--rate": made.rate, "--batch": made.batch, "--limit": made.limit}
        for name, value in positive.items():
            if not value > 0 or math.isinf(value):
                raise UsageError(f"{value} is not above 0", where=name, fix="give a positive number")
        if not 0 <= made.beta < math.inf:
            raise UsageError(f"{made.beta} is no weight", where="--beta", fix="give a number from 0 on")
        return made


@dataclass(frozen=True)
class Trained:
    """What training came to. `loss` is that of the held rows, at the checkpoint that was kept; None without any."""

    folder: Path
    rows: int
    held: int
    steps: int
    loss: float | None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "folder": str(self.folder),
            "rows": self.rows,
            "held": self.held,
            "steps": self.steps,
            "loss": self.loss,
            "notes": list(self.notes),
        }


def train(
    base: Path,
    data: Path,
    out: Path,
    settings: Settings,
    *,
    resume: Path | None = None,
    notice: Notice = lambda line: None,
) -> Trained:
    """Train the model in the folder `base` and write it to `out`, with its checkpoints in folders below.

    `resume` goes on from a checkpoint as if nothing had happened in between. Raises UsageError and its kinds for bad
    input and where the loss is no number any more (the last good checkpoint is written to `out` before), StoreError
    where there is no space left.
    """
    require()
    _check_out(out, resume)
    tokenizer, model = load(base)
    encoder = Encoder(tokenizer, min(settings.limit, _context(model, settings.limit)))
    rows = list(_examples(encoder, data, settings.stage))
    notes = _notes(encoder)
    for note in notes:
        notice(note)
    if not rows:
        raise InputError("no row is short enough", where=str(data), fix=f"raise --limit above {settings.limit}")
    learned, held = split(rows, settings.seed)
    trainer = _trainer((tokenizer, model), (learned, held), out, settings, notice)
    _run(trainer, out, resume)
    loss = trainer.state.best_metric
    made = Trained(out, len(learned), len(held), trainer.state.global_step, loss, notes)
    _write(trainer, encoder, out, {**made.to_json(), "stage": settings.stage, "beta": settings.beta})
    return made


def split(rows: Sequence[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """The rows that are learned from, and those that are held: which, depends on what is asked in them alone.

    Rows that ask the same are on one side, so nothing that is held was learned.
    """
    if len(rows) < FEWEST:
        return list(rows), []
    numbers = [_number(row, seed) for row in rows]
    chosen = {number for number in numbers if number % HELD == 0} or {min(numbers)}
    learned = [row for row, number in zip(rows, numbers, strict=True) if number not in chosen]
    held = [row for row, number in zip(rows, numbers, strict=True) if number in chosen]
    return (learned, held) if learned else (held, [])


def _number(row: Example, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {row.prompt}".encode()).digest()[:8], "big")


def _examples(encoder: Encoder, data: Path, stage: int) -> list[Example]:
    if stage == 1:
        return list(encoder.rounds(read_conversations(data)))
    return list(encoder.preferences(read_preferences(data)))


def _notes(encoder: Encoder) -> tuple[str, ...]:
    found = {
        f"cut to {encoder.limit} tokens: their earliest rounds are left out": encoder.shortened,
        f"left out: longer than {encoder.limit} tokens without any round": encoder.dropped,
    }
    return tuple(f"{count} examples were {what}" for what, count in found.items() if count)


def require() -> None:
    """Raise UsageError with the pip line where the extra `train` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "accelerate")):
        raise UsageError("training needs torch, transformers and accelerate", fix=f"run: {PIP}")
    # Before torch is loaded: more threads than one make small models slower, and CPUs that others use much slower.
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def _check_out(out: Path, resume: Path | None) -> None:
    if resume is not None:
        if not (resume / "trainer_state.json").is_file():
            raise InputError("no checkpoint", where=str(resume), fix="name a folder checkpoint-N of an earlier run")
    elif any(out.glob("checkpoint-*")):
        last = max(out.glob("checkpoint-*"), key=lambda folder: folder.stat().st_mtime)
        raise UsageError(
            "holds checkpoints of another run", where=str(out), fix=f"give --resume {last}, or another --out"
        )


def load(base: Path) -> tuple[Any, Any]:
    """Tokenizer and weights of a folder, in float32. Raises InputError for what is no causal language model."""
    if not base.is_dir():
        raise InputError("no such folder of a model", where=str(base), fix="name the folder that holds config.json")
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    for quiet in (logging.disable_progress_bar, logging.set_verbosity_error):
        quiet()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype="float32")
    except Exception as error:  # whatever the loaders of tokenizers and weights raise
        what = f"not a model that can be trained: {' '.join(str(error).split())[:200]}"
        raise InputError(
            what, where=str(base), fix="name a folder with a causal language model and its tokenizer"
        ) from None
    if tokenizer.eos_token_id is None:
        raise InputError("the tokenizer has no token for the end", where=str(base), fix="set its eos_token")
    return tokenizer, model


def _context(model: Any, otherwise: int) -> int:
    return int(getattr(model.config, "max_position_embeddings", None) or otherwise)


def _trainer(
    loaded: tuple[Any, Any], rows: tuple[list[Example], list[Example]], out: Path, settings: Settings, notice: Notice
) -> RankingTrainer:
    import torch
    from transformers import TrainingArguments

    from docrev.train.toolplanner.ranking import RankingTrainer

    (tokenizer, model), (learned, held) = loaded, rows
    each = max(1, math.ceil(len(learned) / (settings.batch * settings.accumulate)))
    steps = settings.steps or math.ceil(settings.epochs * each)
    every = settings.save_every or min(each, steps)
    graphics = torch.cuda.is_available()
    if graphics:
        model.gradient_checkpointing_enable()
    arguments = TrainingArguments(
        output_dir=str(out),
        max_steps=steps,
        learning_rate=settings.rate,
        warmup_steps=round(settings.warmup * steps),
        lr_scheduler_type="linear",
        weight_decay=0.0,
        per_device_train_batch_size=settings.batch,
        per_device_eval_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate,
        bf16=graphics and torch.cuda.is_bf16_supported(),
        eval_strategy="steps" if held else "no",
        eval_steps=every,
        save_steps=every,
        save_total_limit=2,
        load_best_model_at_end=bool(held),
        metric_for_best_model="eval_loss" if held else None,
        greater_is_better=False if held else None,
        logging_steps=max(1, min(10, steps)),
        seed=settings.seed,
        data_seed=settings.seed,
        remove_unused_columns=False,
        dataloader_pin_memory=graphics,
        report_to="none",
        disable_tqdm=True,
    )
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    beta = settings.beta if settings.stage == 2 else None
    return RankingTrainer(
        beta=beta, pad=pad, tell=notice, model=model, args=arguments, train_dataset=learned, eval_dataset=held or None
    )


def _run(trainer: RankingTrainer, out: Path, resume: Path | None) -> None:
    from docrev.train.toolplanner.ranking import Diverged

    try:
        trainer.train(resume_from_checkpoint=str(resume) if resume is not None else None)
    except Diverged:
        kept = _keep_good(trainer, out)
        told = f"the loss is no number after {trainer.state.global_step} steps"
        raise UsageError(told, where=str(out), fix=f"{kept}; lower --rate and train again") from None
    except DocrevError:
        raise
    except Exception as error:
        if _is_full(error):
            raise StoreError("no space left", where=str(out), fix="make room, and go on with --resume") from error
        if resume is not None and trainer.state.global_step == 0:
            what = f"a checkpoint that cannot be read: {' '.join(str(error).split())[:160]}"
            raise InputError(what, where=str(resume), fix="resume from an earlier one") from error
        raise


def _keep_good(trainer: RankingTrainer, out: Path) -> str:
    """Write the last good checkpoint as the result, where there is one; says what was done."""
    folders = sorted(out.glob("checkpoint-*"), key=lambda folder: int(folder.name.rpartition("-")[2]))
    best = trainer.state.best_model_checkpoint
    good = Path(best) if best is not None else folders[-1] if folders else None
    if good is None:
        return "nothing was kept"
    from transformers import AutoModelForCausalLM

    AutoModelForCausalLM.from_pretrained(good, local_files_only=True).save_pretrained(out)
    return f"{good.name} is kept"


def _is_full(error: Exception) -> bool:
    return (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)) or "No space left" in str(error)


def _write(trainer: RankingTrainer, encoder: Encoder, out: Path, report: dict[str, Json]) -> None:
    """The model that is best on the held rows (the last one without any), its tokenizer, and how it came about."""
    try:
        trainer.save_model(str(out))
        encoder.tokenizer.save_pretrained(out)
        write_form(out, own=encoder.own)
        told = json.dumps({**report, "log": trainer.state.log_history}, indent=1) + "\n"
        (out / REPORT).write_text(told, encoding="utf-8")
    except Exception as error:
        if _is_full(error):
            raise StoreError("no space left", where=str(out), fix="make room, and train again") from error
        raise
