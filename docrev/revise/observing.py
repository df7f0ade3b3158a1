"""What the evidence shows of each operation of the catalog, as the drafts need it: bounded samples, facts, examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from docrev.evidence import Evidence
from docrev.evidence.queries import arguments
from docrev.facts.samples import Sample, samples
from docrev.facts.shape import values_at
from docrev.models.offline.samples import items
from docrev.records import Call, Experience, Fact, Json, OperationKey, Scenario
from docrev.spec import Catalog, Operation

MAX_CALLS = 20
MAX_VALUES = 12


@dataclass(frozen=True)
class Observed:
    """One operation with what was seen of it. `good` are calls answered 2xx, `bad` the rest; at most 20 a status."""

    operation: Operation
    good: tuple[Call, ...]
    bad: tuple[Call, ...]
    facts: dict[str, tuple[Fact, ...]] = field(default_factory=dict)

    @property
    def key(self) -> OperationKey:
        return self.operation.key

    @cached_property
    def sent(self) -> dict[str, list[tuple[Json, str]]]:
        """The argument values that were accepted, by location, each with its call; body leaves by `body:/ptr`."""
        found: dict[str, list[tuple[Json, str]]] = {}
        # An argument that found something shows more than one that was only not refused.
        for call in sorted(self.good, key=_empty):
            for location, value in arguments(call):
                found.setdefault(location, []).append((value, call.id))
        return found

    def got(self, status: int, pointer: str) -> list[tuple[Json, str]]:
        """The values at a place of the responses with `status`, each with its call."""
        return [
            (value, call.id)
            for call in self.good
            if call.status == status
            for value in values_at(call.body, pointer)[:MAX_VALUES]
        ]

    def body(self, pointer: str) -> list[tuple[Json, str]]:
        """The values at a place of the request bodies that were accepted, objects and lists too."""
        return [
            (value, call.id)
            for call in self.good
            if "body:" in call.arguments
            for value in values_at(call.arguments["body:"], pointer)[:MAX_VALUES]
        ]

    def at(self, location: str) -> tuple[Fact, ...]:
        """The facts of one location."""
        return self.facts.get(location, ())


def _empty(call: Call) -> bool:
    found = items(call.body)
    return found is not None and not found[1]


@dataclass(frozen=True)
class View:
    """The evidence of a whole catalog. `gone` are operations that it holds and the catalog does not."""

    operations: tuple[Observed, ...]
    experiences: tuple[Experience, ...]
    scenarios: dict[str, Scenario]
    missed: dict[OperationKey, str]
    gone: tuple[OperationKey, ...]

    @cached_property
    def by_key(self) -> dict[OperationKey, Observed]:
        return {observed.key: observed for observed in self.operations}


def look(catalog: Catalog, evidence: Evidence) -> View:
    """Read what `evidence` holds of `catalog`; replays and clean-up are left out, as facts name them already."""
    found = samples(evidence.iter_calls())
    facts: dict[OperationKey, dict[str, list[Fact]]] = {}
    for fact in evidence.facts():
        facts.setdefault(fact.key, {}).setdefault(fact.location, []).append(fact)
    return View(
        operations=tuple(
            _observed(operation, found.get(operation.key), facts.get(operation.key, {}))
            for operation in catalog.operations
        ),
        experiences=tuple(evidence.experiences()),
        scenarios={scenario.text: scenario for scenario in evidence.scenarios()},
        missed=evidence.missed(),
        gone=tuple(sorted(key for key in found if key not in catalog)),
    )


def _observed(operation: Operation, sample: Sample | None, facts: dict[str, list[Fact]]) -> Observed:
    by_status = sample.by_status if sample else {}
    good = [call for status, calls in sorted(by_status.items()) if 200 <= status < 300 for call in calls[:MAX_CALLS]]
    bad = [call for status, calls in sorted(by_status.items()) if status >= 400 for call in calls[:MAX_CALLS]]
    held = {location: tuple(found) for location, found in facts.items()}
    return Observed(operation, tuple(call for call in good if call.ok), tuple(bad), held)
