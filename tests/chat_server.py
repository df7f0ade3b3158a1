"""A server of OpenAI's chat completions on loopback that answers by script, and misbehaves as real ones do.

    with ChatServer([Reply('{"text": "…"}')]) as server: ... server.url, server.asked

`script` is a list of replies (the last is repeated) or a function of the request's body. What the server can do is
said by `Abilities`: a parameter that it refuses is answered with an error that names it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

Body = Mapping[str, Any]
Takes = Literal["yes", "refused", "ignored"]


@dataclass(frozen=True)
class Reply:
    """What to answer. `after` seconds; `cut` breaks the connection in the midst of the body; `raw` replaces the body.

    `status` other than 200 answers with an error object whose message is `text`. `tool` puts the text into a tool
    call also where none was demanded. `usage` False leaves the usage fields out.
    """

    text: str = ""
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    after: float = 0.0
    cut: bool = False
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    usage: bool = True
    code: str | None = None
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """The tools that are called, with their arguments, in a conversation with tools."""


@dataclass(frozen=True)
class Abilities:
    """What the server does with structured output and tools, and which parameters it refuses, with which status.

    `vague` refuses without naming what for. `key`: the only key that is let in.
    """

    schema: Takes = "yes"
    tools: Takes = "yes"
    refuses: tuple[str, ...] = ()
    status: int = 400
    vague: bool = False
    system: bool = True
    key: str | None = None


Script = Callable[[Body], Reply] | Sequence[Reply]


class ChatServer:
    """Answers on a free port of loopback until the block ends; `asked` are the bodies it was sent, `headers` theirs.

    `most` is the largest number of requests that were under way at once.
    """

    def __init__(self, script: Script, abilities: Abilities | None = None) -> None:
        self.abilities = abilities or Abilities()
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.served = self.most = self._open = 0
        self._script = script
        # asyncio turns Nagle off only where the protocol is named; else each answer takes 40 ms more.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def __enter__(self) -> ChatServer:
        self._socket.listen(256)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    async def _complete(self, request: Request) -> Any:
        body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        self._open += 1
        self.most = max(self.most, self._open)
        try:
            refused = self._refused(body, request.headers)
            return _Cut() if (reply := refused or self._next(body)).cut else await self._answer(reply, body)
        finally:
            self._open -= 1

    def _next(self, body: Body) -> Reply:
        at, self.served = self.served, self.served + 1
        return self._script(body) if callable(self._script) else self._script[min(at, len(self._script) - 1)]

    def _refused(self, body: Body, headers: Mapping[str, str]) -> Reply | None:
        able = self.abilities
        if able.key is not None and headers.get("authorization") != f"Bearer {able.key}":
            return Reply(
                f"Incorrect API key provided: {headers.get('authorization', '')}.", 401, code="invalid_api_key"
            )
        wrong = [name for name in able.refuses if name in body]
        wrong += ["response_format"] if able.schema == "refused" and "response_format" in body else []
        wrong += ["tools"] if able.tools == "refused" and "tools" in body else []
        if not able.system and any(message["role"] == "system" for message in body["messages"]):
            return Reply("System role not supported", able.status)
        if not wrong:
            return None
        return Reply(
            "Bad request" if able.vague else f"Unsupported parameter: '{wrong[0]}' is not supported.", able.status
        )

    async def _answer(self, reply: Reply, body: Body) -> Response:
        await asyncio.sleep(reply.after)
        headers = dict(reply.headers)
        if reply.raw is not None:
            return Response(reply.raw, reply.status, {"content-type": "application/json", **headers})
        if reply.status != 200:
            error = {"message": reply.text, "type": "error", "code": reply.code}
            return JSONResponse({"error": error}, reply.status, headers)
        return JSONResponse(self._completion(reply, body), headers=headers)

    def _completion(self, reply: Reply, body: Body) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
        if reply.calls:
            made = [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in reply.calls]
            calls = [{"id": f"call_{at}", "type": "function", "function": call} for at, call in enumerate(made)]
            message = {**message, "tool_calls": calls}
        elif "tools" in body and self.abilities.tools == "yes" and not is_conversation(body):
            function = {"name": body["tools"][0]["function"]["name"], "arguments": reply.text}
            calls = [{"id": "call_1", "type": "function", "function": function}]
            message = {**message, "content": None, "tool_calls": calls}
        asked = sum(len(part["content"]) for part in body["messages"]) // 4
        usage = {"prompt_tokens": asked, "completion_tokens": len(reply.text) // 4, "total_tokens": asked}
        usage["prompt_tokens_details"] = {"cached_tokens": asked // 2}
        return {
            "id": f"c{self.served}",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
            **({"usage": usage} if reply.usage else {}),
        }


class _Cut:
    """A response that breaks off in the midst of its body."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = [(b"content-type", b"application/json"), (b"content-length", b"4000")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b'{"id": "c1", "choices": [{"ind', "more_body": True})
        raise ConnectionAbortedError


def wanted(body: Body) -> str:
    """The name of the prompt that a request asks: of its schema or tool, "" where neither was sent."""
    if "response_format" in body:
        return str(body["response_format"]["json_schema"]["name"])
    if is_conversation(body):
        return "NextTurn"
    return str(body["tools"][0]["function"]["name"]) if "tools" in body else ""


def is_conversation(body: Body) -> bool:
    """Whether a request is a conversation with tools, rather than one answer that a tool gives its form."""
    return any(tool["function"]["name"] == "finish" for tool in body.get("tools", ()))


def said(value: Any) -> Reply:
    """A reply whose text is `value` as JSON."""
    return Reply(json.dumps(value))
