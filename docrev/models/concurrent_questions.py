"""Questions side by side, within what a model may cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from docrev.prompts.question_budget import Allowance, Allowances

T = TypeVar("T")
Split = Callable[[int], Sequence[Allowances]]
"""Shares out what is left among so many strands; () if nothing bounds it."""


def unlimited(strands: int) -> Sequence[Allowances]:
    """Nothing is shared out."""
    return ()


async def ask_concurrently(
    works: Sequence[Callable[[], Awaitable[T]]], *, at_once: int, split: Split = unlimited
) -> list[T]:
    """What the works give, in their order; at most `at_once` are under way.

    Where something is shared out, they are done in rounds of `at_once`: what a round has cost is known before the
    next begins, so which of them goes without does not depend on how fast the others were.
    """
    shares = split(min(at_once, len(works))) if works else ()
    if not shares:
        return await _freely(works, at_once)
    done: list[T] = []
    for first in range(0, len(works), at_once):
        part = works[first : first + at_once]
        done += await _round(part, shares if not first else split(len(part)))
    return done


async def _freely(works: Sequence[Callable[[], Awaitable[T]]], at_once: int) -> list[T]:
    slots = asyncio.Semaphore(at_once)

    async def in_slot(work: Callable[[], Awaitable[T]]) -> T:
        async with slots:
            return await work()

    return list(await asyncio.gather(*map(in_slot, works)))


async def _round(works: Sequence[Callable[[], Awaitable[T]]], shares: Sequence[Allowances]) -> list[T]:
    async def run_in_place(place: int) -> T:
        allowances: list[Allowance] = [share.allowances[place] for share in shares]
        for allowance in allowances:
            allowance.open()
        try:
            return await works[place]()
        finally:
            for allowance in allowances:
                allowance.close()

    try:
        return list(await asyncio.gather(*map(run_in_place, range(len(works)))))
    finally:
        for share in shares:
            share.close()
