"""How one server takes requests for one model: found out by asking once, then remembered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.parsing_blocks import strip_thoughts
from docrev.models.system_messages import with_schema, without_system

Mode = Literal["schema", "tool", "text"]
"""How the answer's shape is made known: structured output, a tool that must be called, or words."""
_BELOW: dict[Mode, Mode] = {"schema": "tool", "tool": "text"}
_NAMES_MODE = {
    "schema": re.compile(r"response_?format|json_?schema|structured|guided|grammar"),
    "tool": re.compile(r"\btools?\b|tool_choice|function"),
}
_BAD_SCHEMA = re.compile(r"invalid[ _]?(json_)?schema|schema.{0,40}(not supported|not permitted|invalid)")
_NO_SYSTEM = re.compile(r"system.{0,30}role|role.{0,30}system|roles must alternate")
_LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass
class Ways:
    """What is known of a server and model. `settled`: an answer came by `mode`, and it was one.

    `plain` are prompts whose schema the server does not take; `dropped` parameters that it does not. `native`: it takes
    conversations with tools, as far as is known.
    """

    mode: Mode = "schema"
    limit: str = _LIMITS[0]
    system: bool = True
    native: bool = True
    settled: bool = False
    dropped: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)

    def mode_of(self, request: CompletionRequest) -> Mode:
        return "text" if request.schema is None or request.prompt in self.plain else self.mode

    def arguments(self, model: str, request: CompletionRequest, settings: CompletionSettings) -> dict[str, Any]:
        """What to call `chat.completions.create` with."""
        mode, asked, settings = self.mode_of(request), request.conversation, settings.of_vote(request.vote)
        messages = with_schema(request.messages, request.schema) if mode == "text" else list(request.messages)
        messages = messages if asked is None else list(asked.messages)
        made: dict[str, Any] = {
            "model": model,
            "messages": messages if self.system else without_system(messages),
            "temperature": settings.temperature,
            "seed": settings.seed,
            self.limit: request.max_tokens,
        }
        shape = {"name": request.prompt, "schema": request.schema, "strict": True}
        tool = {"name": request.prompt, "description": "Give the answer.", "parameters": request.schema}
        if asked is not None:
            made |= {"tools": asked.functions, "tool_choice": "required"}
        elif mode == "schema":
            made["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif mode == "tool":
            made["tools"] = [{"type": "function", "function": tool}]
            made["tool_choice"] = {"type": "function", "function": {"name": request.prompt}}
        return {name: value for name, value in made.items() if name not in self.dropped}

    def blamed(self, request: CompletionRequest, refusal: str) -> str:
        """What a refusal names, of what the request held: a parameter, the mode, "prompt" for its schema; or ""."""
        text, mode = refusal.lower(), self.mode_of(request)
        if request.conversation is not None and _NAMES_MODE["tool"].search(text):
            return "native"
        if mode != "text" and _BAD_SCHEMA.search(text):
            return "prompt"
        if mode != "text" and _NAMES_MODE[mode].search(text):
            return mode
        if name := next((name for name in self._removable() if name in text), ""):
            return name
        return "system" if self.system and _NO_SYSTEM.search(text) else ""

    def _removable(self) -> list[str]:
        """The parameters that are sent and can be left out, or replaced."""
        sent = [name for name in ("temperature", "seed") if name not in self.dropped]
        return [*sent, self.limit] if self.limit == _LIMITS[0] else sent

    def learn(self, request: CompletionRequest, refusal: str, *, vague: bool) -> bool:
        """Take in why a request was refused; True if it can be asked in another way now.

        `vague`: a refusal that names nothing may still be about something that was asked for. Once an answer came,
        it is not: what worked before is not what is wrong.
        """
        match self.blamed(request, refusal):
            case "native":
                self.native = False
            case "prompt":
                self.plain.add(request.prompt)
            case "schema" | "tool":
                self.mode = _BELOW[self.mode]
            case "temperature" | "seed" as name:
                self.dropped.add(name)
            case "system":
                self.system = False
            case "" if request.conversation is not None:
                self.native = not vague
                return vague
            case "":
                return vague and not self.settled and self._less(self.mode_of(request))
            case _:
                self.limit = _LIMITS[1]
        return True

    def _less(self, mode: Mode) -> bool:
        if mode in _BELOW:
            self.mode = _BELOW[mode]
            return True
        if not {"temperature", "seed"} <= self.dropped:
            self.dropped |= {"temperature", "seed"}
            return True
        return False

    def heed(self, request: CompletionRequest, completion: Completion) -> bool:
        """Take in an answer that came; False if it shows that the server ignores the way it was asked."""
        mode = self.mode_of(request)
        if request.conversation is not None:
            self.native = bool(completion.text) or completion.finish != "stop"
            return self.native
        if not self.settled and mode in _BELOW and request.schema is not None and not _fits(completion, request.schema):
            self.mode = _BELOW[mode]
            return False
        self.settled = True
        return True


def _fits(completion: Completion, schema: Mapping[str, Any]) -> bool:
    """JSON with the properties that the schema demands, as a server that enforces it would answer, or its beginning."""
    text = strip_thoughts(completion.text)
    if completion.finish != "stop":
        return completion.finish == "refused" or text[:1] in ("", "{")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and set(schema.get("required", ())) <= set(value)
