"""Whether an experience helps: the built-in agent does a fresh task of the same kind without it, and with it."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docrev.agent.agent import OfflineAgent
from docrev.conventions.lists import list_of
from docrev.conventions.methods import SAFE_METHODS
from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.json_values.leaves import leaves
from docrev.planner.scenario_texts import quoted
from docrev.prompts.agents import Sheet
from docrev.prompts.steps import Ask, Steps
from docrev.records import Experience, Given, Json, OperationKey, Scenario, Task, Trajectory
from docrev.revision.choice_notes import is_advisable, purpose, source_text
from docrev.revision.labels import with_tool
from docrev.revision.observations import CatalogObservations, read_observations
from docrev.runners import Toolbox, TrackLimits
from docrev.runners.lessons import Lesson
from docrev.runners.react import react
from docrev.spec import Catalog

LIMITS = TrackLimits(steps=8, calls=6)
"""How far a trial may go: the ways that part here are short."""


class _Sheets(Toolbox):
    """A toolbox for an agent that reads sheets and no prompts: nothing is folded, and no tokens are counted."""

    def size(self, sheets: Collection[Sheet], folded: tuple[str, ...] = ()) -> int:
        return 0

    def folded(self, task: str, shown: Collection[str] = ()) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class ExperienceTrials:
    """Trials on the API of a catalog; `evidence` has the scenarios, and the values that make them fresh."""

    catalog: Catalog
    evidence: Evidence

    def helpful(self, experiences: Sequence[Experience]) -> Steps[list[Experience]]:
        """The experiences that change what the agent does for the better, with the calls that show it.

        None is tried that is told by the same sentence as another, that contradicts one, or that is of writing.
        """
        scenarios = {scenario.text: scenario for scenario in self.evidence.scenarios()}
        # None of the experiences is kept yet, which says what they are of.
        observations = replace(read_observations(self.catalog, EvidencePart(self.evidence)), scenarios=scenarios)
        told: dict[tuple[OperationKey, Lesson], Experience] = {}
        for experience in filter(is_advisable, experiences):
            text = _experience_sentence(experience, observations)
            if text:
                told.setdefault((experience.wrong, Lesson(text, experience.location)), experience)
        # What the agent reads in the documents is the same in each trial, but for one of them.
        agent, tools = OfflineAgent(), _Sheets(self.catalog, known={})
        found: list[Experience] = []
        for (_, lesson), experience in told.items():
            if experience.location and any(_is_same_place(one, experience) for one in found):
                continue
            fresh = self._fresh(experience, scenarios.get(experience.scenario))
            if fresh is not None and not _contradicts(experience, told.values()):
                calls = yield from _trial(experience, fresh, agent, tools, tools.taught({experience.wrong: (lesson,)}))
                found += [replace(experience, helped=calls)] if calls else []
        return found

    def _fresh(self, experience: Experience, scenario: Scenario | None) -> Scenario | None:
        """The same task about another thing; None if it writes, or nothing else of its kind was seen."""
        if scenario is None or scenario.goal is None:
            return None
        if any(key.method not in SAFE_METHODS for key in (*scenario.operations, experience.right, experience.wrong)):
            return None
        text = scenario.text
        for given in scenario.goal.givens:
            other = next(self._others(given), None)
            if other is not None:
                text = text.replace(quoted(given.value), quoted(other))
        return replace(scenario, id=f"{scenario.id}-fresh", text=text) if text != scenario.text else None

    def _others(self, given: Given) -> Iterator[Json]:
        """Values of the same field of what was listed beside the thing that is given, those after it first."""
        for call in self.evidence.calls.select(purpose="survey"):
            listed = list_of(call) if call.ok else None
            values = [item.get(given.label) for item in listed.items if isinstance(item, dict)] if listed else []
            if given.value in values:
                at = values.index(given.value)
                yield from (one for one in (*values[at + 1 :], *values[:at]) if type(one) is type(given.value))


def _contradicts(experience: Experience, others: Iterable[Experience]) -> bool:
    """Whether another experience says the opposite of the same operations."""
    opposite = (experience.wrong, experience.right)
    return not experience.location and any((one.right, one.wrong) == opposite for one in others if not one.location)


def _is_same_place(one: Experience, other: Experience) -> bool:
    return (one.wrong, one.location) == (other.wrong, other.location)


def _experience_sentence(experience: Experience, observations: CatalogObservations) -> str:
    """The sentence by which an experience is told; "" if it cannot be told in kinds of things."""
    if experience.location:
        return source_text(experience)
    _, text = purpose(experience, observations)
    return text and with_tool(text, experience.right, experience.wrong.tool)


def _trial(
    experience: Experience, fresh: Scenario, agent: OfflineAgent, plain: Toolbox, taught: Toolbox
) -> Steps[tuple[str, ...]]:
    """The calls of the task with the experience, if that went better than without it; else ()."""
    with_it = yield from _done(fresh, f"{fresh.id}-taught", agent, taught)
    if not _is_found(with_it, experience):
        return ()
    without = yield from _done(fresh, f"{fresh.id}-plain", agent, plain)
    return tuple(call.id for call in with_it.calls) if _is_better(with_it, without) else ()


def _done(task: Scenario, name: str, agent: OfflineAgent, tools: Toolbox) -> Steps[Trajectory]:
    """The task as the built-in agent does it; only its calls are left to be made."""
    steps: Generator[Any, Any, Trajectory] = react(Task(name, task.text), tools, LIMITS)
    answer: Any = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]
        answer = agent.answer(step.prompt) if isinstance(step, Ask) else (yield step)


def _is_better(taught: Trajectory, plain: Trajectory) -> bool:
    """Whether the answer was not had before, or at a higher cost."""
    return taught.answer != plain.answer or _cost(taught) < _cost(plain)


def _is_found(trajectory: Trajectory, experience: Experience) -> bool:
    """Whether the answer is one that the right operation returned."""
    key = experience.wrong if experience.location else experience.right
    good = [call for call in trajectory.calls if call.key == key and call.ok]
    returned = [value for call in good for _, value in leaves(call.body)]
    answers = trajectory.answer if isinstance(trajectory.answer, list) else [trajectory.answer]
    return bool(answers) and all(answer is not None and answer in returned for answer in answers)


def _cost(trajectory: Trajectory) -> tuple[int, int]:
    return sum(not call.ok for call in trajectory.calls), len(trajectory.calls)
