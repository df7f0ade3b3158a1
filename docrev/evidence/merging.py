"""One run made of several: what was explored apart is kept together as if it had been explored at once."""

from __future__ import annotations

from dataclasses import replace

from docrev.evidence.store import Evidence
from docrev.records import Call, Node, Solution


def merge(evidence: Evidence, part: Evidence, prefix: str) -> None:
    """Put all of a run's records into the run that `evidence` is at; doing it again changes nothing.

    Ids of scenarios and of what hangs on them get the `prefix`, as each part counts its own. All other ids say what
    they are of, and no two parts have a tool in common.
    """
    scenarios = part.scenarios()
    ids = {scenario.id for scenario in scenarios}

    def renamed(call: Call) -> Call:
        # A probe may have a mark in its place.
        return replace(call, scenario=f"{prefix}{call.scenario}") if call.scenario in ids else call

    def moved(node: Node) -> Node:
        return replace(
            node,
            id=f"{prefix}{node.id}",
            parent=None if node.parent is None else f"{prefix}{node.parent}",
            scenario=f"{prefix}{node.scenario}",
            call=None if node.call is None else renamed(node.call),
        )

    for scenario in scenarios:
        evidence.put_scenario(replace(scenario, id=f"{prefix}{scenario.id}"))
    for call in part.calls.select():
        evidence.calls.put(renamed(call))
    evidence.put_nodes(map(moved, part.nodes()))
    for solution in part.solutions():
        nodes = tuple(map(moved, solution.nodes))
        evidence.put_solution(Solution(f"{prefix}{solution.scenario}", solution.strategy, nodes, solution.answer))
    evidence.copy_records(part, "experiences", "journal", "intents", "missed")
    evidence.put_facts(part.facts(), part.facts(kept=False))
    before = evidence.counters()
    for name, value in part.counters().items():
        evidence.count(name, value - before.get(name, 0))
