"""Checkpoints: whether one is whole, whether there is room for two, and what stops training before a bad one."""

from __future__ import annotations

import errno
import json
import math
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docrev.errors import InputError, StoreError
from docrev.train.pace import time_left

_FULL = ("No space left", "PytorchStreamWriter failed", "unexpected pos")
"""What writers of weights say when a disk is full; not all of them say it as an OSError."""


def checkpoint(folder: Path, tell: Callable[[str], None]) -> Path:
    """`folder` if it is a checkpoint, or else the last one in it that is whole. Raises InputError."""
    inside = sorted(folder.glob("checkpoint-*"), key=_number)
    for path in reversed(inside or [folder]):
        if whole(path):
            return path
        tell(f"{path}: not a whole checkpoint; left out")
    raise InputError("no whole checkpoint", where=str(folder), fix="name a folder checkpoint-N that was finished")


def _number(path: Path) -> int:
    number = path.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1


def whole(path: Path) -> bool:
    """Whether weights and trainer's state can be read to their end."""
    from safetensors import SafetensorError, safe_open

    weights = sorted(path.glob("*.safetensors"))
    try:
        json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
        for file in weights:
            with safe_open(file, "pt") as opened:
                opened.keys()
    except (SafetensorError, OSError, ValueError):
        return False
    # torch writes archives, and their table of contents last.
    return bool(weights) and all(zipfile.is_zipfile(path / f"{name}.pt") for name in ("optimizer", "scheduler"))


def room(model: Any, folder: Path) -> None:
    """Raise StoreError if two checkpoints would not fit."""
    folder.mkdir(parents=True, exist_ok=True)
    # Weights, and two running means for each.
    needed = 2 * 3 * sum(part.numel() * part.element_size() for part in model.parameters() if part.requires_grad)
    if shutil.disk_usage(folder).free < needed:
        what = f"two checkpoints of {needed // 2**20} MiB in all do not fit"
        raise StoreError(what, where=str(folder), fix="make room, or train by LoRA")


def is_full(error: Exception) -> bool:
    """Whether an error of a writer says that the disk is full."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or any(sign in str(error) for sign in _FULL)


@contextmanager
def full_disk_explained(folder: Path, fix: str = "make room and go on with --resume") -> Iterator[None]:
    """Raise StoreError for what writers of weights raise in the block when the disk is full."""
    try:
        yield
    except Exception as error:  # writers of weights raise what they like
        if is_full(error):
            raise StoreError("no space left", where=str(folder), fix=fix) from error
        raise


def stopper(tell: Callable[[str], None]) -> Any:
    """A callback that tells of each look at what is held out, and ends training at the first loss that is no number,
    before anything is saved over."""
    from transformers import TrainerCallback

    class Stop(TrainerCallback):
        """`lost` is True once a loss was no number."""

        lost = False
        started, first = 0.0, 0

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.started, self.first = time.monotonic(), state.global_step

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if logs and "eval_loss" in logs:
                share = (state.global_step - self.first) / max(1, state.max_steps - self.first)
                left = time_left(share, time.monotonic() - self.started)
                tell(f"step {state.global_step} of {state.max_steps}: loss held out {logs['eval_loss']:.3f}{left}")
            losses = [(logs or {}).get(name, 0.0) for name in ("loss", "eval_loss", "grad_norm")]
            if not all(map(math.isfinite, losses)):
                self.lost = control.should_training_stop = True
                control.should_save = control.should_evaluate = False

    return Stop()
