"""Collection (ToolLLM §2.1): every operation is tested, kept or dropped with the reason, and gets a compression rule.

What is called, and with which arguments, is the survey's doing: the first phase of any exploration. The evidence, and
beside it `collection.json` and `compression.yaml`, are in one folder; the same command continues an interrupted run.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from docrev.calls.bases import choose_bases
from docrev.calls.executor import Executor
from docrev.cluster.exploration import in_units
from docrev.cluster.pool import Cluster
from docrev.cluster.units import check_secrets, shares, unit_task, units_of
from docrev.cluster.worker import Task as WorkerTask
from docrev.cluster.worker import specs_of
from docrev.driver import Budget, Driver
from docrev.errors import InputError, UsageError
from docrev.eval.suites.reading import read_json
from docrev.events import Handler, Notice, PhaseStarted, ignore
from docrev.evidence import Evidence
from docrev.evidence.queries import left_items
from docrev.exploration.second_looks import SecondLooks
from docrev.exploration.survey import Survey, Surveyor
from docrev.graph.tool_graph import ToolGraph
from docrev.models.opening import identity
from docrev.prompts.steps import Steps
from docrev.records import Json, LeftItem, OperationKey
from docrev.runners.rules import KeepRule, Rules, named
from docrev.sessions.leftovers import remove_created
from docrev.sessions.opening import introduce, load_operations, open_executor
from docrev.settings.choices import ALL_METHODS
from docrev.spec import Catalog
from docrev.spec.formats.imported import yaml_text
from docrev.storage.atomic import write_json, write_text
from docrev.train.data.annotating import simulated
from docrev.train.data.compressing import derive
from docrev.train.data.field_choice import choose_fields
from docrev.train.data.optional_model import NOBODY, optional_model
from docrev.train.data.verdicts import OperationVerdict, good, verdict
from docrev.train.settings import CollectSettings

CALLS_PER_OPERATION = 20
COLLECTION, RULES = "collection.json", "compression.yaml"


@dataclass(frozen=True, slots=True)
class Collection:
    """What was kept, what was dropped and why, and the rules; `left` could not be removed again."""

    verdicts: tuple[OperationVerdict, ...]
    rules: Rules
    left: tuple[LeftItem, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The content of `collection.json`, which is what `docrev collect --json` prints."""
        reasons = Counter(one.reason or "kept" for one in self.verdicts)
        return {
            "operations": len(self.verdicts),
            "kept": reasons["kept"],
            "dropped": {reason: count for reason, count in sorted(reasons.items()) if reason != "kept"},
            "rules": len(self.rules.by_key),
            "verdicts": [one.to_json() for one in self.verdicts],
            "left": [asdict(item) for item in self.left],
        }


async def collect(specs: Sequence[str | Path], settings: CollectSettings, on_event: Handler = ignore) -> Collection:
    """Test all operations of specs, and write what came of it into the folder `out`.

    Raises UsageError and its kinds for bad input, UnreachableError if nothing answers at all, StoreError.
    """
    catalog = load_operations(specs, settings)
    with _served(catalog, settings) as reached:
        executor, named = open_executor(catalog, reached, timeout=settings.slow)
        # One tool that is gone is what this is to find out: the others are tested all the same.
        executor.storms.patient = True
        try:
            with Evidence.open(settings.out, write=True) as evidence:
                collection = await _Collector(executor, named, reached, evidence, on_event).collect()
        finally:
            await executor.close()
    write(collection, Path(settings.out))
    return collection


def collect_in_units(
    specs: Sequence[str | Path], settings: CollectSettings, cluster: Cluster, on_event: Handler = ignore
) -> Collection:
    """As `collect`, by the workers of a cluster: each tests tools that nothing connects with the others.

    Raises what `collect` raises, for the first of them that failed.
    """
    catalog = load_operations(specs, settings)
    bases: Mapping[str, str] = {}
    from_specs: Iterable[str] = ()
    if not settings.simulate:
        bases, from_specs = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    check_secrets(settings, bases, from_specs, catalog)
    units = units_of(catalog, bases)
    limits = shares(settings.max_calls, units, CALLS_PER_OPERATION)
    with Evidence.open(settings.out, write=True) as evidence:
        values = settings.model_dump(mode="json", exclude={"out", "fresh", "concurrency", "rate", "headers", "auth"})
        asked = {"command": "collect", "specs": catalog.digest, "units": [unit.tools for unit in units]}
        run = evidence.begin(values | asked, fresh=settings.fresh)
        if run.finished and run.summary is not None:
            return _restored(run.summary)
        shared = zip(units, limits, strict=True)
        tasks = {unit: unit_task(unit, catalog, bases, settings, calls) for unit, calls in shared}
        work = "docrev.train.data.collecting:collect_unit"
        results = in_units(cluster, work, tasks, evidence, settings.out, on_event)
        collection = _together([_restored(result) for result in results])
        evidence.finish(_summary(collection))
    write(collection, Path(settings.out))
    return collection


def collect_unit(task: WorkerTask, on_event: Handler) -> dict[str, Json]:
    """Collect the tools of a task that `collect_in_units` makes."""
    settings = CollectSettings.model_validate_json(json.dumps(task["settings"] | {"out": task["folder"]}))
    with specs_of(task) as folder:
        return _summary(asyncio.run(collect([folder], settings, on_event)))


def _together(parts: Sequence[Collection]) -> Collection:
    verdicts = sorted((one for part in parts for one in part.verdicts), key=lambda one: one.key)
    rules = {key: rule for part in parts for key, rule in part.rules.by_key.items()}
    return Collection(
        tuple(verdicts),
        Rules({one.key: rules[one.key] for one in verdicts if one.key in rules}),
        tuple(item for part in parts for item in part.left),
    )


