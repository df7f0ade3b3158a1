"""How the requests of an exploration are divided between its stages."""

from __future__ import annotations

from dataclasses import dataclass

_SCENARIOS_MOST = 6
"""The part of all requests that scenarios may use at most: one of so many. What they create must be shown again, and
removed."""
_SCENARIOS_LEAST = 20
"""The part that is kept for scenarios, whatever could still be reached: most of what they ask was asked before, and is
not sent again."""
_PROBES = 3
"""The part that is for probes, as long as reaching operations does not pay better."""
_REPLAY = 4
"""Requests for each operation that are held back for the final replay, and the part of all that this is at most: what
was learned and cannot be shown again is as good as not learned."""
_LISTS = 10
"""The part that a clean-up may take, at most, for looks at lists to which the run added nothing that it knows of."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Of `limit` requests: what the final replay, the probes, the scenarios and looks for what is left have."""

    replay: int
    probes: int
    scenarios_least: int
    scenarios_most: int
    clean_up_lists: int

    @classmethod
    def of(cls, limit: int, operations: int) -> Shares:
        return cls(
            replay=min(_REPLAY * operations, limit // _REPLAY),
            probes=limit // _PROBES,
            scenarios_least=limit // _SCENARIOS_LEAST,
            scenarios_most=limit // _SCENARIOS_MOST,
            clean_up_lists=limit // _LISTS,
        )

    def held_from_scenarios(self, left: int) -> int:
        """Of `left` requests, what scenarios do not get."""
        spare = left - self.replay - self.probes
        return max(0, left - max(self.scenarios_least, min(spare, self.scenarios_most)))
