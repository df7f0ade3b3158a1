"""The contract of request bodies: whether one must be sent, and which properties it must have or has undeclared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docrev.facts.registry import PROVES_READ
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import sequence
from docrev.records import Change, ChangeClass, Fact, Json
from docrev.revision.keywords import COMPOSED, dialect, of_argument
from docrev.revision.notes import Statement, confidence
from docrev.revision.observations import ObservedOperation
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import defined
from docrev.spec import Catalog, Place
from docrev.spec.schema import Schema

_PROVES_PROPERTY = PROVES_READ | {"default", "stored"}

_DECLARING = frozenset({"properties", "responses", "content", "schema", "items", "requestBody", "parameters"})
"""Members that say what there is; others say which values it may have."""
_MAX_CALLS = 5
_CALLS_OF_FACT = 2

_ByPointer = Mapping[str, Sequence[Fact]]


def body_changes(catalog: Catalog, observed: ObservedOperation) -> Iterator[Change]:
    """The changes to the request body of one operation."""
    yield from _required_body(catalog, observed)
    proven = _proven(observed)
    body = observed.operation.body
    if not proven:
        return
    if body is None or body.schema is None:
        yield from _undeclared(catalog, observed, next(iter(proven.values())))
        return
    by_parent: dict[str, dict[str, Sequence[Fact]]] = {}
    for pointer, facts in proven.items():
        if pointer:
            by_parent.setdefault(pointers.parent(pointer), {})[pointers.last(pointer)] = facts
    schemas = dict(body.schema.walk())
    for parent, children in by_parent.items():
        schema = schemas.get(parent)
        # A form field of Swagger 2.0 is a parameter object, which has an `in`.
        if schema is not None and schema.type != "array" and not any(at in schema.node for at in (*COMPOSED, "in")):
            place = defined(catalog, schema.place)
            yield from _properties(observed, schema, place, children)
            yield from _required(catalog, observed, schema, place, children)


def _required_body(catalog: Catalog, observed: ObservedOperation) -> Iterator[Change]:
    """That a declared body must be sent, if requests without one were refused."""
    body = observed.operation.body
    facts = [fact for fact in observed.at("body:") if fact.kind == "required"]
    if body is not None and not body.required and facts:
        place = defined(catalog, body.place)
        before = catalog.node(place, "/required")
        yield contract_change(observed, place, "required", before, True, facts)


def _proven(observed: ObservedOperation) -> dict[str, tuple[Fact, ...]]:
    """The facts of body locations that are read, by pointer; what a body is wrapped in is one."""
    proven: dict[str, tuple[Fact, ...]] = {}
    for fact in observed.all("wrapped-in"):
        proven[pointers.join(str(fact.value))] = (fact,)
    for location, facts in sorted(observed.facts.items()):
        if location.startswith("body:/") and any(fact.kind in _PROVES_PROPERTY for fact in facts):
            pointer = location.removeprefix("body:")
            proven[pointer] = (*proven.get(pointer, ()), *facts)
    return proven


def _undeclared(catalog: Catalog, observed: ObservedOperation, facts: Sequence[Fact]) -> Iterator[Change]:
    """A body if none is declared; its properties come with the next round."""
    place = observed.operation.place
    document = catalog.documents[place.file]
    if observed.operation.body is not None:
        return
    if dialect(document.tree) == "2.0":
        before = document.get(f"{place.pointer}/parameters", None)
        entry = {"name": "body", "in": "body", "schema": {"type": "object"}}
        after: Json = [*sequence(before), entry]
        yield contract_change(observed, place, "parameters", before, after, facts)
        return
    after = {"content": {"application/json": {"schema": {"type": "object"}}}}
    yield contract_change(observed, place, "requestBody", None, after, facts)


def _properties(observed: ObservedOperation, schema: Schema, place: Place, children: _ByPointer) -> Iterator[Change]:
    """The properties that are proven and not declared."""
    declared = schema.properties()
    missing = {name: facts for name, facts in children.items() if name not in declared}
    yield from property_changes(
        observed, schema, place, {name: _schema(facts) for name, facts in missing.items()}, missing
    )


def property_changes(
    observed: ObservedOperation, schema: Schema, place: Place, schemas: Mapping[str, Json], facts: _ByPointer
) -> Iterator[Change]:
    """New properties of an object: each a change of its own, or all in one if it has none yet."""
    if schemas and isinstance(schema.node.get("properties"), dict):
        for name, value in schemas.items():
            yield contract_change(observed, place, f"properties{pointers.join(name)}", None, value, facts[name])
    elif schemas:
        together = [fact for name in schemas for fact in facts[name]]
        yield contract_change(observed, place, "properties", None, dict(schemas), together)


def _schema(facts: Sequence[Fact]) -> dict[str, Json]:
    known = FactsByKind.of(facts)
    if "wrapped-in" in known:
        return {"type": "object"}
    schema = of_argument(known, {}, required="required" in known)
    choices = schema.get("enum", ())
    # Where no other type was tried, the values that are taken say which one it is.
    are_texts = bool(choices) and all(isinstance(value, str) for value in choices)
    return {"type": "string", **schema} if are_texts and "type" not in schema else schema


def _required(
    catalog: Catalog, observed: ObservedOperation, schema: Schema, place: Place, children: _ByPointer
) -> Iterator[Change]:
    """The properties that must be sent and are not declared as required."""
    facts = {name: [fact for fact in group if fact.kind == "required"] for name, group in children.items()}
    lacking = [name for name, group in facts.items() if group and name not in schema.required]
    before = catalog.node(place, "/required", [])
    if lacking and isinstance(before, list):
        shown = [fact for name in lacking for fact in facts[name]]
        yield contract_change(observed, place, "required", before or None, [*before, *lacking], shown)


def contract_change(
    observed: ObservedOperation, place: Place, name: str, before: Json, after: Json, facts: Iterable[Fact]
) -> Change:
    """A change of the member `name` (a JSON pointer without its first slash) of the object at `place`."""
    facts = tuple(facts)
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:_CALLS_OF_FACT]))[:_MAX_CALLS]
    shown = (_class_of(name, before),)
    pointer, sure = f"{place.pointer}/{name}", confidence([Statement("", facts=facts)])
    return Change(place.file, pointer, before, after, observed.key, "contract", facts, calls, shown, sure)


def _class_of(name: str, before: Json) -> ChangeClass:
    member = name.partition("/")[0]
    if member in _DECLARING and not (name.endswith("schema") and before is not None):
        return "undeclared"
    return "bound" if before in (None, False) or member == "required" else "correction"
