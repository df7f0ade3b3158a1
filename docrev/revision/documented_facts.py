"""Which facts the documents already state, in sentences or by what they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from docrev.evidence.part import EvidencePart
from docrev.facts.kind import Name, name_of
from docrev.records import Fact
from docrev.revision.declared_facts import DECLARED
from docrev.revision.drafts import Writing
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations, read_observations
from docrev.revision.place_facts import comparable
from docrev.revision.places import Spot, spots
from docrev.revision.profiles import budget
from docrev.revision.purposes import OfflineWriter
from docrev.revision.text_revision import TextRevision
from docrev.revision.uses import Use
from docrev.spec import Catalog, Place

_BY_SCHEMA = frozenset({"type", "field", "format"})
"""Kinds that a purpose rests on without saying them."""


class Documented(NamedTuple):
    """Where a fact is documented: the place that has the text, and the sentence, "" if it is declared."""

    place: Place
    text: str


def documented_facts(catalog: Catalog, part: EvidencePart) -> dict[Name, Documented]:
    """The facts of the evidence that the documents state, by name; no API is called."""
    observations = read_observations(catalog, part)
    revision = TextRevision(
        catalog, observations, spots(catalog, observations), Writing(OfflineWriter(), budget("none"))
    )
    found = {name_of(fact): Documented(place, "") for fact, place in _declared(revision.places, observations)}
    for spot, statement in revision.statements_made():
        place = Place(spot.place.file, spot.pointer)
        documented = Documented(place, statement.text if statement.text in spot.text else "")
        found |= {name_of(fact): documented for fact in _behind(spot, statement)}
    return found


def _declared(places: Iterable[Spot], observations: CatalogObservations) -> Iterator[tuple[Fact, Place]]:
    """The facts that schemas, parameters and lists of responses declare, each with its place."""
    for spot in places:
        for use in spot.uses:
            yield from ((fact, spot.place) for fact in use.facts if _is_declared(fact, use, spot))
    for observed in observations.operations:
        operation = observed.operation
        facts = chain.from_iterable(observed.facts.values())
        yield from ((fact, operation.place) for fact in facts if _status(fact) in operation.responses)


def _behind(spot: Spot, statement: Statement) -> Iterator[Fact]:
    """The facts that a statement makes, for each operation that uses the place."""
    facts = [fact for fact in statement.facts if statement.kind or fact.kind not in _BY_SCHEMA]
    yield from facts
    alike = {comparable(fact) for fact in facts}
    yield from (fact for use in spot.uses for fact in use.facts if comparable(fact) in alike)


def _is_declared(fact: Fact, use: Use, spot: Spot) -> bool:
    if fact.kind == "field":
        return spot.kind == "property"
    if fact.kind == "required":
        parameter = use.observed.operation.parameter(use.location)
        return parameter is not None and parameter.required
    check = DECLARED.get(fact.kind)
    return check is not None and spot.schema is not None and check(spot.schema, fact)


def _status(fact: Fact) -> str | None:
    """The status that a fact says is returned; None if it says none."""
    return str(fact.value["status"]) if isinstance(fact.value, dict) and "status" in fact.value else None
