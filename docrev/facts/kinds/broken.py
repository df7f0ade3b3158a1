"""`broken`: the operation fails although what it is sent is known to be valid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from docrev.calls.routes import only_path
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.examples import documented_values
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.statuses import NOT_FOUND
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Replay, StatusCode, shows_status
from docrev.facts.observations import Observations
from docrev.json_values.canonical import canonical
from docrev.language.path_templates import shape_of
from docrev.records import Call, Fact, OperationKey
from docrev.spec import Operation

_FAULT = 500
"""What an operation returns that fails by itself: 501 says of a feature that this instance does not have it."""

_ELSEWHERE = re.compile(
    r"\bconnect|\bconnection\b|\bunreachable\b|\bresolv|\btimed? ?-?out\b|\bnetwork\b|\bsocket\b|ECONN|\bDNS\b",
    re.IGNORECASE,
)
"""What an error says if another service could not be reached, which this instance should have."""
_LOOKED_UP = re.compile(r"(?:\A|<title>)\s*\w*KeyError\b")
"""How the page or the text of an error begins if code looked up by name what was not sent (Django, Werkzeug)."""
_MOST = 2
"""Operations of a tool that may be broken."""


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok


def _from_calls(view: EvidenceView) -> Facts:
    """An operation that never did anything else than fail, also when it was sent what other operations accepted.

    One thing, or the one list of what anybody may add, may be damaged alone, by an earlier run too.
    """
    found = list(_failing_operations(view))
    by_tool = Counter(fact.key.tool for fact in found)
    for fact in found:
        # Where several fail, they more likely need what their document leaves out; so does what changes something.
        if by_tool[fact.key.tool] <= _MOST and fact.key.method in SAFE_METHODS:
            yield fact


def _failing_operations(view: EvidenceView) -> Facts:
    known = _ValidValues(view)
    for key, seen in view.observations.items():
        failing = _only_failing(seen)
        valid = [call for call in failing if known.are_all_valid(view.catalog[key], call)]
        least = 2 if view.catalog[key].parameters else 1
        things = {canonical(only_path(call.arguments)) for call in valid}
        is_filled = "{" not in key.path and OperationKey(key.tool, f"POST {key.path}") in view.catalog
        is_alone = is_filled or (len(things) == 1 and "{" in key.path)
        if valid and len(failing) >= least and not is_alone:
            yield KIND.fact(key, "", StatusCode(_FAULT), dict.fromkeys(ids([*valid, *failing])))


def _only_failing(seen: Observations) -> list[Call]:
    """The calls that failed; none if others were answered, but for those that found nothing."""
    found = [call for call in seen.calls if call.status not in NOT_FOUND]
    return found if all(map(_is_fault, found)) else []


def _is_fault(call: Call) -> bool:
    is_failure = call.status == _FAULT and call.error in (None, "not-json")
    # Only failures are read: a run has many calls.
    return is_failure and not (_ELSEWHERE.search(summarise_error(call.body)) or _is_lacking(call.body))


def _is_lacking(body: object) -> bool:
    """Whether an error is about something that was not sent, whether or not a document asks for it."""
    return isinstance(body, str) and _LOOKED_UP.search(body) is not None


class _ValidValues:
    """The values that operations of a tool accepted: in paths below the same collection, in queries by name."""

    def __init__(self, view: EvidenceView) -> None:
        self._texts: dict[tuple[str, str], set[str]] = {}
        for key, sample in view.samples.items():
            for location, accepted in sample.accepted.items():
                self._texts.setdefault(_place(key, location), set()).update(accepted.texts | accepted.tried)
        good = (call for seen in view.observations.values() for call in seen.good)
        # A path of several things leads to something only if they lie in each other.
        self._together = {(call.key.tool, *_filled(call)) for call in good}

    def are_all_valid(self, operation: Operation, call: Call) -> bool:
        """Whether a call has all that is required, no body, and only values known to be good, or documented ones."""
        required = {parameter.key for parameter in operation.parameters if parameter.required}
        sent = {location: value for location, value in call.arguments.items() if value is not None}
        needs_body = operation.body is not None and operation.body.required
        if "body:" in sent or needs_body or not required <= sent.keys() or not self._belongs_together(call):
            return False
        return all(
            str(value) in self._texts.get(_place(operation.key, location), ())
            or value in _documented(operation, location)
            for location, value in sent.items()
        )

    def _belongs_together(self, call: Call) -> bool:
        """Whether the things in a path were read together, if there are several."""
        filled = _filled(call)
        return len(filled) < 2 or (call.key.tool, *filled) in self._together


def _filled(call: Call) -> tuple[str, ...]:
    """What the parameters of a path were filled with."""
    return tuple(sorted(map(str, only_path(call.arguments).values())))


def _documented(operation: Operation, location: str) -> Iterator[object]:
    parameter = operation.parameter(location)
    yield from documented_values(parameter.schema) if parameter is not None and parameter.schema is not None else ()


def _place(key: OperationKey, location: str) -> tuple[str, str]:
    """The tool and the path up to a path parameter, whatever parameters are called; or the name of another one."""
    place, _, name = location.partition(":")
    before, found, _ = key.path.partition("{" + name + "}")
    if place != "path" or not found:
        return key.tool, location
    return key.tool, shape_of(before)


KIND = Kind(
    "broken",
    StatusCode,
    OPERATION,
    shows=shows_status,
    refutes=_refutes,
    replay=Replay(weight=4),
    from_calls=_from_calls,
)
