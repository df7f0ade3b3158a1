"""What is still to be found out, in small parts: the most new facts for a call first, or in any other order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from docrev.grouping import grouped
from docrev.prompts.steps import Steps
from docrev.records import OperationKey

TOGETHER = 32
"""Experiments that only read and are done side by side: more than requests are on the wire, as each waits for its own
answers. It is the same at any concurrency, so that what is found is."""
_AT_ONCE, _AT_MOST = 0.5, 1.5
"""The part of what is left that is given out at a time: what experiments take is an estimate, and what one takes more
should be at the cost of what is worth least, not of what happens to be done beside it. Where those before took less
than was expected, it is more: else the last experiments would be done by ever fewer at a time."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Something to find out by a few calls on one operation.

    `facts` and `calls` are what is expected of it: facts that the documentation does not tell yet, and requests,
    replays included. `run` makes the calls; what they show is kept by whoever made the experiment. `owed` of the
    calls are made later, when all facts are shown again.
    """

    key: OperationKey
    subject: str
    facts: float
    calls: float
    run: Callable[[], Steps[None]]
    writes: bool = False
    owed: int = 0

    @property
    def worth(self) -> float:
        """New facts expected for a call."""
        return self.facts / self.calls


class Spent(Exception):
    """The budget is spent: what a stage, or an experiment, found so far is what it found."""


Order = Callable[[Experiment], Any]
"""A sort key: what is done first."""


def by_worth(experiment: Experiment) -> tuple[float, OperationKey, str]:
    """Order experiments by facts per call: cheap ones first, on what is documented worst."""
    return -experiment.worth, experiment.key, experiment.subject


def at_random(seed: int) -> Order:
    """No order at all, the same for a seed: what any other is measured against."""

    def drawn(experiment: Experiment) -> str:
        return sha256(f"{seed} {experiment.key} {experiment.subject}".encode()).hexdigest()

    return drawn


def perform(
    experiments: Iterable[Experiment], order: Order, left: Callable[[], int], owe: Callable[[int], None]
) -> Steps[None]:
    """Do the experiments in an order: what only reads side by side, what writes alone.

    `left` says how many requests may still go out, `owe` keeps some of them for later. What needs more is passed
    over, for half an experiment shows nothing; something cheaper may still fit.
    """
    waiting, part = sorted(experiments, key=order), _AT_ONCE
    while waiting:
        before = left()
        chosen = _next(waiting, before, part)
        if not chosen:
            return
        owe(sum(one.owed for one in chosen))
        taken = {id(one) for one in chosen}
        waiting = [one for one in waiting if id(one) not in taken]
        strands = grouped((one.key, one) for one in chosen)
        if len(strands) == 1:
            yield from _strand(chosen)
        else:
            # Each gets an equal share of the requests, and later ones what those before them left over.
            yield [_strand(strand) for strand in sorted(strands.values(), key=_cost)]
        if not chosen[0].writes:
            part = min(_AT_MOST, max(_AT_ONCE, _cost(chosen) / max(1, before - left())))


def _next(waiting: list[Experiment], left: int, part: float) -> list[Experiment]:
    """The first that can be paid for; if it only reads, with those that follow and only read too, for a part of what is
    left."""
    place = next((place for place, one in enumerate(waiting) if one.calls <= left), None)
    if place is None or waiting[place].writes:
        return [] if place is None else [waiting[place]]
    chosen, room = [waiting[place]], left * part - waiting[place].calls
    for one in waiting[place + 1 :]:
        if len(chosen) == TOGETHER or (one.writes and one.calls <= left):
            break
        if not one.writes and one.calls <= room:
            room -= one.calls
            chosen.append(one)
    return chosen


def _cost(experiments: Iterable[Experiment]) -> float:
    return sum(one.calls for one in experiments)


def _strand(experiments: Iterable[Experiment]) -> Steps[None]:
    """The experiments on one operation, one after the other."""
    for one in experiments:
        try:
            yield from one.run()
        except Spent:
            return
