"""Which precision to compute in: bfloat16 where the hardware is quicker at it, else float32.

A processor without instructions for bfloat16 emulates it, up to thirty times as slowly as it computes in float32. It
is measured, since names and flags of processors do not tell what a version of torch makes of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

Precision = Literal["bfloat16", "float32"]
Wanted = Literal["auto", "bfloat16", "float32"]

ROUNDS = 5
"""Each precision's best time counts: what else runs on the machine makes single ones longer, never shorter."""
MARGIN = 1.3
"""How much quicker bfloat16 must be: by less it is not worth its rounding, and chance could decide."""
_ROWS, _WIDTH = 64, 384  # tokens of a text or two, the width of a small model: with emulation 0.1 s, else 5 ms


def precision(wanted: Wanted, device: str = "cpu") -> Precision:
    """The precision to compute in on a torch device of this type: `wanted`, or for `auto` the quicker one there."""
    return fastest(device) if wanted == "auto" else wanted


@cache
def fastest(device: str) -> Precision:
    """bfloat16 where a device of this type has it, float32 elsewhere; found out once in a process."""
    if device == "cuda":
        return "bfloat16" if cuda_has_bfloat16() else "float32"
    return quicker(*times()) if device == "cpu" else "float32"


def default_device() -> str:
    """The type of the device that sentence-transformers computes on unless told otherwise."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def cuda_has_bfloat16() -> bool:
    """Whether there is a CUDA device that has bfloat16 in hardware."""
    import torch

    return torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)


def quicker(in_float32: float, in_bfloat16: float) -> Precision:
    """The precision to choose by the two times."""
    return "bfloat16" if in_bfloat16 * MARGIN < in_float32 else "float32"


def times() -> tuple[float, float]:
    """The best times in seconds of a layer, there and back as in training, in float32 and by autocast in bfloat16."""
    import torch

    weights = torch.full((_WIDTH, _WIDTH), 0.5, requires_grad=True)
    rows = torch.ones(_ROWS, _WIDTH, requires_grad=True)

    def run(enabled: bool) -> None:
        with torch.enable_grad(), torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            found = torch.nn.functional.linear(rows, weights)
        torch.autograd.grad(found, (rows, weights), torch.ones_like(found))

    return interleaved(lambda: run(False), lambda: run(True))


def interleaved(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[float, float]:
    """The best time of each, taken in turns, so that a busy moment meets both."""
    rounds = [(_seconds(first), _seconds(second)) for _ in range(ROUNDS)]
    return min(one for one, _ in rounds), min(other for _, other in rounds)


def _seconds(run: Callable[[], Any]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
