"""Models behind one typed door: `await model.ask(prompt)` returns the prompt's answer."""

from __future__ import annotations

from typing import Protocol

from docrev.prompts.questions import AnswerT, Prompt

__all__ = ["Model"]


class Model(Protocol):
    """Anything that answers typed prompts."""

    name: str

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to `prompt`."""
        ...
