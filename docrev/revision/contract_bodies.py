"""The contract of request bodies: whether one must be sent, and which properties it must have or has undeclared."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.json_values import pointer as pointers
from docrev.records import Change, Fact, Json
from docrev.revision.keywords import dialect, of_argument
from docrev.revision.observations import Observed
from docrev.revision.place_facts import Known
from docrev.revision.places import defined
from docrev.spec import Catalog, Place
from docrev.spec.schema import Schema

# What shows that a property is read, and not only let through.
_PROOF = ("required", "allowed-values", "range", "length", "pattern", "format", "default")


def body_changes(catalog: Catalog, observed: Observed) -> Iterator[Change]:
    """The changes to the request body of one operation."""
    yield from _needed(catalog, observed)
    proven = _proven(observed)
    body = observed.operation.body
    if not proven:
        return
    if body is None or body.schema is None:
        yield from _undeclared(catalog, observed, proven)
        return
    schemas = dict(body.schema.walk())
    for parent in dict.fromkeys(pointers.parent(pointer) for pointer in proven if pointer):
        schema = schemas.get(parent)
        if schema is None or any(name in schema.node for name in ("$ref", "allOf", "oneOf", "anyOf")):
            continue
        children = {
            pointer: facts for pointer, facts in proven.items() if pointer and pointers.parent(pointer) == parent
        }
        place = defined(catalog, schema.place)
        if "in" not in schema.node:
            yield from _properties(observed, schema, place, children)
            yield from _required(catalog, observed, schema, place, children)


def _needed(catalog: Catalog, observed: Observed) -> Iterator[Change]:
    """That a declared body must be sent, where calls without one were refused."""
    body = observed.operation.body
    told = [fact for fact in observed.at("body:") if fact.kind == "required"]
    if body is None or body.required or not told:
        return
    place = defined(catalog, body.place)
    before = catalog.documents[place.file].get(f"{place.pointer}/required", None)
    yield _change(observed, place.file, f"{place.pointer}/required", before, True, told)


def _proven(observed: Observed) -> dict[str, tuple[Fact, ...]]:
    """The facts of body locations that are read, by pointer; what a body is wrapped in is one."""
    found: dict[str, tuple[Fact, ...]] = {}
    for fact in observed.all("wrapped-in"):
        found[pointers.join(str(fact.value))] = (fact,)
    for location, facts in sorted(observed.facts.items()):
        if location.startswith("body:/") and any(fact.kind in _PROOF for fact in facts):
            pointer = location.removeprefix("body:")
            found[pointer] = (*found.get(pointer, ()), *facts)
    return found


def _undeclared(catalog: Catalog, observed: Observed, proven: dict[str, tuple[Fact, ...]]) -> Iterator[Change]:
    """A body where none is declared; its properties come with the next round."""
    place = observed.operation.place
    document = catalog.documents[place.file]
    facts = next(iter(proven.values()))
    if observed.operation.body is not None:
        return
    if dialect(document.tree) == "2.0":
        before = document.get(f"{place.pointer}/parameters", None)
        entry = {"name": "body", "in": "body", "schema": {"type": "object"}}
        after: Json = [*(before if isinstance(before, list) else []), entry]
        yield _change(observed, place.file, f"{place.pointer}/parameters", before, after, facts)
        return
    after = {"content": {"application/json": {"schema": {"type": "object"}}}}
    yield _change(observed, place.file, f"{place.pointer}/requestBody", None, after, facts)


def _properties(
    observed: Observed, schema: Schema, place: Place, children: dict[str, tuple[Fact, ...]]
) -> Iterator[Change]:
    known = schema.properties()
    missing = {
        pointers.last(pointer): facts for pointer, facts in children.items() if pointers.last(pointer) not in known
    }
    made = {name: _schema(facts) for name, facts in missing.items()}
    told = [fact for facts in missing.values() for fact in facts]
    if made and isinstance(schema.node.get("properties"), dict):
        for name, value in made.items():
            at = f"{place.pointer}/properties{pointers.join(name)}"
            yield _change(observed, place.file, at, None, value, missing[name])
    elif made:
        yield _change(observed, place.file, f"{place.pointer}/properties", None, made, told)


def _schema(facts: tuple[Fact, ...]) -> dict[str, Json]:
    known = Known.of(facts)
    return {"type": "object"} if "wrapped-in" in known else of_argument(known, {}, required="required" in known)


def _required(
    catalog: Catalog, observed: Observed, schema: Schema, place: Place, children: dict[str, tuple[Fact, ...]]
) -> Iterator[Change]:
    needed = {
        pointers.last(pointer): facts
        for pointer, facts in children.items()
        if any(fact.kind in ("required", "wrapped-in") for fact in facts)
    }
    lacking = [name for name in needed if name not in schema.required]
    before = catalog.documents[place.file].get(f"{place.pointer}/required", None)
    if lacking and (before is None or isinstance(before, list)):
        told = [fact for name in lacking for fact in needed[name] if fact.kind in ("required", "wrapped-in")]
        after = [*(before or []), *lacking]
        yield _change(observed, place.file, f"{place.pointer}/required", before, after, told)


def _change(
    observed: Observed, file: str, pointer: str, before: Json, after: Json, facts: tuple[Fact, ...] | list[Fact]
) -> Change:
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:2]))[:5]
    return Change(file, pointer, before, after, observed.key, "contract", tuple(facts), calls)
