"""Shares of a model budget for strands that run side by side, so that the split does not depend on their speed."""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet
from contextvars import ContextVar


class Allowance:
    """What one of several strands may spend: an equal share at once, and more when its turn has come.

    Beyond its share a strand waits until those before it are done, and then has what they left. What is bought is
    counted by id, as it is asked for: that does not depend on who came first. What is in `free` was bought before and
    costs nothing. A strand inside a strand has a part of its parent's share.
    """

    def __init__(self, shares: Allowances, place: int) -> None:
        self._shares, self._place = shares, place
        self._done = asyncio.Event()
        self.asked: dict[str, int] = {}
        self.lent = 0
        self._used = 0

    @property
    def left(self) -> int:
        """What is left of its share, without waiting."""
        return max(0, self._shares.share - self._used - self.lent)

    @property
    def free(self) -> frozenset[str]:
        return self._shares.free

    @property
    def price(self) -> int:
        """What one more is taken to cost, until it is known."""
        return self._shares.price

    def open(self) -> None:
        """The strand that begins here, in a context of its own, spends from this allowance."""
        self._shares.var.set(self)

    async def take(self, id: str) -> bool:
        """Take the price of `id`, if there is as much."""
        if id in self.asked or id in self.free:
            return True
        if self.left < self.price:
            earlier = self._shares.allowances[: self._place]
            for allowance in earlier:
                await allowance._done.wait()
            before: dict[str, int] = {}
            for allowance in (*earlier, self):
                before |= allowance.asked
            if id not in before:
                behind = len(self._shares.allowances) - 1 - self._place
                kept_for_those_behind = behind * self._shares.share
                spoken_for = sum(before.values()) + self.lent + kept_for_those_behind
                if spoken_for + self.price > self._shares.total:
                    parent = self._shares.parent
                    return False if parent is None else await parent.take(id)
        self.settle(id, self.price)
        return True

    def settle(self, id: str, cost: int) -> None:
        """`id` costs this much, as is known now."""
        self._used += cost - self.asked.get(id, 0)
        self.asked[id] = cost

    def pay(self, id: str, cost: int) -> None:
        """Settle `id` where it was taken: here, or in the parent's allowance."""
        if id in self.asked:
            self.settle(id, cost)
        elif self._shares.parent is not None:
            self._shares.parent.pay(id, cost)

    def close(self) -> None:
        """The strand is done: what it left may go to those behind it."""
        self._done.set()


class Allowances:
    """The allowances of `strands` strands, out of the parent's allowance or, without one, out of `left`.

    `var` has the allowance of the running strand; `made` is what costs nothing any more, `price` what one more is
    taken to cost.
    """

    def __init__(
        self,
        var: ContextVar[Allowance | None],
        strands: int,
        left: int,
        made: AbstractSet[str] = frozenset(),
        *,
        price: int = 1,
    ) -> None:
        self.var = var
        self.parent = var.get()
        self.total = left if self.parent is None else self.parent.left
        self.price = price if self.parent is None else self.parent.price
        self.share = self.total // strands
        self.free = frozenset(made) if self.parent is None else self.parent.free
        if self.parent is not None:
            self.parent.lent += self.total
        self.allowances = [Allowance(self, place) for place in range(strands)]

    def close(self) -> None:
        """All strands are done: the parent gets back what they left, and counts what they asked for."""
        if self.parent is not None:
            self.parent.lent -= self.total
            for allowance in self.allowances:
                for id, cost in allowance.asked.items():
                    self.parent.settle(id, cost)


ALLOWANCE: ContextVar[Allowance | None] = ContextVar("allowance", default=None)
"""The allowance of requests of the strand that is running; None: the whole budget."""
