"""The one driver: performs what generators of steps ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from types import GeneratorType
from typing import Any, TypeVar

from docrev.calls.executor import Executor
from docrev.driver.budget import Budget
from docrev.driver.caller import Caller
from docrev.events import Event, Handler, NodeAdded, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.models.concurrent_questions import Split, unlimited
from docrev.prompts.question_budget import ALLOWANCE, Allowance, Allowances
from docrev.prompts.steps import Ask, Invoke, Steps, Tell

T = TypeVar("T")
_Steps = Generator[Any, Any, Any]
_SINGLE = (Invoke, Ask, Tell)
"""Steps that are one call, question or event; a generator or a list may have any number of them."""


class Driver:
    """Runs generators of steps: asks the model, makes calls, runs lists side by side.

    Answers to a list come in its order, whatever finished first. Its unsafe calls are made alone, after everything
    else in it, in its order. At most `concurrency` requests are on the wire at a time; generators are not bounded.
    """

    def __init__(
        self,
        executor: Executor,
        model: Model,
        evidence: Evidence,
        *,
        budget: Budget,
        concurrency: int = 16,
        emit: Handler = ignore,
        split: Split = unlimited,
    ) -> None:
        self.budget, self._split = budget, split
        self.caller = Caller(executor, evidence, budget=budget, concurrency=concurrency, emit=emit)
        self._model, self._store, self._emit = model, evidence, emit

    async def run(self, steps: Steps[T]) -> T:
        """Run `steps` to the end and return what it returns.

        What it raises comes out, and so do CredentialsError, UnreachableError and StoreError; then, and when it is
        cancelled, every open generator is closed and every finished call is kept.
        """
        result: T = await self._strand(steps)
        self.caller.settle()
        return result

    async def _strand(self, steps: _Steps) -> Any:
        """Run one generator, with the generators it yields on a stack of our own: they may nest without bound."""
        stack: list[_Steps] = [steps]
        answer: Any = None
        error: BaseException | None = None
        try:
            while stack:
                try:
                    step = stack[-1].send(answer) if error is None else stack[-1].throw(error)
                    answer, error = None, None
                except StopIteration as stop:
                    stack.pop()
                    answer, error = stop.value, None
                    continue
                except Exception as raised:
                    stack.pop()
                    if not stack:
                        raise
                    answer, error = None, raised
                    continue
                if isinstance(step, GeneratorType):
                    stack.append(step)
                    continue
                try:
                    answer = await self._perform(step)
                except Exception as raised:
                    error = raised
        finally:
            while stack:
                stack.pop().close()
        return answer

    async def _perform(self, step: Any) -> Any:
        if isinstance(step, Invoke):
            return await self.caller.call(step)
        if isinstance(step, Ask):
            return await self._model.ask(step.prompt)
        if isinstance(step, list | tuple):
            return await self._all(step)
        if isinstance(step, Tell):
            return self._tell(step.event)
        if isinstance(step, Generator):
            return await self._strand(step)
        raise TypeError(f"not a step: {type(step).__name__}")

    def _tell(self, event: Event) -> None:
        if isinstance(event, NodeAdded):
            self._store.put_node(event.node)
        self._emit(event)

    async def _all(self, steps: Sequence[Any]) -> list[Any]:
        if len(steps) == 1:
            return [await self._perform(steps[0])]
        last = [i for i, step in enumerate(steps) if isinstance(step, Invoke) and not self.caller.safe(step)]
        alone = set(last)
        answers: list[Any] = [None] * len(steps)
        if len(alone) < len(steps):
            await self._side_by_side([(i, step) for i, step in enumerate(steps) if i not in alone], answers)
        for i in last:
            answers[i] = await self._perform(steps[i])
        return answers

    async def _side_by_side(self, steps: list[tuple[int, Any]], answers: list[Any]) -> None:
        """Perform steps side by side; the first of them to fail, by its place, cancels the rest."""
        strands = [i for i, step in steps if not isinstance(step, _SINGLE)]
        shares = self._shares(len(strands)) if len(strands) > 1 else []
        allowances = {i: [share.allowances[place] for share in shares] for place, i in enumerate(strands)}
        tasks = [asyncio.create_task(self._with(allowances.get(i, ()), step)) for i, step in steps]
        try:
            await _all_or_first_error(tasks)
        finally:
            for share in shares:
                share.close()
        for (i, _), task in zip(steps, tasks, strict=True):
            answers[i] = task.result()

    def _shares(self, strands: int) -> list[Allowances]:
        return [Allowances(ALLOWANCE, strands, self.budget.left, self.caller.made), *self._split(strands)]

    async def _with(self, allowances: Sequence[Allowance], step: Any) -> Any:
        # A task has a context of its own: what is opened here ends with it.
        for allowance in allowances:
            allowance.open()
        try:
            return await self._perform(step)
        finally:
            for allowance in allowances:
                allowance.close()


async def _all_or_first_error(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Wait for all tasks. If one raises, the others are cancelled; of several errors the first by place comes out."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        if unfinished := [task for task in tasks if not task.done()]:
            for task in unfinished:
                task.cancel()
            await asyncio.wait(unfinished)
        # If this itself is cancelled, nobody looks at what else failed; the loop would complain.
        errors = [task.exception() for task in tasks if task.done() and not task.cancelled()]
    if error := next((error for error in errors if error is not None), None):
        raise error
