"""`--edit contract`: what is proven and missing in the contract, the least of it, in the document's own dialect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from docrev.facts.inventions import invented
from docrev.facts.registry import BOUNDS, PROVES_READ
from docrev.json_values import pointer as pointers
from docrev.records import Change, Fact, Json
from docrev.revision.contract_bodies import body_changes
from docrev.revision.contract_responses import response_changes
from docrev.revision.keywords import Dialect, dialect, of_argument, of_response
from docrev.revision.observations import Observed, View
from docrev.revision.place_facts import Known, common_facts
from docrev.revision.places import Spot, aliased_places, spots
from docrev.spec import Catalog, Document, Place

# What shows that a parameter exists although nobody declared it.
_PROOF = PROVES_READ | {"filters", "searches", "sorts", "limits", "pages", "selects", *BOUNDS, "in-year"}
_KEYWORDS = ("required", "type", "format", "allowed-values", "default", "range", "length", "pattern", "nullable")


def contract_changes(catalog: Catalog, view: View) -> list[Change]:
    """The changes to the contract, each place once; in the order of the catalog."""
    found: dict[tuple[str, str], list[Change]] = {}
    made: list[Change] = [change for observed in view.operations for change in _parameters(catalog, observed)]
    aliased = aliased_places(catalog)
    made += [change for spot in spots(catalog, view) for change in _keywords(catalog, spot)]
    made += [change for observed in view.operations for change in body_changes(catalog, observed)]
    made_up = _invented(view)
    made += [change for observed in view.operations for change in response_changes(catalog, observed, made_up)]
    for change in made:
        if _is_shared(change, aliased):
            continue
        found.setdefault((change.file, change.pointer), []).append(change)
    return [agreed for changes in found.values() if (agreed := _agreed(changes)) is not None]


def _is_shared(change: Change, aliased: Collection[Place]) -> bool:
    """Whether a change lies in what others share that are not alike: an aliased part, a response component."""
    if change.pointer.startswith(("/components/responses/", "/responses/")):
        return True
    owner = pointers.parent(change.pointer)
    while owner:
        if Place(change.file, owner) in aliased:
            return True
        owner = pointers.parent(owner)
    return False


def _invented(view: View) -> frozenset[str]:
    return invented(
        (observed.operation, observed.sent, (fact for facts in observed.facts.values() for fact in facts))
        for observed in view.operations
    )


def _agreed(changes: list[Change]) -> Change | None:
    """What all users of a shared place say of it: the same, or, of a set of properties, those that all have."""
    first = changes[0]
    if all(change.after == first.after for change in changes):
        return first
    if first.pointer.endswith("/properties") and all(isinstance(change.after, dict) for change in changes):
        shared = {
            name: value
            for name, value in first.after.items()
            if all(change.after.get(name) == value for change in changes)
        }
        return replace(first, after=shared) if shared else None
    return None


def _parameters(catalog: Catalog, observed: Observed) -> Iterator[Change]:
    """One change an operation: the parameters that proved to exist, behind those that it declares.

    Path parameters are proven by the path itself; others by what they did.
    """
    operation = observed.operation
    tree = catalog.documents[operation.place.file].tree
    told = dialect(tree)
    entries: list[dict[str, Json]] = []
    facts: list[Fact] = []
    for parameter in operation.parameters:
        if not parameter.declared and parameter.location == "path" and observed.good:
            known = Known.of(observed.at(parameter.key))
            entries.append(_declaration(parameter.name, "path", known, told))
            facts += known.facts
    for location, held in sorted(observed.facts.items()):
        where, _, name = location.partition(":")
        proven = where in ("query", "header") and any(fact.kind in _PROOF for fact in held)
        if proven and operation.parameter(location) is None and not _declared_otherwise(observed, name):
            known = Known.of(held)
            entries.append(_declaration(name, where, known, told))
            facts += known.facts
    if entries:
        before = catalog.documents[operation.place.file].get(f"{operation.place.pointer}/parameters", None)
        after = [*(before if isinstance(before, list) else []), *entries]
        calls = tuple(dict.fromkeys([call.id for call in observed.good[:3]] + [fact.calls[0] for fact in facts]))
        pointer = f"{operation.place.pointer}/parameters"
        yield Change(operation.place.file, pointer, before, after, operation.key, "contract", tuple(facts), calls[:5])


def _declared_otherwise(observed: Observed, name: str) -> bool:
    """Whether a header of this name is declared in another case."""
    return any(parameter.name.lower() == name.lower() for parameter in observed.operation.parameters)


def _declaration(name: str, where: str, known: Known, told: Dialect) -> dict[str, Json]:
    required = where == "path" or "required" in known
    schema = of_argument(known, {}, required=required)
    schema = {"type": schema.pop("type", "string"), **schema}
    if where == "path" and schema["type"] not in ("integer", "number", "string"):
        schema = {"type": "string"}
    declared: dict[str, Json] = {"name": name, "in": where} | ({"required": True} if required else {})
    return declared | (schema if told == "2.0" else {"schema": schema})


def _keywords(catalog: Catalog, spot: Spot) -> Iterator[Change]:
    """The keywords of a parameter or property, each a change of its own."""
    if spot.kind == "operation" or spot.schema is None:
        return
    document = catalog.documents[spot.place.file]
    known = Known.of(fact for fact in common_facts(spot) if fact.kind in _KEYWORDS)
    if not known.facts:
        return
    parameter = spot.first.observed.operation.parameter(spot.first.location) if spot.kind == "parameter" else None
    required = "required" in known or (parameter is not None and parameter.required)
    if parameter is not None and "required" in known and not parameter.required:
        yield _change(spot, spot.place, "required", None, True, known.all("required"))
    place = _schema_place(document, spot)
    node = document.get(place.pointer, None) if place is not None else None
    if place is None or not isinstance(node, dict):
        return
    told = dialect(document.tree)
    if spot.kind == "parameter" and place == spot.place and told != "2.0" and "type" not in node:
        made = of_argument(known, {}, required=required)
        if made and "content" not in node:
            yield _change(spot, place, "schema", None, made, known.facts)
        return
    response = spot.first.location[:1].isdecimal()
    made = of_response(known, node, told) if response else of_argument(known, node, required=required)
    for name, value in made.items():
        yield _change(spot, place, name, node.get(name), value, known.facts)


def _schema_place(document: Document, spot: Spot) -> Place | None:
    """Where the schema of a spot is written; None where that is elsewhere, and shared with who knows whom."""
    assert spot.schema is not None
    place = spot.schema.place
    own = f"{spot.place.pointer}/schema"
    inside = place.pointer == spot.place.pointer or place.pointer == document.definition(own)
    return place if inside and place.file == spot.place.file and document.get(f"{own}/$ref", None) is None else None


def _change(spot: Spot, place: Place, name: str, before: Json, after: Json, facts: Iterable[Fact]) -> Change:
    facts = tuple(facts)
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:2]))[:5]
    key = spot.first.observed.key
    return Change(place.file, f"{place.pointer}/{name}", before, after, key, "contract", facts, calls)
