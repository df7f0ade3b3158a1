"""`openai:NAME`: any server that speaks OpenAI's chat completions, through the `openai` package's client."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from docrev.calls.rate import retry_after
from docrev.errors import DocrevError, ModelError
from docrev.models import chat_errors
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings, Finish
from docrev.models.chat_client import OPENAI_URL, check_url, open_client, withheld
from docrev.models.chat_ways import Ways
from docrev.models.native_turns import NativeConversation, turn_text

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_MIN_TOKENS = 512
"""What an answer is given room for if prompt and answer together are too long for the model."""


class _GarbledError(Exception):
    """A body that is no JSON."""


class ChatBackend:
    """A model on a chat server. `key` None: the server wants none.

    How the server wants to be asked (structured output, a tool, or words; which parameters) is found out with the
    first request, and the others wait for it. Requests that fail in passing are sent again, with growing waits or as
    the server asks by Retry-After. One event loop may use it.
    """

    def __init__(
        self, model: str, *, url: str = OPENAI_URL, key: str | None = None, settings: CompletionSettings | None = None
    ) -> None:
        check_url(url)
        self.name = f"openai:{model}"
        self.settings = settings or CompletionSettings()
        self.ways = Ways()
        self._model, self._url, self._key = model, url, key
        self._server = chat_errors.Server(url, model, key)
        self._waits = Waits(self.settings.backoff, self.settings.seed)
        self._slots = asyncio.Semaphore(max(1, self.settings.concurrency))
        self._finding_out = asyncio.Lock()
        self._client: AsyncOpenAI | None = None
        self._withheld: dict[str, Any] = {}
        self._answered = False

    async def complete(self, request: CompletionRequest) -> Completion:
        """The model's answer. Raises ModelError for this request alone, UnreachableError if no other will do."""
        if not self.ways.settled:
            async with self._finding_out:
                if not self.ways.settled:
                    return await self._converse(request)
        return await self._converse(request)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _converse(self, request: CompletionRequest) -> Completion:
        """Ask in the way that is known to work, or in one after the other until one does."""
        import openai

        before, refused = None if self.ways.settled else deepcopy(self.ways), None
        tokens_in = tokens_out = tokens_cached = 0
        while True:
            if not self.ways.native:
                request = replace(request, conversation=None)
            try:
                completion = _read(await self._send(request), request.conversation)
            except openai.APIStatusError as error:
                refused = refused or error
                if chat_errors.overflow(error) and request.max_tokens > _MIN_TOKENS:
                    request = replace(request, max_tokens=_MIN_TOKENS)
                    continue
                if self._learned(request, error):
                    continue
                if before is not None and not self.ways.settled:
                    # Nothing helped, so nothing that was refused was to blame.
                    self.ways = before
                raise chat_errors.explain(refused, self._server, answered=self._answered) from None
            self._answered = True
            tokens_in, tokens_out = tokens_in + completion.tokens_in, tokens_out + completion.tokens_out
            tokens_cached += completion.tokens_cached
            if self.ways.heed(request, completion):
                return replace(completion, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=tokens_cached)

    def _learned(self, request: CompletionRequest, error: APIStatusError) -> bool:
        if error.status_code < 400 or error.status_code in (401, 403, 408, 429):
            return False
        vague = error.status_code in (400, 404, 405, 415, 422, 501)
        return self.ways.learn(request, chat_errors.refusal_text(error), vague=vague)

    def _blames(self, request: CompletionRequest, error: APIStatusError) -> bool:
        """Some servers fail, with 500, over what they do not know."""
        return error.status_code != 429 and bool(self.ways.blamed(request, chat_errors.refusal_text(error)))

    async def _send(self, request: CompletionRequest) -> Any:
        """What the server answers to one request, however often it must be sent. Raises openai.APIStatusError."""
        import openai

        for attempt in range(self.settings.retries + 1):
            try:
                async with self._slots:
                    await self._waits.turn()
                    return await self._create(request)
            except (openai.APIStatusError, openai.APIConnectionError, _GarbledError) as error:
                asked = self._asked_wait(request, error, attempt)
            await self._waits.after(attempt, asked)
        raise AssertionError

    def _asked_wait(self, request: CompletionRequest, error: Exception, attempt: int) -> float | None:
        """The seconds that the server asks to wait before the request is sent again, if it does.

        Raises what is to be raised for the error if the request is not to be sent again.
        """
        import openai

        last = attempt == self.settings.retries
        if isinstance(error, openai.APIStatusError):
            if last or not chat_errors.may_pass(error) or self._blames(request, error):
                raise error
            return asked_wait(error.response.headers)
        if last or not self._may_pass(error, attempt):
            raise self._named(error) from None
        return None

    def _may_pass(self, error: Exception, attempt: int) -> bool:
        """Whether a request without an answer may go better the next time."""
        import openai

        # Where nobody has ever answered, a wrong address is likelier than a server that starts late; from a server that
        # is known, a garbled body is one that ended too early.
        known = self._answered or (isinstance(error, openai.APIConnectionError) and not attempt)
        return known or isinstance(error, openai.APITimeoutError)

    def _named(self, error: Exception) -> DocrevError:
        import openai

        if isinstance(error, openai.APITimeoutError):
            return chat_errors.too_slow(self.settings.timeout, self._server, answered=self._answered)
        if isinstance(error, openai.APIConnectionError):
            return chat_errors.unreachable(error.__cause__, self._server)
        return chat_errors.not_chat(self._server)

    async def _create(self, request: CompletionRequest) -> Any:
        import openai

        if self._client is None:
            self._client = open_client(self._url, self._key, timeout=self.settings.timeout)
            self._withheld = withheld(self._url, self._key)
        arguments = self.ways.arguments(self._model, request, self.settings)
        try:
            # As the body it is: the client would walk through every message and schema to check names, for a fifth
            # of the time that a request takes.
            answer = await self._client.chat.completions.create(
                model=self._model, messages=[], extra_body=arguments, extra_headers=self._withheld
            )
        except (ValueError, openai.APIResponseValidationError) as error:
            raise _GarbledError from error
        if not isinstance(getattr(answer, "choices", None), list):
            raise self._unlike(answer)
        return answer

    def _unlike(self, answer: Any) -> Exception:
        """What to raise for a 2xx that holds no completion: some gateways put their errors there."""
        error = getattr(answer, "error", None)
        if isinstance(error, Mapping):
            return ModelError(self._server.clean(str(error.get("message") or error)), where=self._url)
        return chat_errors.not_chat(self._server)


