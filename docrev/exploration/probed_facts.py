"""What the trials of a probe show: facts, which fresh calls show again before the probe ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from docrev.exploration.item_details import ItemDetails
from docrev.exploration.probe_bench import Bench
from docrev.exploration.same_named import SameNamed
from docrev.facts.registry import LIST_EFFECTS, with_effect
from docrev.facts.strong_proof import is_proven
from docrev.facts.trial_inference import TrialInference
from docrev.facts.trial_replays import replay_trials
from docrev.facts.trials import UNCHANGED
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import last
from docrev.prompts.steps import Steps
from docrev.records import Call, Fact

_OF_DETAILS = frozenset([*with_effect("choose", "default"), "combines", "unknown-values", "unrecognised"])
"""Kinds of facts on fields that only single items have."""


@dataclass(slots=True)
class Probed:
    """The facts on parameters that were shown twice, and those that were not."""

    kept: list[Fact] = field(default_factory=list)
    dropped: list[Fact] = field(default_factory=list)

    def add(self, other: Probed) -> None:
        """Take in what another part of the probing found."""
        self.kept += other.kept
        self.dropped += other.dropped


class Replayer:
    """Infers from the trials of a bench, and shows what is new again: as soon as a parameter was tried.

    So a budget that ends in the midst of an operation leaves the facts on the parameters before.
    """

    def __init__(self, bench: Bench, same_named: SameNamed, details: ItemDetails | None = None) -> None:
        self.probed = Probed()
        self._bench, self._same_named, self._details = bench, same_named, details
        self._known: set[tuple[str, str, str]] = set()
        self._plain, self._of_items = TrialInference(bench.look), TrialInference(self._joined)

    def again(self, location: str | None = None) -> Steps[None]:
        """Show the facts on one location again; without it, those that need a look at all of them."""
        bench = self._bench
        key = bench.operation.key
        mine = (trial for trial in bench.trials if location is None or trial.location in (UNCHANGED, location))
        trials = {key: tuple(mine)}
        plain = self._plain.facts(key, trials[key])
        kept, dropped = yield from replay_trials(self._new(plain), trials, bench.look)
        self.probed.add(Probed(kept, dropped))
        if self._details is not None:
            joined = self._of_items.facts(key, trials[key])
            chosen = {fact.location for fact in plain if fact.kind in LIST_EFFECTS}
            free = [fact for fact in joined if fact.kind in _OF_DETAILS and fact.location not in chosen]
            wanted = [*free, *self._orders(joined)]
            kept, dropped = yield from replay_trials(self._new(wanted), trials, self._joined, self._details.joined)
            self.probed.add(Probed(kept, dropped))

    def _joined(self, id: str) -> Call | None:
        """The call of an id, with what is known of its items."""
        call = self._bench.look(id)
        return call if call is None or self._details is None else self._details.joined(call)

    def _orders(self, joined: Iterable[Fact]) -> list[Fact]:
        """The values that sort by a field of single items, upwards and downwards: one order alone may be chance."""
        found = [fact for fact in joined if fact.kind == "sorts" and self._is_of_details(fact)]
        orders: dict[str, set[str]] = {}
        for fact in found:
            orders.setdefault(fact.value["field"], set()).add(fact.value["order"])
        return [fact for fact in found if len(orders[fact.value["field"]]) > 1]

    def _is_of_details(self, fact: Fact) -> bool:
        """Whether a value sorts otherwise than nothing does, by a field that only single items have."""
        call, base = self._bench.look(fact.calls[0]), self._bench.plain_call[1]
        listed = self._details is not None and self._details.is_listed(f"query:{last(fact.value['field'])}")
        return not listed and call is not None and call.body != base.body

    def _new(self, facts: Iterable[Fact]) -> list[Fact]:
        """The facts that were not shown before, and for which enough was tried."""
        found = []
        bench = self._bench
        for fact in facts:
            name = (fact.kind, fact.location, canonical(fact.value))
            if name in self._known:
                continue
            elsewhere = self._same_named.values(bench, fact.location)
            if is_proven(fact, bench.operation, bench.trials, bench.look, elsewhere):
                self._known.add(name)
                found.append(fact)
        return found


def says_more(fact: Fact, probed: Fact | None) -> bool:
    """Whether a fact says more than the one of its kind that a probe has shown at its place: both bounds, not one."""
    if probed is None:
        return True
    both = isinstance(fact.value, dict) and isinstance(probed.value, dict)
    return both and fact.value.items() > probed.value.items()
