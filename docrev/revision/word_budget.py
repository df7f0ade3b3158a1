"""Which statements are written: those with most worth per word, until the words of an operation or a head are spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from docrev.language import documentation_phrases as phrases
from docrev.records import OperationKey
from docrev.revision.notes import Statement
from docrev.revision.places import Spot
from docrev.revision.worth import WORTH, is_said


class WeighedStatement(NamedTuple):
    """A statement that could be written at a spot, and what it is worth there."""

    spot: Spot
    statement: Statement
    worth: float


def choose(candidates: Sequence[WeighedStatement], most: int) -> list[WeighedStatement]:
    """The candidates that are written, in their order: what stands already, then the best per word, until each
    operation's words are spent.

    `most` is how many words an operation may get with its parameters and properties; corrections cost none. What
    several operations share is paid by the one that has most left. A list of undeclared fields is whole or absent; half
    of the words pay for it.
    """
    left: dict[OperationKey, int] = {}
    order = sorted(range(len(candidates)), key=lambda at: (not _stands(candidates[at]), -_density(candidates[at])))
    taken = set()
    for at in order:
        candidate = candidates[at]
        cost = _cost(candidate.statement, most)
        users = [use.observed.key for use in candidate.spot.uses]
        payer = max(users, key=lambda key: left.get(key, most))
        if candidate.worth > 0 and left.get(payer, most) >= cost:
            left[payer] = left.get(payer, most) - cost
            taken.add(at)
    return [candidates[at] for at in sorted(taken)]


def _stands(candidate: WeighedStatement) -> bool:
    return candidate.statement.text != "" and phrases.is_sentence(candidate.statement.text, candidate.spot.text)


def _cost(statement: Statement, most: int) -> int:
    count = 0 if statement.category == "correction" else len(statement.text.split())
    return min(count, max(most // 2, 1)) if statement.kind == "field" else count


def _density(candidate: WeighedStatement) -> float:
    return candidate.worth / max(len(candidate.statement.text.split()), 1)


def within(statements: Iterable[Statement], text: str, most: int, room: int) -> tuple[list[Statement], list[Statement]]:
    """The statements on a whole document that its `text` does not make, in their order: those with most worth per word
    that `most` words and, with a gap after each, `room` characters hold, and those that are left.

    A statement is worth something wherever it was seen: at these operations it would have to stand otherwise.
    """
    untold = [statement for statement in statements if statement.text and not is_said(statement, text)]
    costs = [len(statement.text.split()) for statement in untold]
    worths = [WORTH[statement.category] * _places(statement) for statement in untold]
    taken = set()
    for at in sorted(range(len(untold)), key=lambda at: -worths[at] / costs[at]):
        length = len(untold[at].text) + len("\n\n")
        if costs[at] <= most and length <= room:
            most, room = most - costs[at], room - length
            taken.add(at)
    return [untold[at] for at in sorted(taken)], [each for at, each in enumerate(untold) if at not in taken]


def _places(statement: Statement) -> int:
    """At how many operations a statement was seen to hold; one call stands for one of them."""
    return max(len({fact.key for fact in statement.facts}), len(statement.calls), 1)
