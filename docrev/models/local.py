"""`local:PATH`: a causal language model of transformers, in this process (extra `local`)."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.errors import InputError, UsageError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.batches import Batches
from docrev.models.system_messages import with_schema

if TYPE_CHECKING:
    from docrev.models.local_engine import Engine

PIP = "pip install 'docrev[local]'"
MAX_BATCH = 8


def require() -> None:
    """Raise UsageError with the pip line if the extra `local` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "accelerate")):
        raise UsageError("local models need torch, transformers and accelerate", fix=f"run: {PIP}")


class LocalBackend:
    """A folder of weights, or a folder of a PEFT adapter; `name` is `local:PATH`. `template` takes the place of theirs.

    The weights are loaded with the first request. Requests that come together are generated together, in a thread, at
    most `MAX_BATCH` at a time. At temperature 0 the answers are the model's likeliest; those of one batch may differ
    from those alone in the last bits of a sum, so if two words are as likely as each other within rounding the
    batch may decide. Above, the draw depends on the seed and on the request, each being generated alone.
    """

    def __init__(self, path: str, *, settings: CompletionSettings | None = None, template: str | None = None) -> None:
        require()
        if not Path(path).is_dir():
            raise InputError("no such model folder", where=path, fix="name the folder that holds config.json")
        self.name = f"local:{path}"
        self.settings = settings or CompletionSettings()
        self._path = Path(path)
        self._engine: Engine | None = None
        self._template = template
        # What is drawn depends on all of a batch, so above temperature 0 each answer is generated alone.
        most = MAX_BATCH if self.settings.temperature == 0 else 1
        self._batches = Batches(self._generate, most, _alike)

    async def complete(self, request: CompletionRequest) -> Completion:
        """The model's answer. Raises ModelError if the prompt does not fit, InputError for a broken folder."""
        return await self._batches.ask(request)

    async def close(self) -> None:
        """Let go of the weights."""
        await self._batches.close()
        self._engine = None

    def _generate(self, requests: list[CompletionRequest]) -> list[Completion | Exception]:
        from docrev.models.local_engine import Engine

        if self._engine is None:
            self._engine = Engine(self._path, self._template)
        told = [with_schema(request.messages, request.schema) for request in requests]
        settings = self.settings.of_vote(requests[0].vote)
        return self._engine.generate(told, requests[0].max_tokens, settings.temperature, settings.seed)


def _alike(request: CompletionRequest) -> object:
    """What requests that are generated together share; a vote is drawn, so it is generated alone."""
    return request.max_tokens if request.vote is None else request
