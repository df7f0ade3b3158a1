"""What models may cost: answers, tokens, money. It is handed out before a question goes out, and counted after.

Strands that run side by side have allowances (`docrev.prompts.question_budget`), so who is still answered does not
depend on who asked first. What an answer costs is known only when it is there: what is spent may exceed a limit of
tokens or money by the answers that were under way.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from docrev.errors import BudgetSpent
from docrev.models.backend import Completion
from docrev.prompts.question_budget import Allowance, Allowances

Kind = Literal["calls", "tokens", "cost"]
OPTIONS: dict[Kind, str] = {"calls": "--max-model-calls", "tokens": "--max-tokens", "cost": "--max-cost"}
MICRO = 1_000_000
"""Money is counted in millionths, prices are of a million tokens: a price is what one token costs."""

_ALLOWANCES: dict[Kind, ContextVar[Allowance | None]] = {
    kind: ContextVar(f"allowance of model {kind}", default=None) for kind in OPTIONS
}


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, into the model and out of it."""

    tokens_in: float
    tokens_out: float


@dataclass
class Budgets:
    """How much may be spent of each kind, by `limits` (cost in millionths), and how much is. No limit, no bound.

    `short` are the kinds that a question was refused for.
    """

    limits: Mapping[Kind, int] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    spent: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(OPTIONS, 0))
    short: set[Kind] = field(default_factory=set)

    def cost(self, model: str, completion: Completion) -> dict[Kind, int]:
        """What an answer costs; money only if the model has a price."""
        tokens_in, tokens_out = completion.tokens_in, completion.tokens_out
        price = self.prices.get(model, Price(0, 0))
        money = round(tokens_in * price.tokens_in + tokens_out * price.tokens_out)
        return {"calls": 1, "tokens": tokens_in + tokens_out, "cost": money}

    def split(self, strands: int) -> list[Allowances]:
        """Share out what is left among strands; one more question is taken to cost what the earlier ones did."""
        made = max(1, self.spent["calls"])
        return [
            Allowances(
                _ALLOWANCES[kind], strands, max(0, limit - self.spent[kind]), price=max(1, self.spent[kind] // made)
            )
            for kind, limit in self.limits.items()
        ]

    async def take(self, id: str) -> None:
        """Let question `id` be asked. Raises BudgetSpent if nothing is left for it."""
        for kind, limit in self.limits.items():
            allowance = _ALLOWANCES[kind].get()
            there = self.spent[kind] < limit if allowance is None else await allowance.take(id)
            if not there:
                self.short.add(kind)
                raise BudgetSpent("the budget of the model is spent", where=OPTIONS[kind], fix="give more")

    def pay(self, id: str, cost: Mapping[Kind, int], *, again: bool = False) -> None:
        """Count what question `id` cost; `again`: it was counted before, and only the strand's allowance is told."""
        for kind in self.limits:
            if (allowance := _ALLOWANCES[kind].get()) is not None:
                allowance.pay(id, cost[kind])
        if not again:
            for kind, amount in cost.items():
                self.spent[kind] += amount
