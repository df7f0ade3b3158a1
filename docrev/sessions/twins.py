"""The public functions come in twos: `explore` waits for `aexplore`, and `alint` does in a thread what `lint` does."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from docrev.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")


def synchronous(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """The twin of an async function that waits for its end: the same parameters and documentation."""

    @functools.wraps(function)
    def wait(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(function(*args, **kwargs))
        raise UsageError("called inside a running event loop", fix=f"await docrev.{function.__name__}")

    wait.__name__ = function.__name__.removeprefix("a")
    return wait


def asynchronous(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The twin of a function for programs that run an event loop: it works in a thread of its own."""

    @functools.wraps(function)
    async def work(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(function, *args, **kwargs)

    work.__name__ = f"a{function.__name__}"
    return work
