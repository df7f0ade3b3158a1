"""A small tool user as a `Model`: it answers `NextAction`, and nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from docrev.errors import InputError, ModelError
from docrev.events import Handler, ModelAsked, ignore
from docrev.language.characters import one_line
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.batches import Batches
from docrev.models.local import require
from docrev.models.tooluser.encoding import prompt_symbols
from docrev.models.tooluser.grammar import Grammar
from docrev.models.tooluser.slots import Slots, Vocabulary
from docrev.models.tooluser.vocabulary import END
from docrev.prompts.agents import Action, NextAction
from docrev.prompts.questions import AnswerT, Prompt

MOST_TOKENS, MAX_BATCH = 64, 32


class ToolUser:
    """The weights in a folder that `docrev train toolllama --from-scratch` made; every action is well-formed.

    Raises UsageError without the extra `local`, InputError for a folder that cannot be loaded.
    """

    def __init__(
        self, path: str | Path, *, settings: CompletionSettings | None = None, device: str = "", emit: Handler = ignore
    ) -> None:
        require()
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import torch
        from transformers import LlamaForCausalLM
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self.name, self.settings, self._emit = f"local:{path}", settings or CompletionSettings(), emit
        self._vocabulary = Vocabulary.read(Path(path))
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            model = LlamaForCausalLM.from_pretrained(path, local_files_only=True)
            if model.config.vocab_size != self._vocabulary.size:
                raise ValueError(
                    f"{model.config.vocab_size} tokens in the weights, {self._vocabulary.size} beside them"
                )
        except Exception as error:  # whatever loaders of weights raise
            raise InputError(f"not a tool user: {one_line(error)}", where=str(path), fix="train it again") from None
        self._model = cast(Any, model).to(self._device).eval()
        self._batches = Batches(self.actions, MAX_BATCH)

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The next action. Raises ModelError for any other prompt, and where the prompt is too long."""
        if not isinstance(prompt, NextAction):
            what = f"it only takes the next action, and was asked {type(prompt).__name__}"
            raise ModelError(what, where=self.name, fix="use react or dfsdt, or --model-for to ask another for this")
        started, error = time.perf_counter(), ""
        try:
            return cast(AnswerT, await self._batches.ask(prompt))
        except ModelError as raised:
            error = raised.what
            raise
        finally:
            self._emit(
                ModelAsked(
                    model=self.name, prompt="NextAction", role=prompt.role, key=None, tokens_in=0, tokens_out=0,
                    attempts=1, seconds=time.perf_counter() - started, cached=False, error=error,
                )
            )  # fmt: skip

    async def complete(self, request: CompletionRequest) -> Completion:
        """Nothing: it knows no free text. Raises ModelError."""
        raise ModelError(f"it only takes the next action, and was asked {request.prompt}", where=self.name)

    async def close(self) -> None:
        """Let go of the weights."""
        await self._batches.close()

    def actions(self, prompts: Sequence[NextAction]) -> list[Action | Exception]:
        """The likeliest action for each prompt that its documents allow; ModelError for one that is too long."""
        slots = [Slots(self._vocabulary, f"{self.settings.seed} {at}") for at in range(len(prompts))]
        inputs = [one.ids(prompt_symbols(prompt)) for one, prompt in zip(slots, prompts, strict=True)]
        room = self._model.config.max_position_embeddings - MOST_TOKENS
        fits = [at for at, ids in enumerate(inputs) if len(ids) <= room]
        done: list[Action | Exception] = [
            ModelError(f"the prompt has {len(ids)} tokens, too many for a model of {room}", where=self.name)
            for ids in inputs
        ]
        if fits:
            grammars = [Grammar(prompts[at], slots[at]) for at in fits]
            for at, action in zip(fits, self._generate([inputs[at] for at in fits], grammars), strict=True):
                done[at] = action
        return done

    def _generate(self, inputs: Sequence[list[int]], grammars: Sequence[Grammar]) -> list[Action | Exception]:
        """The action after each input, by its grammar."""
        import torch

        width, pad = max(map(len, inputs)), self._vocabulary.pad
        rows = [[pad] * (width - len(ids)) + ids for ids in inputs]
        seen = [[0] * (width - len(ids)) + [1] * len(ids) for ids in inputs]

        def allowed(row: int, written: Any) -> list[int]:
            return grammars[row].allowed(written[width:].tolist()) or [pad]

        with torch.inference_mode():
            out = self._model.generate(
                input_ids=torch.tensor(rows, device=self._device),
                attention_mask=torch.tensor(seen, device=self._device),
                max_new_tokens=MOST_TOKENS, do_sample=False, pad_token_id=pad, eos_token_id=self._end,
                prefix_allowed_tokens_fn=allowed,
            )  # fmt: skip
        return [self._action(grammar, row) for grammar, row in zip(grammars, out[:, width:].tolist(), strict=True)]

    @property
    def _end(self) -> int:
        return self._vocabulary.known.index(END)

    def _action(self, grammar: Grammar, written: list[int]) -> Action | Exception:
        if self._end in written:
            return grammar.action(written[: written.index(self._end) + 1])
        return ModelError(f"the action is cut at {MOST_TOKENS} tokens", where=self.name)
