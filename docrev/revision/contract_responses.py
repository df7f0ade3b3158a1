"""The contract of responses: statuses, schemas and properties that every answer had and that are not declared."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from http import HTTPStatus

from docrev.json_values import pointer as pointers
from docrev.language.phrases import sentence
from docrev.records import Change, Fact, Json
from docrev.revision.keywords import Dialect, dialect, null
from docrev.revision.observations import Observed
from docrev.revision.place_facts import Known
from docrev.revision.places import defined
from docrev.spec import Catalog, Response
from docrev.spec.schema import Schema

MAX_PROPERTIES = 60
MAX_DEPTH = 6
_COMPOSED = ("$ref", "allOf", "oneOf", "anyOf")
# What depends on how fast or on what else is said no contract of an operation needs.
_PASSING = (304, 401, 403, 429)


def response_changes(catalog: Catalog, observed: Observed, invented: Collection[str] = ()) -> Iterator[Change]:
    """The changes to the responses of one operation: a level a round, from the status down to the properties.

    `invented` are names of properties that were sent without being declared: that they come back says nothing.
    """
    told = dialect(catalog.documents[observed.operation.place.file].tree)
    for status, facts in _statuses(observed).items():
        response = observed.operation.responses.get(str(status))
        if response is None:
            if observed.operation.response(status) is None:
                yield _declared(observed, status, facts, told)
        elif response.schema is None:
            yield from _schema(catalog, observed, response, told)
        else:
            yield from _properties(catalog, observed, str(status), response.schema, told, invented)


def _statuses(observed: Observed) -> dict[int, list[Fact]]:
    """The statuses that an operation answers by itself, with the facts that show them."""
    found: dict[int, list[Fact]] = {}
    for fact in observed.all("status"):
        status = fact.value.get("status") if isinstance(fact.value, dict) else None
        if isinstance(status, int) and 200 <= status < 500 and status not in _PASSING:
            found.setdefault(status, []).append(fact)
    return dict(sorted(found.items()))


def _declared(observed: Observed, status: int, facts: list[Fact], told: Dialect) -> Change:
    cause = str(facts[0].value.get("cause", "")) if status >= 400 and len(facts) == 1 else ""
    value: dict[str, Json] = {"description": sentence(cause).rstrip(".") or HTTPStatus(status).phrase}
    kind = _root(observed, str(status))
    if kind:
        value |= _content(
            observed, str(status), {"type": kind.value} if kind.value != "array" else _list(observed, kind), told
        )
    pointer = f"{observed.operation.place.pointer}/responses/{status}"
    facts = [*facts, *([kind] if kind else [])]
    return _change(observed, observed.operation.place.file, pointer, None, value, facts)


def _root(observed: Observed, status: str) -> Fact | None:
    """The fact that tells the type of a whole answer; that a field is in it makes it an object."""
    found = next((fact for fact in observed.at(f"{status}:") if fact.kind == "type"), None)
    if found is not None and found.value in ("object", "array"):
        return found
    inner = next((fact for fact in observed.all("field") if fact.location.startswith(f"{status}:/")), None)
    if found is None and inner is not None and not inner.location.startswith(f"{status}:/0"):
        return Fact(inner.key, "type", f"{status}:", "object", inner.calls)
    return None


def _list(observed: Observed, kind: Fact) -> dict[str, Json]:
    item = Known.of(observed.at(f"{kind.location}/0"))
    return {"type": "array", "items": {"type": item.value("type")} if "type" in item else {}}


def _content(observed: Observed, status: str, schema: dict[str, Json], told: Dialect) -> dict[str, Json]:
    if told == "2.0":
        return {"schema": schema}
    return {"content": {_media(observed, status): {"schema": schema}}}


def _media(observed: Observed, status: str) -> str:
    calls = [call for call in (*observed.good, *observed.bad) if str(call.status) == status and call.media_type]
    return calls[0].media_type.partition(";")[0].strip() if calls else "application/json"


def _schema(catalog: Catalog, observed: Observed, response: Response, told: Dialect) -> Iterator[Change]:
    """The schema of a declared response that has none."""
    kind = _root(observed, response.status)
    place = defined(catalog, response.place)
    node = catalog.documents[place.file].get(place.pointer, None)
    if kind is None or not isinstance(node, dict) or "schema" in node:
        return
    schema = {"type": kind.value} if kind.value != "array" else _list(observed, kind)
    if told == "2.0":
        yield _change(observed, place.file, f"{place.pointer}/schema", None, schema, [kind])
        return
    content, media = node.get("content"), _media(observed, response.status)
    if not isinstance(content, dict):
        value = {media: {"schema": schema}}
        yield _change(observed, place.file, f"{place.pointer}/content", content, value, [kind])
    elif isinstance(content.get(media), dict) and "schema" not in content[media]:
        at = f"{place.pointer}/content{pointers.join(media)}/schema"
        yield _change(observed, place.file, at, None, schema, [kind])


def _properties(
    catalog: Catalog, observed: Observed, status: str, root: Schema, told: Dialect, invented: Collection[str]
) -> Iterator[Change]:
    """The properties that all answers have and their schema lacks, under objects that it does describe."""
    fields = sorted(
        location
        for location, facts in observed.facts.items()
        if location.startswith(f"{status}:/") and any(fact.kind == "field" for fact in facts)
    )
    schemas = dict(root.walk())
    missing: dict[str, dict[str, list[Fact]]] = {}
    for location in fields[:MAX_PROPERTIES]:
        pointer = location.partition(":")[2]
        parent = pointers.parent(pointer)
        known = Known.of(observed.at(location))
        if pointer in schemas or known.value("type") in (None, "null") or pointer.count("/") > MAX_DEPTH:
            continue
        if pointers.last(pointer) in invented:
            continue
        if parent in schemas:
            missing.setdefault(parent, {})[pointers.last(pointer)] = list(known.facts)
        elif parent.endswith("/0") and pointers.parent(parent) in schemas:
            yield from _items(catalog, observed, schemas[pointers.parent(parent)], f"{status}:{parent}")
    for parent, found in missing.items():
        schema = schemas[parent]
        if schema.type not in (None, "object") or any(name in schema.node for name in _COMPOSED):
            continue
        place = defined(catalog, schema.place)
        made = {name: _property(observed, f"{status}:{parent}{pointers.join(name)}", told) for name in found}
        if isinstance(schema.node.get("properties"), dict):
            for name, value in made.items():
                at = f"{place.pointer}/properties{pointers.join(name)}"
                yield _change(observed, place.file, at, None, value, found[name])
        else:
            facts = [fact for told_of in found.values() for fact in told_of]
            yield _change(observed, place.file, f"{place.pointer}/properties", None, made, facts)


def _items(catalog: Catalog, observed: Observed, array: Schema, location: str) -> Iterator[Change]:
    """What a list holds, where it does not say so."""
    kind = next((fact for fact in observed.at(location) if fact.kind == "type"), None)
    if kind is not None and array.type == "array" and not array.node.get("items"):
        place = defined(catalog, array.place)
        at = f"{place.pointer}/items"
        yield _change(observed, place.file, at, array.node.get("items"), {"type": kind.value}, [kind])


def _property(observed: Observed, location: str, told: Dialect) -> dict[str, Json]:
    known = Known.of(observed.at(location))
    kind = str(known.value("type"))
    made: dict[str, Json] = {"type": kind}
    if kind == "string" and "format" in known:
        made["format"] = known.value("format")
    if kind == "array":
        made |= _list(observed, known.all("type")[0])
    if "nullable" in known:
        made |= null(kind, told)
    return made


def _change(observed: Observed, file: str, pointer: str, before: Json, after: Json, facts: list[Fact]) -> Change:
    calls = tuple(dict.fromkeys(call for fact in facts for call in fact.calls[:2]))[:5]
    return Change(file, pointer, before, after, observed.key, "contract", tuple(facts), calls)
