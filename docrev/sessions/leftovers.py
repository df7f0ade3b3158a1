"""What earlier runs created and could not remove, or did not come to: `docrev explore --clean` removes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docrev.calls.executor import Executor
from docrev.conventions.run_names import RunNames
from docrev.driver import Budget, Driver
from docrev.driver.appearances import Appearances
from docrev.driver.cleaning import CleanUp, clean_up
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence, Run
from docrev.evidence.queries import left_items
from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.steps import Steps
from docrev.records import JournalItem, LeftItem
from docrev.sessions.opening import Specs, introduce, load_operations, open_executor
from docrev.settings.groups import ExploreSettings
from docrev.spec import Catalog

CALLS_PER_OPERATION = 50
"""The default budget, in requests for each operation of the catalog."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What came of `--clean`: what is `left` of all runs. `unseen` things were removed, and nothing shows whether they
    are gone."""

    left: tuple[LeftItem, ...] = ()
    unseen: int = 0


async def clean(specs: Specs, settings: ExploreSettings, *, on_event: Handler = ignore) -> Cleaned:
    """Remove what all earlier runs of the folder created; returns what is still there."""
    executor, from_specs = open_executor(load_operations(specs, settings), settings, timeout=settings.timeout)
    try:
        with Evidence.open(settings.out, write=True) as evidence:
            introduce(executor, from_specs, on_event)
            return await _Leftovers(executor, settings, evidence, on_event).clean()
    finally:
        await executor.close()


def call_limit(settings: ExploreSettings, catalog: Catalog) -> int:
    """The requests that an exploration may make."""
    return settings.max_calls or CALLS_PER_OPERATION * max(1, len(catalog.operations))


def remove_created(executor: Executor, evidence: Evidence, emit: Handler) -> Steps[CleanUp]:
    """Remove what all processes of the run created that the evidence is at."""
    # What an earlier process of the run created and this one did not come to is its own too.
    executor.journal.restore(item for item in evidence.journal.kept_items() if not item.deleted)
    return clean_up(executor, emit, evidence.journal.put, Appearances(executor, evidence))


class _Leftovers:
    """What the runs of one folder left behind the base URLs of one executor."""

    def __init__(self, executor: Executor, settings: ExploreSettings, evidence: Evidence, emit: Handler) -> None:
        self._executor, self._settings, self._evidence, self._emit = executor, settings, evidence, emit

    def _driver(self) -> Driver:
        catalog, settings = self._executor.catalog, self._settings
        offline = OfflineModel(catalog, ToolGraph(catalog), settings.seed)
        budget = Budget(call_limit(settings, catalog))
        return Driver(
            self._executor, offline, self._evidence, budget=budget, concurrency=settings.concurrency, emit=self._emit
        )

    async def clean(self) -> Cleaned:
        """Remove what every run of the folder left behind these base URLs."""
        left: list[LeftItem] = []
        unseen = 0
        for run in self._evidence.runs():
            self._evidence.select(run)
            self._executor.names = RunNames(run.nonce)
            if not run.finished:
                await self._take_up(run)
            items = list(self._unsettled(run))
            here = [item for item in items if not self._elsewhere(run, item.tool)]
            if any(self._elsewhere(run, item.tool) and not item.deleted for item in items):
                self._emit(Notice(f"what run {run.id} left behind another base URL is not looked for"))
            unseen += await self._clean(here)
            left += left_items(self._evidence)
        return Cleaned(tuple(left), unseen)

    def _unsettled(self, run: Run) -> Iterator[JournalItem]:
        """What may be there of a run: what its end could not look for, or did not come to, is looked for now."""
        looked = run.finished and not (run.summary or {}).get("told", {}).get("unseen")
        for item in self._evidence.journal.items():
            if not item.deleted or (item.confirmed and not looked):
                yield item

    async def _take_up(self, run: Run) -> None:
        """Settle what a run was doing when it was cut off."""
        intents, epochs = self._evidence.intents.unsettled()
        for intent in intents:
            if self._executor.catalog.get(intent.key) is not None and not self._elsewhere(run, intent.key.tool):
                self._executor.new_journal().restore(
                    item for item in self._evidence.journal.items() if not item.deleted
                )
                await self._driver().caller.take_up(intent, epochs)

    async def _clean(self, items: list[JournalItem]) -> int:
        """Remove items of one run; how many of those removed could not be looked for."""
        if not items:
            return 0
        self._executor.new_journal().restore(items)
        driver = self._driver()
        # Another number than at any earlier clean-up: what was refused then is sent again.
        driver.caller.epoch = self._evidence.calls.endings().total()
        # What else came since then may have come after the run.
        cleaned: CleanUp = await driver.run(clean_up(self._executor, self._emit, self._evidence.journal.put))
        return cleaned.unseen

    def _elsewhere(self, run: Run, tool: str) -> bool:
        """Whether a run used a tool behind another base URL than this one's, or the tool is not here."""
        urls, base = run.settings.get("base_urls"), self._executor.bases.get(tool)
        return base is None or not isinstance(urls, dict) or urls.get(tool) != base.url
