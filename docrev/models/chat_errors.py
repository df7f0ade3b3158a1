"""What went wrong between docrev and a model's server, as one line for the user, without the key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.errors import CredentialsError, DocrevError, ModelError, UnreachableError
from docrev.language.characters import one_line
from docrev.models.chat_client import KEY_VARIABLE

if TYPE_CHECKING:
    from openai import APIStatusError

_KEYLIKE = re.compile(r"\b(?:sk|key|pk)-[\w*.-]{4,}|(?<=Bearer )\S+")
_MAX_MESSAGE = 240
_RETRIED = frozenset({408, 409, 425, 429})
_ELSEWHERE = "name another server with --model-url"


@dataclass(frozen=True, slots=True)
class Server:
    """Who was asked: for messages. `key` is what must not be in them."""

    url: str
    model: str
    key: str | None

    def clean(self, text: str) -> str:
        """One short line, without keys."""
        text = text.replace(self.key, "[key]") if self.key else text
        return one_line(_KEYLIKE.sub("[key]", text), _MAX_MESSAGE)


def refusal_text(error: APIStatusError) -> str:
    """What the server says about its refusal: the message of OpenAI's error object, or whatever there is."""
    body = error.body
    if isinstance(body, dict):
        found = body.get("message") or body.get("detail") or body.get("error") or body
        return str(found.get("message", found)) if isinstance(found, dict) else str(found)
    return str(body or error.message or "")


def code(error: APIStatusError) -> str:
    """The code or type of OpenAI's error object, or ""."""
    return str(error.code or error.type or "")


def may_pass(error: APIStatusError) -> bool:
    """Worth another try later: overloaded, restarting, too many requests. A spent quota does not come back."""
    if "insufficient_quota" in (error.code, error.type):
        return False
    return error.status_code in _RETRIED or (error.status_code >= 500 and error.status_code not in (501, 505))


def overflow(error: APIStatusError) -> bool:
    """The prompt, with the room for the answer, is longer than the model's context."""
    text = f"{code(error)} {refusal_text(error)}".lower()
    if error.status_code not in (400, 413, 422, 500):
        return False
    return error.status_code == 413 or any(
        words in text
        for words in ("context_length_exceeded", "context length", "context size", "context window", "too many tokens")
    )


def explain(error: APIStatusError, server: Server, *, answered: bool) -> DocrevError:
    """The error to raise for a status that is not 2xx. `answered`: the server has answered other requests."""
    status, text = error.status_code, server.clean(refusal_text(error))
    told = f"HTTP {status}{': ' + text if text else ''}"
    if status in (401, 403):
        return _refused_key(told, server)
    if status == 404 and "model" in f"{code(error)} {text}".lower():
        fix = "name one that it has, as in --model openai:NAME"
        return UnreachableError(f"the server has no model {server.model}: {told}", where=server.url, fix=fix)
    if status in (404, 405) or status < 400:
        fix = "check --model-url: it is the address before /chat/completions, often one that ends in /v1"
        return UnreachableError(f"no chat completions here: {told}", where=server.url, fix=fix)
    if status == 429:
        fix = "wait, lower --model-concurrency, or raise the quota"
        return UnreachableError(f"the model's server takes no more requests: {told}", where=server.url, fix=fix)
    if overflow(error):
        fix = "take a model with a longer context"
        return ModelError(f"the prompt is too long for {server.model}: {told}", where=server.url, fix=fix)
    if answered or status < 500:
        return ModelError(f"the model's server refuses this request: {told}", where=server.url)
    return UnreachableError(f"the model's server fails: {told}", where=server.url, fix=f"look at it, or {_ELSEWHERE}")


def _refused_key(told: str, server: Server) -> CredentialsError:
    what = "the model's server refuses the key" if server.key else "the model's server wants a key"
    fix = "check the key" if server.key else f"put its key into ${KEY_VARIABLE}"
    return CredentialsError(f"{what}: {told}", where=server.url, fix=fix)


def unreachable(cause: BaseException | None, server: Server) -> UnreachableError:
    """Nobody answers at the address, or the connection breaks each time."""
    why = server.clean(str(cause) or type(cause).__name__) if cause is not None else "connection failed"
    return UnreachableError(f"no model's server answers: {why}", where=server.url, fix=f"start it, or {_ELSEWHERE}")


def too_slow(seconds: float, server: Server, *, answered: bool) -> DocrevError:
    """No answer in time: of this request alone, if others are answered."""
    what = f"the model did not answer within {seconds:g} s"
    if answered:
        return ModelError(what, where=server.url)
    return UnreachableError(what, where=server.url, fix=f"look at the server, or {_ELSEWHERE}")


def not_chat(server: Server) -> UnreachableError:
    """Something answers, but it does not speak the protocol."""
    fix = "check --model-url: it often ends in /v1"
    return UnreachableError("this answers, but not as an OpenAI-compatible server", where=server.url, fix=fix)
