"""The offline agent: answers the prompts of runners by reading the documents and the history in them, nothing else.

It knows no goal, no graph and no evidence. Each prompt is answered from scratch: what was done is read off the
history, the way that the documents promise most is looked for, and its next call is made. So what documentation says,
or does not say, shows in what the agent does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from docrev.agent import documents, planner_prompts
from docrev.agent.actor import Actor, Decision
from docrev.agent.clauses import read_clauses
from docrev.agent.documents import AgentDocuments
from docrev.agent.responses import SeenResponse
from docrev.agent.vocabulary import alike
from docrev.language.stems import stem
from docrev.language.words import words
from docrev.models.observations import read_observation
from docrev.prompts.agents import (
    FINISH,
    Action,
    AgentPrompt,
    ConstructedRequest,
    ConstructRequest,
    Critique,
    CritiqueAction,
    Extract,
    FillArguments,
    Filled,
    FitExperience,
    Fitting,
    MakePlan,
    NextAction,
    NextSubGoal,
    Past,
    Planned,
    PlannedStep,
    ReadResponse,
    Selected,
    Selection,
    SelectOperation,
    SelectValues,
    Sheet,
    SubGoal,
    finish,
    give_up,
)
from docrev.prompts.planning import ExtractTags, PlanPath
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json

MAX_READ = 32


class OfflineAgent:
    """A model for runners, by algorithm; deterministic."""

    name = "offline"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._read: dict[tuple[int, ...], tuple[Sequence[Sheet], AgentDocuments]] = {}
        self._sheets: documents.SheetsRead = {}
        self._actors: dict[tuple[int, str], Actor] = {}
        self._answers: dict[type[Prompt[Any]], Callable[[Any], Any]] = {
            NextAction: self._next,
            MakePlan: self._plan,
            FillArguments: self._fill,
            NextSubGoal: self._sub_goal,
            ConstructRequest: self._request,
            # What to take is decided when the response is read.
            SelectValues: lambda prompt: Selection(),
            # Experience is told in plans, and this agent reads documents.
            FitExperience: lambda prompt: Fitting(),
            SelectOperation: self._select,
            ReadResponse: self._parse,
            CritiqueAction: self._criticise,
            ExtractTags: lambda prompt: planner_prompts.tags(self._actor(prompt, prompt.operations), prompt),
            PlanPath: lambda prompt: planner_prompts.path(self._actor(prompt, prompt.operations), prompt.attempt),
        }

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to a prompt with the role "agent"."""
        return self.answer(prompt)

    async def close(self) -> None:
        """Nothing is open."""

    def answer(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """`ask` without waiting."""
        return cast(AnswerT, self._answers[type(prompt)](prompt))

    # What a prompt's documents and task are read as, kept from prompt to prompt

    def _docs(self, sheets: Sequence[Sheet]) -> AgentDocuments:
        key = tuple(map(id, sheets))
        entry = self._read.get(key)
        if entry is None:
            if len(self._read) >= MAX_READ:
                self._read.clear()
                self._sheets.clear()
                self._actors.clear()
            # The sheets are kept with what was read of them: an id is only one as long as its object lives.
            entry = self._read[key] = (sheets, documents.read_documents(sheets, self._sheets))
        return entry[1]

    def _actor(self, prompt: AgentPrompt[Any], sheets: Sequence[Sheet]) -> Actor:
        docs = self._docs(sheets)
        key = (id(docs), prompt.task)
        actor = self._actors.get(key)
        if actor is None:
            if len(self._actors) > 4096:
                self._actors.clear()
            actor = self._actors[key] = Actor(docs, read_clauses(prompt.task))
        return actor

    def _decide(
        self,
        prompt: AgentPrompt[Any],
        sheets: Sequence[Sheet],
        siblings: Sequence[Past] = (),
        planned: Sequence[str] = (),
    ) -> Decision:
        return self._actor(prompt, sheets).decide(prompt.history, siblings, planned, prompt.attempt)

    # Answers

    def _next(self, prompt: NextAction) -> Action:
        if not prompt.operations:
            return self._conclude(prompt)
        planned = planner_prompts.planned(prompt.path, prompt.history)
        return self._decide(prompt, prompt.operations, prompt.siblings, planned).action

    def _conclude(self, prompt: NextAction) -> Action:
        """The answer from what was seen, without documents."""
        said = Actor(documents.read_documents(()), read_clauses(prompt.task)).conclude(prompt.history)
        return (
            give_up("Nothing that was answered says it.")
            if said is None
            else finish(said, "This is what was answered.")
        )

    def _plan(self, prompt: MakePlan) -> Planned:
        return Planned(
            steps=tuple(
                PlannedStep(purpose=purpose, action=name)
                for purpose, name in self._actor(prompt, prompt.operations).plan(prompt.attempt)
            )
        )

    def _fill(self, prompt: FillArguments) -> Filled:
        return Filled(arguments=self._actor_for(prompt).fill(prompt.operation.name, prompt.history))

    def _actor_for(self, prompt: FillArguments | ConstructRequest) -> Actor:
        """The actor that planned or chose this operation; one with this document alone if there was none."""
        for (_, task), actor in reversed(self._actors.items()):
            known = actor.docs.by_name.get(prompt.operation.name)
            if task == prompt.task and known is not None and known.sheet is prompt.operation:
                return actor
        return self._actor(prompt, (prompt.operation,))

    def _request(self, prompt: ConstructRequest) -> ConstructedRequest:
        arguments = self._actor_for(prompt).fill(prompt.operation.name, prompt.history)
        return ConstructedRequest(arguments=arguments, output=prompt.goal)

    def _sub_goal(self, prompt: NextSubGoal) -> SubGoal:
        """The task itself at first, since a planner sees no documents; then what the selector's reading leaves open."""
        actor = next((actor for (_, task), actor in reversed(self._actors.items()) if task == prompt.task), None)
        if actor is None or not prompt.goals:
            return SubGoal(thought="Begin with the task as it stands.", text=prompt.task)
        decision = actor.decide(prompt.history, (), (), prompt.attempt)
        action = decision.action
        if action.action == FINISH:
            return SubGoal(thought=action.thought, state="end", answer=action.arguments.get("final_answer"))
        again = bool(prompt.goals) and prompt.goals[-1] == decision.purpose
        return SubGoal(thought=action.thought, state="continue" if again else "next", text=decision.purpose)

    def _select(self, prompt: SelectOperation) -> Selected:
        action = self._decide(prompt, prompt.operations).action
        return Selected(thought=action.thought, actions=(action.action,))

    def _parse(self, prompt: ReadResponse) -> Extract:
        return Extract(text=extract(prompt.task, prompt.response))

    def _criticise(self, prompt: CritiqueAction) -> Critique:
        last: Past = prompt.history[-1]
        if last.action == FINISH or last.outcome == "answered":
            return Critique()
        return Critique(correct=False, advice=f"{last.action} did not help: {last.observation[:200]}")


MAX_EXTRACT = 3600
"""Characters of an extract."""
_KEPT = frozenset("id ids uri code name title slug key number next page pages total date type".split())


def _words(task: str) -> frozenset[str]:
    return frozenset(word for clause in read_clauses(task) for word in clause.stems)


@dataclass(frozen=True, slots=True)
class _Relevant:
    """What a task is about: its words, and the values that it names."""

    words: frozenset[str]
    values: frozenset[str]

    def keeps(self, name: str, value: object) -> bool:
        """Whether a member is kept: an object or a list, an id or a name, or something that the task mentions."""
        if isinstance(value, dict | list) and value:
            return True
        parts = words(name)
        if _KEPT.intersection(parts) or str(value).casefold() in self.values:
            return True
        return any(alike(stem(word), other) for word in parts for other in self.words)

    def of(self, value: object) -> Json:
        """What of a value is kept."""
        if isinstance(value, list):
            return [self.of(part) for part in value]
        if not isinstance(value, dict):
            return value
        return {name: self.of(part) for name, part in value.items() if self.keeps(name, part)}


def extract(task: str, response: str) -> str:
    """What of a response serves a task: its items with ids, names and the fields that the task mentions."""
    value = read_observation(response)
    if value is None or SeenResponse(value).is_empty:
        return response[:MAX_EXTRACT]
    named = frozenset(str(one.value).casefold() for clause in read_clauses(task) for one in clause.values)
    relevant = _Relevant(_words(task), named).of(value)
    text = json.dumps(relevant, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= MAX_EXTRACT else f"{text[: MAX_EXTRACT - 1]}…"
