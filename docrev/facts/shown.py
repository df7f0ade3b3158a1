"""Whether a call shows a fact: one predicate a kind, the same for the first sight and for the replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docrev.evidence.queries import arguments
from docrev.facts.shape import type_name
from docrev.facts.states_shown import predicate
from docrev.facts.status import message
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import values_at
from docrev.json_values.pointer import unescape
from docrev.records import Call, Fact, Json


def shows(fact: Fact, call: Call) -> bool:
    """Whether `call`, of the fact's operation, shows `fact`. `comes-from` needs two calls: see `shows_origin`."""
    if call.status is None or call.key != fact.key:
        return False
    if call.error is not None and not (fact.kind == "broken" and call.error == "not-json"):
        return False
    return (predicate(fact) or _PREDICATES[fact.kind])(fact, call)


def shows_origin(fact: Fact, source: Call, target: Call) -> bool:
    """Whether `source` answered a value, not sent with it, that `target` accepted at the fact's location."""
    place = str(fact.value["field"])
    if str(source.key) != fact.value["operation"] or target.key != fact.key or not (source.ok and target.ok):
        return False
    sent = {str(value) for location, value in arguments(target) if location == fact.location}
    sent -= {str(value) for _, value in arguments(source)}
    return any(str(value) in sent for value in at_location(source, place))


def at_location(call: Call, location: str) -> list[Json]:
    """The values of a call at a location: of its response where the location starts with its status."""
    status, _, pointer = location.partition(":")
    if status.isdecimal():
        return values_at(call.body, pointer) if int(status) == call.status else []
    return [value for place, value in arguments(call) if place == location]


def _answered(fact: Fact, call: Call) -> bool:
    """Whether the call can speak on the location: an argument counts only where it was accepted."""
    return fact.location[:1].isdecimal() or call.ok


def _shows_field(fact: Fact, call: Call) -> bool:
    parent, _, name = fact.location.rpartition("/")
    name = unescape(name)
    objects = [value for value in at_location(call, parent) if isinstance(value, dict)]
    return bool(objects) and all(name in value for value in objects)


def _shows_type(fact: Fact, call: Call) -> bool:
    values = [value for value in at_location(call, fact.location) if value is not None]
    if not values or not _answered(fact, call):
        return False
    if not fact.location.startswith("body:") and not fact.location[:1].isdecimal():
        return True
    allowed = {"integer", "number"} if fact.value == "number" else {fact.value}
    return all(type_name(value) in allowed for value in values)


def _shows_values(fact: Fact, call: Call) -> bool:
    known = {canonical(value) for value in fact.value}
    values = at_location(call, fact.location)
    if not _answered(fact, call):
        return False
    return bool(values) and all(canonical(value) in known for value in values if value is not None)


def _shows_status(fact: Fact, call: Call) -> bool:
    said = fact.value.get("message")
    return call.status == fact.value["status"] and (said is None or message(call.body) == said)


_PREDICATES: Mapping[str, Callable[[Fact, Call], bool]] = {
    "field": _shows_field,
    "type": _shows_type,
    "observed-values": _shows_values,
    "status": _shows_status,
}
