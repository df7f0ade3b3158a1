"""`docrev bench recovery`: what it writes and prints."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import UsageError
from docrev.eval import recovery_tables
from docrev.eval.hiding import Hiding
from docrev.eval.recovery import Point, RecoveryPlan, Result, Services, curve, run, simulated, tool_of
from docrev.eval.settings import RecoverySettings
from docrev.events import Handler, ignore
from docrev.records import Json
from docrev.render import render
from docrev.settings.choices import ALL_METHODS
from docrev.storage.atomic import write_json, write_text


@dataclass(slots=True)
class RecoveryReport:
    """A recovery with its curve, which is empty where none was asked for."""

    plan: RecoveryPlan
    result: Result
    points: Sequence[Point] = ()

    def to_json(self) -> dict[str, Json]:
        """One object, with what was asked for beside what was found."""
        asked = {
            "specs": [str(spec) for spec in self.plan.specs],
            "hidden": list(self.plan.hiding.kinds),
            "share": self.plan.hiding.share,
            "seed": self.plan.seed,
        }
        return {**asked, **self.result.to_json(), "curve": [point.to_json() for point in self.points]}

    def to_text(self) -> str:
        text = recovery_tables.recovery(self.result)
        return f"{text}\n\n{recovery_tables.points(self.points)}" if self.points else text


def recover(specs: Sequence[Path], settings: RecoverySettings, on_event: Handler = ignore) -> RecoveryReport:
    """Hide documentation of good specs and find it again, as the settings say."""
    for spec in specs:
        if not spec.is_file():
            raise UsageError("no such file", where=str(spec), fix="name a good spec")
    if bool(settings.base_urls) == settings.simulate:
        raise UsageError("where is the service?", fix="give --base-url URL or --simulate, not both")
    plan = RecoveryPlan(
        tuple(specs),
        Hiding.parse(settings.kinds, share=settings.share, seed=settings.seed),
        headers=settings.headers,
        allow=settings.allow or (ALL_METHODS if settings.simulate else ()),
        closed=settings.closed,
        simulated=settings.simulate,
        calls=settings.calls,
        seed=settings.seed,
    )
    services = simulated(plan) if plan.simulated else _given(plan, settings.base_urls)
    points = curve(plan, services, on_event=on_event) if settings.curve else []
    return RecoveryReport(plan, run(plan, services, on_event=on_event), points)


def _given(plan: RecoveryPlan, base_urls: Sequence[str]) -> Services:
    """Services that run already: `TOOL=URL` each, or one URL of one spec."""
    bases: dict[str, str] = {}
    tools = [tool_of(spec) for spec in plan.specs]
    for text in base_urls:
        tool, equals, url = text.partition("=")
        if not equals or "/" in tool:
            if len(tools) != 1:
                raise UsageError(f"{text} is of which spec?", where="--base-url", fix="write TOOL=URL")
            tool, url = tools[0], text
        if tool not in tools:
            raise UsageError(f"no spec {tool}", where="--base-url", fix=f"one of {', '.join(tools)}")
        bases[tool] = url
    return lambda: nullcontext(bases)


def write(report: RecoveryReport, folder: Path) -> None:
    """Write recovery.json and recovery.svg; LockedError if the folder cannot be written."""
    result, total = report.result, report.result.facts.total
    single = Point("poorest", report.plan.calls, result.calls_per_operation, total.recall, None, total.precision)
    title = "Recall of " + ", ".join(tool_of(spec) for spec in report.plan.specs)
    write_json(folder / "recovery.json", report.to_json())
    write_text(folder / "recovery.svg", recall_over_calls(report.points or [single], title))


def recall_over_calls(points: Sequence[Point], title: str) -> str:
    """An SVG: calls an operation across (what was really spent), recall upwards, a line for each order of probing."""
    most = max([point.calls for point in points] + [1.0])
    step = next((size for size in (1, 2, 5, 10, 20, 50) if most / size <= 10), 100)
    return render("bench/recall.html.j2", points=points, title=title, step=step) + "\n"
