"""The lower door to a language model: messages in, text out.

What answers here knows nothing of prompts: a chat server (`chat.ChatBackend`), transformers in process
(`local.LocalBackend`), or something that wraps one of them to record, to cache or to count. `asking.Asker` makes a
`Model` of any of them: it renders the prompt, reads the answer, and sends it back if it cannot be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from docrev.models.native_turns import NativeConversation
from docrev.records import Json

Message = Mapping[str, str]
"""`role` (system, user or assistant) and `content`."""


VOTE_TEMPERATURE = 0.2
"""Temperature of votes: at 0 all of them would be one (ToolEval's judge has this one)."""


@dataclass(frozen=True, slots=True)
class CompletionSettings:
    """How a model is asked. Temperature, seed and max_tokens decide what it answers; the rest only when.

    `max_tokens` bounds one answer; `timeout` (seconds) one request; `retries` the requests after a first that got no
    answer, `backoff` (seconds) the wait before the first of them, doubled for each; `concurrency` the requests that
    are under way at a time.
    """

    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 2048
    timeout: float = 120.0
    retries: int = 6
    backoff: float = 0.5
    concurrency: int = 8

    def of_vote(self, vote: int | None) -> CompletionSettings:
        """How one of several votes on the same question is asked: each draws its own answer."""
        if vote is None:
            return self
        return replace(self, temperature=max(self.temperature, VOTE_TEMPERATURE), seed=self.seed + vote)


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One request of a model: everything, with the backend's name and settings, that decides the answer.

    `prompt` is the name of the prompt's class; `schema` is what the answer is to fit, and None asks for free text.
    `conversation` is the same question with tools, for servers that know them; the answer is read in the same form.
    `vote` numbers the votes on one question, from 0; None if there is but one answer.
    """

    prompt: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json] | None
    max_tokens: int
    conversation: NativeConversation | None = None
    vote: int | None = None


Finish = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back: `text` is the answer (the arguments of a tool call, if that is how it came).

    `finish` is "length" if the text was cut at `max_tokens`, and "refused" if the model or its server would not
    answer; `refusal` says why. Tokens are those of the server's usage fields, 0 if it has none, over every request
    that this took; `tokens_cached` are those of `tokens_in` that the server had cached. `cached`: nothing was asked
    now.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    finish: Finish = "stop"
    refusal: str = ""
    cached: bool = False
    tokens_cached: int = 0


class Backend(Protocol):
    """Completes requests; `name` is as the user wrote it (`openai:gpt-4.1-mini`)."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> CompletionSettings: ...

    async def complete(self, request: CompletionRequest) -> Completion:
        """The model's answer. Raises ModelError for this request alone, UnreachableError if no other will do."""
        ...

    async def close(self) -> None:
        """Let go of connections and memory."""
        ...
