"""`make bench`: measures, and prints tables. `make bench ONLY="kinto demo"` measures a part.

`COMPARE=1` prints after each section what fell or changed since the numbers in `numbers.json` were kept, `KEEP=1` keeps
those of this run in their place.
"""

from __future__ import annotations

import importlib
import os
import sys

from numbers_kept import compare_numbers, keep_numbers, read_numbers
from table import RENDERED

SECTIONS = (
    "documents",
    "importing",
    "services",
    "harm",
    "reach",
    "kills",
    "hostile",
    "throughput",
    "growth",
    "cluster",
    "demo",
    "kinto",
    "recovery",
    "worth",
    "life",
    "messages",
    "models",
    "model",
    "recorded",
    "agents",
    "ablations",
    "retrieval",
    "tooluser",
    "planner",
)


def main(names: list[str]) -> int:
    """Print the table of each section; 1 if something that is wanted was not met."""
    unknown = sorted(set(names) - set(SECTIONS))
    if unknown:
        print(f"no section {unknown[0]}; the sections are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    missed = False
    for name in names or SECTIONS:
        RENDERED.clear()
        table = importlib.import_module(f"bench_{name}").main()
        missed = missed or "NOT MET" in table
        print(table, flush=True)
        if os.environ.get("COMPARE"):
            print_comparison(name)
        if os.environ.get("KEEP"):
            keep_numbers(name, RENDERED)
    return int(missed)


def print_comparison(section: str) -> None:
    """Print how the numbers of a section that was just measured differ from those that were kept."""
    kept = read_numbers().get(section)
    if kept is None:
        print(f"{section}: no numbers were kept; make bench ONLY={section} KEEP=1 keeps them\n", flush=True)
        return
    lines = compare_numbers(kept, RENDERED)
    print("\n".join([f"{section} beside the numbers that were kept:", *(lines or ["as before"]), ""]), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
