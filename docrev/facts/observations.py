"""All calls of one operation from which facts about states are inferred, the probes among them; bounded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from docrev.conventions.disguised_errors import is_disguised
from docrev.conventions.run_names import PROBES, run_name, run_uuid
from docrev.evidence.calls import response_weight
from docrev.facts.samples import STATES
from docrev.facts.shape import UUID
from docrev.json_values.canonical import canonical
from docrev.json_values.sampling import MAX_TOGETHER
from docrev.records import Call, Json, OperationKey

MAX_CALLS = 20
MAX_ALIKE = 6
MAX_PROBES = 40
MAX_WRITES = 120


@dataclass
class Observations:
    """The calls of one operation, in the order of listing: at most 20 a status, and 40 probes, 120 of a write or of the
    looks at what it did, 6 of the same request that is no such look; fewer if they are large."""

    key: OperationKey
    calls: list[Call] = field(default_factory=list)
    _counts: dict[tuple[int | None, bool, bool], int] = field(default_factory=dict)
    _asked: dict[str, int] = field(default_factory=dict)
    _weight: int = 0

    def add(self, call: Call) -> bool:
        """Take in a call that was answered; returns False if it was not taken: there are enough like it.

        What was not taken makes no difference to what is taken later.
        """
        # Looks ask the same again and again: they are not to take the place of what was asked once. Those that show
        # what writes did are counted apart, and each is about another write.
        asked = f"{call.status} {canonical(call.arguments)}"
        if self._asked.get(asked, 0) >= MAX_ALIKE and call.scenario != STATES:
            return False
        kind = (call.status, call.purpose == "probe", call.scenario == STATES)
        count = self._counts.get(kind, 0)
        heavier = self._weight + response_weight(call)
        is_of_writes = self.key.method != "GET" or call.scenario == STATES
        most = MAX_CALLS if not kind[1] else MAX_WRITES if is_of_writes else MAX_PROBES
        is_taken = not count or (count < most and heavier <= MAX_TOGETHER)
        if is_taken:
            self._counts[kind], self._weight = count + 1, heavier
            self._asked[asked] = self._asked.get(asked, 0) + 1
            self.calls.append(call)
        return is_taken

    @cached_property
    def good(self) -> list[Call]:
        """Those answered 2xx, whole."""
        return [call for call in self.calls if call.ok]

    def with_status(self, *statuses: int) -> list[Call]:
        """Those answered with one of these."""
        return [call for call in self.calls if call.status in statuses and call.error is None]


def is_observed(call: Call) -> bool:
    """Whether a call may be in observations. Replays are left out; an error page called JSON is kept for its status."""
    page = call.error == "not-json" and (call.status or 0) >= 500
    if call.status is None or (call.error is not None and not page):
        return False
    # What a stranger is shown may be less than what there is.
    return call.purpose not in ("replay", "clean-up") and not (call.ok and call.anonymous) and not is_disguised(call)


def observe(calls: Iterable[Call], known: Iterable[OperationKey]) -> dict[OperationKey, Observations]:
    """Observations by operation, sorted."""
    found: dict[OperationKey, Observations] = {key: Observations(key) for key in sorted(known)}
    for call in calls:
        if call.key in found and is_observed(call):
            found[call.key].add(call)
    return found


def unknown_id(known: Iterable[object], number: int) -> Json:
    """An id that nobody has, of the form of the known ones: a number, a UUID, or a name of the run."""
    values = list(known)
    if values and all(isinstance(value, int) or str(value).isdecimal() for value in values):
        return 909_000_000 + number
    if values and all(UUID.fullmatch(str(value)) for value in values):
        return run_uuid(number, PROBES)
    return run_name(number, PROBES)
