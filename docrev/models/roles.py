"""Roles: which model answers which questions, so that a cheap one can plan and a strong one judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docrev.models import Model
from docrev.prompts.questions import AnswerT, Prompt


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
