"""An exploration keeps as many requests on the wire as it may: by a clock that stands still while it computes, on which
no other work on the machine tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
CODE = """
from still_clock import waited
print(waited(12, 0.1, concurrency=4).on_the_wire)
"""


def test_what_only_reads_is_done_side_by_side() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], env={"PYTHONPATH": str(BENCHMARKS)}, capture_output=True, text=True, check=True
    )
    assert 3.6 <= float(done.stdout) <= 4.01
