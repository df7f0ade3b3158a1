"""Numbers of `make bench` that are kept: what fell is told from what rose, and what only changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
CODE = """
import sys
from pathlib import Path
from numbers_kept import compare_numbers, keep_numbers, read_numbers
from table import Row, render, RENDERED

file = Path(sys.argv[1])
render("Reach", [Row("reached", "34 of 36", ">= 33", True), Row("requests", "585", "<= 600", True), Row("name", "a")])
keep_numbers("kinto", RENDERED, file)
kept = read_numbers(file)["kinto"]
assert compare_numbers(kept, RENDERED) == []
RENDERED.clear()
render("Reach", [Row("reached", "33 of 36", ">= 33", True), Row("requests", "500", "<= 600", True), Row("name", "b"),
                 Row("more", "1")])
print("\\n".join(compare_numbers(kept, RENDERED)))
RENDERED.clear()
print("\\n".join(compare_numbers(kept, RENDERED)))
"""


def test_what_fell_is_printed_first(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "numbers.json")],
        env={"PYTHONPATH": str(BENCHMARKS)},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "FELL: Reach: reached: 34 of 36 -> 33 of 36",
        "rose: Reach: requests: 585 -> 500",
        "changed: Reach: name: a -> b",
        "new: Reach: more: 1",
        "gone: Reach: reached",
        "gone: Reach: requests",
        "gone: Reach: name",
    ]


def test_every_section_is_in_the_readme() -> None:
    sections = {path.stem.removeprefix("bench_") for path in BENCHMARKS.glob("bench_*.py")}
    listed = {line.split("|")[1].strip() for line in (BENCHMARKS / "README.md").read_text().splitlines() if "|" in line}
    assert sections
    assert sections <= listed
