"""An exploration on a cluster: the units, their tasks, and one run that is made of what comes of them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docrev.calls.bases import choose_bases
from docrev.cluster.parts import UNITS, in_parts, marked, raise_first
from docrev.cluster.pool import Cluster
from docrev.cluster.units import Unit, check_secrets, shares, unit_task, units_of
from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence, Run
from docrev.evidence.merging import merge
from docrev.evidence.store import FILE_NAME
from docrev.exploration.given_values import parse_values
from docrev.records import Json
from docrev.sessions.exploration import Exploration, account, goes_on, model_limits
from docrev.sessions.leftovers import Cleaned
from docrev.sessions.leftovers import clean as clean_session
from docrev.sessions.opening import Specs, load_operations, policy_for
from docrev.settings.groups import ExploreSettings
from docrev.spec import Catalog

_NOT_IDENTITY = frozenset(
    (
        *("out", "fresh", "max_calls", "concurrency", "rate", "timeout", "headers", "auth", "record", "no_model_cache"),
        *("max_model_calls", "max_tokens", "max_cost", "prices", "model_concurrency", "model_timeout"),
    )
)
"""Settings with which the same command is the same."""


def explore(specs: Specs, settings: ExploreSettings, cluster: Cluster, *, on_event: Handler = ignore) -> Exploration:
    """Explore each unit on a worker, and merge what they kept. Raises DocrevError and its kinds.

    The same command goes on with what is unfinished. If a unit fails, the others are explored and merged all the same.
    """
    if settings.compare or settings.record:
        name = "--compare" if settings.compare else "--record"
        raise UsageError("is for one process", where=name, fix="leave out --cluster")
    catalog = load_operations(specs, settings)
    bases, from_specs = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    policy_for(catalog, settings, from_specs)
    parse_values(settings.values, catalog.operations)
    check_secrets(settings, bases, from_specs, catalog)
    units = units_of(catalog, bases)
    limits = shares(settings.max_calls, units)
    with Evidence.open(settings.out, write=True) as evidence:
        run = evidence.begin(_identity(catalog, bases, units, settings), fresh=settings.fresh)
        if run.finished and run.summary is not None and not goes_on(settings, sum(limits), run.summary):
            return Exploration(account(evidence, run.summary["told"]), Path(settings.out), kept=True)
        started = time.monotonic()
        shared = zip(units, limits, strict=True)
        tasks = {unit: unit_task(unit, catalog, bases, settings, calls) for unit, calls in shared}
        results = in_units(cluster, "docrev.cluster.worker:explore_unit", tasks, evidence, settings.out, on_event)
        summaries = [result["summary"] for result in results]
        told = total(summaries) | {"seconds": round(time.monotonic() - started, 2)}
        ended = {"told": told, "limit": sum(limits), "spent": told["budget_spent"], "bounds": model_limits(settings)}
        evidence.finish(ended)
        return Exploration(account(evidence, told), Path(settings.out))


def in_units(
    cluster: Cluster,
    work: str,
    units: Mapping[Unit, dict[str, Any]],
    evidence: Evidence,
    out: str,
    emit: Handler,
) -> list[dict[str, Any]]:
    """What came of `module:function` for each unit and its part of a task; their evidence is in `evidence` then.

    Raises the error of the first unit that failed, once the others are done.
    """
    folder = _folder(out, evidence.run)
    results = in_parts(cluster, work, {unit.name: task for unit, task in units.items()}, folder, emit)
    for place, unit in enumerate(units, start=1):
        if (folder / unit.name / FILE_NAME).is_file():
            with Evidence.open(folder / unit.name, write=False) as part:
                merge(evidence, part, f"{place}.")
    raise_first(results, {unit.name: unit.tools[0] for unit in units})
    return [results[unit.name] for unit in units]


async def clean(specs: Specs, settings: ExploreSettings, *, on_event: Handler = ignore) -> Cleaned:
    """Remove what all earlier runs of the folder created, that of units included; returns what is still there."""
    unseen = 0
    for run in _cut_off(settings):
        folder = _folder(settings.out, run)
        for place, tools in enumerate(run.settings["units"], start=1):
            unit = folder / Unit(tuple(tools), ()).name
            if not (unit / FILE_NAME).is_file():
                continue
            cleaned = await clean_session(specs, settings.model_copy(update={"out": str(unit)}), on_event=on_event)
            unseen += cleaned.unseen
            with Evidence.open(settings.out, write=True) as evidence, Evidence.open(unit, write=False) as part:
                evidence.select(run)
                merge(evidence, part, f"{place}.")
    cleaned = await clean_session(specs, settings, on_event=on_event)
    return Cleaned(cleaned.left, cleaned.unseen + unseen)


def _cut_off(settings: ExploreSettings) -> list[Run]:
    """The runs on clusters that did not end: what their units created is in the units' own evidence."""
    if not (Path(settings.out) / UNITS).is_dir():
        return []
    with Evidence.open(settings.out, write=False) as evidence:
        return [run for run in evidence.runs() if not run.finished and "units" in run.settings]


def _folder(out: str, run: Run) -> Path:
    """The folder of a run's units, with the mark by which workers of this machine see that it is here."""
    return marked(Path(out).resolve() / UNITS / str(run.id), run.nonce)


def _identity(
    catalog: Catalog, bases: Mapping[str, str], units: Sequence[Unit], settings: ExploreSettings
) -> dict[str, Json]:
    """What makes "the same command"."""
    values = settings.model_dump(mode="json", exclude=set(_NOT_IDENTITY))
    tools = [unit.tools for unit in units]
    return values | {"specs": catalog.digest, "base_urls": dict(sorted(bases.items())), "units": tools}


def total(summaries: Sequence[Mapping[str, object]]) -> dict[str, Json]:
    """Summaries of units as one: numbers are added, lists follow each other, and what holds for one holds."""
    first, *rest = summaries
    sums = dict(first)
    for summary in rest:
        sums = {name: _joined(sums[name], summary[name]) for name in sums}
    return sums


def _joined(one: Json, other: Json) -> Json:
    if one is None or other is None:
        return one if other is None else other
    if isinstance(one, bool):
        return one or other
    if isinstance(one, dict):
        names = sorted(one.keys() | other.keys())
        return {name: _joined(one.get(name), other.get(name)) for name in names}
    if isinstance(one, list):
        return [*one, *(item for item in other if item not in one)]
    return one + other
