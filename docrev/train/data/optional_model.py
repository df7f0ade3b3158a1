"""Models for making data: opened as for everything else, None if the offline engine does the work."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from docrev.errors import ModelError
from docrev.events import Handler
from docrev.models import Model
from docrev.models.opening import checked_models
from docrev.prompts.questions import AnswerT, Prompt
from docrev.settings.models import ModelSettings


class _Nobody:
    """A model that answers nothing, so that whoever asks it falls back to rules."""

    name = "offline"

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        raise ModelError(f"the offline engine does not answer {type(prompt).__name__}")


NOBODY: Model = _Nobody()


@asynccontextmanager
async def optional_model(
    options: ModelSettings, folder: Path, seed: int, emit: Handler, *, roles: Sequence[str]
) -> AsyncIterator[Model | None]:
    """The model that these roles are left to; None if that is the offline engine.

    Its answers are remembered in `folder`. Raises UsageError for a model that is none, UnreachableError.
    """
    if not options.asks(roles):
        yield None
        return
    async with checked_models(options, roles, offline=NOBODY, folder=folder, seed=seed, emit=emit) as models:
        yield models
