"""The offline model: the embedded default, behind the same typed door as every other model.

It needs no key, no network and no weights, and answers the same to the same questions in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from docrev.errors import ModelError
from docrev.graph.tool_graph import ToolGraph
from docrev.planner.call_prompts import construct_call, summarise_response
from docrev.planner.experience import ExperienceWriter
from docrev.planner.goal_reading import GoalReader
from docrev.planner.judge import Judge
from docrev.planner.knowledge import Knowledge
from docrev.planner.next_plan import Planner
from docrev.planner.scenario_designer import ScenarioDesigner
from docrev.planner.search_state import SearchStates
from docrev.prompts import baselines, exploring, questions
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Call, Goal, Scenario
from docrev.spec import Catalog


class OfflineModel:
    """Plans from the tool graph, the schemas and the evidence; judges by rules; writes by template.

    It takes in the calls that `graph` observed when the next scenario is designed: within a round of scenarios its
    knowledge stays the same, so its answers do not depend on the order of the searches.
    """

    name = "offline"

    def __init__(self, catalog: Catalog, graph: ToolGraph, seed: int = 0) -> None:
        self._knowledge = Knowledge(catalog, graph)
        self._waiting: list[Call] = []
        states = SearchStates(self._knowledge)
        self._goal_reader = GoalReader(self._knowledge)
        self._designer = ScenarioDesigner(self._knowledge, seed)
        experience = ExperienceWriter(self._knowledge, states)
        self._answers: dict[type[Prompt[Any]], Callable[[Any], Any]] = {
            questions.DesignScenario: self._design,
            questions.NextPlan: Planner(self._knowledge, states).next,
            questions.ConstructCall: partial(construct_call, self._knowledge),
            # The survey has tried by then what the offline engine could think of.
            questions.SuggestCall: lambda prompt: questions.SuggestedCall(),
            questions.ParseResponse: partial(summarise_response, self._knowledge),
            questions.JudgeAnswer: Judge(self._knowledge, states).verdict,
            questions.SummariseExperience: experience.summarise,
            questions.SameExperience: experience.same,
            exploring.FindDoubts: lambda prompt: exploring.Doubts(),
            exploring.DesignTasks: self._tasks,
            exploring.NextTurn: self._turn,
            exploring.JudgeTraces: self._judge,
            baselines.SimilarExperience: experience.similar,
        }
        graph.watch(self._waiting.append)

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to `prompt`, by algorithm."""
        return self.answer(prompt)

    def answer(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """`ask` without waiting: nothing here waits."""
        answer = self._answers.get(type(prompt))
        if answer is None:
            raise ModelError(f"the offline engine does not answer {type(prompt).__name__}")
        return cast(AnswerT, answer(self._with_goal(prompt)))

    def _with_goal(self, prompt: Prompt[Any]) -> Prompt[Any]:
        """The prompt with what its scenario's text asks for, if another model wrote that text without a goal."""
        kinds = questions.NextPlan | questions.ConstructCall | questions.SummariseExperience
        if not isinstance(prompt, kinds) or prompt.scenario.goal is not None:
            return prompt
        goal = self._goal_reader.read(prompt.scenario)
        return prompt.model_copy(update={"scenario": replace(prompt.scenario, goal=goal)}) if goal else prompt

    def goal(self, scenario: Scenario) -> Goal | None:
        """What the text of a scenario asks for, from all that was observed so far; None if it cannot be read."""
        self.learn()
        return self._goal_reader.read(scenario)

    def _tasks(self, prompt: exploring.DesignTasks) -> exploring.TaskDrafts:
        """One task for each operation that is to be covered, as the designer writes scenarios."""
        found: dict[str, exploring.TaskDraft] = {}
        for first in prompt.cover[: prompt.count]:
            avoid = prompt.avoid | found.keys()
            asked = questions.DesignScenario(
                first=first, operations=prompt.operations, calls=(), single_tool=prompt.single_tool, avoid=avoid
            )
            draft = self.answer(asked)
            if draft.text:
                found[draft.text] = exploring.TaskDraft(operations=draft.operations, text=draft.text)
        return exploring.TaskDrafts(tasks=tuple(found.values()))

    def _turn(self, prompt: exploring.NextTurn) -> exploring.Turn:
        """The planner's next step as a turn: what a conversation falls back on if its model cannot answer."""
        asked = questions.NextPlan(
            scenario=prompt.scenario, operations=prompt.operations, history=prompt.history, siblings=prompt.siblings
        )
        plan = self.answer(asked)
        if plan.key is None:
            return exploring.Turn(thought=plan.thought, answer=plan.answer)
        brief = next(brief for brief in prompt.operations if brief.key == plan.key)
        filled = self.answer(
            questions.ConstructCall(scenario=prompt.scenario, operation=brief, plan=plan, history=prompt.history)
        )
        call = exploring.ModelCall(operation=plan.key, arguments=filled.arguments)
        return exploring.Turn(thought=plan.thought, calls=(call,))

    def _judge(self, prompt: exploring.JudgeTraces) -> exploring.TraceVerdicts:
        verdicts = []
        for trace in prompt.traces:
            asked = questions.JudgeAnswer(
                scenario=trace.scenario, operations=prompt.operations, history=trace.history, answer=trace.answer
            )
            found = self.answer(asked)
            verdict = exploring.TraceVerdict(task=trace.scenario.id, reason=found.reason, correct=found.correct)
            verdicts.append(verdict)
        return exploring.TraceVerdicts(verdicts=tuple(verdicts))

    def learn(self) -> None:
        """Take in the calls observed since the last scenario was designed, whichever model designed it."""
        if self._waiting:
            self._knowledge.learn(self._waiting)
            self._waiting.clear()

    def _design(self, prompt: questions.DesignScenario) -> questions.ScenarioDraft:
        self.learn()
        return self._designer.design(prompt)
