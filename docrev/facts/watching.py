"""Facts from calls that others made: only what watching can show, and nothing that needs a trial.

A trial is a call made to tell two explanations apart. Traffic has none: that a parameter changes nothing, is required,
or allows no other values is not shown by any number of calls that went well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from docrev.calls.redact import MASK
from docrev.evidence import Evidence
from docrev.facts.call_values import call_values
from docrev.facts.inference import infer
from docrev.facts.kinds import pages
from docrev.facts.observations import Observations, observe
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.replays import refuted
from docrev.facts.trials import OperationTrials, Trial
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.language.words import words
from docrev.records import Call, Fact

if TYPE_CHECKING:
    from docrev.graph.tool_graph import Edge
    from docrev.spec import Catalog

SHOWN_BY_WATCHING = frozenset(
    ["field", "type", "nullable", "format", "observed-values", "status", "comes-from", "pages", "wrapped-in"]
)
"""The kinds that calls alone show, whatever they were made for."""
_LEAST = 2
"""Calls that must show a fact: watched ones cannot be made again, so another one stands for the repetition."""


def watched_facts(catalog: Catalog, evidence: Evidence, edges: Iterable[Edge]) -> list[Fact]:
    """What the watched calls of `evidence` show of the operations of a catalog, by operation, location and kind."""
    inferred = (fact for fact in infer(catalog, evidence, edges) if fact.kind in SHOWN_BY_WATCHING)
    seen = observe(evidence.calls.select(), (operation.key for operation in catalog.operations))
    facts = [*inferred, *(fact for one in seen.values() for fact in _paging(one))]
    kept = [fact for fact in facts if len(set(fact.calls)) >= _LEAST and _is_believed(fact)]
    false = refuted(kept, evidence)
    true = (fact for fact in kept if fact not in false)
    return sorted(true, key=lambda fact: (fact.key, fact.location, fact.kind, canonical(fact.value)))


def _is_believed(fact: Fact) -> bool:
    """Whether a fact is no secret's, and no chance: a property of a body takes its values from what has its name."""
    if fact.kind == "comes-from" and fact.location.startswith("body:"):
        names = (pointers.last(fact.location), pointers.last(fact.value["field"]))
        return not {*words(names[0])}.isdisjoint(words(names[1]))
    return MASK not in canonical(fact.value)


def _paging(seen: Observations) -> Iterator[Fact]:
    """How lists are paged, where calls differ in nothing but a parameter: somebody went through the pages."""
    yield from pages.followed(seen)
    trials = OperationTrials.of(seen.key, _natural_trials(seen.good), {call.id: call for call in seen.calls}.get)
    for location in trials.tried:
        analysis = pages.KIND.from_trials
        assert analysis is not None
        yield from analysis(ParameterTrials(trials, location))


def _natural_trials(calls: Sequence[Call]) -> Iterator[Trial]:
    """Pairs of calls of one operation of which one has an argument more than the other, all else equal."""
    by_arguments = {canonical(call.arguments): call for call in calls}
    for call in calls:
        for location, value in call.arguments.items():
            rest = {place: other for place, other in call.arguments.items() if place != location}
            base = by_arguments.get(canonical(rest))
            if base is not None and location.startswith("query:"):
                yield Trial(location, value, base.id, call.id)


def value_counts(fact: Fact, calls: Iterable[Call]) -> dict[str, int]:
    """How many of the calls to a fact's operation had each of its values; by the JSON text of the value, sorted."""
    known = {canonical(value) for value in fact.value}
    counts: Counter[str] = Counter()
    for call in calls:
        counts.update(known & {canonical(value) for value in call_values(call, fact.location)})
    return dict(sorted(counts.items()))
