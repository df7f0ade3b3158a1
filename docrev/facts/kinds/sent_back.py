"""`sent-back`: a change is refused that sends what a GET returns of the thing, without any change."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.calls.routes import only_path
from docrev.conventions.ids import created_object
from docrev.conventions.statuses import INVALID
from docrev.evidence.queries import reader_at
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record, shows_status
from docrev.facts.observations import Observations
from docrev.facts.status_causes import message
from docrev.json_values.leaves import scalar_members
from docrev.records import Call, Json

_LEAST = 2
"""Times that the same must have been refused."""
_QUOTABLE = 4
"""Characters of a value by which it is known again in a message."""


@dataclass(frozen=True)
class Refused(Record):
    """The status and the message of the refusal, and the operation that returned what was sent."""

    status: int
    operation: str
    message: str | None = None


def _from_calls(view: EvidenceView) -> Facts:
    for key, seen in sorted(view.observations.items()):
        reader = reader_at(view.observations, key.tool, key.path)
        if key.method in ("PUT", "PATCH") and reader is not None and seen.good:
            schema = view.catalog[key].body_schema
            yield from _of_change(seen, reader, frozenset(schema.required) if schema is not None else frozenset())


def _of_change(seen: Observations, reader: Observations, required: frozenset[str]) -> Facts:
    """What a change does with what the operation that reads the same things returned, if that has what it requires."""
    sent = [call for call in seen.calls if any(_is_sent_back(call, read) for read in reader.good)]
    alike = [call for call in sent if required <= call.arguments["body:"].keys()]
    refused = _refused(alike, seen)
    # In no form: whole, or without its envelope.
    if len(refused) >= _LEAST and len({call.status for call in alike}) == 1:
        value = Refused(refused[0].status or 0, str(reader.key), _message(refused[0]))
        yield KIND.fact(seen.key, "", value, ids(refused))


def _refused(calls: list[Call], seen: Observations) -> list[Call]:
    """The calls that were refused; none if one of them lacks only what other things have."""
    refused = [call for call in calls if call.status in INVALID]
    accepted = [call.arguments.get("body:") for call in seen.good]
    is_of_one = any(_is_filled(call.arguments["body:"], body) for call in refused for body in accepted)
    return [] if is_of_one else refused


def _is_filled(refused: Json, accepted: Json) -> bool:
    """Whether an accepted body is a refused one with something in the place of what has no value there: things that
    have one may well be sent back unchanged."""
    if not isinstance(accepted, dict) or refused.keys() != accepted.keys():
        return False
    filled = [name for name, value in refused.items() if not value and accepted[name]]
    alike = (type(value) is type(accepted[name]) for name, value in refused.items() if name not in filled)
    return bool(filled) and all(alike)


def _message(call: Call) -> str | None:
    """What a refusal says, if it does not quote what this thing happened to have."""
    text = message(call.body)
    sent = (str(value) for _, value in scalar_members(call.arguments["body:"]))
    return None if not text or any(len(value) >= _QUOTABLE and value in text for value in sent) else text


def _is_sent_back(call: Call, read: Call) -> bool:
    """Whether a call has the body that a reading of the same thing returned, or what its envelope contains."""
    body = call.arguments.get("body:")
    is_same = isinstance(body, dict) and body != {} and body in (read.body, created_object(read.body))
    return is_same and only_path(call.arguments) == only_path(read.arguments)


KIND = Kind("sent-back", Refused, OPERATION, shows=shows_status, from_calls=_from_calls)
