"""What a request body must have, or has, that no schema declares, with the codes that its properties may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import sent_properties
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import objects
from docrev.language.phrases import joined_names
from docrev.records import Fact, Json, OperationKey
from docrev.revision import labels
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.response_samples import shared_names

MAX_CALLS = 5
_CODE = re.compile(r"[A-Za-z][\w.-]{0,39}")
_MAX_CODES = 8
_DEPTH = 3
_FEW = 2
"""Properties: a schema with fewer says nothing of the body."""


def sent(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Statement]:
    """What a request body must have and no schema declares; if nothing must be there, what every accepted one had."""
    schema = observed.operation.body_schema
    declared = {f"body:{at}" for at, _ in schema.walk()} if schema is not None else set()
    if lacking := [fact for fact in observed.all("required") if _is_property(fact) and fact.location not in declared]:
        names = list(dict.fromkeys(labels.field_name(fact.location) for fact in lacking))
        codes = filter(None, (_said_codes(observed, observations, name) for name in names))
        said = " ".join([f"Requires {joined_names(names)} in the request body.", *codes])
        yield Statement(said, facts=tuple(lacking))
    elif len(declared) < _FEW and observed.key.method == "POST" and not observed.all("wrapped-in"):
        yield from _always_sent(observed)


def _is_property(fact: Fact) -> bool:
    return fact.location.startswith("body:/")


def _always_sent(observed: ObservedOperation) -> Iterator[Statement]:
    """The properties that every accepted request body had."""
    calls = [call for call in observed.good if sent_properties(call)]
    if names := shared_names([sent_properties(call) for call in calls]):
        text = f"Send {joined_names(names)} in the request body."
        yield Statement(text, calls=tuple(call.id for call in calls[:MAX_CALLS]))


def _said_codes(observed: ObservedOperation, observations: CatalogObservations, name: str) -> str:
    codes = _codes(observed, observations, name)
    return f"`{name}` is, for example, {joined_names(codes, 'or')}." if codes else ""


def _codes(observed: ObservedOperation, observations: CatalogObservations, name: str) -> list[str]:
    """The codes that a property may be: several things have the same in the field of its name, and one was accepted."""
    accepted = {value for value, _ in observed.sent.get(f"body:/{name}", ()) if _is_code(value)}
    held = _codes_held(observed.key, observations, name)
    codes = sorted({*held.values()} - observations.temporary)
    return codes if accepted & {*codes} and 1 < len(codes) <= min(_MAX_CODES, len(held) - 1) else []


def _codes_held(key: OperationKey, observations: CatalogObservations, name: str) -> dict[str, str]:
    """By thing: the code in the field of a name, of the things that a creation makes and of those that lie in them."""
    of_kind = (one for one in observations.operations if one.key.tool == key.tool and one.key.path.startswith(key.path))
    things = (thing for one in of_kind for call in one.good for thing in objects(call.body, depth=_DEPTH))
    return {canonical(thing.get("id", thing)): str(thing[name]) for thing in things if _is_code(thing.get(name))}


def _is_code(value: Json) -> bool:
    return isinstance(value, str) and _CODE.fullmatch(value) is not None and not is_invented(value)
