"""Evidence that grows: processor time and memory of commands on runs of 10,000 to a million calls, and disk per call.

The calls are those of one real exploration of the bundled services, written again and again under other ids by the
store itself. `CALLS="10000 100000"` chooses sizes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from measured_commands import Measured, measured
from table import Row, render

from docrev import api
from docrev.evidence import Evidence
from docrev.evidence.store import FILE_NAME
from docrev.sandbox import serve

SIZES = tuple(map(int, os.environ.get("CALLS", "10000 100000 1000000").split()))
FIRST, MORE = 300, 310
"""Requests of the exploration, which spends them all, and of the one that goes on with it."""
MAX_GROWTH = 64
"""MB that a command may take more for each ten times as many calls: SQLite's and our own bounded memories fill."""
LINEAR = 1.3
"""How much more than in proportion the time may grow: other programs use the machine too."""


def main() -> str:
    with serve() as urls, tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "base")
        bases = [f"{tool}={url}" for tool, url in urls.items()]
        api.explore("specs", base_urls=bases, out=base, max_calls=FIRST)
        found = {size: _commands(base, size, urls) for size in SIZES}
    rows = [Row(f"{name}, {size:,} calls", str(one)) for size, of in found.items() for name, one in of.items()]
    return render("Evidence that grows (commands: seconds of processor, MB)", [*rows, *_slopes(found)])


def _commands(base: Path, size: int, urls: Mapping[str, str]) -> dict[str, object]:
    folder = base.with_name(str(size))
    shutil.copytree(base, folder)
    started = time.process_time()
    _grow(folder, size)
    writing = time.process_time() - started
    out, bases = str(folder), [word for tool, url in urls.items() for word in ("--base-url", f"{tool}={url}")]
    disk = (folder / FILE_NAME).stat().st_size / size
    found: dict[str, object] = {
        "writing: µs of processor a call": f"{writing / size * 1e6:.0f}",
        "disk: bytes a call": f"{disk:.0f}",
        "facts": measured("facts", out),
        "evidence": measured("evidence", out),
        "evidence --json": measured("evidence", out, "--json"),
        "revise": measured("revise", "specs", "--evidence", out),
        "explore, going on": measured("explore", "specs", *bases, "--out", out, "--max-calls", str(MORE)),
        "evidence --prune": measured("evidence", out, "--prune"),
        "revise, pruned": measured("revise", "specs", "--evidence", out),
    }
    found["disk, pruned: MB"] = f"{(folder / FILE_NAME).stat().st_size / 1e6:.1f}"
    shutil.rmtree(folder)
    return found


def _grow(folder: Path, size: int) -> None:
    """Write more calls like those that are there, until there are so many."""
    with Evidence.open(folder, write=True) as evidence:
        evidence.select(evidence.runs()[-1])
        kept = list(evidence.calls.select())
        like = [call for call in kept if call.purpose not in ("replay", "clean-up")]
        for number in range(size - len(kept)):
            call = like[number % len(like)]
            evidence.calls.put(replace(call, id=f"{call.id}-{number // len(like)}"))


def _slopes(found: Mapping[int, Mapping[str, object]]) -> Iterator[Row]:
    for small, large in pairwise(found):
        times = large / small
        for name, before in found[small].items():
            after = found[large][name]
            if isinstance(before, Measured) and isinstance(after, Measured):
                failed = before.code or after.code
                grown, slower = after.memory - before.memory, after.seconds / before.seconds
                met = not failed and grown <= MAX_GROWTH and slower <= times * LINEAR
                what = f"{name}, {small:,} to {large:,} calls: MB more, times the seconds"
                yield Row(what, f"{grown:.0f}, {slower:.1f}", f"<= {MAX_GROWTH}, {times * LINEAR:.0f}", met)


if __name__ == "__main__":
    print(main())
