"""Reach on real services that hold somebody's data, beside schemathesis, which has ten times the requests.

The kit (bench_harm.py says where it is looked for) starts and compares the services, and its proxy counts for both
programs. Schemathesis calls the operations that docrev may call without consent, with the options that let it reach
most: valid data, one check, no end at a failure. It is ended after ten minutes; SECONDS sets another bound. SERVICES
names the services, by default all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench_harm import KIT, unaccounted
from bench_kinto import SCHEMATHESIS
from table import Row, render

WANTED = {
    "kinto": (33, 33),
    "chroma": (24, 26),
    "jupyter": (25, 27),
    "powerdns": (28, 31),
    "airflow": (70, 80),
    "httpbin": (36, 38),
    "changedetection": (17, 18),
}
"""How many operations of each service are to be reached with each of the budgets."""
BUDGETS = (600, 1500)
SECONDS = int(os.environ.get("SECONDS") or 600)
ALLOWED = "POST,PUT,PATCH,DELETE"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docrev"
DOCREV = str(Path(sys.executable).parent / "docrev")
MOST = 10 * BUDGETS[-1]
TITLE = f"Reach: real services, docrev beside schemathesis {SCHEMATHESIS}"
BOUND = Row("schemathesis is ended after requests, or seconds", f"{MOST:,}, {SECONDS}")
FUZZED = (
    *("--max-time", str(SECONDS), "--max-examples", "100", "--phases", "examples,coverage,fuzzing,stateful"),
    *("--mode", "positive", "--checks", "not_a_server_error", "--continue-on-failure", "--no-shrink"),
    *("--suppress-health-check", "all", "--request-timeout", "15", "--workers", "1", "--warnings", "off"),
    *("--seed", "0", "--generation-database", "none"),
)
"""What lets schemathesis reach most: only valid data, and no requests spent on failures."""


class NotMeasured(Exception):
    """Something could not be installed, started or run; the message says why, in one line."""


@dataclass(frozen=True)
class Reach:
    """What a program did to a service: operations answered 2xx, requests, what it harmed and what it left there.

    Of docrev, `left` is only what its own account does not list.
    """

    reached: frozenset[str]
    requests: int
    harmed: Sequence[str]
    left: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """A service: all its operations, those that docrev may call without consent, and what was reached.

    `ours` is by budget; where there is no `theirs`, `reason` says why.
    """

    name: str
    operations: frozenset[str]
    permitted: frozenset[str]
    ours: Mapping[int, Reach]
    theirs: Reach | None
    reason: str


def main() -> str:
    """The table of all services that SERVICES names."""
    names = (os.environ.get("SERVICES") or " ".join(WANTED)).split()
    if not (KIT / "measure.py").exists():
        return render(TITLE, [Row("skipped: no ../shared/services/measure.py, and SERVICES_KIT names none", "-")])
    return render(TITLE, [BOUND, *(row for name in names for row in rows(name))])


def rows(name: str) -> list[Row]:
    """What both programs reached on a service; a row that says why there is nothing, otherwise."""
    try:
        service = _measured(name)
    except NotMeasured as e:
        return [Row(name, str(e))]
    wanted = WANTED.get(name, (0, 0))
    ours = [_our_rows(service, budget, count) for budget, count in zip(BUDGETS, wanted, strict=True)]
    return [*(row for pair in ours for row in pair), *_their_rows(service)]


def _our_rows(service: Measured, budget: int, wanted: int) -> list[Row]:
    reach = service.ours[budget]
    count, permitted = len(reach.reached), len(reach.reached & service.permitted)
    other = None if service.theirs is None else len(service.theirs.reached & service.permitted)
    beside = ("", None) if other is None else (f"> {other}", permitted > other)
    clean = not reach.harmed and not reach.left
    spent = f"{reach.requests:,}, {len(reach.harmed)}, {len(reach.left)}"
    what = f"{service.name}: docrev, {budget:,}"
    return [
        Row(f"{what}: operations with 2xx", f"{count} of {len(service.operations)}", f">= {wanted}", count >= wanted),
        Row(f"{what}: of those without consent", f"{permitted} of {len(service.permitted)}", *beside),
        Row(f"{what}: requests, harmed, left unaccounted", spent, "…, 0, 0", clean),
    ]


def _their_rows(service: Measured) -> list[Row]:
    reach, what = service.theirs, f"{service.name}: schemathesis"
    if reach is None:
        return [Row(what, service.reason)]
    permitted = f"{len(reach.reached & service.permitted)} of {len(service.permitted)}"
    spent = f"{reach.requests:,}, {len(reach.harmed)}, {len(reach.left)}"
    return [Row(f"{what}: of those without consent", permitted), Row(f"{what}: requests, harmed, left", spent)]


def _measured(name: str) -> Measured:
    """What both programs did to a service, which is started afresh for each run. Raises NotMeasured."""
    with _running(name) as started:
        document = json.loads((Path(started["folder"]) / "document.json").read_text())
        operations = frozenset(map(str, _kit_module("operations").listed(document)))
        permitted = operations & _permitted(started)
        try:
            theirs, reason = _fuzzed(started, document, sorted(permitted)), ""
        except NotMeasured as e:
            theirs, reason = None, str(e)
    ours = {budget: _explored(name, operations, budget) for budget in BUDGETS}
    return Measured(name, operations, permitted, ours, theirs, reason)


# docrev


def _explored(name: str, operations: frozenset[str], budget: int) -> Reach:
    """What docrev reached on a fresh service, by `measure.py`, which names the operations that were not reached."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--docrev", DOCREV, "--allow", ALLOWED, "--max-calls", str(budget), "--keep", folder)
        done = _kit("measure.py", name, *options)
        place = Path(folder) / name
        if not (place / "result.json").exists():
            raise NotMeasured(_reason(done))
        result = json.loads((place / "result.json").read_text())
        printed = (place / "explore.jsonl").read_text().splitlines()
    # A run that failed printed no account.
    account = json.loads(printed[-1]).get("left", []) if result["exit_codes"]["explore"] == 0 else []
    reached = operations - set(result["not_reached"])
    return Reach(reached, result["requests"], result["harmed"], unaccounted(result["left_behind"], account))


