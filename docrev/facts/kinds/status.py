"""`status`: the operation returns this status, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docrev.facts.fact_values import StatusCode
from docrev.facts.kind import OPERATION, Kind, Replay
from docrev.facts.status import message
from docrev.records import Call, Fact


@dataclass(frozen=True)
class Cause(StatusCode):
    """A status with its cause in words, the location of the parameter to blame, and the API's own message."""

    cause: str
    parameter: str | None = None
    message: str | None = None


def _shows(fact: Fact, call: Call) -> bool:
    value = KIND.value_of(fact)
    return call.status == value.status and value.message in (None, message(call.body))


def _without_message(fact: Fact) -> Fact | None:
    """The fact without a message that was another the second time: it names the moment, or the request."""
    value = KIND.value_of(fact)
    return replace(fact, value=replace(value, message=None).to_json()) if value.message is not None else None


KIND = Kind(
    "status",
    Cause,
    about=OPERATION,
    shows=_shows,
    replay=Replay(weight=3, weaker=_without_message),
)
