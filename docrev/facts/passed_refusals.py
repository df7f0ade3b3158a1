"""Refusals that another request went past, where nothing was ever accepted: their rules hold all the same.

A request went past a refusal if it is the same but for what the refusal is about, and was refused for something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from docrev.conventions.error_cases import may_ask_in_some_cases
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.hint_locations import is_sent, located
from docrev.conventions.statuses import BUSY, CREDENTIALS, INVALID
from docrev.evidence.queries import arguments
from docrev.facts.call_values import comparable
from docrev.facts.observations import Observations
from docrev.json_values.pointer import is_within
from docrev.records import Call
from docrev.spec import Operation

Breaks = Callable[[Sequence[Hint]], bool]
"""Whether what a refusal says of one location is the refusal in question."""


class RefusedRequest(NamedTuple):
    """A refused call with what is said of each location, and what it sent beside these."""

    call: Call
    hints: Mapping[str, Sequence[Hint]]
    sent: Mapping[str, str]

    def is_but_for_hints(self, other: RefusedRequest) -> bool:
        """Whether another request is the same but for what this one was refused for."""
        return self._rest(self.sent) == self._rest(other.sent)

    def _rest(self, sent: Mapping[str, str]) -> dict[str, str]:
        return {at: value for at, value in sent.items() if not any(is_within(at, hinted) for hinted in self.hints)}


class PassedRefusals:
    """The refusals of an operation of which nothing was accepted."""

    def __init__(self, seen: Observations, operation: Operation) -> None:
        self._seen, self._operation = seen, operation

    @cached_property
    def _refused(self) -> dict[str, RefusedRequest]:
        answered = (call for call in self._seen.calls if not call.ok and call.status not in BUSY | CREDENTIALS)
        return {call.id: self._of(call) for call in answered}

    def _of(self, call: Call) -> RefusedRequest:
        # An empty object is one without what is asked for.
        sent = {at: comparable(value) for at, value in arguments(call) if value != {}}
        return RefusedRequest(call, located(self._operation, call.arguments, hints_of(call)), sent)

    def lacking(self) -> Iterator[tuple[str, list[Call]]]:
        """The locations without which requests were refused that went on with them, each with these refusals."""
        found: dict[str, list[RefusedRequest]] = {}
        for one in self._refused.values():
            for location, hints in one.hints.items():
                is_of_all = one.call.status in INVALID and _says_required(hints) and not _is_of_some_cases(one, hints)
                if is_of_all and not is_sent(one.call.arguments, location):
                    found.setdefault(location, []).append(one)
        for location, refused in found.items():
            if any(self.past(location, one.call, _says_required) for one in refused):
                yield location, [one.call for one in refused]

    def past(self, location: str, call: Call, breaks: Breaks) -> Call | None:
        """A request that has the location and was refused for something else than a call; None if there is none."""
        one = self._refused[call.id]
        others = self._refused.values()
        return next((other.call for other in others if _went_past(location, one, other, breaks)), None)


def _went_past(location: str, one: RefusedRequest, other: RefusedRequest, breaks: Breaks) -> bool:
    hints = other.hints.get(location, ())
    # What is not known there may have been refused before anybody looked what is missing.
    is_taken = not any(hint.kind == "unknown" for hint in hints)
    is_there = is_sent(other.call.arguments, location) and is_taken and not breaks(hints)
    is_other = summarise_error(one.call.body) != summarise_error(other.call.body)
    return is_there and is_other and one.is_but_for_hints(other)


def _says_required(hints: Sequence[Hint]) -> bool:
    return any(hint.kind == "required" for hint in hints)


def _is_of_some_cases(one: RefusedRequest, hints: Sequence[Hint]) -> bool:
    """Whether what is required is so in some cases alone, as far as the words say it."""
    texts = [hint.text or summarise_error(one.call.body) for hint in hints if hint.kind == "required"]
    return any(map(may_ask_in_some_cases, texts))
