"""A driver without I/O for tests: generators of steps are fed by two functions, forwards or backwards."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Ask, Invoke, Tell
from docrev.records import Call


def drive(
    steps: Generator[Any, Any, Any],
    answer: Callable[[Prompt[Any]], Any],
    call: Callable[[Invoke], Call],
    *,
    backwards: bool = False,
) -> Any:
    """Run a generator of steps to its end. What is to be done concurrently is done in order, or `backwards`."""

    def perform(step: Any) -> Any:
        if isinstance(step, Ask):
            return answer(step.prompt)
        if isinstance(step, Invoke):
            return call(step)
        if isinstance(step, Tell):
            return None
        if isinstance(step, list):
            order = range(len(step) - 1, -1, -1) if backwards else range(len(step))
            done = {index: perform(step[index]) for index in order}
            return [done[index] for index in range(len(step))]
        return drive(step, answer, call, backwards=backwards)

    try:
        step = next(steps)
        while True:
            step = steps.send(perform(step))
    except StopIteration as stop:
        return stop.value


def called(invoke: Invoke, body: Any, status: int = 200) -> Call:
    """The call that an invocation becomes where the API answers with `body`."""
    name = f"{invoke.key} {sorted(invoke.arguments.items(), key=str)} {invoke.repeat}"
    return Call(
        id=name,
        key=invoke.key,
        arguments=dict(invoke.arguments),
        url=f"http://127.0.0.1{invoke.key.path}",
        status=status,
        headers={},
        body=body,
        media_type="application/json",
        purpose=invoke.purpose,
        scenario=invoke.scenario,
    )
