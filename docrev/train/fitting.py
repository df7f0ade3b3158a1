"""Fitting a base model to rows: what fine-tuning a tool user and ranking a planner's rounds have in common."""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docrev.errors import DocrevError, InputError, UsageError
from docrev.language.characters import one_line
from docrev.models.precision import cuda_has_bfloat16
from docrev.models.tooluser.conversation_model import write_form
from docrev.train.toolllama.base_model import load_base, with_lora
from docrev.train.toolllama.checkpoints import checkpoint, full_disk_explained, room, stopper

PIP = "pip install 'docrev[train]'"
ADAPTER = "adapter"
"""The folder, in that of the model, in which LoRA's adapters are kept apart as well."""
IGNORED = -100
"""The label of a token that is not learned."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """ToolLLaMA's hyper-parameters: learning rate 5e-5, warm-up 4 %, batches of 64 conversations in all, two epochs.

    `each` of a batch are learned from at once on a device; `limit` is in tokens; `ratio` stretches positions (1, 2 or
    4); `rank` 0 trains all weights, more are LoRA's. The share `dev` of the conversations is held out, and looked at
    `saves` times. After the warm-up the rate goes down to 0 along a cosine, or as transformers calls it in `fall`.
    """

    rate: float = 5e-5
    warm_up: float = 0.04
    batch: int = 64
    each: int = 1
    epochs: float = 2
    limit: int = 8192
    ratio: int = 1
    rank: int = 0
    last_only: bool = False
    dev: float = 0.05
    saves: int = 4
    seed: int = 0
    fall: str = "cosine"


@dataclass(slots=True)
class Rows:
    """What is learned from, and what is held out; `collate` makes batches, `trainer` losses, else transformers'.

    `own`: the model is asked in ToolLLaMA's form, which is then its tokenizer's chat template. `cut` rows lost a part
    that was too long, `dropped` ones were too long without it.
    """

    train: Sequence[Any]
    dev: Sequence[Any]
    collate: Callable[[list[Any]], dict[str, Any]]
    own: bool
    trainer: Callable[..., Any] | None = None
    cut: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of it: rows that were learned from and held out, and the loss on these before and after.

    `cut` rows lost a part, `dropped` ones were too long without any; `best` is the checkpoint that was kept.
    """

    folder: Path
    rows: int
    held: int
    before: float
    after: float
    cut: int
    dropped: int
    best: str


def require() -> None:
    """Raise UsageError with the pip line if the extra `train` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "accelerate", "peft")):
        raise UsageError("training needs torch, transformers, accelerate and peft", fix=f"run: {PIP}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def fit(
    base: Path,
    folder: Path,
    recipe: Recipe,
    rows: Callable[[Any, int], Rows],
    *,
    resume: Path | None = None,
    tell: Tell = lambda _: None,
) -> Fitted:
    """Train `base` on the rows made for its tokenizer and a number of tokens; the best checkpoint goes to `folder`.

    Several GPUs: start it by `accelerate launch`. Raises UsageError, also if the loss is no number any more (what
    was best until then is in `folder`); InputError; StoreError without room on the disk.
    """
    require()
    whence = None if resume is None else checkpoint(resume, tell)
    _check(folder, resume)
    tokenizer, model = load_base(base, recipe.ratio)
    made = rows(tokenizer, min(recipe.limit, getattr(model.config, "max_position_embeddings", recipe.limit)))
    if recipe.rank:
        model = with_lora(model, recipe.rank)
    room(model, folder)
    trainer, stop = _trainer(model, tokenizer, made, folder, recipe, tell)
    before = float(trainer.evaluate()["eval_loss"])
    _run(trainer, folder, whence)
    best = Path(trainer.state.best_model_checkpoint or "").name
    if stop.lost:
        if best:
            _write(trainer, tokenizer, made.own, folder, recipe)
        kept = f"{best} is kept" if best else "nothing was kept"
        what = f"the loss is no number after {trainer.state.global_step} steps"
        raise UsageError(what, where=str(folder), fix=f"{kept}; lower --rate and train again")
    after = float(trainer.evaluate()["eval_loss"])
    _write(trainer, tokenizer, made.own, folder, recipe)
    return Fitted(folder, len(made.train), len(made.dev), before, after, made.cut, made.dropped, best)


def padded(rows: Sequence[Mapping[str, Sequence[int]]], pad: int) -> dict[str, Any]:
    """A batch of `input_ids` and `labels`, padded to its longest row; what is padded is neither seen nor learned."""
    import torch

    width = max(len(row["input_ids"]) for row in rows)

    def filled(name: str, value: int) -> Any:
        return torch.tensor([[*row[name], *[value] * (width - len(row[name]))] for row in rows])

    seen = torch.tensor([[1] * len(row["input_ids"]) + [0] * (width - len(row["input_ids"])) for row in rows])
    return {"input_ids": filled("input_ids", pad), "labels": filled("labels", IGNORED), "attention_mask": seen}


def _check(folder: Path, resume: Path | None) -> None:
    """What is there of another run would be taken for this one's. Raises UsageError."""
    if resume is None and any(folder.glob("checkpoint-*")):
        raise UsageError(
            "holds checkpoints of another run", where=str(folder), fix=f"give --resume {folder}, or another --out"
        )


