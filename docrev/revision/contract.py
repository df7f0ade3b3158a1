"""`--edit contract`: what is proven and missing in the contract, the least of it, in the document's own dialect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from docrev.facts.registry import LIST_EFFECTS, PROVES_READ
from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.json_values.scalars import is_whole
from docrev.records import Change, Json, OperationKey
from docrev.revision.contract_bodies import body_changes, contract_change
from docrev.revision.contract_examples import example_changes
from docrev.revision.contract_nulls import NullsSeen
from docrev.revision.contract_responses import response_changes
from docrev.revision.keywords import KEYWORDS, Dialect, dialect, of_argument, of_response
from docrev.revision.notes import Statement, confidence
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import Spot, aliased_places, defined, spots
from docrev.revision.response_uses import response_uses
from docrev.spec import Catalog, Document, Operation, Parameter, Place, Schema
from docrev.spec.meaning import MISSING
from docrev.spec.schema import places_in

_PROVES_PARAMETER = PROVES_READ | {*LIST_EFFECTS}
"""Kinds that show that a parameter exists although it is not declared."""
_IN_SCHEMA = frozenset({*KEYWORDS, "required", "nullable"})
_MAX_CALLS = 5
_ASKED_FOR = frozenset({"required", "type"})
"""Kinds of facts that tell of a request what it must have, and nothing of what becomes of it."""
Users = Mapping[Place, set[OperationKey]]
"""The operations that use the schema at each place."""


def contract_changes(
    catalog: Catalog, observations: CatalogObservations, original: Catalog | None = None
) -> list[Change]:
    """The changes to the contract, each place once; in the order of the catalog. `original` is what it was at first."""
    aliased, users, readers = aliased_places(catalog), _body_users(catalog), _response_users(catalog)
    here = (change for change in _all_changes(catalog, observations) if not _is_beside_reference(change, catalog))
    by_place = grouped(((change.file, change.pointer), change) for change in here if not _is_shared(change, aliased))
    reached = {observed.key for observed in observations.operations if observed.good}
    first = original or catalog

    def holds_for_all(changes: Sequence[Change]) -> bool:
        is_of_some = _is_of_some_users(changes, users, readers)
        return not (is_of_some or _may_be_of_some_kinds(changes, catalog, first, readers, reached))

    agreed, uses = map(_agreed, filter(holds_for_all, by_place.values())), response_uses(catalog, observations)
    nulls = NullsSeen(catalog, uses)
    found = [nulls.stated(change) for change in agreed if change is not None]
    return [*found, *example_changes(found, catalog, uses)]


def _body_users(catalog: Catalog) -> Users:
    """The operations whose request bodies have the schema at each place."""
    return _users(catalog, lambda operation: [operation.body_schema])


def _response_users(catalog: Catalog) -> Users:
    """The operations whose responses have the schema at each place."""
    return _users(catalog, lambda operation: [response.schema for response in operation.responses.values()])


def _users(catalog: Catalog, schemas: Callable[[Operation], Iterable[Schema | None]]) -> Users:
    """The operations among whose `schemas` each place is."""
    users: dict[Place, set[OperationKey]] = {}
    for operation in catalog.operations:
        for schema in schemas(operation):
            for _, part in places_in(schema):
                users.setdefault(defined(catalog, part.place), set()).add(operation.key)
    return users


def _may_be_of_some_kinds(
    changes: Sequence[Change], catalog: Catalog, original: Catalog, users: Users, reached: set[OperationKey]
) -> bool:
    """Whether changes add properties to a schema that the `original` leaves empty, and some `users` may lack them.

    What several operations return by it may be of several kinds, or have names that are data: it gets what all that
    were reached have, and in a later round no more. What errors say besides differs by error.
    """
    file, pointer = changes[0].file, changes[0].pointer
    around = pointer if pointer.endswith("/properties") else pointers.parent(pointer)
    owner = Place(file, around.removesuffix("/properties"))
    node = original.node(owner)
    is_empty = around.endswith("/properties") and isinstance(node, dict) and not node.get("properties")
    if not is_empty or len(users.get(owner, ())) <= 1:
        return False
    keys = {change.key for change in changes}
    is_filled = bool(catalog.node(Place(file, around)))
    is_of_error = any(fact.location[:1] in "45" for fact in changes[0].facts)
    return is_filled or is_of_error or len(keys) == 1 or bool(users[owner] & reached - keys)


def _is_of_some_users(changes: Sequence[Change], users: Users, readers: Users) -> bool:
    """Whether required properties of a shared schema are shown by some only of the operations that are sent it; or
    properties of which no more is known than that they are required, where others are sent them or return them."""
    file, pointer, keys = changes[0].file, changes[0].pointer, {change.key for change in changes}
    if pointer.endswith("/required") and isinstance(changes[0].after, list):
        return bool(users.get(Place(file, pointers.parent(pointer)), set()) - keys)
    around = pointers.parent(pointer)
    owner = Place(file, around.removesuffix("/properties"))
    is_only_required = all(fact.kind in _ASKED_FOR for change in changes for fact in change.facts)
    is_property = around.endswith("/properties") and changes[0].before is None
    return is_property and is_only_required and bool((users.get(owner, set()) | readers.get(owner, set())) - keys)


def _all_changes(catalog: Catalog, observations: CatalogObservations) -> Iterator[Change]:
    yield from _path_parameters(catalog, observations)
    for observed in observations.operations:
        yield from _parameters(catalog, observed)
    for spot in spots(catalog, observations):
        yield from _keywords(catalog, spot)
    for observed in observations.operations:
        yield from body_changes(catalog, observed)
    for observed in observations.operations:
        yield from response_changes(catalog, observed, observations.operations, observations.invented)


def _is_beside_reference(change: Change, catalog: Catalog) -> bool:
    """Whether a change lies in what a `$ref` defines that cannot be followed: nobody would read it there."""
    owner = pointers.parent(change.pointer)
    while owner and not isinstance(catalog.node(Place(change.file, owner)), dict | list):
        owner = pointers.parent(owner)
    return "$ref" in mapping(catalog.node(Place(change.file, owner)))


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


def _shared_members(objects: Sequence[dict[str, Json]]) -> dict[str, Json]:
    """The members that all objects have, with the same values; an empty one says nothing against another."""
    names = (name for name in objects[0] if all(name in one for one in objects))
    stated = {name: [one[name] for one in objects if one[name] != {}] or [{}] for name in names}
    return {name: values[0] for name, values in stated.items() if all(value == values[0] for value in values)}


def _agreed(changes: list[Change]) -> Change | None:
    """What all users of a shared place state of it: the same; of a new property, the keywords that all have; of a set
    of properties those that all have."""
    first = changes[0]
    if all(change.after == first.after for change in changes):
        return first
    around, _, name = first.pointer.rpartition("/")
    objects = [change.after for change in changes if isinstance(change.after, dict)]
    if len(objects) < len(changes):
        return None
    if around.endswith("/properties") and name:
        # Of what was null each time, an operation says no more than that it is there.
        shared = _shared_members([keywords for keywords in objects if keywords])
        return replace(first, after=shared) if "type" in shared else None
    shared = _shared_members(objects) if name == "properties" else {}
    return replace(first, after=shared) if shared else None


def _parameters(catalog: Catalog, observed: ObservedOperation) -> Iterator[Change]:
    """One change for each operation: the parameters that proved to exist, behind those that it declares."""
    place = observed.operation.place
    before = catalog.node(place, "/parameters")
    proven = list(_undeclared_parameters(observed))
    if not proven or _has_unread_parameter(catalog, place):
        return
    form = dialect(catalog.documents[place.file].tree)
    after = [*sequence(before)]
    for name, where, known in proven:
        sent = [value for value, _ in observed.sent.get(f"{where}:{name}", ())]
        after.append(_declaration(name, where, known, form, sent))
    facts = tuple(fact for _, _, known in proven for fact in known.facts)
    calls = tuple(dict.fromkeys([call.id for call in observed.good[:3]] + [fact.calls[0] for fact in facts]))
    pointer = f"{place.pointer}/parameters"
    calls, sure = calls[:_MAX_CALLS], confidence([Statement("", facts=facts)])
    yield Change(place.file, pointer, before, after, observed.key, "contract", facts, calls, ("undeclared",), sure)


def _path_parameters(catalog: Catalog, observations: CatalogObservations) -> Iterator[Change]:
    """The parameters in each path that an operation which worked does not declare: all operations on a path need them,
    so they are declared of the path."""
    for path, alike in grouped((_path_of(observed), observed) for observed in observations.operations).items():
        reached = [observed for observed in alike if observed.good and _lacks_declaration(observed)]
        added = list(_undeclared_of_path(catalog, path, alike, reached)) if reached else []
        if added:
            before = catalog.node(path, "/parameters")
            after, pointer = [*sequence(before), *added], f"{path.pointer}/parameters"
            key, calls = reached[0].key, tuple(call.id for call in reached[0].good[:3])
            yield Change(path.file, pointer, before, after, key, "contract", (), calls, ("undeclared",), "high")


def _lacks_declaration(observed: ObservedOperation) -> bool:
    return not all(parameter.declared for parameter in observed.operation.parameters)


def _undeclared_of_path(
    catalog: Catalog, path: Place, alike: Sequence[ObservedOperation], reached: Sequence[ObservedOperation]
) -> Iterator[dict[str, Json]]:
    """The declarations that a path lacks; none where what is declared cannot be read."""
    if any(_has_unread_parameter(catalog, observed.operation.place) for observed in alike):
        return
    form = dialect(catalog.documents[path.file].tree)
    names = (p.name for observed in reached for p in observed.operation.parameters if not p.declared)
    yield from (_path_parameter(name, reached, form) for name in dict.fromkeys(names))


def _path_of(observed: ObservedOperation) -> Place:
    place = observed.operation.place
    return Place(place.file, pointers.parent(place.pointer))


def _path_parameter(name: str, reached: Sequence[ObservedOperation], form: Dialect) -> dict[str, Json]:
    """A parameter of a path, of the type that all values have which the operations on it accepted."""
    sent = [value for observed in reached for value, _ in observed.sent.get(f"path:{name}", ())]
    return _declaration(name, "path", FactsByKind.of(()), form, sent)


def _has_unread_parameter(catalog: Catalog, operation: Place) -> bool:
    """Whether an operation, or its path, has a parameter whose `$ref` cannot be followed: it may be the one that seems
    to be missing."""
    owners = (operation.pointer, pointers.parent(operation.pointer))
    listed = [
        (Place(operation.file, f"{owner}/parameters/{index}"), node)
        for owner in owners
        for index, node in enumerate(sequence(catalog.node(Place(operation.file, f"{owner}/parameters"))))
    ]
    return any(catalog.refs.follow(*each)[1] is MISSING for each in listed)


def _undeclared_parameters(observed: ObservedOperation) -> Iterator[tuple[str, str, FactsByKind]]:
    """(name, in, facts) of the parameters of the query and the headers that are proven by what they did."""
    operation = observed.operation
    # A header may be declared in another case.
    declared = {parameter.name.lower() for parameter in operation.parameters}
    for location, facts in sorted(observed.facts.items()):
        where, _, name = location.partition(":")
        if where not in ("query", "header") or operation.parameter(location) is not None or name.lower() in declared:
            continue
        if any(fact.kind in _PROVES_PARAMETER for fact in facts):
            yield name, where, FactsByKind.of(facts)


def _declaration(name: str, where: str, facts: FactsByKind, form: Dialect, sent: Sequence[Json]) -> dict[str, Json]:
    """A new parameter; `sent` are values that were accepted."""
    required = where == "path" or "required" in facts
    schema = of_argument(facts, {}, required=required)
    are_integers = bool(sent) and all(is_whole(value) for value in sent)
    schema = {"type": schema.pop("type", "integer" if are_integers else "string"), **schema}
    if where == "path" and schema["type"] not in ("integer", "number", "string"):
        schema = {"type": "string"}
    declared: dict[str, Json] = {"name": name, "in": where} | ({"required": True} if required else {})
    return declared | (schema if form == "2.0" else {"schema": schema})


def _keywords(catalog: Catalog, spot: Spot) -> Iterator[Change]:
    """The keywords of a parameter or property, each a change of its own."""
    facts = FactsByKind.of(fact for fact in spot.common if fact.kind in _IN_SCHEMA)
    if spot.kind == "operation" or spot.schema is None or not facts.facts:
        return
    observed, parameter = spot.first.observed, _parameter(spot)
    shown = "required" in facts
    if parameter is not None and shown and not parameter.required:
        yield contract_change(observed, spot.place, "required", None, True, facts.all("required"))
    document = catalog.documents[spot.place.file]
    place = _schema_place(document, spot, spot.schema)
    if place is not None:
        required = shown or (parameter is not None and parameter.required)
        yield from _schema_changes(spot, document, place, facts, required=required)


def _parameter(spot: Spot) -> Parameter | None:
    """The parameter object that a spot is; the member of one is a property."""
    found = spot.first.observed.operation.parameter(spot.first.location) if spot.kind == "parameter" else None
    return None if found is None or found.of else found


def _schema_changes(
    spot: Spot, document: Document, place: Place, facts: FactsByKind, *, required: bool
) -> Iterator[Change]:
    """The keywords of a schema; a new schema for a parameter without one."""
    node, form = document.get(place.pointer, None), dialect(document.tree)
    if not isinstance(node, dict):
        return
    keywords: dict[str, Json] = of_argument(facts, node, required=required)
    if _parameter(spot) is not None and place == spot.place and form != "2.0" and "type" not in node:
        schema = of_argument(facts, {}, required=required)
        keywords = {"schema": schema} if schema and "content" not in node else {}
    elif spot.first.location[:1].isdecimal():
        keywords = of_response(facts, node, form)
    for name, value in keywords.items():
        yield contract_change(spot.first.observed, place, name, node.get(name), value, facts.facts)


def _schema_place(document: Document, spot: Spot, schema: Schema) -> Place | None:
    """Where the schema of a spot is written; None if that is elsewhere, and shared by others."""
    own = f"{spot.place.pointer}/schema"
    inside = schema.place.pointer in (spot.place.pointer, document.definition(own))
    unshared = schema.place.file == spot.place.file and document.get(f"{own}/$ref", None) is None
    return schema.place if inside and unshared else None
