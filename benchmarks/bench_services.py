"""The bundled services: every working operation reached, and the three strategies judged by the services' records."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

from oracle import NotAnswerable, Oracle, OracleAnswer
from table import Row, render

from docrev import api
from docrev.events import CallFinished, Event
from docrev.evidence import Evidence
from docrev.records import Call, Solution
from docrev.sandbox import serve

WORKING = 34
"""Of the 35 operations of both services one is broken, by design."""
KEY = "X-Api-Key: env:DOCREV_DEMO_KEY"


def main() -> str:
    from docrev.sandbox.atlas import KEY as key

    os.environ["DOCREV_DEMO_KEY"] = key
    calls: list[Call] = []

    def note(event: Event) -> None:
        if isinstance(event, CallFinished) and event.wire:
            calls.append(event.call)

    with serve() as urls, tempfile.TemporaryDirectory() as out:
        explored = api.explore(
            "specs",
            base_urls=[f"{tool}={url}" for tool, url in urls.items()],
            headers=[KEY],
            allow=["POST,PUT,PATCH,DELETE"],
            out=out,
            compare=True,
            on_event=note,
        )
        with Evidence.open(out, write=False) as evidence:
            goals = {scenario.id: scenario.goal for scenario in evidence.scenarios()}
            solutions = {name: evidence.solutions(strategy=name) for name in ("bfs", "dfsdt", "react")}
    oracle = Oracle(calls)
    truths = {id: oracle.answer(goal) for id, goal in goals.items() if goal is not None}
    reached = explored.summary["operations_2xx"]
    rows = [Row("operations reached, of those that work", f"{reached} of {WORKING}", str(WORKING), reached == WORKING)]
    rows.append(Row("scenarios", str(len(goals))))
    right = {name: _right(found, truths) for name, found in solutions.items()}
    common = set.intersection(*(set(found) for found in right.values()))
    for name, found in right.items():
        rows += _strategy(name, found, len(goals))
    for name, found in right.items():
        length = _mean([len(found[id].calls) for id in common])
        best = _mean([len(right["bfs"][id].calls) for id in common])
        met = best <= length if name != "bfs" else None
        rows.append(Row(f"{name}: calls a solution, over the {len(common)} that all solved", f"{length:.3f}", "", met))
    return render("Bundled services (solved: the answer is the one computed from the services' records)", rows)


def _right(solutions: list[Solution], truths: Mapping[str, OracleAnswer | NotAnswerable]) -> dict[str, Solution]:
    found = {}
    for solution in solutions:
        truth = truths.get(solution.scenario)
        if isinstance(truth, OracleAnswer) and truth.accepts(solution.answer):
            found[solution.scenario] = solution
    return found


def _strategy(name: str, found: Mapping[str, Solution], scenarios: int) -> list[Row]:
    solved = len(found) / scenarios
    calls = [call for solution in found.values() for call in solution.calls]
    success = _mean([call.ok for call in calls])
    wanted = name == "bfs"
    return [
        Row(f"{name}: solved", f"{solved:.1%}", ">= 95 %" if wanted else "", solved >= 0.95 if wanted else None),
        Row(
            f"{name}: tool-calling success",
            f"{success:.1%}",
            ">= 95 %" if wanted else "",
            success >= 0.95 if wanted else None,
        ),
    ]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
