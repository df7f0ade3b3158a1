"""A question for the next turn as a conversation with tools: each operation a function, each call a tool call.

Servers that know tools were trained on them; the same question as one text is for those that do not. What comes back
is written in the form of the text's answer, so nothing above a backend knows the difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docrev.prompts.briefs import listed_arguments
from docrev.prompts.exploring import NextTurn
from docrev.prompts.questions import Brief
from docrev.records import Json, Node

FINISH = "finish"
MAX_NAME = 60
MAX_DESCRIPTION = 1024
_LINE = re.compile(r"\s*(\S+) \((\w+), (required|optional)[^)]*\)(?:: (.*))?", re.S)
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})
_FINISH: dict[str, Json] = {
    "name": FINISH,
    "description": "End the task: with the answer, or with null if nothing sensible is left to try.",
    "parameters": {
        "type": "object",
        "properties": {"answer": {"description": "The bare value or list of values."}},
        "required": ["answer"],
    },
}


class NativeTool(NamedTuple):
    """An operation as a function: `places` are the locations of its arguments by name."""

    name: str
    operation: str
    places: Mapping[str, str]
    function: Mapping[str, Json]


class NativeConversation(NamedTuple):
    """Messages as chat servers take them, tool calls and their results among them, and the tools."""

    messages: tuple[Mapping[str, Json], ...]
    tools: tuple[NativeTool, ...]

    @property
    def functions(self) -> list[Json]:
        """The tools as chat servers take them."""
        return [{"type": "function", "function": dict(tool.function)} for tool in self.tools] + [
            {"type": "function", "function": _FINISH}
        ]


def conversation(prompt: NextTurn, texts: Mapping[str, str], results: Sequence[str]) -> NativeConversation:
    """The conversation of a prompt. `texts` are its rules ("native"), its "task" and, for another way, its "siblings";
    `results` are the fenced responses of its history."""
    tools = tuple(_tools(prompt.operations))
    by_operation = {tool.operation: tool for tool in tools}
    messages: list[Mapping[str, Json]] = [
        {"role": "system", "content": texts["native"]},
        {"role": "user", "content": texts["task"]},
    ]
    called = [node for node in prompt.history if node.call is not None]
    for number, (node, result) in enumerate(zip(called, results, strict=True), start=1):
        messages += _exchange(node, f"call_{number}", result, by_operation)
    if texts["siblings"]:
        messages.append({"role": "user", "content": texts["siblings"]})
    return NativeConversation(tuple(messages), tools)


def _exchange(node: Node, id: str, result: str, tools: Mapping[str, NativeTool]) -> list[Mapping[str, Json]]:
    assert node.plan is not None
    tool = tools[str(node.plan.key)]
    names = {place: name for name, place in tool.places.items()}
    given = {names.get(place, place): value for place, value in listed_arguments(node.plan.arguments)}
    function = {"name": tool.name, "arguments": json.dumps(given, ensure_ascii=False)}
    call = {"id": id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": node.plan.thought, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": id, "content": result},
    ]


def _tools(briefs: Iterable[Brief]) -> Iterator[NativeTool]:
    taken: set[str] = set()
    for brief in briefs:
        stem = re.sub(r"\W+", "_", f"{brief.key.method.lower()}{brief.key.path}").strip("_")[:MAX_NAME]
        name = next(name for name in (stem, *(f"{stem}_{at}" for at in range(2, 1000))) if name not in taken)
        taken.add(name)
        yield _tool(name, brief)


def _tool(name: str, brief: Brief) -> NativeTool:
    places: dict[str, str] = {}
    properties: dict[str, Json] = {}
    required = []
    for match in filter(None, map(_LINE.fullmatch, brief.parameters)):
        place, kind, need, text = match.groups()
        argument = re.sub(r"[^\w.-]+", "_", place.partition(":")[2].strip("/")) or "body"
        if argument in places:
            argument = f"{place.partition(':')[0]}_{argument}"
        places[argument] = place
        described = {"description": text} if text else {}
        properties[argument] = {"type": kind, **described} if kind in _TYPES else described
        required += [argument] if need == "required" else []
    parameters = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    # The name says the method and the path: every turn sends all of this again.
    about = [brief.summary or str(brief.key), f"Returns {', '.join(brief.responses)}" if brief.responses else ""]
    text = " ".join(filter(None, about))[:MAX_DESCRIPTION]
    return NativeTool(name, str(brief.key), places, {"name": name, "description": text, "parameters": parameters})


def turn_text(asked: NativeConversation, content: str, called: Iterable[tuple[str, str]]) -> str:
    """An answer in the form of the text's answer, of the content and the (name, arguments) of the tools called.

    "" if no tool was called, or one that does not exist.
    """
    tools = {tool.name: tool for tool in asked.tools}
    calls: list[Json] = []
    for name, arguments in called:
        try:
            given: Any = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return ""
        if not isinstance(given, dict) or (name != FINISH and name not in tools):
            return ""
        if name == FINISH:
            return json.dumps({"thought": content, "calls": [], "answer": _value(given.get("answer"))})
        places = tools[name].places
        pairs = [{"location": places.get(key, key), "value": _value(value)} for key, value in given.items()]
        calls.append({"operation": tools[name].operation, "arguments": pairs})
    return json.dumps({"thought": content, "calls": calls, "answer": None}) if calls else ""


def _value(value: object) -> Json:
    """A value as the form of an answer has it."""
    simple = not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(part, dict | list) for part in value)
    )
    return value if simple else {"json": json.dumps(value, ensure_ascii=False)}