def _read(answer: Any, asked: NativeConversation | None) -> Completion:
    """The completion in a response, as far as it is there: servers leave out what the protocol demands.

    `asked`: the question was a conversation with tools; an answer that calls none of them has no text.
    """
    choice = answer.choices[0] if answer.choices else None
    message = getattr(choice, "message", None)
    usage, content = getattr(answer, "usage", None), _text(getattr(message, "content", None))
    refusal = str(getattr(message, "refusal", None) or "")
    ended = getattr(choice, "finish_reason", None)
    finish: Finish = "length" if ended == "length" else "stop"
    if refusal or ended == "content_filter":
        finish, refusal = "refused", refusal or "its server filtered the answer"
    return Completion(
        text=_called(message) or content if asked is None else turn_text(asked, content, _tool_calls(message)),
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_cached=_count(getattr(usage, "prompt_tokens_details", None), "cached_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
        finish=finish,
        refusal=refusal,
    )


def _called(message: Any) -> str:
    """The arguments of the tool call, if there is one."""
    return next((arguments for _, arguments in _tool_calls(message) if arguments.strip()), "")


def _tool_calls(message: Any) -> Iterator[tuple[str, str]]:
    """The name and the arguments, as JSON, of each tool call."""
    for call in getattr(message, "tool_calls", None) or ():
        function = getattr(call, "function", None)
        name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
        if isinstance(arguments, str):
            yield str(name), arguments


def _text(content: Any) -> str:
    """The content, also where it comes in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _count(usage: Any, name: str) -> int:
    count = getattr(usage, name, None)
    return count if isinstance(count, int) else 0


MAX_WAIT = 60.0
"""Seconds: no wait is longer, whatever the server asks for."""


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, by `retry-after-ms` or Retry-After; None: it does not."""
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        return retry_after(headers)


class Waits:
    """The waits of one server's requests: doubled each time, with jitter, and never before it wants to be asked again.

    What one request is told by Retry-After holds for all: in a storm the others would only be refused too.
    """

    def __init__(self, backoff: float, seed: int) -> None:
        self._backoff = backoff
        self._random = random.Random(seed)
        self._until = 0.0

    async def turn(self) -> None:
        """Wait until the server may be asked."""
        loop = asyncio.get_running_loop()
        while (left := self._until - loop.time()) > 0:
            # Not all at the same moment again.
            await asyncio.sleep(left * self._random.uniform(1.0, 1.25))

    async def after(self, attempt: int, asked: float | None) -> None:
        """Wait after failed attempt number `attempt` (from 0), `asked` seconds if the server asked for it."""
        if asked is not None:
            wait = min(asked, MAX_WAIT)
            self._until = max(self._until, asyncio.get_running_loop().time() + wait)
            await self.turn()
            return
        await asyncio.sleep(min(self._backoff * 2**attempt, MAX_WAIT) * self._random.uniform(0.5, 1.0))
