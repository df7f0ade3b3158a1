"""Traffic of others in a folder of evidence: a run of their calls, and what these show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import filterfalse

from docrev.evidence import Evidence, Run
from docrev.facts import refuted
from docrev.facts.watching import watched_facts
from docrev.graph.tool_graph import ToolGraph
from docrev.records import Call, Fact
from docrev.spec import Catalog
from docrev.traffic.matching import identified

_OBSERVED = "observed"
_MOST_ALIKE = 200
"""Calls of one operation with one status that are kept: what they show, the next would show again."""


class ObservedRun:
    """The watched calls of a folder: one run, to which every record of traffic adds."""

    def __init__(self, evidence: Evidence, catalog: Catalog) -> None:
        self._evidence, self._catalog = evidence, catalog
        self._before = [run for run in evidence.runs() if not is_observed(run)]
        evidence.begin({_OBSERVED: sorted(catalog.tools)}, nonce="observed")
        self._counts = Counter((call.key, call.status) for call in evidence.calls.select())

    def take(self, call: Call) -> bool:
        """Keep a call that was watched; False if it is kept already, or there are enough like it."""
        call = identified(call)
        if self._counts[call.key, call.status] >= _MOST_ALIKE or call.id in self._evidence.calls:
            return False
        self._counts[call.key, call.status] += 1
        self._evidence.calls.put(call)
        return True

    def conclude(self) -> list[Fact]:
        """Infer what the calls show, and keep it; where the folder has an exploration, that has it too."""
        evidence = self._evidence
        graph = ToolGraph(self._catalog)
        for call in evidence.calls.select():
            graph.observe(call)
        old = evidence.facts()
        facts = watched_facts(self._catalog, evidence, graph.edges())
        evidence.put_facts(facts, [fact for fact in old if fact not in facts])
        evidence.finish({"told": {}, "limit": 0, "spent": False, "bounds": {}})
        explored = [run for run in self._before if run.finished and "base_urls" in run.settings]
        if explored:
            calls = list(evidence.calls.select())
            evidence.begin(explored[-1].settings)
            add_watched(evidence, WatchedTraffic(tuple(calls), tuple(facts)))
        return facts


@dataclass(frozen=True, slots=True)
class WatchedTraffic:
    """What a folder has of watching: calls, and the facts that they show."""

    calls: tuple[Call, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def identity(self) -> list[str]:
        """What makes an exploration that starts from it another one."""
        return [call.id for call in self.calls]


def watched_before(evidence: Evidence, catalog: Catalog) -> WatchedTraffic:
    """What was watched of the operations of a catalog and is kept in the folder; nothing if nothing was."""
    runs = [run for run in evidence.runs() if is_observed(run)]
    if not runs:
        return WatchedTraffic()
    evidence.select(runs[-1])
    calls = (call for call in evidence.calls.select() if call.key in catalog)
    return WatchedTraffic(tuple(calls), tuple(fact for fact in evidence.facts() if fact.key in catalog))


def add_watched(evidence: Evidence, watched: WatchedTraffic) -> None:
    """Add what was watched to an exploration: its calls, and its facts of which the exploration knows no better.

    What an exploration found false, or found more of at the same place, stays as it is; what it believed and a
    watched call refutes is dropped.
    """
    for call in watched.calls:
        evidence.calls.put(call)
    # What was dropped because an operation did not work now says nothing against what was watched when it did.
    tried = {ending.key for ending in evidence.calls.endings() if ending.ok and ending.purpose != _OBSERVED}
    kept, dropped = evidence.facts(), [fact for fact in evidence.facts(kept=False) if fact.key in tried]
    settled = {(fact.key, fact.kind, fact.location) for fact in (*kept, *dropped)}
    more = [fact for fact in watched.facts if (fact.key, fact.kind, fact.location) not in settled]
    false = refuted([*kept, *more], evidence)
    evidence.put_facts(filterfalse(false.__contains__, more), filter(false.__contains__, kept))


def is_observed(run: Run) -> bool:
    """Whether a run has calls that others made."""
    return run.settings.keys() == {_OBSERVED}
