"""Whether operations were called with the right arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docrev.records import Arguments, Task, Trajectory

Pair = tuple[str, str]


class Matched(NamedTuple):
    """Arguments that are right, of those that were sent, of those that are gold."""

    right: int
    sent: int
    gold: int

    @property
    def precision(self) -> float | None:
        return self.right / self.sent if self.sent else None

    @property
    def recall(self) -> float | None:
        return self.right / self.gold if self.gold else None

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 if nothing was to be sent and nothing was."""
        return 2 * self.right / (self.sent + self.gold) if self.sent + self.gold else 1.0

    def __add__(self, other: object) -> Matched:
        if not isinstance(other, Matched):
            return NotImplemented
        return Matched(self.right + other.right, self.sent + other.sent, self.gold + other.gold)


def argument_f1(task: Task, trajectory: Trajectory) -> Matched | None:
    """The arguments of the gold calls that were sent; None if the task does not state them.

    Each gold call is held against the call of the same operation, not yet taken, that agrees with it most. A gold call
    that was not made counts with nothing sent; calls beyond the gold path count as nothing, ΔLen has them.
    """
    if not task.gold or not task.arguments:
        return None
    left = list(trajectory.calls)
    total = Matched(0, 0, 0)
    for key, arguments in zip(task.gold[0], task.arguments, strict=False):
        candidates = [call for call in left if call.key == key]
        best = max(candidates, key=lambda call: matched(arguments, call.arguments).f1, default=None)
        if best is not None:
            left.remove(best)
        total += matched(arguments, best.arguments if best is not None else {})
    return total


def contradicts(gold: Arguments, sent: Arguments) -> bool:
    """Whether a call was made with another value at a place of the gold call; what was left out contradicts nothing."""
    made = dict(pairs(sent))
    return any(made.get(location, value) != value for location, value in pairs(gold))


def matched(gold: Arguments, sent: Arguments) -> Matched:
    """How the arguments of one call agree; body properties are compared one by one, 7 and "7" are the same."""
    wanted, values = Counter(pairs(gold)), Counter(pairs(sent))
    return Matched((wanted & values).total(), values.total(), wanted.total())


def pairs(arguments: Arguments) -> Iterator[Pair]:
    """Arguments as (location, value), the body's leaves by their pointer."""
    for location, value in arguments.items():
        if location == "body:":
            yield from _leaves("body:", value)
        else:
            yield location, _url_text(value)


def _leaves(location: str, value: object) -> Iterator[Pair]:
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _leaves(f"{location}/{name}", inner)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for at, inner in enumerate(value):
            yield from _leaves(f"{location}/{at}", inner)
    else:
        yield location, _url_text(value)


def _url_text(value: object) -> str:
    """A value as it stands in a URL: values that look alike in a query are the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
