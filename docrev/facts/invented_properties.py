"""Properties that docrev invented: if one was sent unasked and merely came back, that says nothing about the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docrev.conventions.run_names import is_invented
from docrev.facts.registry import PROVES_READ
from docrev.facts.samples import Sample
from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json, OperationKey
from docrev.spec import Catalog, Operation


def invented(operations: Iterable[tuple[Operation, Mapping[str, Iterable[object]], Iterable[Fact]]]) -> frozenset[str]:
    """The names of body properties that were sent and that no body declares, nor any fact shows to be read.

    Each operation comes with what calls of it sent, by location, and with its facts. A name under which only words were
    sent that are not the run's was seen in the API's own things.
    """
    sent: set[str] = set()
    known: set[str] = set()
    for operation, locations, facts in operations:
        made_up = (at for at, values in locations.items() if at.startswith("body:") and not _are_words(values))
        sent.update(*(pointers.split(at[5:]) for at in made_up))
        known |= {pointers.last(at) for at in _declared(operation) if at}
        known |= {pointers.last(fact.location) for fact in facts if _proves_read(fact)}
    return frozenset(sent - known)


def _are_words(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) and not is_invented(value) for value in values)


def _declared(operation: Operation) -> Iterable[str]:
    schema = operation.body_schema
    return (at for at, _ in schema.walk()) if schema is not None else ()


def _proves_read(fact: Fact) -> bool:
    # A format of what is returned is a fact only if texts without it were refused.
    return fact.kind in PROVES_READ and (fact.location.startswith("body:/") or fact.kind == "format")


def _values(sample: Sample) -> dict[str, list[Json]]:
    return {at: [*one.tried, *(value for value, _ in one.values)] for at, one in sample.accepted.items()}


@dataclass(frozen=True)
class Inventions:
    """The properties that calls made up, by `names`, and the values (in canonical JSON) that were sent under each."""

    catalog: Catalog
    samples: Mapping[OperationKey, Sample]
    names: frozenset[str]
    sent: Mapping[str, set[str]]

    @classmethod
    def of(cls, catalog: Catalog, samples: Mapping[OperationKey, Sample], facts: Iterable[Fact]) -> Inventions:
        by_operation = grouped((fact.key, fact) for fact in facts)
        names = invented((catalog[key], _values(one), by_operation.get(key, ())) for key, one in samples.items())
        sent: dict[str, set[str]] = {}
        for location, accepted in (pair for one in samples.values() for pair in one.accepted.items()):
            values = (*accepted.tried, *(value for value, _ in accepted.values))
            sent.setdefault(pointers.last(location), set()).update(map(canonical, values))
        return cls(catalog, samples, names, sent)

    def concern(self, fact: Fact) -> bool:
        """Whether all that was returned at an undeclared response property is what calls had sent under its name."""
        status, _, at = fact.location.partition(":")
        if pointers.last(at) not in self.names or not status.isdigit() or self._is_declared(fact.key, int(status), at):
            return False
        place = self.samples[fact.key].shapes.get(int(status), {}).get(at)
        values = {canonical(value) for value in place.values} if place is not None else set[str]()
        return bool(values) and values <= self.sent.get(pointers.last(at), set())

    def _is_declared(self, key: OperationKey, status: int, at: str) -> bool:
        response = self.catalog[key].response(status)
        return response is not None and response.schema is not None and at in dict(response.schema.walk())
