"""`make bench`: measures, and prints tables. `make bench ONLY="kinto demo"` measures a part."""

from __future__ import annotations

import importlib
import sys

SECTIONS = (
    "documents",
    "importing",
    "services",
    "throughput",
    "demo",
    "kinto",
    "recovery",
    "models",
    "recorded",
    "agents",
    "retrieval",
    "tooluser",
    "planner",
)


def main(names: list[str]) -> int:
    """Print the table of each section; 1 where something that is wanted was not met."""
    unknown = sorted(set(names) - set(SECTIONS))
    if unknown:
        print(f"no section {unknown[0]}; the sections are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    missed = False
    for name in names or SECTIONS:
        table = importlib.import_module(f"bench_{name}").main()
        missed = missed or "NOT MET" in table
        print(table, flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
