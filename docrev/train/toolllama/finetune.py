"""`--base`: a causal language model fine-tuned into a tool user, whole or by LoRA (ToolLLM §3.1, appendix A.4)."""

from __future__ import annotations

import errno
import importlib.util
import math
import os
import random
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docrev.errors import DocrevError, InputError, StoreError, UsageError
from docrev.models.tooluser.speaking import OWN_TEMPLATE, write_form
from docrev.train.data.conversations import Conversation, read_conversations
from docrev.train.toolllama.masking import IGNORED, Example, Masker

PIP = "pip install 'docrev[train]'"
RATIOS = (1, 2, 4)


class NoLoss(DocrevError):
    """The loss is no number any more; the last good checkpoint is kept."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """ToolLLaMA's hyper-parameters: learning rate 5e-5, warm-up 4 %, batches of 64 conversations in all, two epochs.

    `limit` is in tokens; `ratio` stretches positions (1, 2 or 4); `rank` 0 trains all weights, more are LoRA's.
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


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of it: losses on the conversations held out, before and after; `cut`, `dropped`: see `Masker`."""

    folder: Path
    examples: int
    before: float
    after: float
    cut: int
    dropped: int
    best: str


def require() -> None:
    """Raise UsageError with the pip line where the extra `train` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "accelerate", "peft")):
        raise UsageError("training needs torch, transformers, accelerate and peft", fix=f"run: {PIP}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def load_base(base: Path, ratio: int = 1) -> tuple[Any, Any]:
    """Tokenizer and weights of a folder; a padding token is found where none is named. Raises InputError."""
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if not (base / "config.json").is_file():
        raise InputError("no such folder of a model", where=str(base), fix="name the folder that holds config.json")
    try:
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True)
    except Exception as error:  # whatever the loaders of tokenizers and weights raise
        raise InputError(f"no causal language model: {_line(error)}", where=str(base), fix="try another") from None
    if tokenizer.eos_token is None:
        raise InputError("the tokenizer has no end-of-text token", where=str(base), fix="set eos_token in it")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.unk_token or tokenizer.eos_token
    stretch(model, ratio)
    return tokenizer, model


def stretch(model: Any, ratio: int) -> None:
    """Positional interpolation (Chen et al., 2023): positions divided by `ratio`, a context `ratio` times as long.

    Raises UsageError for another ratio, InputError for an architecture without rotary positions.
    """
    if ratio not in RATIOS:
        raise UsageError(f"no ratio {ratio}", where="--ratio", fix="use 1, 2 or 4")
    if ratio == 1:
        return
    config, inner = model.config, getattr(model, "model", None)
    known = getattr(config, "rope_parameters", None)
    if not isinstance(known, dict) or not hasattr(inner, "rotary_emb") or "rope_type" not in known:
        raise InputError(f"{config.model_type} has no rotary positions to stretch", where="--ratio", fix="use 1")
    if known["rope_type"] != "default":
        raise InputError(f"positions are stretched already ({known['rope_type']})", where="--ratio", fix="use 1")
    config.rope_parameters = {**known, "rope_type": "linear", "factor": float(ratio)}
    config.max_position_embeddings *= ratio
    positions: Any = inner
    positions.rotary_emb = type(positions.rotary_emb)(config=config).to(model.device)


def perplexity(model: Any, ids: Sequence[int], window: int) -> float:
    """The perplexity of a long text, by windows of `window` tokens."""
    import torch

    total = count = 0.0
    model.eval()
    for at in range(0, len(ids) - window + 1, window):
        told = torch.tensor([ids[at : at + window]], device=model.device)
        with torch.inference_mode():
            total += float(model(input_ids=told, labels=told).loss) * (window - 1)
        count += window - 1
    if not count:
        raise UsageError(f"the text is shorter than {window} tokens", fix="give a longer one")
    return math.exp(total / count)


def with_lora(model: Any, rank: int) -> Any:
    """The model with adapters of this rank on every linear layer but the last (Hu et al., 2021)."""
    from peft import LoraConfig, get_peft_model

    settings = LoraConfig(
        r=rank, lora_alpha=2 * rank, lora_dropout=0.05, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, settings)


