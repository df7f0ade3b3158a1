"""The whole of a response: its type, and the schema that it has in place of one which every response contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.calls.media import is_lines
from docrev.conventions.methods import SAFE_METHODS
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.records import Change, Fact, Json
from docrev.revision.contract_bodies import contract_change
from docrev.revision.observations import ObservedOperation
from docrev.revision.other_objects import described_by, is_other_object
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import defined
from docrev.spec import Catalog, Response
from docrev.spec.schema import Schema

_SCALARS = ("string", "integer", "number", "boolean")


def root_type(observed: ObservedOperation, status: str) -> Fact | None:
    """The fact that states the type of a whole response; that a field is in it makes it an object."""
    stated = next((fact for fact in observed.at(f"{status}:") if fact.kind == "type"), None)
    if stated is not None:
        return stated if stated.value in ("object", "array") else None
    inner = next((fact for fact in observed.all("field") if fact.location.startswith(f"{status}:/")), None)
    if inner is None or inner.location.startswith(f"{status}:/0"):
        return None
    return Fact(inner.key, "type", f"{status}:", "object", inner.calls)


def root_schema(observed: ObservedOperation, root: Fact) -> dict[str, Json]:
    """The schema of a whole response by the fact on its type; of a stream, that of what stands on each line."""
    if root.value != "array":
        return {"type": root.value}
    array = array_schema(observed, root)
    # What stands on each line is described, as it is for other streams.
    return array["items"] if is_lines(response_media_type(observed, root.location.partition(":")[0])) else array


def array_schema(observed: ObservedOperation, kind: Fact) -> dict[str, Json]:
    """The schema of an array by the fact on its type, and that on its items."""
    item = FactsByKind.of(observed.at(f"{kind.location}/0"))
    return {"type": "array", "items": {"type": item.value("type")} if "type" in item else {}}


def response_media_type(observed: ObservedOperation, status: str) -> str:
    """The media type that responses with a status had; JSON if none had any."""
    calls = [call for call in (*observed.good, *observed.bad) if str(call.status) == status and call.media_type]
    return calls[0].media_type.partition(";")[0].strip() if calls else "application/json"


def corrected_root(catalog: Catalog, observed: ObservedOperation, response: Response) -> Iterator[Change]:
    """Another schema for a whole response than one that every response contradicts: a text where an object is returned,
    one thing where a list of them is."""
    root, schema = root_type(observed, response.status), response.schema
    place = defined(catalog, response.place)
    name, before = written_schema(catalog.node(place))
    if root is None or schema is None or before is None:
        return
    # Of what is read, the media type may decide whether it is a text.
    if schema.type in _SCALARS and observed.key.method not in SAFE_METHODS:
        yield contract_change(observed, place, name, before, root_schema(observed, root), [root])
    elif schema.type == "object" and root.value == "array":
        yield contract_change(observed, place, name, before, _listed(observed, root, schema, before), [root])


def other_object_change(
    catalog: Catalog, observed: ObservedOperation, status: int, others: Sequence[ObservedOperation]
) -> Change | None:
    """Another schema for a response than a shared one of another object: that of an operation which describes what is
    returned, or one of its own."""
    response = observed.operation.responses.get(str(status))
    root = root_type(observed, str(status))
    if response is None or root is None or not is_other_object(observed, status):
        return None
    place = defined(catalog, response.place)
    name, before = written_schema(catalog.node(place))
    if "$ref" not in mapping(before):
        return None
    like = described_by(observed, others)
    described = next((other.operation.success for other in others if other.key == like), None)
    written = written_schema(catalog.node(defined(catalog, described.place)))[1] if described is not None else None
    is_near = described is not None and described.place.file == place.file and "$ref" in mapping(written)
    after = written if is_near else root_schema(observed, root)
    return contract_change(observed, place, name, before, after, [root])


def _listed(observed: ObservedOperation, root: Fact, schema: Schema, written: Json) -> dict[str, Json]:
    """The schema of a list of what a schema describes, or of what is in a list that it describes, by the fields that
    items have; without one that fits, of anything."""
    fields = {at.removeprefix(f"{root.location}/0/") for at in observed.facts if at.startswith(f"{root.location}/0/")}
    inner = (part for part in schema.properties().values() if part.type == "array")
    items = ((item.properties(), part.node.get("items")) for part in inner if (item := part.items()) is not None)
    for properties, node in ((schema.properties(), written), *items):
        if not properties or properties.keys() & fields:
            return {"type": "array", "items": node}
    return array_schema(observed, root)


def written_schema(node: Json) -> tuple[str, Json]:
    """(member, schema) of a response as it is written, of its first media type; None without a schema."""
    content = node.get("content") if isinstance(node, dict) else None
    for media_type, media in mapping(content).items():
        return f"content{pointers.join(media_type)}/schema", media.get("schema")
    return "schema", node.get("schema") if isinstance(node, dict) else None
