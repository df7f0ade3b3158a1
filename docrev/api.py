"""The parts put together: what `import docrev` offers, and what the commands call."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from docrev import revision as revising
from docrev.answering import EXPLORING, bounds, more, revise_catalog, tuples
from docrev.calls.bases import choose_bases
from docrev.calls.credentials import parse_header
from docrev.calls.executor import Executor
from docrev.calls.limits import Limits
from docrev.calls.policy import Policy
from docrev.config import Settings
from docrev.conventions.statuses import NOT_FOUND
from docrev.driver import Budget, Driver
from docrev.driver.cleaning import clean_up
from docrev.errors import UsageError
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.evidence.queries import totals
from docrev.evidence.store import Run
from docrev.exploration.compare import Comparison
from docrev.exploration.experiments import at_random, by_worth
from docrev.exploration.run import Method, Outcome, Workspace
from docrev.exploration.run import explore as explore_steps
from docrev.exploration.sampling import Samples
from docrev.graph import ToolGraph
from docrev.models import Model
from docrev.models.concurrent_questions import boundless
from docrev.models.opening import OpenModel, asks_models, check_options, identity, open_model
from docrev.offline import OfflineModel
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Json, OperationKey
from docrev.revision import Revision
from docrev.search import STRATEGIES
from docrev.spec import Catalog, Finding, load
from docrev.spec.diff import Diff, Source, compare
from docrev.spec.lint import lint as find

_BROKEN = ("unresolved-ref", "circular-ref", "remote-ref")
CALLS_PER_OPERATION = 40
"""The default budget, in requests for each operation of the catalog."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Exploration:
    """What an exploration came to. `summary` is what `docrev explore --json` prints; `comparison` is of `--compare`.

    `kept` is True where the same command had finished before: nothing was called, and the summary is the old one.
    """

    summary: dict[str, Json]
    folder: Path
    kept: bool = False
    comparison: Comparison | None = None


def explore(specs: Sequence[str | Path] | str | Path, *, on_event: Handler = ignore, **options: Any) -> Exploration:
    """Use an API and keep evidence of what it really does, in the folder `out`.

    `specs` are files or folders; `options` are those of `config.Settings`, the options of `docrev explore`. Raises
    DocrevError and its kinds: UsageError for bad input, UnreachableError where the API cannot be reached.
    """
    return _wait(aexplore(specs, on_event=on_event, **options))


async def aexplore(
    specs: Sequence[str | Path] | str | Path, *, on_event: Handler = ignore, **options: Any
) -> Exploration:
    """`explore`, for callers that run an event loop already."""
    settings = _settings(options)
    catalog = _catalog(specs, settings)
    # Before anything is written: most wrong use is noticed here.
    executor, named = _executor(catalog, settings)
    try:
        with Evidence.open(settings.out, write=True) as evidence, _few_collections():
            return await _Session(executor, named, settings, evidence, on_event).explore()
    finally:
        await executor.close()


def revise(
    specs: Sequence[str | Path] | str | Path,
    *,
    evidence: str | Path | None = ".docrev",
    write_to: str | Path | None = None,
    in_place: bool = False,
    **options: Any,
) -> Revision:
    """Write what was learned into the specs, as small changes; the documents on disk change only if asked for.

    `write_to` is a folder for revised copies, `in_place` writes over the specs; `options` are `edit`, `examples`,
    `profile`, `links` and `method`, as for `docrev revise`, and those of `config.ModelOptions`. Never calls the API.
    Raises DocrevError and its kinds.
    """
    return _wait(arevise(specs, evidence=evidence, write_to=write_to, in_place=in_place, **options))


