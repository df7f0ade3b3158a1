"""A model that never loses a run: what it cannot answer, the offline engine does, and that is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from docrev.errors import BudgetSpent, ModelError, NotRecordedError
from docrev.models import Model
from docrev.models.usage import Usage
from docrev.prompts.exploring import DesignTasks, Doubts, FindDoubts, NextTurn, TaskDrafts, Turn
from docrev.prompts.questions import (
    AnswerT,
    DesignScenario,
    NextPlan,
    Prompt,
    ScenarioDraft,
    SuggestCall,
    SuggestedCall,
)
from docrev.records import Plan


class RoleModel:
    """Hands each prompt to the model of its role; `name` is that of the model that all others go to.

    `note` is told a role and the name of its model when the role is first asked.
    """

    def __init__(
        self, default: Model, by_role: Mapping[str, Model], note: Callable[[str, str], None] = lambda role, name: None
    ) -> None:
        self.name = default.name
        self._default, self._by_role, self._note = default, dict(by_role), note
        self._noted: set[str] = set()

    def of(self, role: str) -> Model:
        """The model that answers the questions of `role`."""
        return self._by_role.get(role, self._default)

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The answer of the role's model."""
        model = self.of(prompt.role)
        if prompt.role not in self._noted:
            self._noted.add(prompt.role)
            self._note(prompt.role, model.name)
        return await model.ask(prompt)


SPENT = "the budget of the model is spent"
_ENDS: dict[type[Prompt[Any]], Any] = {
    DesignScenario: ScenarioDraft(text="", reason=SPENT),
    NextPlan: Plan(SPENT),
    FindDoubts: Doubts(),
    DesignTasks: TaskDrafts(),
    NextTurn: Turn(thought=SPENT),
    SuggestCall: SuggestedCall(reason=SPENT),
}
"""Answers that begin nothing new: no further scenario, no further step. What was begun is finished offline."""


def _nothing() -> None:
    pass


class FallbackModel:
    """Asks `models`; if an answer cannot be used, or the budget is spent, `offline` answers.

    Without an `offline` the ModelError comes out, for who asks has words of its own. A model that cannot be reached,
    and an answer that was not recorded, end the run. `learn` has the offline engine take in what was observed, before
    a scenario is designed by another.
    """

    def __init__(
        self,
        models: RoleModel,
        usage: Usage,
        *,
        offline: Model | None = None,
        learn: Callable[[], None] = _nothing,
    ) -> None:
        self.name = models.name
        self._models, self._usage, self._offline, self._learn = models, usage, offline, learn

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to `prompt`. Raises UnreachableError; ModelError if there is no offline answer."""
        if isinstance(prompt, DesignScenario | DesignTasks):
            self._learn()
        try:
            return await self._models.ask(prompt)
        except NotRecordedError as error:
            raise _named(error, prompt) from None
        except BudgetSpent:
            if self._offline is None:
                raise
            if (end := _ENDS.get(type(prompt))) is not None:
                return cast("AnswerT", end)
        except ModelError:
            self._usage.failed(type(prompt).__name__, fallback=True)
            if self._offline is None:
                raise
        return await self._offline.ask(prompt)


def _named(error: NotRecordedError, prompt: Prompt[Any]) -> NotRecordedError:
    about = getattr(prompt, "operation", None) or getattr(prompt, "plan", None)
    key = getattr(prompt, "first", None) or getattr(about, "key", None)
    what = f"{error.what} (role {prompt.role}{f', about {key}' if key else ''})"
    return NotRecordedError(what, where=error.where, fix=error.fix)
