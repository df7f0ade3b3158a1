"""From a prompt to its typed answer over any backend: render, complete, read, and send back what cannot be used."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docrev.errors import AnswerError, DocrevError, ModelError
from docrev.events import Handler, ModelAsked, ignore
from docrev.language.characters import one_line
from docrev.models.backend import Backend, Completion, CompletionRequest, Message
from docrev.models.parsing_blocks import read_values
from docrev.models.parsing_shapes import fit_shapes, read_lines
from docrev.models.rendering import answer, answer_schema, messages, native
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json, OperationKey

MAX_REPAIRS = 2
"""How often an answer is sent back with what is wrong with it."""
MORE_TOKENS = 4
"""How much longer an answer may be that was cut at its limit, once."""
_MAX_QUOTED = 4_000


@dataclass
class _Tally:
    """What one prompt has cost so far. `asked`: at least one of its answers was not kept from before."""

    attempts: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    asked: bool = False

    def add(self, completion: Completion) -> None:
        self.attempts += 1
        self.tokens_in += completion.tokens_in
        self.tokens_cached += completion.tokens_cached
        self.tokens_out += completion.tokens_out
        self.asked = self.asked or not completion.cached


class Asker:
    """A `Model` over a backend; emits one `ModelAsked` a prompt. `templates` is the user's folder of overrides."""

    def __init__(self, backend: Backend, *, emit: Handler = ignore, templates: Path | None = None) -> None:
        self.backend, self.name = backend, backend.name
        self._emit, self._templates = emit, templates

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to `prompt`.

        Raises AnswerError if the model gives none, ModelError if its server refuses this one request, and
        UnreachableError if nothing else will be answered either.
        """
        tally, started, error = _Tally(), time.perf_counter(), ""
        try:
            return await self._converse(prompt, tally)
        except ModelError as raised:
            error = raised.what
            raise _named(raised, f"{self.name} {type(prompt).__name__}") from None
        except DocrevError as raised:
            error = raised.what
            raise
        finally:
            if tally.attempts or error:
                self._emit(self._model_asked(prompt, tally, time.perf_counter() - started, error))

    async def close(self) -> None:
        """Close the backend."""
        await self.backend.close()

    async def _converse(self, prompt: Prompt[AnswerT], tally: _Tally) -> AnswerT:
        request = CompletionRequest(
            prompt=type(prompt).__name__,
            messages=tuple(messages(prompt, templates=self._templates)),
            schema=answer_schema(prompt),
            max_tokens=self.backend.settings.max_tokens * (MORE_TOKENS if prompt.is_long else 1),
            conversation=native(prompt, templates=self._templates),
            vote=prompt.vote,
        )
        repairs, most = 0, self.backend.settings.max_tokens * MORE_TOKENS
        while True:
            completion = await self.backend.complete(request)
            tally.add(completion)
            if completion.finish == "refused":
                raise AnswerError(f"the model refuses: {one_line(completion.refusal or completion.text)}")
            cut = completion.finish == "length"
            try:
                return parse(completion.text, prompt, cut=cut)
            except AnswerError as error:
                if cut and request.max_tokens >= most:
                    raise AnswerError(f"the answer is cut at {request.max_tokens} tokens") from None
                if cut:
                    request = replace(request, max_tokens=most)
                    continue
                if repairs == MAX_REPAIRS:
                    raise
                sent_back = _sent_back(completion.text, error)
                request = replace(request, messages=(*request.messages, *sent_back), conversation=None)
                repairs += 1

    def _model_asked(self, prompt: Prompt[Any], tally: _Tally, seconds: float, error: str) -> ModelAsked:
        return ModelAsked(
            model=self.name,
            prompt=type(prompt).__name__,
            role=prompt.role,
            key=_about(prompt),
            tokens_in=tally.tokens_in,
            tokens_cached=tally.tokens_cached,
            tokens_out=tally.tokens_out,
            attempts=tally.attempts,
            seconds=seconds,
            cached=bool(tally.attempts) and not tally.asked,
            error=error,
        )


def _sent_back(text: str, error: AnswerError) -> tuple[Message, Message]:
    said = text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"
    wrong = f"This answer cannot be used: {error}. Answer again, with the whole JSON object and nothing else."
    return {"role": "assistant", "content": said or "(nothing)"}, {"role": "user", "content": wrong}


def _named(error: ModelError, where: str) -> ModelError:
    """The error with the model and the prompt that it is about."""
    what = f"{error.where}: {error.what}" if error.where else error.what
    fix = error.fix or "try another model, or --model-for to ask another for this"
    return type(error)(what, where=where, fix=fix)


def _about(prompt: Prompt[Any]) -> OperationKey | None:
    """The operation that a prompt is about, if it is about one."""
    holders = (prompt, *(getattr(prompt, name, None) for name in ("operation", "call")))
    found = (getattr(holder, name, None) for holder in holders for name in ("first", "key"))
    return next((key for key in (*holders, *found) if isinstance(key, OperationKey)), None)


def parse(text: str, prompt: Prompt[AnswerT], *, cut: bool = False) -> AnswerT:
    """The answer that `text` gives to `prompt`: of several, the last that is valid.

    `cut`: the text is known to have been cut at its end, so only an answer that was whole before counts. Raises
    AnswerError, with a text that may be sent back to the model, if there is none.
    """
    first: AnswerError | None = None
    for data in _candidates(text, answer_schema(prompt), cut):
        try:
            return answer(prompt, data)
        except AnswerError as error:
            first = first or error
    raise first or AnswerError(_nothing(text))


def _candidates(text: str, schema: Mapping[str, object], cut: bool) -> Iterator[Json]:
    for value in read_values(text, cut=cut):
        yield from fit_shapes(value, schema)
    written = None if cut or "{" in text else read_lines(text, schema)
    if written is not None:
        yield written


def _nothing(text: str) -> str:
    if not text.strip():
        return "the answer is empty"
    return "the answer is cut off" if "{" in text else "there is no JSON object in the answer"
