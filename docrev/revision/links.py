"""`--links`: where values come from as OpenAPI 3 links, on the response with the value (OpenAPI 3.1.1 §4.8.20)."""

from __future__ import annotations

import re

from docrev.facts.kinds import comes_from
from docrev.json_values.containers import mapping
from docrev.language.words import words
from docrev.records import Change, Fact, Json
from docrev.revision.observations import CatalogObservations
from docrev.revision.places import defined
from docrev.revision.value_sources import operation_key
from docrev.spec import Catalog, Operation, Place

MAX_LINKS = 6


def link_changes(catalog: Catalog, observations: CatalogObservations) -> list[Change]:
    """One change for each response: the links that `comes-from` facts prove and that it does not have yet."""
    by_response: dict[Place, dict[str, tuple[Json, Fact]]] = {}
    for observed in observations.operations:
        for fact in observed.all("comes-from"):
            if proven := _link(catalog, observed.operation, fact):
                place, name, link = proven
                links = by_response.setdefault(place, {})
                if len(links) < MAX_LINKS:
                    links.setdefault(name, (link, fact))
    changes = (_change(catalog, place, links) for place, links in by_response.items())
    return [change for change in changes if change is not None]


def _change(catalog: Catalog, place: Place, links: dict[str, tuple[Json, Fact]]) -> Change | None:
    before = catalog.node(place, "/links")
    present = mapping(before)
    missing = {name: link for name, (link, _) in links.items() if name not in present}
    if not missing:
        return None
    facts = tuple(fact for _, fact in links.values())
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:2]))
    after = present | missing
    return Change(place.file, f"{place.pointer}/links", before, after, facts[0].key, "docs", facts, calls, ("source",))


def _link(catalog: Catalog, target: Operation, fact: Fact) -> tuple[Place, str, Json] | None:
    """(the response's place, the link's name, the link); None if a link cannot express it, as across documents."""
    origin = comes_from.KIND.value_of(fact)
    status, _, pointer = origin.field.partition(":")
    source = catalog.get(operation_key(origin.operation))
    response = source.responses.get(status) if source else None
    place, _, name = fact.location.partition(":")
    if source is None or response is None or place not in ("path", "query") or source.key == target.key:
        return None
    tree = catalog.documents[response.place.file].tree
    if "openapi" not in tree or source.place.file != target.place.file or not pointer:
        return None
    link: dict[str, Json] = (
        {"operationId": target.operation_id} if target.operation_id else {"operationRef": f"#{target.place.pointer}"}
    )
    link["parameters"] = {f"{place}.{name}": f"$response.body#{pointer}"}
    title = "".join(word.capitalize() for word in (*words(target.name), "by", *words(name)))
    return defined(catalog, response.place), re.sub(r"[^A-Za-z0-9._-]", "", title), link
