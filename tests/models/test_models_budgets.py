"""What models may cost: counted, refused, and handed out among strands whoever is faster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest

from docrev.errors import BudgetSpent
from docrev.models.backend import Completion
from docrev.models.budgets import Budgets, Kind, Price
from docrev.models.concurrent_questions import ask_concurrently

FAST_FIRST, FAST_LAST = (0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0)


async def question(budgets: Budgets, id: str, tokens: int, turns: int) -> bool:
    """Ask; the answer takes some turns of the loop. Whether it was asked."""
    try:
        await budgets.take(id)
    except BudgetSpent:
        return False
    for _ in range(turns):
        await asyncio.sleep(0)
    budgets.pay(id, budgets.cost("m", Completion("", tokens, 0)))
    return True


async def strand(budgets: Budgets, place: int, questions: int, turns: int) -> list[bool]:
    return [await question(budgets, f"{place}/{number}", 10, turns) for number in range(questions)]


def answered(
    limits: dict[Kind, int], turns: Sequence[int], counts: Sequence[int], at_once: int = 6
) -> tuple[list[int], Budgets]:
    """How many questions of each strand are answered, where strand `i` takes `turns[i]` for each of its answers."""
    budgets = Budgets(limits)
    works: list[Callable[[], Awaitable[list[bool]]]] = [
        partial(strand, budgets, place, count, turns[place]) for place, count in enumerate(counts)
    ]
    found = asyncio.run(ask_concurrently(works, at_once=at_once, split=budgets.split))
    return [sum(done) for done in found], budgets


@pytest.mark.parametrize("limits", [{"calls": 13}, {"tokens": 125}, {"calls": 20, "tokens": 90}])
@pytest.mark.parametrize("at_once", [1, 2, 6])
def test_who_is_answered_does_not_depend_on_who_is_faster(limits: dict[Kind, int], at_once: int) -> None:
    counts = [1, 7, 2, 6, 0, 5]
    slow, fast = (answered(limits, turns, counts, at_once) for turns in (FAST_LAST, FAST_FIRST))
    assert slow[0] == fast[0]
    assert slow[1].spent == fast[1].spent
    assert slow[1].short


def test_all_of_it_is_spent_and_no_call_more() -> None:
    found, budgets = answered({"calls": 13}, FAST_FIRST, [1, 7, 2, 6, 0, 5])
    assert sum(found) == budgets.spent["calls"] == 13
    assert budgets.short == {"calls"}


def test_tokens_go_over_by_what_was_under_way_at_most() -> None:
    found, budgets = answered({"tokens": 125}, FAST_FIRST, [5] * 6)
    assert 125 <= budgets.spent["tokens"] <= 125 + 6 * 10
    assert sum(found) * 10 == budgets.spent["tokens"]


def test_without_a_limit_nothing_is_refused_and_all_is_counted() -> None:
    found, budgets = answered({}, FAST_FIRST, [3] * 6, at_once=2)
    assert found == [3] * 6
    assert budgets.spent == {"calls": 18, "tokens": 180, "cost": 0}
    assert budgets.split(3) == []


def test_nothing_may_be_asked_of_a_budget_of_nothing() -> None:
    found, budgets = answered({"calls": 0}, FAST_FIRST, [1, 1])
    assert (found, budgets.spent["calls"]) == ([0, 0], 0)


def test_money_is_that_of_the_price() -> None:
    budgets = Budgets({}, {"m": Price(2.5, 10)})
    assert budgets.cost("m", Completion("", 1_000_000, 200_000)) == {
        "calls": 1,
        "tokens": 1_200_000,
        "cost": 4_500_000,
    }
    assert budgets.cost("other", Completion("", 1_000, 1_000))["cost"] == 0


def test_what_a_strand_in_a_strand_left_goes_to_those_behind() -> None:
    async def inner(budgets: Budgets, place: int) -> int:
        works = [partial(strand, budgets, 10 * place + inside, 4, 1) for inside in range(2)]
        return sum(map(sum, await ask_concurrently(works, at_once=2, split=budgets.split)))

    async def outer() -> list[int]:
        budgets = Budgets({"calls": 11})
        return await ask_concurrently(
            [partial(inner, budgets, place) for place in range(2)], at_once=2, split=budgets.split
        )

    assert asyncio.run(outer()) == [6, 5]