def _run(trainer: Any, folder: Path, whence: Path | None) -> None:
    try:
        with full_disk_explained(folder):
            trainer.train(resume_from_checkpoint=None if whence is None else str(whence))
    except DocrevError:
        raise
    except Exception as error:  # readers of weights raise what they like
        if whence is None:
            raise
        what = f"a checkpoint of something else: {one_line(error)}"
        raise InputError(what, where=str(whence), fix="give the --base and --lora that it was made with") from error


def _write(trainer: Any, tokenizer: Any, own: bool, folder: Path, recipe: Recipe) -> None:
    """The weights as one model, LoRA's merged into it and kept apart as well; its tokenizer; how it is asked."""
    with full_disk_explained(folder):
        if not recipe.rank:
            # By all processes: each may hold a part of the weights.
            trainer.save_model(str(folder))
        if not trainer.is_world_process_zero():
            return
        if recipe.rank:
            model = trainer.accelerator.unwrap_model(trainer.model)
            model.save_pretrained(folder / ADAPTER)
            model.merge_and_unload().save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_form(folder, own=own)


def _trainer(model: Any, tokenizer: Any, rows: Rows, folder: Path, recipe: Recipe, tell: Tell) -> tuple[Any, Any]:
    """The trainer, and what stops it."""
    import torch
    from transformers import PrinterCallback, Trainer, TrainingArguments

    gpus = max(1, int(os.environ.get("WORLD_SIZE", "1")))
    steps = max(1, round(recipe.batch / (recipe.each * gpus)))
    total = math.ceil(len(rows.train) / (recipe.each * gpus) / steps) * recipe.epochs
    every = max(1, int(total / recipe.saves))
    cuda = torch.cuda.is_available()
    arguments = TrainingArguments(
        output_dir=str(folder), learning_rate=recipe.rate, warmup_steps=recipe.warm_up, num_train_epochs=recipe.epochs,
        per_device_train_batch_size=recipe.each, per_device_eval_batch_size=recipe.each,
        gradient_accumulation_steps=steps, lr_scheduler_type=recipe.fall, weight_decay=0.0, max_grad_norm=1.0,
        eval_strategy="steps", eval_steps=every, save_strategy="steps", save_steps=every, save_total_limit=3,
        load_best_model_at_end=True, metric_for_best_model="eval_loss", greater_is_better=False,
        logging_steps=1, logging_nan_inf_filter=False, bf16=cuda_has_bfloat16(), use_cpu=not cuda,
        report_to="none", disable_tqdm=True, seed=recipe.seed, remove_unused_columns=False,
        dataloader_pin_memory=cuda,
    )  # fmt: skip
    if cuda:
        # Two long conversations' activations are more than the weights.
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    stop = stopper(tell)
    train: Any = rows.train
    trainer = (rows.trainer or Trainer)(
        model=model, args=arguments, train_dataset=train, eval_dataset=rows.dev, data_collator=rows.collate,
        processing_class=tokenizer, callbacks=[stop],
    )  # fmt: skip
    trainer.remove_callback(PrinterCallback)
    return trainer, stop
