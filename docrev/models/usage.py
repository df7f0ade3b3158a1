"""What models were asked and what it cost, for the summary of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from docrev.events import Event, ModelAsked
from docrev.models.budgets import MICRO, OPTIONS, Budgets
from docrev.records import Json


@dataclass
class Usage:
    """A handler of events that counts. `asks` are questions, `calls` the answers that they took, `cached` apart.

    `tokens_cached` are those of `tokens_in` that the server had cached.
    """

    budgets: Budgets
    asks: int = 0
    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    fallbacks: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    by_prompt: dict[str, dict[str, int]] = field(default_factory=dict)
    by_operation: dict[str, dict[str, int]] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        if not isinstance(event, ModelAsked) or not event.attempts:
            return
        self.asks += 1
        self.calls += 0 if event.cached else event.attempts
        self.cached += event.cached
        self.tokens_in += event.tokens_in
        self.tokens_cached += event.tokens_cached
        self.tokens_out += event.tokens_out
        _add(self.by_prompt, event.prompt, event)
        if event.key is not None:
            _add(self.by_operation, str(event.key), event)

    def failed(self, prompt: str, *, fallback: bool) -> None:
        """An answer to `prompt` could not be used; `fallback`: the offline engine answered instead."""
        self.errors[prompt] = self.errors.get(prompt, 0) + 1
        self.fallbacks += fallback

    def to_json(self) -> dict[str, Json]:
        """As one JSON object. `cost` is None if no price is known; `spent` are the options that were reached."""
        cost = self.budgets.spent["cost"] / MICRO if self.budgets.prices else None
        return {
            "asks": self.asks,
            "calls": self.calls,
            "cached": self.cached,
            "tokens_in": self.tokens_in,
            "tokens_cached": self.tokens_cached,
            "tokens_out": self.tokens_out,
            "cost": cost,
            "by_prompt": dict(sorted(self.by_prompt.items())),
            "by_operation": dict(sorted(self.by_operation.items())),
            "fallbacks": self.fallbacks,
            "errors": dict(sorted(self.errors.items())),
            "budget_spent": [option for kind, option in OPTIONS.items() if kind in self.budgets.short],
        }


_COUNTED = ("asks", "calls", "cached", "tokens_in", "tokens_cached", "tokens_out")


def _add(table: dict[str, dict[str, int]], name: str, event: ModelAsked) -> None:
    row = table.setdefault(name, dict.fromkeys(_COUNTED, 0))
    counts = (1, 0 if event.cached else event.attempts, event.cached)
    for column, count in zip(_COUNTED, (*counts, event.tokens_in, event.tokens_cached, event.tokens_out), strict=True):
        row[column] += count
