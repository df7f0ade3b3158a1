"""The evidence of some of the tools of a run, so that memory need not follow the number of tools.

What counts for all tools is read once; calls and facts come from the disk whenever they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from itertools import chain

from docrev.evidence.store import Evidence
from docrev.evidence.usefulness import useless_tools
from docrev.grouping import grouped
from docrev.records import Call, Experience, Fact, JournalItem, OperationKey, Scenario


class EvidencePart:
    """What a run has of some `tools`: at first of all; without what useless tools returned.

    `useless` are the tools that returned nothing but errors, or hardly anything else, and how; `called` are those that
    have calls, sorted; both of the whole run.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.useless = useless_tools(evidence)
        self.called = evidence.calls.tools()
        self._facts = evidence.fact_ids()
        self._missed = evidence.missed()
        self._experiences = [one for one in evidence.experiences() if one.key.tool not in self.useless]
        self._items = grouped((item.tool, item) for item in evidence.journal.items())
        self.tools: Collection[str] = {*self.called, *self._facts, *self._items}

    def of(self, tools: Collection[str]) -> EvidencePart:
        """What there is of these tools."""
        part = copy(self)
        part.tools = tools
        return part

    def calls(self) -> Iterator[Call]:
        """The calls, by tool and then as `CallTable.select` has them."""
        useful = (tool for tool in self.called if tool in self.tools and tool not in self.useless)
        return chain.from_iterable(self.evidence.calls.select(tool=tool) for tool in useful)

    def facts(self) -> list[Fact]:
        """The facts, as `Evidence.facts` has them."""
        useful = (tool for tool in sorted(self._facts) if tool in self.tools and tool not in self.useless)
        return [fact for tool in useful for fact in self.evidence.facts_by_id(self._facts[tool])]

    def items(self) -> list[JournalItem]:
        """What the run created."""
        return [item for tool, items in self._items.items() if tool in self.tools for item in items]

    def missed(self) -> dict[OperationKey, str]:
        """The operations that never returned 2xx, and why."""
        return {key: why for key, why in self._missed.items() if key.tool in self.tools}

    def experiences(self) -> tuple[Experience, ...]:
        """The experiences that helped not to choose an operation of these tools."""
        return tuple(one for one in self._experiences if one.helped and one.wrong.tool in self.tools)

    def scenarios(self) -> dict[str, Scenario]:
        """The scenarios behind the experiences, by their texts."""
        texts = {one.scenario for one in self.experiences()}
        scenarios = self.evidence.scenarios() if texts else []
        return {scenario.text: scenario for scenario in scenarios if scenario.text in texts}