def _permitted(started: Mapping[str, Any]) -> frozenset[str]:
    """The operations that docrev may call without consent, as `METHOD /path`."""
    command = [DOCREV, "explore", started["spec"], "--base-url", started["base_url"], "--allow", ALLOWED]
    done = subprocess.run([*command, "--dry-run", "--json"], capture_output=True, text=True)
    if done.returncode:
        raise NotMeasured(_reason(done))
    return frozenset(row["operation"] for row in json.loads(done.stdout) if row["verdict"] in ("allowed", "own"))


# schemathesis


def _fuzzed(started: Mapping[str, Any], document: Mapping[str, Any], permitted: Sequence[str]) -> Reach:
    """What schemathesis reached of the operations that are permitted, with what it harmed and left."""
    command = _schemathesis()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = _snapshot(started, folder / "before.json")
        base = urlsplit(started["base_url"])
        with _kit_module("proxy").Proxy(base.port, folder / "requests.jsonl") as proxy:
            url = f"http://127.0.0.1:{proxy.server_port}{base.path}"
            words = [str(command), "run", started["spec"], "--url", url, *FUZZED]
            words += ["-H", started["header"]] if started["header"] else []
            words += [word for operation in permitted for word in ("--include-name", operation)]
            _run(words, folder, lambda: len(proxy.requests) >= MOST)
            requests = proxy.requests[:MOST]
        if not requests:
            raise NotMeasured((folder / "output").read_text().strip()[-200:].replace("\n", " "))
        harmed, left = _harm(before, started, folder)
    operations = _kit_module("operations")
    reached = operations.reached(operations.listed(document), base.path, requests)
    return Reach(frozenset(map(str, reached)), len(requests), harmed, left)


def _run(command: Sequence[str], folder: Path, enough: Callable[[], bool]) -> None:
    """Run a program until it ends, its time is over, or it has done enough."""
    until = time.monotonic() + SECONDS
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=folder, env=_environment())
        try:
            while process.poll() is None and time.monotonic() < until and not enough():
                time.sleep(0.2)
        finally:
            process.kill()
            process.wait()


def _harm(before: Path, started: Mapping[str, Any], folder: Path) -> tuple[list[str], list[str]]:
    """What `services.py` finds harmed and left; a service that no longer answers is harmed."""
    try:
        after = _snapshot(started, folder / "after.json")
    except NotMeasured as e:
        return [f"the service no longer answers: {e}"], []
    harm = json.loads(_kit("services.py", "harm", str(before), str(after), "--json").stdout)
    return harm["harmed"], harm["left_behind"]


def _schemathesis() -> Path:
    """The `schemathesis` command, installed at its first use: it is no dependency of the project."""
    folder = CACHE / f"schemathesis-{SCHEMATHESIS}"
    command = folder / "bin" / "schemathesis"
    if not command.exists():
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", f"schemathesis=={SCHEMATHESIS}"]
        for words in ([sys.executable, "-m", "venv", str(folder)], pip):
            done = subprocess.run(words, capture_output=True, text=True, env=_environment())
            if done.returncode:
                raise NotMeasured(f"not installed: {_reason(done)}")
    return command


# The kit


@contextmanager
def _running(name: str) -> Iterator[dict[str, Any]]:
    """A fresh service, as `services.py up` describes it."""
    up = _kit("services.py", "up", name)
    if up.returncode:
        raise NotMeasured(_reason(up))
    try:
        yield json.loads(up.stdout)
    finally:
        _kit("services.py", "down", name)


def _snapshot(started: Mapping[str, Any], file: Path) -> Path:
    taken = _kit("services.py", "snapshot", started["name"])
    if taken.returncode:
        raise NotMeasured(_reason(taken))
    file.write_text(taken.stdout)
    return file


def _kit(*words: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = words
    return subprocess.run(
        [sys.executable, str(KIT / program), *arguments], capture_output=True, text=True, env=_environment()
    )


def _kit_module(name: str) -> Any:
    """A module of the kit: the proxy and the matching of requests to operations that `measure.py` counts by."""
    if str(KIT) not in sys.path:
        sys.path.append(str(KIT))
    return import_module(f"kit.{name}")


def _environment() -> dict[str, str]:
    """The environment of other programs, which import what lies beside them and not what PYTHONPATH names here."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """Why a program failed: its error, or the last line that it printed."""
    lines = (done.stdout + done.stderr).strip().splitlines()
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["it printed nothing"])[-1][:120]


if __name__ == "__main__":
    print(main())
