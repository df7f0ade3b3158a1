"""The requests that are set aside for the clean-up: one for each thing of the run that it will have to remove."""

from __future__ import annotations

from docrev.calls.executor import Executor
from docrev.driver.budget import Budget
from docrev.prompts.steps import Invoke
from docrev.records import JournalItem


class CleanUpReserve:
    """Takes requests from the budget; nothing is set aside where the run may remove nothing."""

    def __init__(self, executor: Executor, budget: Budget) -> None:
        self._executor, self._budget = executor, budget
        removing = {op.method for op in executor.catalog.operations if op.route.method == "DELETE"}
        self._removes = not removing.isdisjoint(executor.policy.allow)

    def afford(self, invoke: Invoke, *, ahead: int) -> bool:
        """Take a request for a call, if there is one beside those set aside and `ahead` for what follows it."""
        operation = self._executor.catalog[invoke.key]
        item, method = self._executor.journal.item(operation, invoke.arguments), operation.route.method
        if invoke.purpose == "clean-up" and method == "DELETE" and item is not None:
            return self._budget.take_kept(item.id)
        creates = method in ("POST", "PUT") and item is None and self._removes
        return self._budget.take(ahead=ahead + int(creates))

    def note(self, item: JournalItem) -> None:
        """Set a request aside for what was created, and no longer for what is gone; what it contains goes with it."""
        if item.parent is None and self._removes:
            self._budget.release(item.id) if item.deleted else self._budget.keep(item.id)
