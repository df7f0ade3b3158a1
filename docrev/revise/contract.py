"""`--edit contract`: what is proven and missing in the contract, the least of it.

Path parameters that nobody declared (the path itself proves them), and properties of responses that every answer had
(`field`), with their type (`type`).
"""

from __future__ import annotations

from collections.abc import Iterator

from docrev.records import Change, Fact, Json
from docrev.revise.observing import Observed, View
from docrev.revise.spots import defined
from docrev.spec import Catalog, Place
from docrev.spec import pointer as pointers
from docrev.spec.schema import Schema

MAX_PROPERTIES = 60


def contract_changes(catalog: Catalog, view: View) -> list[Change]:
    """The changes to the contract, each place once; in the order of the catalog."""
    found: dict[tuple[str, str], list[Change]] = {}
    for observed in view.operations:
        for change in (*_parameters(catalog, observed), *_properties(catalog, observed)):
            found.setdefault((change.file, change.pointer), []).append(change)
    # Where the users of a shared schema differ, nothing holds for it.
    return [changes[0] for changes in found.values() if all(one.after == changes[0].after for one in changes)]


def _parameters(catalog: Catalog, observed: Observed) -> Iterator[Change]:
    """One change an operation: all its undeclared path parameters, behind those that it declares."""
    operation = observed.operation
    missing = [
        parameter for parameter in operation.parameters if not parameter.declared and parameter.location == "path"
    ]
    if not missing or not observed.good:
        return
    old = _is_old(catalog, operation.place)
    before = catalog.documents[operation.place.file].get(f"{operation.place.pointer}/parameters", None)
    facts = {p.name: next((f for f in observed.at(p.key) if f.kind == "type"), None) for p in missing}
    entries = [_declaration(parameter.name, facts[parameter.name], old) for parameter in missing]
    calls = tuple(call.id for call in observed.good[:5])
    told = tuple(fact for fact in facts.values() if fact is not None)
    after = [*(before if isinstance(before, list) else []), *entries]
    pointer = f"{operation.place.pointer}/parameters"
    yield Change(operation.place.file, pointer, before, after, operation.key, "contract", told, calls)


def _declaration(name: str, fact: Fact | None, old: bool) -> dict[str, Json]:
    kind = str(fact.value) if fact is not None and fact.value in ("integer", "string", "number") else "string"
    declared: dict[str, Json] = {"name": name, "in": "path", "required": True}
    return declared | ({"type": kind} if old else {"schema": {"type": kind}})


def _is_old(catalog: Catalog, place: Place) -> bool:
    tree = catalog.documents[place.file].tree
    return isinstance(tree, dict) and "swagger" in tree


def _properties(catalog: Catalog, observed: Observed) -> Iterator[Change]:
    """The properties that responses have and their schema lacks, under objects that it does describe."""
    kinds = {fact.location: fact for facts in observed.facts.values() for fact in facts if fact.kind == "type"}
    fields = sorted(at for at, facts in observed.facts.items() if any(fact.kind == "field" for fact in facts))
    schemas: dict[str, dict[str, Schema]] = {}
    for location in fields[:MAX_PROPERTIES]:
        status, _, pointer = location.partition(":")
        response = observed.operation.responses.get(status)
        kind = kinds.get(location)
        if response is None or response.schema is None or kind is None or kind.value == "null":
            continue
        known = schemas.setdefault(status, dict(response.schema.walk()))
        parent = known.get(pointers.parent(pointer))
        if pointer in known or parent is None or not isinstance(parent.node.get("properties"), dict):
            continue
        place = defined(catalog, parent.place)
        name = pointers.last(pointer)
        at = f"{place.pointer}/properties{pointers.join(name)}"
        facts = (*(fact for fact in observed.at(location) if fact.kind == "field"), kind)
        yield Change(place.file, at, None, {"type": kind.value}, observed.key, "contract", facts, tuple(kind.calls[:5]))
