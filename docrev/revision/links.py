"""`--links`: where a value comes from as OpenAPI 3 links, on the response that holds it (OpenAPI 3.1.1 §4.8.20)."""

from __future__ import annotations

import re

from docrev.language.words import words
from docrev.records import Change, Fact, Json, OperationKey
from docrev.revision.observations import CatalogObservations
from docrev.revision.places import defined
from docrev.spec import Catalog, Operation, Place

MAX_LINKS = 6


def link_changes(catalog: Catalog, observations: CatalogObservations) -> list[Change]:
    """One change a response: the links that `comes-from` facts prove and that are not there yet."""
    found: dict[Place, tuple[dict[str, Json], list[Fact]]] = {}
    for observed in observations.operations:
        for location, facts in observed.facts.items():
            for fact in facts:
                made = _link(catalog, observed.operation, location, fact) if fact.kind == "comes-from" else None
                if made is None:
                    continue
                place, name, link = made
                links, told = found.setdefault(place, ({}, []))
                if name not in links and len(links) < MAX_LINKS:
                    links[name] = link
                    told.append(fact)
    return [change for place, (links, facts) in found.items() if (change := _change(catalog, place, links, facts))]


def _change(catalog: Catalog, place: Place, links: dict[str, Json], facts: list[Fact]) -> Change | None:
    before = catalog.documents[place.file].get(f"{place.pointer}/links", None)
    there = before if isinstance(before, dict) else {}
    after = {**there, **{name: link for name, link in links.items() if name not in there}}
    if after == there:
        return None
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:2]))
    return Change(place.file, f"{place.pointer}/links", before, after, facts[0].key, "docs", tuple(facts), calls)


def _link(catalog: Catalog, target: Operation, location: str, fact: Fact) -> tuple[Place, str, Json] | None:
    """(the response's place, the link's name, the link); None where a link cannot say it, as across documents."""
    tool, _, operation = str(fact.value.get("operation", "")).partition(" ")
    status, _, pointer = str(fact.value.get("field", "")).partition(":")
    source = catalog.get(OperationKey(tool, operation))
    response = source.responses.get(status) if source else None
    where, _, name = location.partition(":")
    if source is None or response is None or where not in ("path", "query") or source.key == target.key:
        return None
    tree = catalog.documents[response.place.file].tree
    if "openapi" not in tree or source.place.file != target.place.file or not pointer:
        return None
    link: dict[str, Json] = (
        {"operationId": target.operation_id} if target.operation_id else {"operationRef": f"#{target.place.pointer}"}
    )
    link["parameters"] = {f"{where}.{name}": f"$response.body#{pointer}"}
    title = "".join(word.capitalize() for word in (*words(target.name), "by", *words(name)))
    return defined(catalog, response.place), re.sub(r"[^A-Za-z0-9._-]", "", title), link
