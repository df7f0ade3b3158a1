"""What a judge says of trajectories and documents; the judge is a model or rules, and is always named."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TypedDict

from docrev.errors import ModelError
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.prompts.briefs import brief
from docrev.prompts.questions import Brief
from docrev.records import OperationKey, Task, Trajectory
from docrev.spec import Catalog

from ..tooleval.judging import answered, judge_better, judge_pass, judge_success
from ..tooleval.labels import WORTH
from ..tooleval.rating import means, rate
from .docs import Docs
from .engine import select
from .summary import Line

WON = {"second": 1.0, "tie": 0.5, "first": 0.0}
TOGETHER = 16
BRIEFED = 64
"""Sets of operations whose briefs are kept: tasks mostly share theirs."""


class Opinion(TypedDict):
    """The columns of an outcome that a judge fills: None if it had no answer that could be used."""

    judged: float | None
    passed: float | None
    preferred: float | None


class Opinions:
    """The opinions of one judge on the lines of a benchmark."""

    def __init__(self, tasks: Sequence[Task], evidence: Evidence, judge: Model) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._evidence, self._judge = evidence, judge
        self._briefs: dict[tuple[str, tuple[OperationKey, ...]], tuple[Brief, ...]] = {}

    async def of(self, line: Line, docs: Docs, first: Line) -> dict[str, Opinion]:
        """By task, whether `line` succeeded (RestBench) and passed (ToolEval), and whether it is preferred to `first`;
        not if it is that."""
        opinions: dict[str, Opinion] = {}
        slots = asyncio.Semaphore(TOGETHER)

        async def opine(task: Task) -> None:
            async with slots:
                opinions[task.id] = await self._opinion(task, line, docs, first)

        await asyncio.gather(*(opine(self._tasks[row.task]) for row in line.outcomes))
        return opinions

    async def _opinion(self, task: Task, line: Line, docs: Docs, first: Line) -> Opinion:
        mine = self._trajectory(line, task)
        briefs = self._briefs_of(docs, docs.given(task))
        try:
            judged = WORTH[(await answered(judge_success(task, mine), self._judge)).status]
            label = (await answered(judge_pass(task, mine, briefs), self._judge)).label
            if line is first:
                return {"judged": judged, "passed": WORTH[label], "preferred": None}
            other = self._trajectory(first, task)
            before = (await answered(judge_pass(task, other, briefs), self._judge)).label
            compared = await answered(judge_better(task, other, mine, (before, label)), self._judge)
        except ModelError:
            return {"judged": None, "passed": None, "preferred": None}
        return {"judged": judged, "passed": WORTH[label], "preferred": WON[compared.won]}

    def _briefs_of(self, docs: Docs, given: tuple[OperationKey, ...]) -> tuple[Brief, ...]:
        """Briefs of the operations that an agent was given, all if it had no candidates."""
        key = (docs.name, given)
        if key not in self._briefs:
            if len(self._briefs) >= BRIEFED:
                self._briefs.clear()
            wanted = set(given)
            chosen = (one for one in docs.catalog.operations if not wanted or one.key in wanted)
            self._briefs[key] = tuple(brief(one) for one in chosen)
        return self._briefs[key]

    def _trajectory(self, line: Line, task: Task) -> Trajectory:
        select(self._evidence, line.docs, line.runner, line.model)
        return self._evidence.trajectories.get(task.id)


async def rated(catalog: Catalog, judge: Model) -> dict[str, float]:
    """The mean rating of a catalog's documentation by aspect, 1 to 3; {} if the judge has no usable answer."""
    try:
        return {name: round(score, 4) for name, score in means(await answered(rate(catalog), judge)).items()}
    except ModelError:
        return {}
