"""`type-by`: the JSON type of a field of a response depends on the value of a field beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, Record
from docrev.facts.shape import type_name
from docrev.json_values.pointer import escape
from docrev.language.words import words
from docrev.records import Call, Fact, Json


@dataclass(frozen=True)
class TypeByField(Record):
    """The name of the field beside it, and the JSON type of this one for each of its values."""

    by: str
    types: Mapping[str, str]


_LEAST = 2
_TYPING = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "items", "not", "oneOf", "properties", "type"})
"""Keywords by which a schema limits the type of a value."""
_KINDS = frozenset({"type", "kind", "class"})
"""Words in the names of fields that say what a thing is; others may go with it by chance."""


def _from_calls(view: EvidenceView) -> Facts:
    given = _given(view)
    for key, seen in view.observations.items():
        if key.method == "GET":
            good = [call for call in seen.good if isinstance(call.body, dict) and not call.sampled]
            names = {name for call in good for name in call.body if (key.tool, name) not in given}
            for name in sorted(names):
                yield from _of_field([call for call in good if call.body.get(name) is not None], name)


def _given(view: EvidenceView) -> set[tuple[str, str]]:
    """(tool, name) of the fields that callers may give any JSON value: its type is theirs to choose."""
    bodies = [(one.tool, one.body_schema) for one in view.catalog.operations if one.body_schema is not None]
    parts = ((tool, at.removeprefix("/"), part.node) for tool, body in bodies for at, part in body.walk(max_depth=1))
    return {(tool, name) for tool, name, node in parts if name and _TYPING.isdisjoint(node)}


def _of_field(calls: list[Call], name: str) -> Facts:
    """The field that tells the type of another, if that has several: of more than one, one that is called so."""
    if len({type_name(call.body[name]) for call in calls}) < _LEAST:
        return
    telling = dict(_telling(calls, name))
    called = [by for by in telling if not _KINDS.isdisjoint(words(by))]
    for by in called[:1] or (telling if len(telling) == 1 else ()):
        at = f"{calls[0].status}:/{escape(name)}"
        first = {call.body[by]: call for call in reversed(calls)}
        rest = [call for call in calls if call not in first.values()]
        value = TypeByField(by, dict(sorted(telling[by].items())))
        yield KIND.fact(calls[0].key, at, value, ids([*first.values(), *rest]))


def _telling(calls: list[Call], name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The fields whose values go with the types of another one, with these."""
    things = len({_thing(call) for call in calls})
    for by in sorted({other for call in calls for other in call.body} - {name}):
        types = _types_by(calls, name, by)
        if len(set(types.values())) >= _LEAST and len(types) < things:
            yield by, types


def _thing(call: Call) -> str:
    """What a call is about: a field that has another value for each of these names the thing, and no kind of it."""
    return str({at: value for at, value in call.arguments.items() if at.startswith("path:")} or call.arguments)


def _types_by(calls: list[Call], name: str, by: str) -> dict[str, str]:
    """The type for each value of a field; empty if one value has two, or is no plain word of the API's own."""
    types: dict[str, str] = {}
    for call in calls:
        told, found = call.body.get(by), type_name(call.body[name])
        plain = isinstance(told, str) and told.isidentifier() and not is_invented(told)
        if not plain or types.setdefault(told, found) != found:
            return {}
    return types


def _fits(fact: Fact, call: Call) -> tuple[bool, bool]:
    """Whether a call has both fields, and whether the type is the one that the fact states."""
    value = KIND.value_of(fact)
    name = fact.location.rpartition("/")[2]
    body: Json = call.body if call.ok and isinstance(call.body, dict) else {}
    told = body.get(value.by)
    has_both = isinstance(told, str) and told in value.types and body.get(name) is not None
    return has_both, has_both and type_name(body[name]) == value.types[told]


KIND = Kind(
    "type-by",
    TypeByField,
    RESPONSE,
    shows=lambda fact, call: _fits(fact, call)[1],
    refutes=lambda fact, call: _fits(fact, call) == (True, False),
    from_calls=_from_calls,
)