async def arevise(
    specs: Sequence[str | Path] | str | Path,
    *,
    evidence: str | Path | None = ".docrev",
    write_to: str | Path | None = None,
    in_place: bool = False,
    on_event: Handler = ignore,
    **options: Any,
) -> Revision:
    """`revise`, for callers that run an event loop already."""
    given = [specs] if isinstance(specs, str | Path) else list(specs)
    catalog = load(given)
    revision = await revise_catalog(catalog, evidence, on_event=on_event, **options)
    if in_place or write_to is not None:
        places = revising.targets(catalog.documents, given, write_to)
        revising.write((document, places[name]) for name, document in revision.documents.items())
    return revision


def lint(specs: Sequence[str | Path] | str | Path, *, validator: bool = True) -> list[Finding]:
    """What is wrong or undocumented in specs; `validator` also asks openapi-spec-validator."""
    return find(load([specs] if isinstance(specs, str | Path) else list(specs)), validator=validator)


def diff(old: Source, new: Source) -> Diff:
    """What differs between two specs: files, folders, `REF:path` of git, or catalogs. Formatting never does."""
    return compare(old, new)


def clean(specs: Sequence[str | Path] | str | Path, *, on_event: Handler = ignore, **options: Any) -> tuple[str, ...]:
    """Remove what earlier runs of the same command created and left; returns what is left still."""

    async def run() -> tuple[str, ...]:
        settings = _settings(options)
        executor, named = _executor(_catalog(specs, settings), settings)
        try:
            with Evidence.open(settings.out, write=True) as evidence:
                return await _Session(executor, named, settings, evidence, on_event).clean()
        finally:
            await executor.close()

    return _wait(run())


def plan(specs: Sequence[str | Path] | str | Path, **options: Any) -> dict[OperationKey, str | None]:
    """What an exploration may call: every operation, with the reason where the policy forbids it. Calls nothing."""
    settings = _settings(options)
    catalog = _catalog(specs, settings)
    _, named = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    policy = _policy(catalog, settings, named)
    return {operation.key: policy.permits(operation) for operation in catalog.operations}


