"""Steps performed without a driver: no budget, no journal, nothing kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from docrev.errors import ModelError


async def perform(step: Any, act: Callable[[Any], Awaitable[Any]]) -> Any:
    """What a step comes to; `act` performs those that are neither generators nor lists, which are done side by side.

    A ModelError is raised within the generator whose step it was.
    """
    if isinstance(step, list | tuple):
        return list(await asyncio.gather(*(perform(one, act) for one in step)))
    if not isinstance(step, Generator):
        return await act(step)
    answer: Any = None
    error: ModelError | None = None
    while True:
        try:
            asked = step.send(answer) if error is None else step.throw(error)
        except StopIteration as stop:
            return stop.value
        answer, error = None, None
        try:
            answer = await perform(asked, act)
        except ModelError as raised:
            error = raised
