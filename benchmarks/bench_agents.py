"""Agents with old and new documentation: the bundled suite, RestBench with every runner, and what evaluating costs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import yaml
from table import Row, render

from docrev.eval.agents.bench import BenchReport, run
from docrev.eval.agents.summary import RateDifference
from docrev.eval.agents.tables import text
from docrev.eval.settings import BenchSettings
from docrev.eval.suites.registry import suite
from docrev.runners import RUNNERS

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "restbench"
GAIN, TOKENS, SECONDS, FLAT = 25, 1.3, 60, 1.5
MANY, FEW = 1000, 250
"""Tasks whose evaluation is timed, and those that its memory is held against."""


def main() -> str:
    with tempfile.TemporaryDirectory() as place:
        parts = [_bundled(Path(place, "bundled")), _recorded(Path(place, "recorded"))]
        if DATA.is_dir():
            parts += [_restbench(part, Path(place, part)) for part in ("tmdb", "spotify")]
        else:
            parts.append("RestBench: skipped, its data is not beside the project\n")
    return "\n".join(parts)


def _bundled(out: Path) -> str:
    report = run("bundled", BenchSettings(docs=("original", "revised", "easytool", "draft"), out=out))
    by_name = {one.after: one for one in report.differences}
    revised = by_name["revised"]
    met = 100 * revised.value >= GAIN and revised.low > 0
    rows = [Row("revised against original, points of success", _points(revised), f">= {GAIN}, interval above 0", met)]
    for name in ("easytool", "draft"):
        better = revised.value > by_name[name].value
        rows.append(Row(f"{name} against original", _points(by_name[name]), "less than revised", better))
    tokens = revised.tokens
    cheap = tokens is not None and tokens <= TOKENS
    rows.append(Row("input tokens per solved task, revised over original", f"{tokens} x", f"<= {TOKENS} x", cheap))
    return f"{text(report)}\n\n{render('Bundled suite, offline agent, ReACT', rows)}"


def _points(found: RateDifference) -> str:
    return f"{100 * found.value:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"


def _restbench(part: str, out: Path) -> str:
    report = run(f"restbench-{part}", BenchSettings(data=DATA, runners=",".join(RUNNERS), out=out))
    rows = [Row("queries that end in a row", str(_rows(report)), str(len(report.tasks)), _rows(report) == _all(report))]
    for one in report.differences:
        shown = f"{_path(report, one.before, one.runner)} -> {_path(report, one.after, one.runner)}"
        rows.append(Row(f"correct path, {one.runner}: original -> revised", shown, "no less", one.value >= 0))
    return f"{text(report)}\n\n{render(f'RestBench {part}, simulated, offline agent', rows)}"


def _rows(report: BenchReport) -> int:
    return min(len(line.outcomes) for line in report.lines)


def _all(report: BenchReport) -> int:
    return len(report.tasks)


def _path(report: BenchReport, docs: str, runner: str) -> str:
    line = next(one for one in report.lines if (one.docs, one.runner) == (docs, runner))
    return f"{100 * line.measures['correct_path'].value:.1f}"


def _recorded(folder: Path) -> str:
    """Evaluate again what was recorded, in processes of their own."""
    few, many = (_evaluated(folder / str(count), count) for count in (FEW, MANY))
    rows = [
        Row(f"{MANY} recorded tasks evaluated, seconds", f"{many[0]:.1f}", f"< {SECONDS}", many[0] < SECONDS),
        Row(f"peak memory, {FEW} tasks, MB", f"{few[1]:.0f}"),
        Row(
            f"peak memory, {MANY} tasks, over that",
            f"{many[1] / few[1]:.2f} x",
            f"<= {FLAT} x",
            many[1] <= FLAT * few[1],
        ),
    ]
    return render("Evaluation of recorded tasks (tables, page and JSON)", rows)


def _evaluated(folder: Path, count: int) -> tuple[float, float]:
    """Seconds and MB of `docrev bench` on tasks that were done before."""
    folder.mkdir(parents=True)
    file = folder / "tasks.yaml"
    _write(file, count)
    command = [sys.executable, "-m", "docrev", "bench", str(file), "--docs", "original", "--out", str(folder / "out")]
    subprocess.run(command, check=True, capture_output=True)
    measured = "import resource, runpy, sys; sys.argv[:] = sys.argv[1:]\n"
    measured += "try: runpy.run_module('docrev', run_name='__main__')\n"
    measured += "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)"
    started = time.perf_counter()
    told = subprocess.run([command[0], "-c", measured, *command[2:]], check=True, capture_output=True, text=True)
    return time.perf_counter() - started, float(told.stderr.split()[-1])


def _write(file: Path, count: int) -> None:
    """The bundled tasks that only read, again and again, as somebody's own."""
    loaded = suite("bundled").load()
    names = [path.name for path in loaded.write(file.parent)]
    reading = [task for task in loaded.tasks if all(key.method == "GET" for path in task.gold for key in path)]
    tasks = [
        {"id": f"t{number}", "text": reading[number % len(reading)].text, "gold": _gold(reading, number)}
        for number in range(count)
    ]
    file.write_text(yaml.safe_dump(json.loads(json.dumps({"specs": names, "tasks": tasks}))), "utf-8")


def _gold(tasks: Sequence[object], number: int) -> list[str]:
    return [str(key) for key in tasks[number % len(tasks)].gold[0]]  # type: ignore[attr-defined]


if __name__ == "__main__":
    print(main())
