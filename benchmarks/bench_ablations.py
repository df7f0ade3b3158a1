"""What documentation and experience are worth to the built-in agent, alone and together.

On the bundled services; with `KIT=1` also on real ones, with truths from a snapshot (bench_harm.py says where the kit
is looked for).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench_harm import KIT
from live_tasks import TASKS, write_tasks
from table import Row, render

from docrev.eval.agents.bench import BenchReport, run
from docrev.eval.agents.summary import Line
from docrev.eval.settings import BenchSettings

SUITES = ("bundled", "bundled-heldout", "bundled-hard")
DOCS = ("original", "revised", "no-experience", "experience-only")


def main() -> str:
    with tempfile.TemporaryDirectory() as place:
        reports = [run(name, BenchSettings(docs=DOCS, out=Path(place, name))) for name in SUITES]
        if os.environ.get("KIT"):
            reports += [_live(name, Path(place, name)) for name in TASKS]
    return "\n".join(_table(report) for report in reports)


def _live(name: str, folder: Path) -> BenchReport:
    """The tasks on one service of the kit, which is started and ended for them."""
    service = json.loads(_kit("up", name))
    try:
        tasks = write_tasks(service, json.loads(_kit("snapshot", name))["things"], folder)
        return run(str(tasks), BenchSettings(docs=DOCS, out=folder / "out", concurrency=1))
    finally:
        _kit("down", name)


def _kit(*arguments: str) -> Any:
    command = [sys.executable, str(KIT / "services.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _table(report: BenchReport) -> str:
    rows = [row for line in report.lines for row in _rows(line)]
    rows += [
        Row(
            f"{one.after} against original, points of success",
            f"{100 * one.value:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]",
        )
        for one in report.differences
    ]
    return render(f"{report.suite}: built-in agent, ReACT, {len(report.tasks)} tasks", rows)


def _rows(line: Line) -> list[Row]:
    outcomes = line.outcomes
    solved = sum(one.solved for one in outcomes)
    calls = sum(one.calls_planned for one in outcomes)
    refused = calls - sum(one.calls_answered for one in outcomes)
    silent = sum(
        one.finish == "answer" and not one.solved and one.calls_answered == one.calls_planned for one in outcomes
    )
    per = max(1, solved)
    return [
        Row(f"{line.docs}: solved", f"{solved}"),
        Row(f"{line.docs}: wrong answers without a refused call", f"{silent}"),
        Row(f"{line.docs}: calls refused", f"{refused} of {calls}"),
        Row(f"{line.docs}: calls per solved task", f"{calls / per:.1f}"),
        Row(f"{line.docs}: input tokens per solved task", f"{sum(one.tokens_in for one in outcomes) / per:.0f}"),
    ]
