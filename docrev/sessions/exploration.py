"""An exploration put together: a catalog, what sends its calls, the evidence, and the models that answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from docrev.calls.bases import choose_bases
from docrev.calls.executor import Executor
from docrev.calls.permissions import Permission
from docrev.calls.permissions import permissions as operation_permissions
from docrev.calls.routes import Routes
from docrev.conventions.run_names import RunNames
from docrev.driver import Budget, Driver
from docrev.driver.resuming import missing_item, sent_again
from docrev.errors import CredentialsError, UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence, Run
from docrev.evidence.queries import consented_changes, left_items, reached, totals
from docrev.evidence.usefulness import check_usefulness, forget_shut, note_shut, useless_tools
from docrev.exploration.compare import Comparison
from docrev.exploration.experiments import at_random, by_worth
from docrev.exploration.given_values import GivenValue, parse_values
from docrev.exploration.run import explore as explore_steps
from docrev.exploration.sampling import Samples
from docrev.exploration.wanted_consents import wanted_consents
from docrev.exploration.wanted_credentials import wanted_credentials
from docrev.exploration.wanted_values import WantedValue
from docrev.exploration.workspace import ExplorationOutcome, Method, Workspace
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import digest
from docrev.models import Model
from docrev.models.concurrent_questions import unlimited
from docrev.models.opening import OpenModel, identity, open_model
from docrev.offline import OfflineModel
from docrev.prompts.questions import DesignScenario, SuggestCall
from docrev.prompts.steps import Steps
from docrev.records import Experience, Json, Purpose
from docrev.search import limits_of
from docrev.search.tree import CALLS, DEPTH
from docrev.sessions.experience_trials import ExperienceTrials
from docrev.sessions.leftovers import call_limit, remove_created
from docrev.sessions.opening import Specs, introduce, load_operations, open_executor, policy_for
from docrev.sessions.watched_traffic import WatchedTraffic, add_watched, watched_before
from docrev.settings.groups import ExploreSettings
from docrev.settings.models import EXPLORATION_ROLES, GUIDING_ROLES

_MODEL_LIMITS = {"max_model_calls": "--max-model-calls", "max_tokens": "--max-tokens", "max_cost": "--max-cost"}


@dataclass(frozen=True, slots=True)
class Exploration:
    """What an exploration came to. `summary` is what `docrev explore --json` prints; `comparison` is of `--compare`.

    `kept` is True if the same command had finished before: nothing was called, and the summary is the old one.
    """

    summary: dict[str, Json]
    folder: Path
    kept: bool = False
    comparison: Comparison | None = None


async def explore(
    specs: Specs, settings: ExploreSettings, *, on_event: Handler = ignore, nonce: str | None = None
) -> Exploration:
    """Explore as the settings say. Raises DocrevError and its kinds.

    `nonce` is what a new run's own names have in them; by default it is drawn.
    """
    # Before anything is written: most wrong use is noticed here.
    executor, from_specs = open_executor(load_operations(specs, settings), settings, timeout=settings.timeout)
    try:
        given = parse_values(settings.values, executor.catalog.operations)
        with Evidence.open(settings.out, write=True) as evidence:
            return await _Session(executor, from_specs, settings, evidence, on_event, given, nonce).explore()
    finally:
        await executor.close()


def permissions(specs: Specs, settings: ExploreSettings) -> list[Permission]:
    """How far an exploration may call each operation, and what would permit more. Calls nothing."""
    catalog = load_operations(specs, settings)
    parse_values(settings.values, catalog.operations)
    _, from_specs = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    policy = policy_for(catalog, settings, from_specs)
    return operation_permissions(catalog.operations, policy, Routes(catalog.operations))


class _Session:
    """One catalog, one executor, one evidence."""

    def __init__(
        self,
        executor: Executor,
        from_specs: Collection[str],
        settings: ExploreSettings,
        evidence: Evidence,
        emit: Handler,
        given: Sequence[GivenValue] = (),
        nonce: str | None = None,
    ) -> None:
        self._settings, self._evidence, self._emit, self._nonce = settings, evidence, emit, nonce
        self._watched = WatchedTraffic()
        self.executor = executor
        self.catalog = catalog = executor.catalog
        self._from_specs = from_specs
        self.graph = ToolGraph(catalog)
        self.workspace = Workspace(
            catalog,
            self.graph,
            evidence,
            executor.journal,
            executor.policy,
            emit,
            partial(remove_created, executor, evidence, emit),
            self._try_experiences,
            given=given,
        )
        self.limit = call_limit(settings, catalog)

    async def explore(self) -> Exploration:
        settings = self._settings
        self._watched = watched_before(self._evidence, self.catalog)
        run = self._evidence.begin(self._identity(), fresh=settings.fresh, nonce=self._nonce)
        if run.resumed and self._taught_nothing():
            # What was answered then was no answer: the service, or the credentials, may be others by now.
            run = self._evidence.begin(self._identity(), fresh=True, nonce=self._nonce)
        self.executor.names = RunNames(run.nonce)
        if run.finished and run.summary is not None and not goes_on(settings, self.limit, run.summary):
            return Exploration(account(self._evidence, run.summary["told"]), Path(settings.out), kept=True)
        if run.pruned:
            raise UsageError(
                "this run cannot go on: docrev evidence --prune removed its calls", fix="use --fresh, which starts anew"
            )
        introduce(self.executor, self._from_specs, self._emit)
        offline = OfflineModel(self.catalog, self.graph, settings.seed)
        models = self._models(offline, f"{run.digest}-{run.id}") if settings.asks(EXPLORATION_ROLES) else None
        driver = self._driver(models or offline, models, run.finished)
        forget_shut(self._evidence)
        try:
            return await self._explore(run, models, driver)
        except CredentialsError:
            note_shut(self._evidence, driver.caller.unanswered)
            raise
        finally:
            if models is not None:
                await models.close()

    async def _explore(self, run: Run, models: OpenModel | None, driver: Driver) -> Exploration:
        settings = self._settings
        if models is not None:
            await models.check(EXPLORATION_ROLES)
        self.workspace.limit, self.workspace.hold = self.limit, driver.budget.hold
        self.workspace.left, self.workspace.secrets = lambda: driver.budget.left, self.executor.secrets
        if run.resumed:
            await self._same_state()
            self._evidence.conceal()
        for call in self._watched.calls:
            self._evidence.calls.put(call)
            self.graph.observe(call)
        started = time.monotonic()
        drawn = at_random(settings.seed) if settings.probe_order == "random" else by_worth
        toolbfs = settings.method == "toolbfs"
        calls = settings.search_calls or (None if toolbfs else CALLS)
        limits = partial(limits_of, width=settings.width, depth=settings.depth, calls=calls, published=toolbfs)
        method = Method(
            settings.strategy,
            settings.compare,
            settings.single_tool,
            drawn,
            toolbfs,
            limits,
            guided=self._is_guided(),
            written=settings.asks([DesignScenario.role]),
        )
        outcome = await driver.run(self._steps(method))
        urls = {tool: base.url for tool, base in self.executor.bases.items()}
        check_usefulness(self._evidence, urls, [value.option for value in outcome.wanted])
        if self._watched != WatchedTraffic():
            add_watched(self._evidence, self._watched)
        told = self._summary(outcome, driver, round(time.monotonic() - started, 2))
        told["model"] = models.usage.to_json() if models is not None else None
        ended = {"told": told, "limit": self.limit, "spent": told["budget_spent"], "bounds": model_limits(settings)}
        self._evidence.finish(ended)
        return Exploration(account(self._evidence, told), Path(settings.out), comparison=outcome.comparison)

    def _is_guided(self) -> bool:
        """Whether a model explores in docrev's own way: another strategy than the default one is a search's."""
        settings = self._settings
        is_plain = settings.method == "docrev" and settings.strategy == "bfs" and not settings.compare
        return is_plain and settings.asks(GUIDING_ROLES)

    def _taught_nothing(self) -> bool:
        """Whether every tool of an unfinished run returned nothing of use, and nothing may have been created."""
        if self._evidence.run.finished or self._evidence.intents.unanswered():
            return False
        return useless_tools(self._evidence).keys() >= self.executor.bases.keys()

    def _try_experiences(self, experiences: Sequence[Experience]) -> Steps[list[Experience]]:
        return (yield from ExperienceTrials(self.catalog, self._evidence).helpful(experiences))

    def _models(self, offline: OfflineModel, run: str) -> OpenModel:
        settings = self._settings
        self.workspace.sample = Samples(self.graph)
        self.workspace.asks = settings.asks([SuggestCall.role])
        self.workspace.read_goal = offline.goal
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
        last: tuple[Purpose, ...] = ("replay", "clean-up") if again else ()
        made = Counter[Purpose]()
        for ending, calls in self._evidence.calls.endings().items():
            made[ending.purpose] += calls
        spent = sum(made[purpose] for purpose in last)
        owed = made.total() - made["observed"] - spent + sum(sent_again(self._evidence).values())
        return Driver(
            self.executor,
            model,
            self._evidence,
            budget=Budget(max(0, self.limit - spent), owed=owed),
            concurrency=self._settings.concurrency,
            emit=self._emit,
            split=models.budgets.split if models is not None else unlimited,
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
            **({"method": settings.method} if settings.method != "docrev" else {}),
            **{name: bound for name, bound in self._search_limits().items() if bound is not None},
            **({"probe_order": settings.probe_order} if settings.probe_order != "poorest" else {}),
            **({"values": list(settings.values)} if settings.values else {}),
            **({"watched": digest(self._watched.identity)} if self._watched.calls else {}),
            **({"models": identity(settings)} if settings.asks(EXPLORATION_ROLES) else {}),
            **({"credentials": dict(self.executor.credential_forms)} if self.executor.credential_forms else {}),
            "policy": self.workspace.policy.settings(),
        }

    def _search_limits(self) -> dict[str, Json]:
        """The limits of searches that differ from the defaults."""
        settings = self._settings
        depth = settings.depth if settings.depth != DEPTH else None
        return {"width": settings.width, "depth": depth, "search_calls": settings.search_calls}

    async def _same_state(self) -> None:
        """Where the server forgot what this run created, going on would explore something else."""
        if (item := await missing_item(self.executor, self._evidence)) is not None:
            raise UsageError(
                f"the server no longer has what this run created: {item.tool} {self.executor.readable(item.path)}",
                fix="use --fresh, which starts a new run and keeps the old",
            )

    def _steps(self, method: Method) -> Steps[ExplorationOutcome]:
        outcome: ExplorationOutcome = yield from explore_steps(self.workspace, method)
        # Before the driver keeps what nobody answered: the same command is to ask again.
        self.executor.storms.conclude()
        return outcome

    def _wanted(self, outcome: ExplorationOutcome) -> tuple[WantedValue, ...]:
        policy, routes = self.workspace.policy, self.workspace.journal.routes
        consents = wanted_consents(outcome.missed, self.catalog, policy, routes)
        return (*self._wanted_credentials(outcome), *outcome.wanted, *consents)

    def _wanted_credentials(self, outcome: ExplorationOutcome) -> tuple[WantedValue, ...]:
        """Nothing if a person gave some: that they are refused says nothing of others."""
        if self._settings.headers or self._settings.auth:
            return ()
        # Of a run with a million calls those of a few operations alone are read.
        refused = (call for key in outcome.missed for call in self._evidence.calls.select(key=key, ok=False))
        return wanted_credentials(outcome.missed, refused, self.catalog)

    def _summary(self, outcome: ExplorationOutcome, driver: Driver, seconds: float) -> dict[str, Json]:
        self._evidence.reveal()
        made = totals(self._evidence, watched=False)
        useless = useless_tools(self._evidence)
        return {
            "operations": len(self.catalog.operations),
            "operations_2xx": len(reached(self._evidence)),
            "calls": made["calls"],
            "calls_2xx": made["calls_2xx"],
            "requests": driver.budget.spent + made["calls"] - driver.caller.taken,
            "scenarios": outcome.scenarios,
            "solved": outcome.solved,
            "experiences": outcome.experiences,
            "facts": outcome.facts,
            "facts_dropped": outcome.dropped,
            "missed": [
                {"tool": key.tool, "operation": key.operation, "kind": reason.kind, "why": reason.why}
                for key, reason in sorted(outcome.missed.items())
            ],
            "wanted_values": [asdict(value) for value in self._wanted(outcome)],
            "findings": [
                *outcome.findings,
                *(f"{tool} {trouble}: nothing is written of it" for tool, trouble in sorted(useless.items())),
            ],
            "created": outcome.cleaned.created,
            "unseen": outcome.cleaned.unseen,
            "comparison": [asdict(row) for row in outcome.comparison.rows] if outcome.comparison else None,
            "budget_spent": driver.budget.left == 0 or driver.budget.short,
            "seconds": seconds,
        }


def account(evidence: Evidence, told: Mapping[str, object]) -> dict[str, Json]:
    """A summary with what is left by now, and what was changed by consent."""
    left, changed = left_items(evidence), consented_changes(evidence)
    return {**told, "left": [asdict(item) for item in left], "changed": [asdict(change) for change in changed]}


def goes_on(settings: ExploreSettings, limit: int, summary: Mapping[str, Json]) -> bool:
    """Whether a run that ended with this summary goes on: it may make more requests now, or ask a model more."""
    return bool(summary["spent"] and limit > summary["limit"]) or _models_go_on(settings, summary)


def model_limits(settings: ExploreSettings) -> dict[str, Json]:
    """What models may cost, by option: kept with a run, to see whether the same command goes on."""
    return {option: getattr(settings, name) for name, option in _MODEL_LIMITS.items()}


def _models_go_on(settings: ExploreSettings, summary: Mapping[str, Json]) -> bool:
    """Whether models may cost more than when a run ended, and that was what ended it."""
    short = (summary["told"].get("model") or {}).get("budget_spent", ())
    limits = model_limits(settings)
    return any(limits[option] is None or limits[option] > summary["bounds"][option] for option in short)