def merge(adapter: Path, folder: Path) -> None:
    """Weights and adapter of a folder as one model without adapters."""
    from peft import AutoPeftModelForCausalLM
    from transformers import AutoTokenizer

    try:
        model: Any = AutoPeftModelForCausalLM.from_pretrained(adapter, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(adapter, local_files_only=True)
    except Exception as error:  # whatever the loaders raise
        raise InputError(
            f"no adapter: {_line(error)}", where=str(adapter), fix="name a folder trained by LoRA"
        ) from None
    model.merge_and_unload().save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def tune(
    base: Path,
    files: Iterable[Path],
    folder: Path,
    recipe: Recipe | None = None,
    *,
    resume: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Tuned:
    """Fine-tune `base` on the conversations of `files`; the best checkpoint by the loss held out goes to `folder`.

    Several GPUs: start it by `accelerate launch`. Raises UsageError, InputError; StoreError without room on the disk;
    NoLoss where the loss is no number, the last good checkpoint being kept.
    """
    require()
    recipe = recipe or Recipe()
    records = [record for file in files for record in read_conversations(file)]
    tokenizer, model = load_base(base, recipe.ratio)
    most = min(recipe.limit, getattr(model.config, "max_position_embeddings", recipe.limit))
    masker = Masker(tokenizer, most, recipe.last_only)
    learned, held = _split(records, recipe)
    train, dev = list(masker.examples(learned)), list(masker.examples(held))
    if masker.plain:
        tell("the chat template changes earlier turns; conversations are written as ToolLLaMA has them")
    if masker.cut or masker.dropped:
        tell(f"longer than {most} tokens: {masker.cut} cut at a turn, {masker.dropped} left out")
    if not train or not dev:
        raise InputError("too few conversations with something to learn", fix="give more, or a larger --limit")
    if recipe.rank:
        model = with_lora(model, recipe.rank)
    _room(model, folder, recipe)
    trainer = _trainer(model, tokenizer, train, dev, folder, recipe)
    before = float(trainer.evaluate()["eval_loss"])
    try:
        trainer.train(resume_from_checkpoint=None if resume is None else str(_checkpoint(resume)))
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError("no space left", where=str(folder), fix="make room and go on with --resume") from None
        raise
    if any(not math.isfinite(line.get("loss", 0.0)) for line in trainer.state.log_history):
        raise NoLoss(
            "the loss is no number any more", where=str(folder), fix="lower --rate; the last checkpoint is good"
        )
    after = float(trainer.evaluate()["eval_loss"])
    if trainer.is_world_process_zero():
        trainer.save_model(str(folder))
        own = masker.plain or not tokenizer.chat_template
        if own:
            # Asked as it was trained: without a template it would be asked in paragraphs.
            tokenizer.chat_template = OWN_TEMPLATE
        tokenizer.save_pretrained(folder)
        write_form(folder, own=own)
    best = trainer.state.best_model_checkpoint or ""
    return Tuned(folder, len(train), before, after, masker.cut, masker.dropped, Path(best).name)


def _split(records: list[Conversation], recipe: Recipe) -> tuple[list[Conversation], list[Conversation]]:
    """Conversations to learn from, and those held out, by the seed."""
    order = list(range(len(records)))
    random.Random(f"dev {recipe.seed}").shuffle(order)
    count = max(1, round(recipe.dev * len(records)))
    out = set(order[:count])
    return [one for at, one in enumerate(records) if at not in out], [records[at] for at in sorted(out)]


def _trainer(model: Any, tokenizer: Any, train: list[Example], dev: list[Example], folder: Path, recipe: Recipe) -> Any:
    import torch
    from transformers import Trainer, TrainingArguments

    gpus = max(1, int(os.environ.get("WORLD_SIZE", "1")))
    steps = max(1, round(recipe.batch / (recipe.each * gpus)))
    total = math.ceil(len(train) / (recipe.each * gpus) / steps) * recipe.epochs
    every = max(1, int(total / recipe.saves))
    cuda = torch.cuda.is_available()
    arguments = TrainingArguments(
        output_dir=str(folder), learning_rate=recipe.rate, warmup_steps=recipe.warm_up, num_train_epochs=recipe.epochs,
        per_device_train_batch_size=recipe.each, per_device_eval_batch_size=recipe.each,
        gradient_accumulation_steps=steps, lr_scheduler_type="cosine", weight_decay=0.0, max_grad_norm=1.0,
        eval_strategy="steps", eval_steps=every, save_strategy="steps", save_steps=every, save_total_limit=3,
        load_best_model_at_end=True, metric_for_best_model="eval_loss", greater_is_better=False,
        logging_steps=1, logging_nan_inf_filter=False, bf16=cuda and torch.cuda.is_bf16_supported(), use_cpu=not cuda,
        report_to="none", disable_tqdm=True, seed=recipe.seed, remove_unused_columns=False,
    )  # fmt: skip
    return Trainer(
        model=model, args=arguments, train_dataset=_rows(train), eval_dataset=_rows(dev),
        data_collator=_padding(tokenizer.pad_token_id), processing_class=tokenizer, callbacks=[_stopper()],
    )  # fmt: skip


def _rows(found: list[Example]) -> Any:
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


def _stopper() -> Any:
    from transformers import TrainerCallback

    class Stop(TrainerCallback):
        """Ends training at the first loss that is no number, before anything is saved over."""

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if not math.isfinite((logs or {}).get("loss", 0.0)):
                control.should_training_stop, control.should_save, control.should_evaluate = True, False, False

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.log_history and not math.isfinite(state.log_history[-1].get("loss", 0.0)):
                control.should_save = False

    return Stop()


def _checkpoint(folder: Path) -> Path:
    """A checkpoint that is whole: the folder itself, or the last whole one in it. Raises InputError."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    for path in reversed(found or [folder]):
        if _whole(path):
            return path
    raise InputError("no whole checkpoint", where=str(folder), fix="name a folder checkpoint-N that was finished")


def _whole(path: Path) -> bool:
    """Whether weights and trainer's state can be read to their end."""
    from safetensors import SafetensorError, safe_open

    weights = sorted(path.glob("*.safetensors"))
    if not weights or not (path / "trainer_state.json").is_file() or not (path / "optimizer.pt").is_file():
        return False
    try:
        for file in weights:
            with safe_open(file, "pt") as opened:
                opened.keys()
    except (SafetensorError, OSError):
        return False
    return True


def _room(model: Any, folder: Path, recipe: Recipe) -> None:
    """Raise StoreError where two checkpoints would not fit."""
    folder.mkdir(parents=True, exist_ok=True)
    trained = sum(part.numel() for part in model.parameters() if part.requires_grad)
    needed = 2 * trained * 3 * 4
    if shutil.disk_usage(folder).free < needed:
        what = f"two checkpoints of {needed // 2**20} MiB in all do not fit"
        raise StoreError(what, where=str(folder), fix="make room, or train by LoRA")


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else f"{text[:199]}…"
