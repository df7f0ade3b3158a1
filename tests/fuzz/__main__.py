"""`make fuzz`: draws cases by target until the time is over, prints counts, and keeps what does not hold."""

from __future__ import annotations

import argparse
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fuzz.cases import Case, problems
from fuzz.targets import TARGETS

BATCH = 25
MEMORY_MB = 1024
"""All cases run in one process, so this is what its worst one takes, with what the others left."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("cases", nargs="*", type=Path, help="kept cases to run again, and no others")
    parser.add_argument("--seconds", type=float, default=600, help="for all targets (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="other cases (default: 1)")
    parser.add_argument("--only", nargs="*", default=sorted(TARGETS), choices=sorted(TARGETS), help="these targets")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"), help="folder for what is found")
    given_options = parser.parse_args()
    warnings.simplefilter("ignore")
    if given_options.cases:
        found = [(path, line) for path in given_options.cases for line in problems(Case.from_json(path.read_text()))]
        for path, line in found:
            print(f"{path}: {line}")
        return int(bool(found))
    share = given_options.seconds / len(given_options.only)
    print(f"{'target':14} {'cases':>7} {'found':>6} {'kinds':>6}  slowest s", flush=True)
    return max(_fuzz(name, share, given_options.seed, given_options.keep) for name in given_options.only)


def _fuzz(name: str, seconds: float, first: int, keep: Path) -> int:
    """Draw cases of a target for some seconds; prints its line, and returns whether something was found."""
    end, batch, slowest, count = time.monotonic() + seconds, 0, 0.0, 0
    kinds: Counter[str] = Counter()

    def check(case: Case) -> None:
        nonlocal slowest, count
        started = time.monotonic()
        lines = problems(case)
        slowest, count = max(slowest, time.monotonic() - started), count + 1
        for line in lines:
            kind = "".join(char for char in line[:70] if not char.isdigit())
            kinds[kind] += 1
            if kinds[kind] == 1:
                keep.mkdir(parents=True, exist_ok=True)
                path = keep / f"{name}-{first}-{len(kinds)}.json"
                path.write_text(case.to_json())
                print(f"  {path}: {line[:200]!a}", flush=True)

    while time.monotonic() < end:
        _draw(name, first * 100_000 + batch, end, check)
        batch += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:14} {count:7} {kinds.total():6} {len(kinds):6}  {slowest:.1f}   {peak:.0f} MB", flush=True)
    return int(bool(kinds) or peak > MEMORY_MB)


def _draw(name: str, number: int, end: float, check: object) -> None:
    """One batch of cases: the same for the same number."""

    @seed(number)
    @settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.composite(lambda draw: TARGETS[name](draw))())
    def batch(case: Case) -> None:
        if time.monotonic() < end:
            check(case)  # type: ignore[operator]

    batch()


if __name__ == "__main__":
    sys.exit(main())