class _Session:
    """One catalog, one executor, one evidence."""

    def __init__(
        self, executor: Executor, named: Collection[str], settings: Settings, evidence: Evidence, emit: Handler
    ) -> None:
        self._settings, self._evidence, self._emit = settings, evidence, emit
        self.executor = executor
        self.catalog = catalog = executor.catalog
        self._named = sorted(named)
        self.graph = ToolGraph(catalog)
        self.workspace = Workspace(catalog, self.graph, evidence, executor.journal, executor.policy, emit)
        self.limit = settings.max_calls or CALLS_PER_OPERATION * max(1, len(catalog.operations))

    async def explore(self) -> Exploration:
        settings = self._settings
        run = self._evidence.begin(self._identity(), fresh=settings.fresh)
        if run.finished and run.summary is not None and not self._goes_on(run.summary):
            return Exploration(run.summary["told"], Path(settings.out), kept=True)
        self._introduce()
        offline = OfflineModel(self.catalog, self.graph, settings.seed)
        models = self._models(offline, f"{run.digest}-{run.id}") if asks_models(settings, EXPLORING) else None
        try:
            return await self._explore(run, models, self._driver(models or offline, models, run.finished))
        finally:
            if models is not None:
                await models.close()

    async def _explore(self, run: Run, models: OpenModel | None, driver: Driver) -> Exploration:
        settings = self._settings
        if models is not None:
            await models.check(EXPLORING)
        self.workspace.limit, self.workspace.hold = self.limit, driver.budget.hold
        self.workspace.left, self.workspace.secrets = lambda: driver.budget.left, self.executor.secrets
        if run.resumed:
            await self._same_state(driver)
        started = time.monotonic()
        drawn = at_random(settings.seed) if settings.probe_order == "random" else by_worth
        method = Method(_strategy(settings.strategy), settings.compare, settings.single_tool, drawn)
        outcome = await driver.run(self._steps(method))
        told = self._summary(outcome, driver, round(time.monotonic() - started, 2))
        told["model"] = models.usage.told() if models is not None else None
        ended = {"told": told, "limit": self.limit, "spent": told["budget_spent"], "bounds": bounds(settings)}
        self._evidence.finish(ended)
        return Exploration(told, Path(settings.out), comparison=outcome.comparison)

    async def clean(self) -> tuple[str, ...]:
        self._evidence.begin(self._identity())
        self.workspace.journal.restore(item for item in self._evidence.journal() if not item.deleted)
        self._introduce()
        offline = OfflineModel(self.catalog, self.graph, self._settings.seed)
        return await self._driver(offline).run(
            clean_up(self.workspace.journal, self.workspace.policy, self.workspace.catalog, self.workspace.emit)
        )

    def _models(self, offline: OfflineModel, run: str) -> OpenModel:
        settings = self._settings
        self.workspace.sample = Samples(self.graph)
        return open_model(
            settings,
            offline=offline,
            learn=offline.learn,
            folder=Path(settings.out),
            run=run,
            seed=settings.seed,
            emit=self._emit,
        )

    def _driver(self, model: Model, models: OpenModel | None = None, again: bool = False) -> Driver:
        # What was shown again, and removed, at the end of a smaller budget is not done again: it is spent all the same.
        last = ("replay", "clean-up") if again else ()
        spent = sum(entry.purpose in last for entry in self._evidence.entries())
        return Driver(
            self.executor,
            model,
            self._evidence,
            budget=Budget(max(0, self.limit - spent)),
            concurrency=self._settings.concurrency,
            emit=self._emit,
            split=models.budgets.split if models is not None else boundless,
        )

    def _identity(self) -> dict[str, Json]:
        """What makes "the same command"."""
        settings = self._settings
        return {
            "specs": self.catalog.digest,
            "base_urls": {tool: base.url for tool, base in sorted(self.executor.bases.items())},
            "model": settings.model,
            "strategy": settings.strategy,
            "compare": settings.compare,
            "single_tool": settings.single_tool,
            "seed": settings.seed,
            **({"probe_order": settings.probe_order} if settings.probe_order != "poorest" else {}),
            **({"models": identity(settings)} if asks_models(settings, EXPLORING) else {}),
            "policy": self.workspace.policy.settings(),
        }

    def _goes_on(self, summary: dict[str, Json]) -> bool:
        return bool(summary["spent"] and self.limit > summary["limit"]) or more(self._settings, summary)

    def _introduce(self) -> None:
        for finding in self.catalog.left_out:
            self._emit(Notice(str(finding)))
        for glob in self.workspace.policy.pointless(self.catalog.operations)[1]:
            self._emit(Notice(f"--deny: no operation is like {glob}"))
        if faults := sum(finding.id in _BROKEN for finding in self.catalog.findings):
            are = "reference leads" if faults == 1 else "references lead"
            self._emit(Notice(f"{faults} {are} nowhere in the specs: docrev lint shows where"))
        if self._named:
            urls = ", ".join(f"{tool}={self.executor.bases[tool].url}" for tool in self._named)
            self._emit(Notice(f"no --base-url: using the servers that the specs name, for GET only: {urls}"))
        if self.executor.foreign_hosts:
            self._emit(Notice(f"calls go to {', '.join(self.executor.foreign_hosts)}"))

    async def _same_state(self, driver: Driver) -> None:
        """Where the server forgot what this run created, going on would explore something else."""
        routes = self.executor.routes
        for item in self._evidence.journal():
            found = routes.resolve(item.tool, "GET", item.path) if item.confirmed and not item.deleted else None
            if found is None:
                continue

            def look(key: OperationKey, arguments: dict[str, Json]) -> Steps[Any]:
                return (yield Invoke(key, arguments, "survey", repeat=Repeat.CHECK))

            call = await driver.run(look(found[0].key, dict(found[1])))
            if call.status in NOT_FOUND:
                raise UsageError(
                    f"the server no longer has what this run created: {item.tool} {item.path}",
                    fix="use --fresh, which starts a new run and keeps the old",
                )
            return

    def _steps(self, method: Method) -> Steps[Outcome]:
        outcome: Outcome = yield from explore_steps(self.workspace, method)
        # Before the driver keeps what nobody answered: the same command is to ask again.
        self.executor.storms.conclude()
        return outcome

    def _summary(self, outcome: Outcome, driver: Driver, seconds: float) -> dict[str, Json]:
        made = totals(self._evidence)
        answered = {entry.key for entry in self._evidence.entries() if entry.ok}
        return {
            "operations": len(self.catalog.operations),
            "operations_2xx": len(answered),
            "calls": made["calls"],
            "calls_2xx": made["calls_2xx"],
            "requests": driver.budget.spent + made["calls"] - driver.caller.taken,
            "scenarios": outcome.scenarios,
            "solved": outcome.solved,
            "experiences": outcome.experiences,
            "facts": outcome.facts,
            "facts_dropped": outcome.dropped,
            "missed": [
                {"tool": key.tool, "operation": key.operation, "why": why}
                for key, why in sorted(outcome.missed.items())
            ],
            "findings": list(outcome.findings),
            "left": list(outcome.left),
            "comparison": [asdict(row) for row in outcome.comparison.rows] if outcome.comparison else None,
            "budget_spent": driver.budget.left == 0 or driver.budget.short,
            "seconds": seconds,
        }


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let the garbage collector run less often, and not over what was there before.

    It costs a fifth of a run otherwise, whose objects live on or die by count. What the caller froze stays frozen.
    """
    thresholds, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(50_000, 20, 100)
    gc.freeze()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        if not frozen:
            gc.unfreeze()


def _settings(options: dict[str, Any]) -> Settings:
    known = {field.name for field in fields(Settings)}
    for name in options:
        if name not in known:
            raise UsageError(f"explore has no option {name}", fix=f"one of {', '.join(sorted(known))}")
    settings = Settings(**tuples(options))
    check_options(settings)
    _strategy(settings.strategy)
    if settings.probe_order not in ("poorest", "random"):
        raise UsageError(f"no order {settings.probe_order}", where="probe_order", fix="one of poorest, random")
    return settings


def _executor(catalog: Catalog, settings: Settings) -> tuple[Executor, frozenset[str]]:
    """What sends, and the tools whose base URL the specs name. Raises UsageError for settings that do not fit."""
    bases, named = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    executor = Executor(
        catalog,
        bases,
        headers=[parse_header(text) for text in settings.headers],
        policy=_policy(catalog, settings, named),
        limits=Limits(timeout=settings.timeout),
        rate=settings.rate or None,
        concurrency=settings.concurrency,
    )
    return executor, named


def _policy(catalog: Catalog, settings: Settings, named: Collection[str]) -> Policy:
    policy = Policy.parse(settings.allow, settings.deny, named)
    allowed, _ = policy.pointless(catalog.operations)
    if allowed:
        fix = "docrev explore --dry-run lists the operations"
        raise UsageError(f"the specs have no operation {allowed[0]}", where="--allow", fix=fix)
    return policy


def _strategy(name: str) -> Any:
    if name not in STRATEGIES:
        raise UsageError(f"no strategy {name}", where="--strategy", fix=f"one of {', '.join(STRATEGIES)}")
    return name


def _catalog(specs: Sequence[str | Path] | str | Path, settings: Settings) -> Catalog:
    catalog = load([specs] if isinstance(specs, str | Path) else list(specs), max_size=settings.max_spec_size)
    if not catalog.operations:
        raise UsageError("the specs describe no operation", where=", ".join(catalog.documents), fix="run docrev lint")
    return catalog


def _wait(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end where no loop runs; inside one the async twin is wanted."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise UsageError("called inside a running event loop", fix="await the async twin, aexplore or arevise")
