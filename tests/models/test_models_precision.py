"""Which precision is computed in: by times that are given here, and by a processor that is held back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from patience import HANGS

from docrev.models import precision

HELD_BACK = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
"""Torch then computes as on a processor without instructions for bfloat16."""


@pytest.mark.parametrize(
    ("in_float32", "in_bfloat16", "chosen"),
    [(3.0, 1.0, "bfloat16"), (1.0, 30.0, "float32"), (1.0, 1.0, "float32"), (1.2, 1.0, "float32")],
    ids=["quicker", "emulated", "as quick", "hardly quicker"],
)
def test_bfloat16_is_chosen_where_it_is_clearly_quicker(in_float32: float, in_bfloat16: float, chosen: str) -> None:
    assert precision.quicker(in_float32, in_bfloat16) == chosen


def test_a_busy_moment_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def lasting(*seconds: float) -> Callable[[], None]:
        left = iter(seconds)

        def run() -> None:
            clock[0] += next(left)

        return run

    monkeypatch.setattr(precision.time, "perf_counter", lambda: clock[0])
    first, second = lasting(3, 90, 3, 3, 4), lasting(50, 1, 70, 2, 60)
    assert precision.interleaved(first, second) == (3, 1)


def test_what_is_wanted_is_not_measured() -> None:
    assert precision.precision("float32") == "float32"
    assert precision.precision("bfloat16") == "bfloat16"
    assert precision.precision("auto", "mps") == "float32"


def test_it_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def times() -> tuple[float, float]:
        asked.append(1)
        return 2.0, 1.0

    monkeypatch.setattr(precision, "times", times)
    precision.fastest.cache_clear()
    try:
        assert [precision.precision("auto"), precision.precision("auto")] == ["bfloat16"] * 2
    finally:
        precision.fastest.cache_clear()
    assert len(asked) == 1


@pytest.mark.long
def test_a_processor_without_bfloat16_computes_in_float32() -> None:
    pytest.importorskip("torch")
    code = "from docrev.models.precision import precision, times; print(precision('auto'), *times())"
    environment = {**os.environ, **HELD_BACK}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=HANGS, check=True
    )
    chosen, in_float32, in_bfloat16 = done.stdout.split()
    if float(in_bfloat16) < 3 * float(in_float32):
        pytest.skip("not held back: torch computes here by a library that these variables do not reach")
    assert chosen == "float32"
