"""Doing a suite's tasks: each with a driver of its own, side by side, and kept when it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docrev.calls.executor import Executor
from docrev.calls.limits import Limits as CallLimits
from docrev.driver import Budget, Driver
from docrev.driver.cleaning import clean_up
from docrev.errors import DocrevError, ModelError, UnreachableError
from docrev.events import CellStarted, Event, Handler, ModelAsked, TaskDone, ignore
from docrev.evidence import Evidence
from docrev.evidence.store import FILE_NAME
from docrev.json_values.canonical import digest
from docrev.models import Model
from docrev.prompts.questions import AnswerT, Prompt
from docrev.prompts.steps import Steps
from docrev.records import Json, Task, Trajectory
from docrev.runners import Runner, Toolbox, TrackLimits
from docrev.settings.groups import AgentSettings

from ..metrics.execution import read_state, reads
from .stages import Stage

ROUNDS = 20
"""Steps that the driver is asked for, per step that the runner may take, before it is cut off as never finishing."""


@dataclass(frozen=True)
class Cell:
    """One runner with one model on one set of documents: what a table has a line for."""

    docs: str
    runner: str
    model: str
    tools: Callable[[Task], Toolbox]
    run: Runner
    limits: TrackLimits
    identity: dict[str, Json] = field(default_factory=dict)
    asks: Mapping[str, int] = field(default_factory=dict)
    """Most questions for a task, by id, where another agent's are the measure; by default the limits' own."""

    def limits_for(self, task: Task) -> TrackLimits:
        return replace(self.limits, asks=self.asks.get(task.id, self.limits.asks))

    def settings(self, suite: str, tasks: Sequence[Task], stage: Stage) -> dict[str, Json]:
        """What makes results those of the same command."""
        return {
            "benchmark": suite,
            "tasks": digest([[task.id, task.text, task.operations] for task in tasks], 16),
            "docs": self.docs,
            "runner": self.runner,
            "model": self.model,
            "limits": repr(self.limits),
            **({"asks": digest(dict(self.asks), 16)} if self.asks else {}),
            "stage": stage.name,
            **self.identity,
        }


@dataclass(slots=True)
class CellUsage:
    """What the model was asked for one task."""

    asks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


_USAGE: ContextVar[CellUsage | None] = ContextVar("usage", default=None)


def counting(emit: Handler = ignore) -> Handler:
    """A handler for a model's events: counts for the task that asked, and hands on."""

    def handle(event: Event) -> None:
        usage = _USAGE.get()
        if usage is not None and isinstance(event, ModelAsked):
            usage.tokens_in += event.tokens_in
            usage.tokens_out += event.tokens_out
        emit(event)

    return handle


class _Asked:
    """A model as one task sees it: counted, and distinguished from the API if it cannot be reached."""

    def __init__(self, model: Model, usage: CellUsage) -> None:
        self.name, self._model, self._usage = model.name, model, usage

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        self._usage.asks += 1
        try:
            return await self._model.ask(prompt)
        except UnreachableError as error:
            raise _ModelGone(error) from error


class _ModelGone(Exception):
    """The model cannot be reached: no other task would fare better."""

    def __init__(self, error: UnreachableError) -> None:
        self.error = error
        super().__init__(str(error))


class NeverFinishes(Exception):
    """A runner took far more steps than its limits allow."""


async def do_cell(
    cell: Cell,
    suite: str,
    tasks: Sequence[Task],
    stage: Stage,
    model: Model,
    evidence: Evidence,
    settings: AgentSettings,
    parts: Iterable[Path] = (),
    on_event: Handler = ignore,
) -> None:
    """Do the tasks of a cell in a run of its own, which begins with what was done in the folders of `parts`."""
    on_event(CellStarted(cell.docs, cell.runner, len(tasks)))
    evidence.begin(cell.settings(suite, tasks, stage), fresh=settings.fresh)
    waiting = {task.id for task in tasks} - set(evidence.trajectories.attempted())
    # Of more parts than tasks, some did nothing.
    for folder in (folder for folder in parts if (folder / FILE_NAME).is_file()):
        with Evidence.open(folder, write=False) as part:
            select(part, cell.docs, cell.runner, cell.model)
            for id in waiting.intersection(part.trajectories.attempted()):
                evidence.trajectories.put(part.trajectories.get(id))
    concurrency = settings.concurrency
    await do(tasks, cell, stage, model, evidence, concurrency=concurrency, done=lambda one: on_event(TaskDone(one)))


