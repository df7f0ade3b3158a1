"""Who acts and who judges in a benchmark: the offline agent and the rules, or models."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from docrev.agent.agent import OfflineAgent
from docrev.events import Handler
from docrev.models import Model
from docrev.models.opening import checked_models
from docrev.settings.models import ModelSettings

from ..tooleval.rules import RuleJudge

RULES = "rules"
AGENT, JUDGES = ("agent",), ("judge", "rate")


@asynccontextmanager
async def acting(
    options: ModelSettings, folder: Path, seed: int, emit: Handler, agent: Model | None = None
) -> AsyncIterator[Model]:
    """Who answers the runners: `agent`, the offline agent, or the models of `options`.

    An answer that cannot be used ends the task: nobody else answers in a model's place, for it is the model that is
    measured. Raises UnreachableError if a model cannot be reached, UsageError for one that is none.
    """
    offline = OfflineAgent(seed)
    if agent is not None or not options.asks(AGENT):
        yield agent or offline
        return
    async with checked_models(options, AGENT, offline=offline, folder=folder, seed=seed, emit=emit) as models:
        yield models


@asynccontextmanager
async def judging(judge: str, options: ModelSettings, folder: Path, seed: int, emit: Handler) -> AsyncIterator[Model]:
    """Who judges: the rules, or a model; raises as `acting`."""
    if judge == RULES:
        yield RuleJudge()
        return
    chosen = ModelSettings.build({**options.of_models(), "model": judge, "model_for": ()})
    async with checked_models(chosen, JUDGES, offline=RuleJudge(), folder=folder, seed=seed, emit=emit) as models:
        yield models
