"""Scenarios by algorithm (ToolBFS+ §3.2): around the least-used operation, of ways that the evidence shows to work."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.planner.filled_paths import Stories, Story
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.operation_paths import Entry, Way, Ways
from docrev.planner.response_items import is_id
from docrev.planner.scenario_texts import phrase
from docrev.planner.write_scenario_texts import tell
from docrev.planner.write_scenarios import Errands
from docrev.prompts.questions import DesignScenario, ScenarioDraft
from docrev.records import Goal, OperationKey

MAX_TRIED = 80
MAX_ERRANDS = 2
"""Scenarios that write, around each operation: they cost more calls than others, and leave more to clean up."""
_LENGTH = {1: 3, 2: 0, 3: 0.7, 4: 2}


def _numbered(way: Way) -> bool:
    """Whether the text would have to name a thing by a bare id."""
    entry = way.entry
    return (entry.kind == "code" and is_id(entry.label)) or (entry.kind == "told" and "{" in entry.key.path)


class Designer:
    """Answers `DesignScenario`. It counts what it has made, so that the next scenario is another."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self._ways = Ways(knowledge)
        self._stories = Stories(knowledge, seed)
        self._errands = Errands(knowledge, seed)
        self._used: dict[Way, int] = {}
        self._uses: dict[OperationKey, int] = {}
        self._turn = 0
        self._barren: dict[OperationKey, int] = {}

    def design(self, prompt: DesignScenario) -> ScenarioDraft:
        """A scenario with `first` in it, or the reason why there is none."""
        view = self._knowledge.views.get(prompt.first)
        if view is None or not view.good:
            return ScenarioDraft(text="", reason="it never answered 2xx")
        if self._barren.get(view.key) == view.good:
            return ScenarioDraft(text="", reason=self._reason(view))
        if not view.safe:
            return self._errand(prompt)
        fallback: Story | None = None
        for way in self._ranked(view, prompt.single_tool):
            for story in self._stories.tell(way, self._turn + self._used.get(way, 0)):
                text = phrase(self._knowledge, story, self._seed)
                if text in prompt.avoid:
                    continue
                if story.known or self._turn % 2:
                    return self._made(prompt.first, story, text)
                fallback = fallback or story
        if fallback is not None:
            return self._made(prompt.first, fallback, phrase(self._knowledge, fallback, self._seed))
        return self._errand(prompt)

    def _errand(self, prompt: DesignScenario) -> ScenarioDraft:
        """A scenario that writes, where there is something to create, read, change or delete here."""
        view = self._knowledge.views[prompt.first]
        if self._uses.get(view.key, 0) >= MAX_ERRANDS:
            return ScenarioDraft(text="", reason="it was written to often enough")
        if not prompt.single_tool:
            for errand in self._errands.around(view, self._uses.get(view.key, 0)):
                text = tell(errand)
                if text not in prompt.avoid:
                    self._turn += 1
                    self._count(errand.operations)
                    return _draft(prompt.first, errand.operations, text, errand.goal)
        self._barren[view.key] = view.good
        return ScenarioDraft(text="", reason=self._reason(view))

    def _count(self, keys: Iterable[OperationKey]) -> None:
        for key in keys:
            self._uses[key] = self._uses.get(key, 0) + 1

    def _ranked(self, view: View, single: bool) -> list[Way]:
        """Ways through the operation: unused first, then of 2–3 operations, then of operations used less."""
        ways = self._ways.through(view.key)
        if single:
            ways = [way for way in ways if way.keys == (view.key,)]
        if not ways and view.key.method == "GET":
            ways = [Way(Entry(view.key, "told"))]
        return sorted(ways, key=self._rank)[:MAX_TRIED]

    def _rank(self, way: Way) -> float:
        used = sum(self._uses.get(key, 0) for key in way.keys) / len(way.keys)
        numbered = 20 if _numbered(way) else 0
        return 2 * self._used.get(way, 0) + _LENGTH.get(len(way.keys), 2) + 0.2 * used + numbered

    def _made(self, first: OperationKey, story: Story, text: str) -> ScenarioDraft:
        self._turn += 1
        self._stories.told(story)
        self._used[story.way] = self._used.get(story.way, 0) + 1
        self._count(story.way.keys)
        return _draft(first, story.way.keys, text, story.goal)

    def _reason(self, view: View) -> str:
        if not view.fields:
            return "its answers hold nothing to ask for"
        return "nothing that can be said in words leads to its answers, or all of it was asked"


def _draft(first: OperationKey, keys: Iterable[OperationKey], text: str, goal: Goal) -> ScenarioDraft:
    others = tuple(key for key in keys if key != first)
    return ScenarioDraft.model_construct(text=text, operations=(first, *others), goal=goal, reason="")