def select(evidence: Evidence, docs: str, runner: str, model: str) -> None:
    """Make the newest run of a cell the one that is read."""
    wanted = {"docs": docs, "runner": runner, "model": model}
    evidence.select(next(run for run in reversed(evidence.runs()) if wanted.items() <= run.settings.items()))


async def do(
    tasks: Sequence[Task],
    cell: Cell,
    stage: Stage,
    model: Model,
    evidence: Evidence,
    *,
    concurrency: int = 8,
    done: Callable[[Trajectory], None] = lambda _: None,
) -> None:
    """Do the tasks that the evidence's run has no trajectory of; each is kept as soon as it is done.

    A task that fails is a trajectory that says why. Raises UnreachableError if the model cannot be reached, and
    StoreError; what was done before is kept.
    """
    attempted = set(evidence.trajectories.attempted())
    waiting = iter([task for task in tasks if task.id not in attempted])

    async def work() -> None:
        for task in waiting:
            trajectory = await attempt(task, cell, stage, model)
            evidence.trajectories.put(trajectory)
            done(trajectory)

    workers = [asyncio.create_task(work()) for _ in range(concurrency)]
    try:
        await asyncio.gather(*workers)
    except _ModelGone as gone:
        raise gone.error from None
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def attempt(task: Task, cell: Cell, stage: Stage, model: Model) -> Trajectory:
    """Do one task in a room of its own; whatever goes wrong with it is the trajectory's reason."""
    usage = CellUsage()
    _USAGE.set(usage)
    try:
        with closing(Evidence.in_memory()) as evidence:
            trajectory = await _attempt(task, cell, stage, _Asked(model, usage), evidence)
    except (_ModelGone, asyncio.CancelledError):
        raise
    except NeverFinishes:
        trajectory = _failed(task, cell, "the runner never finishes")
    except ModelError as error:
        trajectory = _failed(task, cell, f"model: {error}")
    except DocrevError as error:
        trajectory = _failed(task, cell, str(error))
    except Exception as error:
        trajectory = _failed(task, cell, f"{type(error).__name__}: {error}")
    counted = max(usage.tokens_in, trajectory.tokens_in), max(usage.tokens_out, trajectory.tokens_out)
    asks = max(usage.asks, trajectory.asks)
    return replace(trajectory, task=task.id, runner=cell.runner, asks=asks, tokens_in=counted[0], tokens_out=counted[1])


async def _attempt(task: Task, cell: Cell, stage: Stage, model: Model, evidence: Evidence) -> Trajectory:
    tools, limits = cell.tools(task), cell.limits_for(task)
    executor = Executor(
        tools.catalog,
        stage.bases(f"{cell.docs}-{cell.runner}-{task.id}"),
        headers=stage.headers,
        policy=stage.policy,
        limits=CallLimits(timeout=15.0),
    )
    driver = Driver(executor, model, evidence, budget=Budget(4 * cell.limits.calls + 64), concurrency=4)
    try:
        steps = bounded(cell.run(task, tools, limits), ROUNDS * (limits.steps + limits.calls))
        trajectory = await driver.run(steps)
        if reads(task.answer):
            trajectory = replace(trajectory, state=await driver.run(read_state(task)))
        return trajectory
    finally:
        if not stage.thrown_away:
            # What an API refuses to remove, or does not answer any more, is left.
            with suppress(DocrevError):
                await driver.run(clean_up(executor))
        await executor.close()


def _failed(task: Task, cell: Cell, reason: str) -> Trajectory:
    return Trajectory(task.id, cell.runner, (), (), None, "failed", " ".join(reason.split())[:500])


def bounded(steps: Steps[Trajectory], most: int) -> Steps[Trajectory]:
    """The same steps, but no more than `most`; then NeverFinishes is raised. Steps inside of lists count too."""
    left = [most]

    def count(step: Any) -> Any:
        if isinstance(step, Generator):
            return watch(step)
        if isinstance(step, list | tuple):
            return [count(one) for one in step]
        left[0] -= 1
        if left[0] < 0:
            raise NeverFinishes
        return step

    def watch(inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        answer: Any = None
        error: Exception | None = None
        try:
            while True:
                try:
                    step = inner.send(answer) if error is None else inner.throw(error)
                except StopIteration as stop:
                    return stop.value
                answer, error = None, None
                try:
                    answer = yield count(step)
                except NeverFinishes:
                    raise
                except Exception as raised:
                    error = raised
        finally:
            inner.close()

    return watch(steps)
