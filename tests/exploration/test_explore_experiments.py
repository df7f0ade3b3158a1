"""The order of experiments: what tells most for a call, within a budget, and the same list at random."""

from __future__ import annotations

from collections.abc import Callable

from docrev.exploration.experiments import Experiment, Order, Spent, at_random, by_worth, perform
from docrev.exploration.probe_worth import _lead
from docrev.prompts.steps import Steps
from docrev.records import OperationKey


class Bank:
    """Counts what experiments take; a list of strands is run one after the other."""

    def __init__(self, requests: int) -> None:
        self.left, self.owed, self.done = requests, 0, list[str]()

    def experiment(
        self, name: str, facts: float, calls: int, *, writes: bool = False, owed: int = 0, takes: int = 0
    ) -> Experiment:
        """One that takes as many requests as are expected of it, or `takes`; it is done if there are so many."""
        key = OperationKey("shop", "POST /things" if writes else f"GET /{name}")

        def run() -> Steps[None]:
            if self.left >= (takes or calls - owed):
                self.done.append(name)
            self.left -= min(self.left, takes or calls - owed)
            return
            yield

        return Experiment(key, name, facts, calls, run, writes, owed)

    def perform(self, experiments: list[Experiment], order: Order = by_worth) -> list[list[str]]:
        """The names of what was done, what was done side by side together."""
        rounds = list[list[str]]()

        def exhaust(steps: Steps[None], deep: bool) -> None:
            for step in steps:
                before = len(self.done)
                for strand in step:
                    exhaust(strand, True)
                rounds.append(self.done[before:])

        def owe(more: int) -> None:
            self.owed += more

        exhaust(perform(experiments, order, lambda: self.left - self.owed, owe), False)
        return rounds


def test_what_tells_most_for_a_call_comes_first() -> None:
    bank = Bank(100)
    made = [("dear", 4, 20), ("cheap", 1, 2), ("rich", 9, 3)]
    bank.perform([bank.experiment(*one, writes=True) for one in made])
    assert bank.done == ["rich", "cheap", "dear"]


def test_of_operations_side_by_side_the_one_with_most_to_ask_has_what_the_others_leave_over() -> None:
    bank = Bank(100)
    bank.perform([bank.experiment("dear", 9, 9), bank.experiment("cheap", 1, 2)])
    assert bank.done == ["cheap", "dear"]


def test_what_takes_more_than_expected_is_at_the_cost_of_what_is_worth_least() -> None:
    bank = Bank(20)
    lesser = [bank.experiment(f"lesser {number}", 1, 1, takes=2) for number in range(9)]
    bank.perform([bank.experiment("best", 30, 8), *lesser])
    assert bank.done.index("best") <= 2
    assert len(bank.done) == 1 + (20 - 8) // 2


def test_where_experiments_take_less_than_expected_the_last_of_them_are_done_side_by_side() -> None:
    bank = Bank(100)
    rounds = bank.perform([bank.experiment(f"e{number:02}", 1, 10, takes=6) for number in range(16)])
    assert [len(names) for names in rounds] == [5, 10]
    assert bank.left == 4


def test_what_cannot_be_paid_for_is_passed_over_for_what_can() -> None:
    bank = Bank(10)
    bank.perform([bank.experiment("first", 9, 6), bank.experiment("large", 9, 9), bank.experiment("small", 1, 4)])
    assert sorted(bank.done) == ["first", "small"]
    assert bank.left == 0


def test_what_is_owed_is_kept_for_the_end() -> None:
    bank = Bank(6)
    bank.perform([bank.experiment(name, 4, 2, owed=1) for name in "abcd"])
    assert bank.done == ["a", "b", "c"]
    assert (bank.left, bank.owed) == (3, 3)


def test_reading_is_done_side_by_side_and_writing_alone() -> None:
    bank = Bank(100)
    made = [bank.experiment("a", 9, 1), bank.experiment("b", 8, 1), bank.experiment("w", 7, 1, writes=True)]
    rounds = bank.perform([*made, bank.experiment("c", 6, 1), bank.experiment("d", 5, 1)])
    assert bank.done == ["a", "b", "w", "c", "d"]
    assert rounds == [["a", "b"], ["c", "d"]]


def test_a_spent_budget_ends_one_experiment_and_not_the_run() -> None:
    bank = Bank(100)

    def spent() -> Steps[None]:
        raise Spent
        yield

    poor = Experiment(OperationKey("shop", "GET /poor"), "poor", 9, 1, spent)
    bank.perform([poor, bank.experiment("next", 1, 1)])
    assert bank.done == ["next"]


def test_random_order_shuffles_the_same_list() -> None:
    names = [f"n{number}" for number in range(20)]

    def order(made: Callable[[int], Order], seed: int) -> list[str]:
        bank = Bank(1000)
        bank.perform([bank.experiment(name, 20 - index, 1) for index, name in enumerate(names)], made(seed))
        return bank.done

    one, other = order(at_random, 1), order(at_random, 2)
    assert sorted(one) == sorted(other) == sorted(names)
    assert one != other
    assert one != names
    assert order(at_random, 1) == one


def test_what_others_are_the_better_for_is_worth_what_it_leads_to() -> None:
    worth = {"limit": (4.0, 18.0), "page": (4.0, 11.0), "cursor": (0.1, 4.0)}
    _lead(worth, "limit", ["page", "cursor"])
    each = {name: facts / calls for name, (facts, calls) in worth.items()}
    assert each["limit"] > each["page"] > each["cursor"]
    assert abs(each["limit"] - 8 / 29) < 1e-9
    assert each["cursor"] == 0.1 / 4
