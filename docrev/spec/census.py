"""The documentation census: what has a text, what has a good one, and what has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from docrev.spec.catalog import Catalog
from docrev.spec.schema import Schema
from docrev.spec.texts import is_good_text

_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Count:
    """Of `total` things, `described` have a text; of these, `good` have one of six words that is not the name."""

    total: int = 0
    described: int = 0
    good: int = 0

    @property
    def missing(self) -> int:
        return self.total - self.described

    def plus(self, text: str, *names: str) -> Count:
        """This count with one more thing that has `text` and these names."""
        described, good = bool(text.strip()), is_good_text(text, *names)
        return Count(self.total + 1, self.described + described, self.good + good)


@dataclass(frozen=True, slots=True)
class Census:
    """How much of a catalog is documented. A definition that many operations share counts once."""

    operations: Count
    parameters: Count
    body_properties: Count
    response_properties: Count

    def rows(self) -> Iterator[tuple[str, Count]]:
        """(what, count) for each kind of thing."""
        yield "operations", self.operations
        yield "parameters", self.parameters
        yield "body properties", self.body_properties
        yield "response properties", self.response_properties

    def as_json(self) -> dict[str, dict[str, int]]:
        """{kind: {total, described, good, missing}}"""
        return {what.replace(" ", "_"): asdict(count) | {"missing": count.missing} for what, count in self.rows()}


def census(catalog: Catalog) -> Census:
    """Counts operations, parameters and properties, with and without a text."""
    operations = parameters = Count()
    bodies, responses = _Properties(), _Properties()
    seen: set[object] = set()
    for operation in catalog.operations:
        operations = operations.plus(operation.text, operation.name, operation.path)
        for parameter in operation.written_parameters:
            site = (parameter.place, parameter.name)
            if site not in seen:
                seen.add(site)
                parameters = parameters.plus(parameter.description, parameter.name)
        if operation.body_schema is not None:
            bodies.add(operation.body_schema)
        for response in operation.responses.values():
            if response.schema is not None:
                responses.add(response.schema)
    return Census(operations, parameters, bodies.count, responses.count)


class _Properties:
    """Counts the properties of schemas, each where it is defined and once."""

    def __init__(self) -> None:
        self.count = Count()
        self._seen: set[object] = set()

    def add(self, schema: Schema) -> None:
        for _, inner in schema.walk(_DEPTH):
            for name, child in inner.properties().items():
                site = (inner.place, name)
                if site not in self._seen:
                    self._seen.add(site)
                    self.count = self.count.plus(child.description, name)
