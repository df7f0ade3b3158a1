"""Where the schemas of a catalog stand in responses that were seen."""

from __future__ import annotations

from docrev.grouping import grouped
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import defined
from docrev.spec import Catalog, Place

Use = tuple[ObservedOperation, str, str]
"""An operation that returns what a schema describes, the status, and its pointer in the response."""


def response_uses(catalog: Catalog, observations: CatalogObservations) -> dict[Place, list[Use]]:
    """The operations that were answered well and return what the schema at a place describes."""
    return grouped(
        (defined(catalog, part.place), (observed, status, pointer))
        for observed in observations.operations
        for status, response in (observed.operation.responses.items() if observed.good else ())
        for pointer, part in (response.schema.walk() if response.schema is not None else ())
    )
