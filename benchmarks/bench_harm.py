"""Harm: what explorations that may write do to services that hold somebody's data, judged by the services themselves.

500 generated services (`tests/stateful`), and 100 of RPC style; with `KIT=1` also real ones, by the kit that starts and
compares them. The kit is `measure.py` in the folder that SERVICES_KIT names, or in ../shared/services.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from stateful.exploring import Outcome, explored
from stateful.referee import segments_of
from stateful.rpc_drawing import FIRST
from table import Row, render

from docrev.errors import UnreachableError

SERVICES = 500
RPC_SERVICES = 100
CALLS = 300
KIT = Path(os.environ.get("SERVICES_KIT") or Path(__file__).resolve().parents[2] / "shared" / "services")
REAL = ("kinto", "chroma", "jupyter", "powerdns", "airflow", "changedetection")
REAL_CALLS = 1500
NAMED = 20
"""Lines of harm that are printed under a table."""


def main() -> str:
    return "\n".join([*generated(), *kit()])


# Generated services


def generated() -> list[str]:
    """What the referee says of all generated services, then by kind of trap."""
    with ProcessPoolExecutor() as pool:
        outcomes = list(pool.map(_outcome, range(SERVICES), chunksize=5))
        tried = list(pool.map(_outcome_if_any, range(FIRST, FIRST + RPC_SERVICES), chunksize=5))
    procedures = [outcome for outcome in tried if outcome is not None]
    title = f"Harm: generated services, {CALLS} requests each"
    return [
        *_judged(title, outcomes),
        render("Harm: by kind of trap", _by_trap(outcomes)),
        *_judged(f"Harm: generated services of RPC style, {CALLS} requests each", procedures),
    ]


def _judged(title: str, outcomes: Sequence[Outcome]) -> list[str]:
    harm = sum(len(outcome.verdict.harmed) for outcome in outcomes)
    left = sum(len(outcome.verdict.left) for outcome in outcomes)
    unaccounted = sum(len(outcome.verdict.unaccounted) for outcome in outcomes)
    parents = max(outcome.parents for outcome in outcomes)
    rows = [
        Row("services", str(len(outcomes))),
        Row("operations", f"{sum(outcome.operations for outcome in outcomes):,}"),
        Row("operations with 2xx", f"{sum(outcome.reached for outcome in outcomes):,}"),
        Row("requests", f"{sum(outcome.requests for outcome in outcomes):,}"),
        Row("things that the runs created", f"{sum(outcome.created for outcome in outcomes):,}"),
        Row("changes to what the run did not create", f"{harm:,}", "0", harm == 0),
        Row("first changes by GETs that nothing told of", str(_unforeseeable(outcomes))),
        Row("creations that are left", f"{left:,}"),
        Row("of these not in the run's account", f"{unaccounted:,}", "0", unaccounted == 0),
        Row("most parents of a kind that a run left and nobody can remove", str(parents), "<= 1", parents <= 1),
    ]
    return [render(title, rows) + _named(outcomes)]


def _outcome(seed: int) -> Outcome:
    return asyncio.run(explored(seed, calls=CALLS))


def _outcome_if_any(seed: int) -> Outcome | None:
    """None for a service of which no operation could be called with what its spec says."""
    try:
        return _outcome(seed)
    except UnreachableError:
        return None


def _unforeseeable(outcomes: Iterable[Outcome]) -> int:
    return sum(len(outcome.verdict.unforeseeable) for outcome in outcomes)


def _by_trap(outcomes: Sequence[Outcome]) -> list[Row]:
    services = Counter(trap for outcome in outcomes for trap in outcome.traps)
    harm: Counter[str] = sum((outcome.verdict.by_trap for outcome in outcomes), Counter())
    calls: Counter[str] = sum((outcome.calls for outcome in outcomes), Counter())
    return [
        Row(
            f"{trap}: services, requests, changes",
            f"{services[trap]}, {calls[trap] if calls[trap] else '-'}, {harm[trap]}",
            "…, …, 0",
            harm[trap] == 0,
        )
        for trap in sorted(services | harm)
    ]


def _named(outcomes: Iterable[Outcome]) -> str:
    lines = [line for outcome in outcomes for line in outcome.lines()]
    more = [f"… and {len(lines) - NAMED} more"] if len(lines) > NAMED else []
    return "".join(f"  {line}\n" for line in [*lines[:NAMED], *more])


# Real services


def kit() -> list[str]:
    """What the kit says of real services; a row that says why there is nothing, otherwise."""
    title = f"Harm: real services, {REAL_CALLS} requests each"
    measure = KIT / "measure.py"
    if not os.environ.get("KIT"):
        return [render(title, [Row("skipped: takes half an hour; KIT=1 measures them", "-")])]
    if not measure.exists():
        return [render(title, [Row("skipped: no ../shared/services/measure.py, and SERVICES_KIT names none", "-")])]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for service in REAL:
            rows += _measured(measure, service, Path(name))
    return [render(title, rows)]


def _measured(measure: Path, service: str, folder: Path) -> list[Row]:
    docrev = Path(sys.executable).parent / "docrev"
    command = ["python3", str(measure), service, "--docrev", str(docrev), "--max-calls", str(REAL_CALLS)]
    done = subprocess.run([*command, "--keep", str(folder)], capture_output=True, text=True)
    file = folder / service / "result.json"
    if not file.exists():
        return [Row(service, (done.stderr.strip().splitlines() or ["not measured"])[-1][:80])]
    result = json.loads(file.read_text())
    harmed, left = result["harmed"], result["left_behind"]
    silent = unaccounted(left, _account(folder / service / "explore.jsonl"))
    reach = f"{result['reached']} of {result['operations']}, {result['requests']}"
    return [
        Row(f"{service}: operations with 2xx, requests", reach),
        Row(f"{service}: harmed", _some(harmed), "0", not harmed),
        Row(f"{service}: left, not in the account", f"{len(left)}, {_some(silent)}", "…, 0", not silent),
    ]


def unaccounted(left: Iterable[str], account: Any) -> list[str]:
    """What is left and shares no id with a path of the account; the kit's paths are not the API's."""
    listed = segments_of(account)
    return [path for path in left if not listed & set(path.strip("/").split("/")[1:])]


def _account(file: Path) -> Any:
    """What the exploration itself says is left: in the last object that it printed."""
    found: Mapping[str, Any] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        value = json.loads(line) if line.startswith("{") else {}
        found = value if "left" in value else found
    return found.get("left", [])


def _some(things: Sequence[str]) -> str:
    return f"{len(things)}: {'; '.join(things[:3])}" if things else "0"