@contextmanager
def _served(catalog: Catalog, settings: CollectSettings) -> Iterator[CollectSettings]:
    """The settings with the base URLs of worlds, if there is no API to call."""
    if not settings.simulate:
        yield settings
        return
    if settings.base_urls:
        raise UsageError("base URLs are given as well", where="--simulate", fix="give base URLs, or --simulate")
    with simulated(catalog, settings.seed) as stage:
        bases = tuple(f"{tool}={url}" for tool, url in stage.bases("collect").items())
        yield settings.model_copy(update={"base_urls": bases, "allow": ALL_METHODS})


def write(collection: Collection, folder: Path) -> None:
    """Write both files into a folder."""
    write_json(folder / COLLECTION, collection.to_json())
    write_text(folder / RULES, yaml_text(collection.rules.to_json()))


def read_dropped(folder: Path) -> dict[OperationKey, str]:
    """The operations that a collection dropped, with the reason; {} if the folder has no collection."""
    file = folder / COLLECTION
    if not file.exists():
        return {}
    tree = read_json(file)
    rows = tree.get("verdicts") if isinstance(tree, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "operation" in row for row in rows):
        raise InputError("is no collection", where=str(file), fix="run docrev collect again")
    return {
        OperationKey(str(row.get("tool")), str(row["operation"])): str(row.get("reason"))
        for row in rows
        if not row.get("kept")
    }


class _Collector:
    def __init__(
        self, executor: Executor, named: frozenset[str], settings: CollectSettings, evidence: Evidence, emit: Handler
    ) -> None:
        self._executor, self._named, self._settings = executor, named, settings
        self._evidence, self._emit = evidence, emit
        self._catalog = executor.catalog
        self._graph = ToolGraph(self._catalog)

    async def collect(self) -> Collection:
        run = self._evidence.begin(self._identity(), fresh=self._settings.fresh)
        if run.finished and run.summary is not None:
            return _restored(run.summary)
        introduce(self._executor, self._named, self._emit)
        limit = self._settings.max_calls or CALLS_PER_OPERATION * len(self._catalog.operations)
        driver = Driver(
            self._executor,
            NOBODY,
            self._evidence,
            budget=Budget(limit),
            concurrency=self._settings.concurrency,
            emit=self._emit,
        )
        survey = await driver.run(self._steps(limit))
        verdicts = tuple(self._verdict(key, survey) for key in sorted(op.key for op in self._catalog.operations))
        left = tuple(left_items(self._evidence))
        collection = Collection(verdicts, Rules(await self._rules(verdicts)), left)
        self._evidence.finish(_summary(collection))
        return collection

    def _steps(self, limit: int) -> Steps[Survey]:
        self._emit(PhaseStarted("survey", len(self._catalog.operations), limit))
        journal, policy = self._executor.journal, self._executor.policy
        looks = SecondLooks(self._catalog, journal, lambda text, calls: self._emit(Notice(text)))
        surveyor = Surveyor(self._catalog, self._graph, journal, policy, looks)
        yield from surveyor.reach()
        survey = yield from surveyor.vary()
        yield from remove_created(self._executor, self._evidence, self._emit)
        self._executor.storms.conclude()
        return survey

    def _forbidden(self, key: OperationKey) -> str | None:
        return self._executor.policy.permits(self._catalog[key])

    def _verdict(self, key: OperationKey, survey: Survey) -> OperationVerdict:
        calls = list(self._evidence.calls.select(key=key))
        missed = survey.missed.get(key)
        return verdict(key, calls, missed.why if missed is not None else "", forbidden=self._forbidden(key) is not None)

    async def _rules(self, verdicts: Sequence[OperationVerdict]) -> dict[OperationKey, KeepRule]:
        """A rule for each operation that was kept, and has anything to leave out."""
        rules: dict[OperationKey, KeepRule] = {}
        async with optional_model(self._settings, Path(self._settings.out), 0, self._emit, roles=("parse",)) as model:
            for key in (one.key for one in verdicts if one.kept):
                operation = self._catalog[key]
                calls = good(self._evidence.calls.select(key=key))
                feeding = {edge.pointer.partition(":")[2] for edge in self._graph.consumers(key)}
                rule = derive(operation, [call.body for call in calls], feeding)
                if model is not None:
                    rule = await choose_fields(model, operation, calls, feeding) or rule
                if rule is not None:
                    rules[key] = rule
        return rules

    def _identity(self) -> dict[str, Json]:
        settings = self._settings
        simulated = f"simulated (seed {settings.seed})" if settings.simulate else None
        return {
            "command": "collect",
            "specs": self._catalog.digest,
            "base_urls": simulated or {tool: base.url for tool, base in sorted(self._executor.bases.items())},
            "policy": self._executor.policy.settings(),
            "slow": settings.slow,
            "max_calls": settings.max_calls,
            "model": settings.model,
            "models": identity(settings),
        }


def _summary(collection: Collection) -> dict[str, Json]:
    """What a finished run keeps of a collection."""
    return {"collection": collection.to_json(), "rules": collection.rules.to_json()}


def _restored(summary: Mapping[str, Json]) -> Collection:
    """The collection that a finished run came to."""
    columns = {one.name for one in fields(OperationVerdict)} - {"key"}
    content, rules = summary["collection"], summary["rules"]["compression"]
    return Collection(
        tuple(
            OperationVerdict(OperationKey(row["tool"], row["operation"]), **{name: row[name] for name in columns})
            for row in content["verdicts"]
        ),
        Rules({key: KeepRule(tuple(one["keep"]), one["drop"]) for name, one in rules.items() if (key := named(name))}),
        tuple(LeftItem(**item) for item in content["left"]),
    )
