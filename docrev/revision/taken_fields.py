"""Which field of listed things a parameter takes, where it refuses another field of the same things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docrev.grouping import only
from docrev.language.path_subjects import subject
from docrev.records import Call
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.value_sources import operation_key


class TakenField(NamedTuple):
    """The field whose values are taken, what has it ("airport"), the list of such things, and their fields that are
    refused."""

    field: str
    noun: str
    operation: str
    refused: frozenset[str]


def taken_field(observed: ObservedOperation, location: str, observations: CatalogObservations) -> TakenField | None:
    """The field that identifies what is sent at a location, if values of another one were refused there."""
    tool, name = observed.key.tool, location.partition(":")[2]
    refused = {value for value in _refused(observed, location) if value in observations.returned}
    sent = {value for value, _ in observed.sent.get(location, ()) if isinstance(value, str)} if refused else set()
    found = only({observations.listed_code(tool, value, name) for value in sent})
    if found is None:
        return None
    field, operation = found
    others = {other for value in refused for other in observations.fields_in((tool, operation), value)}
    noun = subject(operation_key(f"{tool} {operation}").path).noun
    return TakenField(field, noun, operation, frozenset(others - {field}))


def _refused(observed: ObservedOperation, location: str) -> Iterator[str]:
    """The texts for which a request was refused that was accepted with another one."""
    accepted = [_beside(call, location) for call in observed.good]
    for call in observed.bad:
        value = call.arguments.get(location)
        if isinstance(value, str) and _beside(call, location) in accepted:
            yield value


def _beside(call: Call, location: str) -> dict[str, object]:
    return {at: value for at, value in call.arguments.items() if at != location}
