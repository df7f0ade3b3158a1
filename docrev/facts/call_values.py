"""The values that a call has at a location: of its response, or of its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docrev.conventions.lists import ListFound, list_of
from docrev.conventions.run_names import is_made_up
from docrev.evidence.queries import arguments
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import values_at
from docrev.records import Call, Json

MAX_NAMED = 8
"""Calls that a fact on states and responses names."""


def is_response(location: str) -> bool:
    """Whether a location is in a response: it starts with the status."""
    return location[:1].isdecimal()


def response_values(call: Call, location: str) -> list[Json]:
    """The values of a response at `STATUS:/ptr`; none if the call has another status."""
    status, _, pointer = location.partition(":")
    return values_at(call.body, pointer) if status == str(call.status) else []


def call_values(call: Call, location: str) -> list[Json]:
    """The values of a call at a location; those of its arguments count only if they were accepted."""
    if is_response(location):
        return response_values(call, location)
    return [value for place, value in arguments(call) if place == location] if call.ok else []


def present_values(call: Call, location: str) -> list[Json]:
    """The values of a call at a location that are not null."""
    return [value for value in call_values(call, location) if value is not None]


def argument(arguments: Mapping[str, Json], location: str) -> tuple[bool, Json]:
    """Whether arguments have a location, and its value; a body's property is found by its pointer."""
    if not location.startswith("body:/"):
        return location in arguments, arguments.get(location)
    return pointers.find(arguments.get("body:"), location.removeprefix("body:"))


def without(arguments: Mapping[str, Json], location: str) -> dict[str, Json]:
    """Arguments without that at a location: also without a property of the body. What is not there stays so."""
    if not location.startswith("body:/"):
        return {name: value for name, value in arguments.items() if name != location}
    pointer, body = location.removeprefix("body:"), arguments.get("body:")
    return {**arguments, "body:": pointers.removed(body, pointer) if pointers.find(body, pointer)[0] else body}


def sent_properties(call: Call) -> Mapping[str, Json]:
    """The properties of a request body; none if there is no object."""
    body = call.arguments.get("body:")
    return mapping(body)


def sends_object(call: Call) -> bool:
    """Whether the body of a request is an object."""
    return isinstance(call.arguments.get("body:"), dict)


def comparable(value: Json) -> str:
    """What the values of requests are compared by: a name of the run is as good as any other."""
    return "a name of the run" if is_made_up(value) else canonical(value)


def own_list(call: Call) -> ListFound | None:
    """The one list that a response is about, whole; None also for a map: facts cannot name all of its values."""
    found = list_of(call)
    return None if found is None or found.keys or call.sampled else found


def ids(calls: Iterable[Call], most: int = MAX_NAMED) -> tuple[str, ...]:
    """The ids of the first calls: as many as a fact names."""
    return tuple(call.id for call in calls)[:most]
