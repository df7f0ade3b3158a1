"""Loading and editing a spec of 1.3 MB, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from table import Row, render

SPEC = Path(__file__).resolve().parents[2] / "shared" / "data" / "restbench" / "tmdb_oas.json"
CODE = """
import resource, sys, time
from docrev.spec import load
from docrev.spec.edits import Put
started = time.perf_counter()
catalog = load([sys.argv[1]])
loaded = time.perf_counter()
[document] = catalog.documents.values()
operation = catalog.operations[0]
document.edited([Put(operation.place.pointer + "/description", "Edited.")]).to_bytes()
edited = time.perf_counter()
print(loaded - started, edited - loaded, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def main() -> str:
    if not SPEC.exists():
        return render("Documents", [Row(f"skipped: no {SPEC.name} in ../shared/data/restbench", "-")])
    printed = subprocess.run([sys.executable, "-c", CODE, str(SPEC)], check=True, capture_output=True, text=True)
    load, edit, memory = map(float, printed.stdout.split())
    rows = [
        Row("load, seconds", f"{load:.2f}", "< 2", load < 2),
        Row("one edit more, seconds", f"{edit:.2f}", "< 0.5", edit < 0.5),
        Row("memory, MB", f"{memory / 1e6:.0f}", "< 200", memory < 200e6),
    ]
    return render("Documents: tmdb_oas.json, 1.3 MB", rows)
