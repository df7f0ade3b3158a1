"""Shares of the budget for strands that run side by side, so that who gets the last request is no matter of speed."""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet
from contextvars import ContextVar


class Purse:
    """What one of several strands may ask for: an equal share at once, and more when its turn has come.

    Beyond its share a strand waits until those before it are done, and then has what they left. Calls are counted by
    id, as they are asked for: that does not depend on who came first. Those in `free` were made before and cost
    nothing. A strand inside a strand has a part of its parent's share.
    """

    def __init__(self, shares: Shares, place: int) -> None:
        self._shares, self._place = shares, place
        self._done = asyncio.Event()
        self.asked: set[str] = set()
        self.lent = 0

    @property
    def left(self) -> int:
        """What is left of its share, without waiting."""
        return max(0, self._shares.share - len(self.asked) - self.lent)

    @property
    def free(self) -> frozenset[str]:
        return self._shares.free

    async def take(self, id: str) -> bool:
        """Take one request for call `id`, if there is one."""
        if id in self.asked or id in self.free:
            return True
        if not self.left:
            earlier = self._shares.purses[: self._place]
            for purse in earlier:
                await purse._done.wait()
            before = self.asked.union(*(purse.asked for purse in earlier))
            if id not in before:
                behind = len(self._shares.purses) - 1 - self._place
                kept_for_those_behind = behind * self._shares.share
                if len(before) + self.lent + kept_for_those_behind >= self._shares.total:
                    parent = self._shares.parent
                    return False if parent is None else await parent.take(id)
        self.asked.add(id)
        return True

    def close(self) -> None:
        """The strand is done: what it left may go to those behind it."""
        self._done.set()


class Shares:
    """The purses of `strands` strands, out of the parent's purse or, without one, out of `left`.

    `made` are the calls that cost nothing any more.
    """

    def __init__(self, strands: int, left: int, made: AbstractSet[str]) -> None:
        self.parent = PURSE.get()
        self.total = left if self.parent is None else self.parent.left
        self.share = self.total // strands
        self.free = frozenset(made) if self.parent is None else self.parent.free
        if self.parent is not None:
            self.parent.lent += self.total
        self.purses = [Purse(self, place) for place in range(strands)]

    def close(self) -> None:
        """All strands are done: the parent gets back what they left, and counts what they asked for."""
        if self.parent is not None:
            self.parent.lent -= self.total
            self.parent.asked.update(*(purse.asked for purse in self.purses))


PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)
"""The purse of the strand that is running; None: the whole budget."""
