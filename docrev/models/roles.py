"""Roles: which model answers which questions, so that a cheap one can plan and a strong one judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from docrev.errors import UsageError
from docrev.models import Model
from docrev.prompts.questions import AnswerT, Prompt

ROLES = ("agent", "call", "experience", "judge", "parse", "plan", "rate", "revise", "scenario")
"""The roles of all prompts; `agent` is that of the runners' prompts."""


def read_roles(given: Iterable[str]) -> dict[str, str]:
    """Role → model, of texts such as `judge=openai:gpt-x,plan=offline`. Raises UsageError."""
    found: dict[str, str] = {}
    for part in (part.strip() for text in given for part in text.split(",")):
        role, equals, model = (word.strip() for word in part.partition("="))
        if not equals or not model:
            raise UsageError(f"not a role with its model: {part}", where="--model-for", fix="write ROLE=MODEL")
        if role not in ROLES:
            raise UsageError(f"no role {role}", where="--model-for", fix=f"one of {', '.join(ROLES)}")
        if found.setdefault(role, model) != model:
            fix = f"choose {found[role]} or {model}"
            raise UsageError(f"{role} is given to two models", where="--model-for", fix=fix)
    return found


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
