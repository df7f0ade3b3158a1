"""What the evidence shows of each operation of the catalog, as the drafts need it: bounded samples, facts, examples.

Texts rest on calls that were made to do something; those of probes, which send nonsense on purpose, only on where
there are no others. What probes show is in the facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import parse_qsl, urlsplit

from docrev.evidence import Evidence
from docrev.evidence.queries import arguments
from docrev.facts.samples import Sample, samples
from docrev.json_values.leaves import values_at
from docrev.records import Call, Experience, Fact, Json, OperationKey, Scenario
from docrev.revision.response_samples import items
from docrev.revision.run_values import own_values
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
    onward: tuple[str, ...] = ()
    """The query parameters that only the URL of the next page has, where a header gives it."""

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

    def all(self, *kinds: str) -> list[Fact]:
        """The facts of these kinds at whatever location, by location."""
        return [fact for location in sorted(self.facts) for fact in self.facts[location] if fact.kind in kinds]


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
    own: frozenset[str] = frozenset()
    """Ids and the like, as text, of what the run itself created and has deleted since: examples of nothing."""

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
            _observed(evidence, operation, found.get(operation.key), facts.get(operation.key, {}))
            for operation in catalog.operations
        ),
        experiences=tuple(evidence.experiences()),
        scenarios={scenario.text: scenario for scenario in evidence.scenarios()},
        missed=evidence.missed(),
        gone=tuple(sorted(key for key in found if key not in catalog)),
        own=own_values(evidence.journal(), (call for sample in found.values() for call in _calls(sample))),
    )


def _observed(
    evidence: Evidence, operation: Operation, sample: Sample | None, facts: dict[str, list[Fact]]
) -> Observed:
    by_status = sample.by_status if sample else {}
    good = [call for status, calls in sorted(by_status.items()) if 200 <= status < 300 for call in calls if call.ok]
    bad = [call for status, calls in sorted(by_status.items()) if status >= 400 for call in calls[:MAX_CALLS]]
    meant = [call for call in good if call.purpose != "probe"]
    held = {location: tuple(found) for location, found in facts.items()}
    pages = [fact for found in facts.values() for fact in found if fact.kind == "pages" and ":header:" in fact.location]
    onward = dict.fromkeys(name for fact in pages for name in _onward(evidence, fact))
    return Observed(operation, tuple((meant or good)[:MAX_CALLS]), tuple(bad), held, tuple(onward))


def _calls(sample: Sample) -> Iterator[Call]:
    return (call for calls in sample.by_status.values() for call in calls)


def _onward(evidence: Evidence, fact: Fact) -> Iterator[str]:
    """The query parameters of the next page's URL that the calls of a paging fact were made without."""
    header = fact.location.rpartition(":")[2].lower()
    for call in filter(None, map(evidence.call, fact.calls[:MAX_CALLS])):
        for name, _ in parse_qsl(urlsplit(call.headers.get(header, "")).query):
            if f"query:{name}" not in call.arguments:
                yield name
