"""The contract of responses: statuses, schemas and properties that every response had and that are not declared."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from http import HTTPStatus

from docrev.calls.effects import is_batch
from docrev.calls.media import has_object_lines, is_lines
from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.fields import is_internal
from docrev.conventions.service_pages import has_known_form
from docrev.facts.kinds import status as status_kind
from docrev.facts.shape import has_data_keys, one_type, type_name
from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.language.media_types import essence
from docrev.records import Change, Fact, Json
from docrev.revision.contract_bodies import contract_change, property_changes
from docrev.revision.error_references import find_error_reference, find_thing_reference
from docrev.revision.keywords import COMPOSED, Dialect, dialect, null
from docrev.revision.observations import ObservedOperation
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import defined
from docrev.revision.response_roots import (
    array_schema,
    corrected_root,
    other_object_change,
    response_media_type,
    root_schema,
    root_type,
)
from docrev.revision.response_texts import response_text
from docrev.spec import Catalog, Place, Response
from docrev.spec.schema import Schema

MAX_PROPERTIES = 60
MAX_DEPTH = 6
_LEAST_RETURNED = 3
"""Successes that must have had another status than the declared one for that one to be taken out."""
_MISTAKEN = {("200", 201), ("200", 204), ("201", 200), ("204", 200), ("204", 201)}
"""A declared success and the one that is returned, of which the first is a slip, and no other outcome."""
_PASSING = (304, 401, 403, 429)
"""Statuses that depend on how often and by whom an operation is called, which its contract need not state."""


def response_changes(
    catalog: Catalog, observed: ObservedOperation, others: Sequence[ObservedOperation], invented: Collection[str]
) -> Iterator[Change]:
    """The changes to the responses of one operation: a level per round, from the status down to the properties.

    `others` are all operations, one of which may declare what this one returns; `invented` are names of properties that
    were sent without being declared: that they come back says nothing.
    """
    form = dialect(catalog.documents[observed.operation.place.file].tree)
    yield from _removed(catalog, observed)
    for status, facts in _statuses(observed).items():
        response = observed.operation.responses.get(str(status))
        schema = response.schema if response is not None else None
        if _is_described_elsewhere(observed, status, schema) or _is_untold_by_line(observed, status):
            continue
        if response is not None and schema is not None and _is_declared_form(observed, response):
            other = other_object_change(catalog, observed, status, others)
            yield from [other] if other is not None else _of_schema(catalog, observed, response, schema, invented)
        elif response is not None:
            yield from _schema(catalog, observed, response, form)
        elif observed.operation.response(status) is None:
            declared = _declared(catalog, observed, status, facts, form)
            # That there may be no such path says nothing of an operation.
            if declared.after != {"description": HTTPStatus.NOT_FOUND.phrase}:
                yield declared


def _of_schema(
    catalog: Catalog, observed: ObservedOperation, response: Response, schema: Schema, invented: Collection[str]
) -> Iterator[Change]:
    form = dialect(catalog.documents[observed.operation.place.file].tree)
    yield from corrected_root(catalog, observed, response)
    yield from _MissingProperties(catalog, observed, response.status, schema, form).changes(invented)


def _is_described_elsewhere(observed: ObservedOperation, status: int, schema: Schema | None) -> bool:
    """Whether the form of a response is defined in another document, be it in none of this folder."""
    bodies = (call.body for call in observed.good if call.status == status)
    is_known = any(has_known_form(observed.key.path, body) for body in bodies)
    return is_known or (schema is not None and schema.is_unread)


def _is_untold_by_line(observed: ObservedOperation, status: int) -> bool:
    """Whether some responses have an object on each line, though their media type says that they are one: no schema is
    that of all of them."""
    texts = (call.body for call in observed.good if call.status == status and not is_lines(call.media_type))
    return any(isinstance(text, str) and has_object_lines(text) for text in texts)


def _never_returned(observed: ObservedOperation) -> Response | None:
    """The one success that is declared of a creation or a deletion, if each that came was another one."""
    declared = [each for status, each in observed.operation.responses.items() if status.startswith("2")]
    shown = {call.status for call in observed.good} | {status for status in _statuses(observed) if status < 300}
    is_other = len(declared) == len(shown) == 1 and (declared[0].status, *shown) in _MISTAKEN
    is_seen = observed.key.method in ("POST", "DELETE") and len(observed.good) >= _LEAST_RETURNED
    return declared[0] if is_other and is_seen else None


def _removed(catalog: Catalog, observed: ObservedOperation) -> Iterator[Change]:
    """That a success that never came is declared no more."""
    gone, place = _never_returned(observed), observed.operation.place
    facts = [fact for fact in observed.all("status") if status_kind.KIND.value_of(fact).status < 300]
    if gone is not None and facts:
        name = f"responses/{gone.status}"
        yield contract_change(observed, place, name, catalog.node(place, f"/{name}"), None, facts)


def _statuses(observed: ObservedOperation) -> dict[int, list[Fact]]:
    """The statuses that an operation answers by itself, with the facts that show them."""
    shown = ((status_kind.KIND.value_of(fact).status, fact) for fact in observed.all("status"))
    by_status = grouped(pair for pair in shown if 200 <= pair[0] < 500 and pair[0] not in _PASSING)
    others = _of_others(observed)
    return {status: facts for status, facts in sorted(by_status.items()) if status not in others}


def _of_others(observed: ObservedOperation) -> set[int | None]:
    """The statuses that came only from where the operation redirects to, which its contract does not state."""
    calls = (*observed.good, *observed.bad)
    return {call.status for call in calls} - {call.status for call in calls if not call.redirected}


def _declared(catalog: Catalog, observed: ObservedOperation, status: int, facts: list[Fact], form: Dialect) -> Change:
    causes = [status_kind.KIND.value_of(fact) for fact in facts]
    value: dict[str, Json] = {
        "description": _text_of_other(catalog, observed, status) or response_text(observed, status, causes)
    }
    root = root_type(observed, str(status))
    known = find_error_reference(catalog, observed, status)
    if known.get("response"):
        value = {"$ref": known["response"]}
    elif root and not (status >= 400 and _is_blank(observed, str(status), root) and not known.get("schema")):
        value |= _content(observed, str(status), _referred_or_plain(catalog, observed, str(status), root), form)
    elif known.get("schema"):
        value |= _content(observed, str(status), {"$ref": known["schema"]}, form)
    evidence = [*facts, *([root] if root else [])]
    return contract_change(observed, observed.operation.place, f"responses/{status}", None, value, evidence)


def _is_blank(observed: ObservedOperation, status: str, root: Fact) -> bool:
    """Whether nothing is known of an object but that it is one: as the body of an error, that is not worth a line."""
    return root.value == "object" and not any(at.startswith(f"{status}:/") for at in observed.facts)


def _text_of_other(catalog: Catalog, observed: ObservedOperation, status: int) -> str:
    """What is said of a success that this one takes the place of; "" if that is no more than its name in HTTP."""
    other = _never_returned(observed) if status < 300 else None
    node = catalog.node(defined(catalog, other.place)) if other is not None else None
    text = node.get("description") if isinstance(node, dict) else None
    names = {HTTPStatus(int(other.status)).phrase.lower(), "ok", "success"} if other is not None else set()
    return text if isinstance(text, str) and text.strip(" .").lower() not in names else ""


def _content(observed: ObservedOperation, status: str, schema: dict[str, Json], form: Dialect) -> dict[str, Json]:
    if form == "2.0":
        return {"schema": schema}
    return {"content": {response_media_type(observed, status): {"schema": schema}}}


def _is_declared_form(observed: ObservedOperation, response: Response) -> bool:
    """Whether responses come in the media type of the declared schema: that of another one says nothing of them, and an
    empty one as little as none."""
    if response.schema is None or not response.schema.node:
        return False
    declared = essence(response.media_type)
    media_type = response_media_type(observed, response.status).lower()
    return declared in ("", media_type, f"{media_type.partition('/')[0]}/*", "*/*")


def _schema(catalog: Catalog, observed: ObservedOperation, response: Response, form: Dialect) -> Iterator[Change]:
    """The schema of a declared response that has none, or none of the media type that is returned."""
    root = root_type(observed, response.status)
    place = defined(catalog, response.place)
    node = catalog.node(place)
    if root is None or not isinstance(node, dict) or node.get("schema"):
        return
    if response.status.startswith("4") and _is_blank(observed, response.status, root):
        return
    schema = _referred_or_plain(catalog, observed, response.status, root)
    if form == "2.0":
        # Without a media type of its own, the schema of a line would be read as that of the whole.
        if not is_lines(response_media_type(observed, response.status)):
            yield contract_change(observed, place, "schema", node.get("schema"), schema, [root])
        return
    content, media_type = node.get("content"), response_media_type(observed, response.status)
    if not isinstance(content, dict):
        yield contract_change(observed, place, "content", content, {media_type: {"schema": schema}}, [root])
    elif media_type not in content:
        name = f"content{pointers.join(media_type)}"
        yield contract_change(observed, place, name, None, {"schema": schema}, [root])
    elif isinstance(content.get(media_type), dict) and not content[media_type].get("schema"):
        before = content[media_type].get("schema")
        yield contract_change(observed, place, f"content{pointers.join(media_type)}/schema", before, schema, [root])


def _referred_or_plain(catalog: Catalog, observed: ObservedOperation, status: str, root: Fact) -> dict[str, Json]:
    """The schema of a response: a reference that fits it, or its type."""
    if not status.isdecimal():
        return root_schema(observed, root)
    known = find_error_reference(catalog, observed, int(status))
    is_thing = root.value == "object" and int(status) < 300
    reference = known.get("schema") or (find_thing_reference(catalog, observed, int(status)) if is_thing else "")
    return {"$ref": reference} if reference else root_schema(observed, root)


def _is_bare(schema: Schema) -> bool:
    """Whether a schema says only that it is an object."""
    return schema.type == "object" and not {"properties", "additionalProperties", *COMPOSED} & schema.node.keys()


def _has_variant(catalog: Catalog, schema: Schema, names: Collection[str]) -> bool:
    """Whether a schema beside a shared one has these properties and all of its own: what some users are returned."""
    place = defined(catalog, schema.place)
    around = Place(place.file, pointers.parent(place.pointer))
    beside = catalog.node(around)
    if not around.pointer.endswith(("/schemas", "/definitions")) or not isinstance(beside, dict):
        return False
    all_names = {*names, *schema.properties()}
    return any(all_names <= mapping(mapping(other).get("properties")).keys() for other in beside.values())


class _MissingProperties:
    """The properties that all responses of a status have and their schema lacks, in objects that it does describe."""

    def __init__(self, catalog: Catalog, observed: ObservedOperation, status: str, root: Schema, form: Dialect) -> None:
        self._catalog = catalog
        self._observed = observed
        self._status = status
        self._schemas = dict(root.walk())
        self._form = form

    def changes(self, invented: Collection[str]) -> Iterator[Change]:
        yield from self._maps()
        missing: dict[str, dict[str, Sequence[Fact]]] = {}
        for pointer in self._undeclared(invented):
            parent = pointers.parent(pointer)
            if parent in self._schemas and not self._schemas[parent].is_unread:
                missing.setdefault(parent, {})[pointers.last(pointer)] = self._facts(pointer)
            elif parent.endswith("/0") and pointers.parent(parent) in self._schemas:
                yield from self._items(parent)
        for parent, facts in missing.items():
            schema = self._schemas[parent]
            is_map = self._may_be_map(parent, schema, facts)
            if self._is_open(parent, schema) and not is_map and not self._is_of_others(parent, schema, facts):
                schemas = {name: self._property(f"{parent}{pointers.join(name)}") for name in facts}
                place = defined(self._catalog, schema.place)
                yield from property_changes(self._observed, schema, place, schemas, facts)

    def _maps(self) -> Iterator[Change]:
        """That the names in an object are data, of which its schema says nothing."""
        for pointer, schema in self._schemas.items():
            kinds = [fact for fact in self._facts(pointer) if fact.kind == "type" and fact.value == "object"]
            is_bare = pointer and kinds and _is_bare(schema) and not self._is_given(pointers.last(pointer))
            if is_bare and (name := self._value_type(pointer)) is not None:
                place = defined(self._catalog, schema.place)
                yield contract_change(self._observed, place, "additionalProperties", None, {"type": name}, kinds)

    def _is_given(self, name: str) -> bool:
        """Whether callers give what they like under a name: that all gave texts says nothing of what others may."""
        bodies = (one.body_schema for one in self._catalog.operations if one.tool == self._observed.key.tool)
        given = (part for body in bodies if body is not None for at, part in body.walk() if pointers.last(at) == name)
        return any(_is_bare(part) or part.node.get("additionalProperties") in (True, {}) for part in given)

    def _value_type(self, pointer: str) -> str | None:
        """The one type of the values in the objects at a pointer, if their names are data; else None."""
        if not self._status.isdecimal():
            return None
        objects = [value for value, _ in self._observed.got(int(self._status), pointer) if value]
        members = {type_name(member) for value in objects for member in value.values()}
        return one_type(members) if objects and all(map(has_data_keys, objects)) else None

    def _facts(self, pointer: str) -> tuple[Fact, ...]:
        return self._observed.at(f"{self._status}:{pointer}")

    def _is_open(self, pointer: str, schema: Schema) -> bool:
        """Whether properties may be added: not to a map, nor to the response to a request that a batch carries."""
        if schema.type not in (None, "object") or any(name in schema.node for name in COMPOSED):
            return False
        if "properties" in schema.node or not pointer:
            return True
        is_map = schema.node.get("additionalProperties", False) is not False
        return not is_map and not is_batch(self._observed.operation)

    def _has_listed_names(self, pointer: str) -> bool:
        """Whether the names in an object are texts of a list beside it, as labels of columns are: they are data."""
        if not pointer or not self._status.isdecimal():
            return False
        around = (mapping(value) for value, _ in self._observed.got(int(self._status), pointers.parent(pointer)))
        pairs = [(_names_at(one, pointers.last(pointer)), _texts_of_lists(one)) for one in around]
        return any(names for names, _ in pairs) and all(names <= texts for names, texts in pairs)

    def _is_of_others(self, pointer: str, schema: Schema, names: Collection[str]) -> bool:
        """Whether properties are not the schema's: they are data, or another schema has them."""
        return self._has_listed_names(pointer) or _has_variant(self._catalog, schema, names)

    def _undeclared(self, invented: Collection[str]) -> list[str]:
        """The pointers of fields that all responses have and the schema lacks, of a clear type or always null."""
        start = f"{self._status}:/"
        fields = sorted(
            location
            for location, facts in self._observed.facts.items()
            if location.startswith(start) and any(fact.kind == "field" for fact in facts)
        )
        found = [location.removeprefix(f"{self._status}:") for location in fields[:MAX_PROPERTIES]]
        return [
            pointer
            for pointer in found
            if pointer not in self._schemas
            and pointer.count("/") <= MAX_DEPTH
            and pointers.last(pointer) not in invented
            and self._is_clear(pointer)
            and not self._is_of_one_kind(pointer)
        ]

    def _is_of_one_kind(self, pointer: str) -> bool:
        """Whether a field has the name of what each thing around it says that it is: those of other kinds lack it."""
        around = self._observed.got(int(self._status), pointers.parent(pointer)) if self._status.isdecimal() else ()
        return bool(around) and all(pointers.last(pointer) in mapping(value).values() for value, _ in around)

    def _may_be_map(self, pointer: str, schema: Schema, facts: Mapping[str, Sequence[Fact]]) -> bool:
        """Whether an object of which nothing is declared may hold things by their names, of which there is one now."""
        is_around = not pointer or plain_name(pointers.last(pointer)) in ENVELOPES | {"0"}
        if is_around or not _is_bare(schema) or len(facts) > 1:
            return False
        kinds = [fact.value for shown in facts.values() for fact in shown if fact.kind == "type"]
        return kinds == ["object"]

    def _is_clear(self, pointer: str) -> bool:
        """Whether a field is for callers, and of one type as far as it is not null."""
        kind = FactsByKind.of(self._facts(pointer)).value("type")
        return not is_internal(pointers.last(pointer)) and (kind not in (None, "null") or self._is_null(pointer))

    def _is_null(self, pointer: str) -> bool:
        """Whether a field was null each time: there is such a property, but nobody saw what else it has."""
        values = self._observed.got(int(self._status), pointer) if self._status.isdecimal() else ()
        return bool(values) and all(value is None for value, _ in values)

    def _items(self, pointer: str) -> Iterator[Change]:
        """What a list contains, if its schema does not say so."""
        array = self._schemas[pointers.parent(pointer)]
        kind = next((fact for fact in self._facts(pointer) if fact.kind == "type"), None)
        if kind is not None and array.type == "array" and not array.node.get("items"):
            place, before = defined(self._catalog, array.place), array.node.get("items")
            yield contract_change(self._observed, place, "items", before, {"type": kind.value}, [kind])

    def _property(self, pointer: str) -> dict[str, Json]:
        facts = FactsByKind.of(self._facts(pointer))
        if self._is_null(pointer):
            return {}
        kind = str(facts.value("type"))
        schema: dict[str, Json] = {"type": kind}
        if kind == "string" and "format" in facts:
            schema["format"] = facts.value("format")
        if kind == "array":
            schema |= array_schema(self._observed, facts.all("type")[0])
        if "nullable" in facts:
            schema |= null(kind, self._form)
        return schema


def _names_at(thing: dict[str, Json], name: str) -> set[str]:
    return {*mapping(thing.get(name))}


def _texts_of_lists(thing: dict[str, Json]) -> set[str]:
    return {text for listed in thing.values() if isinstance(listed, list) for text in listed if isinstance(text, str)}
