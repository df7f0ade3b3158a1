"""An agent's prompt as the conversation that a ToolLLaMA is trained on (ToolLLM §3.1): Thought, Action, Action Input.

The system turn lists the functions, the user's turn is the task, and every action that was taken is an assistant's
turn, followed by what came of it. `turns` is what a model is asked with; `action_text` writes an answer, `read_action`
reads one, and `rounds` reads a whole conversation.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from docrev.json_values.containers import mapping
from docrev.prompts.agents import FINISH, GIVE_ANSWER, GIVE_UP, Action, Argument, NextAction, Past, Sheet, Tags
from docrev.records import Json, OperationKey

Speaker = Literal["system", "user", "assistant", "function"]
SPEAKERS: tuple[Speaker, ...] = ("system", "user", "assistant", "function")

SYSTEM = """You solve a task by calling functions, one at a time. Each of your turns has three lines:
Thought: what is known and what is missing, in a sentence or two
Action: the name of a function
Action Input: its arguments, as a JSON object
What the function answers comes next. Call only functions of the list, with values from the task or from what was
answered. Once the answer is known call Finish with return_type give_answer and the answer as final_answer; where
nothing is left to try, call Finish with return_type give_up_and_restart.
The functions: """
_BEGIN = "\nBegin!\n"
_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_THOUGHT, _ACTION, _INPUT = "Thought:", "Action:", "Action Input:"


class Utterance(NamedTuple):
    """One turn of a conversation, with its whole text."""

    speaker: Speaker
    text: str


class Round(NamedTuple):
    """What an assistant was asked, and the action that it took."""

    prompt: NextAction
    action: Action


def turns(prompt: NextAction) -> tuple[Utterance, ...]:
    """The conversation up to the next action."""
    told = user(prompt.task, prompt.path, prompt.tags)
    found = [Utterance("system", system(prompt.operations)), Utterance("user", told)]
    for past in prompt.history:
        found += past_turns(past)
    aside = _aside(prompt)
    return (*found, Utterance("user", aside)) if aside else tuple(found)


def system(sheets: Sequence[Sheet]) -> str:
    """The system turn: what is to be done, and the functions as one JSON list."""
    listed = [function(sheet) for sheet in sheets]
    return SYSTEM + json.dumps([*listed, FINISH_FUNCTION], ensure_ascii=False)


def user(task: str, path: Sequence[str] = (), tags: Tags = Tags()) -> str:
    """The user's turn: the task, its tags and the operations that were planned, if there are some."""
    named = (("Categories", tags.categories), ("Tools", tags.tools), ("Functions", tags.operations))
    listed = "".join(f"\n{level}: {', '.join(names)}" for level, names in named if names)
    planned = f"\nThe plan: {', '.join([*path, FINISH])}" if path else ""
    return f"\n{task}{listed}{planned}{_BEGIN}"


def past_turns(past: Past) -> tuple[Utterance, Utterance]:
    """An action that was taken, and what came of it."""
    action = Action(thought=past.thought, action=past.action, arguments=past.arguments)
    return Utterance("assistant", action_text(action)), Utterance("function", observation_text(past))


def observation_text(past: Past) -> str:
    """What came of an action, as ToolBench wraps it: {"error", "response"}."""
    answered = past.outcome == "answered"
    told = {"error": "" if answered else past.observation, "response": past.observation if answered else ""}
    return json.dumps(told, ensure_ascii=False)


def action_text(action: Action) -> str:
    """An action as an assistant's turn."""
    given = json.dumps(action.arguments, ensure_ascii=False)
    return f"\nThought: {action.thought}\nAction: {action.action}\nAction Input: {given}"


def read_action(text: str) -> Action:
    """The action that an assistant's turn says; a thought may be missing. Raises ValueError if it is none."""
    thought, action, written = _said(text.strip())
    if not action:
        raise ValueError("no Action and Action Input")
    try:
        given = json.loads(written or "{}")
    except RecursionError:
        raise ValueError("the Action Input is nested too deep") from None
    if not isinstance(given, dict):
        raise ValueError("the Action Input is no JSON object")
    return Action(thought=thought, action=action, arguments=given)


def _said(text: str) -> tuple[str, str, str]:
    """Thought, action and input of a turn; "" for all if it names no action with an input."""
    for found in re.finditer(_ACTION, text):
        thought = text[: found.start()]
        if thought and not thought.startswith(_THOUGHT):
            break
        line, _, below = text[found.end() :].lstrip().partition("\n")
        action, named, given = line.rpartition(_INPUT)
        if below.lstrip().startswith(_INPUT):
            action, named, given, below = line, _INPUT, "", below.lstrip().removeprefix(_INPUT)
        if named:
            return thought.removeprefix(_THOUGHT).strip(), action.strip(), f"{given}\n{below}".strip()
    return "", "", ""


def rounds(told: Sequence[Utterance]) -> Iterator[Round]:
    """The rounds of a conversation in order, up to a turn that says no action; ToolBench's own form is read too.

    A conversation tells neither where a parameter goes nor what a response holds, so its sheets do not either. Raises
    ValueError if no functions are listed, or nothing is asked.
    """
    listed = next((turn.text for turn in told if turn.speaker == "system"), "")
    asked = next((turn.text for turn in told if turn.speaker == "user"), "")
    task = asked.strip().removesuffix(_BEGIN.strip()).strip()
    if not task:
        raise ValueError("nothing is asked")
    sheets, history = listed_functions(listed), list[Past]()
    for at, turn in enumerate(told):
        if turn.speaker != "assistant":
            continue
        try:
            action = read_action(turn.text)
        except ValueError:
            return
        yield Round(NextAction(task=task, operations=sheets, history=tuple(history)), action)
        answered = told[at + 1].text if at + 1 < len(told) and told[at + 1].speaker == "function" else ""
        history.append(_past(action, answered))


def listed_functions(system_text: str) -> tuple[Sheet, ...]:
    """The functions that a system turn lists, as JSON or as Python writes it. Raises ValueError for none."""
    at = system_text.find("[{")
    listed: Any = None
    if at >= 0:
        try:
            listed, _ = json.JSONDecoder().raw_decode(system_text, at)
        except (ValueError, RecursionError):
            try:
                listed = ast.literal_eval(system_text[at:].strip())
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                listed = None
    if not isinstance(listed, list):
        raise ValueError("lists no functions")
    found = [_sheet(one) for one in listed if isinstance(one, dict) and str(one.get("name", "")) not in ("", FINISH)]
    if not found:
        raise ValueError("lists no functions")
    return tuple(found)


def _sheet(listed: dict[str, object]) -> Sheet:
    told = listed.get("parameters")
    told = mapping(told)
    properties, required = told.get("properties"), told.get("required")
    needed = {str(name) for name in required} if isinstance(required, list) else set()
    name = str(listed["name"])
    return Sheet(
        name=name,
        key=OperationKey("", f"GET /{name}"),
        description=str(listed.get("description") or ""),
        parameters=tuple(
            _parameter(str(key), mapping(one), required=str(key) in needed) for key, one in mapping(properties).items()
        ),
    )


def _parameter(name: str, told: dict[str, object], *, required: bool) -> Argument:
    allowed = told.get("enum")
    return Argument(
        name=name, location="", type=str(told.get("type") or "string"), required=required,
        description=str(told.get("description") or ""), allowed=tuple(allowed) if isinstance(allowed, list) else (),
        example=told.get("example_value"),
    )  # fmt: skip


def _past(action: Action, answered: str) -> Past:
    """What came of an action, out of ToolBench's wrapping if it has one."""
    try:
        told = json.loads(answered)
    except (ValueError, RecursionError):
        told = None
    error, response = (told.get("error"), told.get("response")) if isinstance(told, dict) else ("", answered)
    shown = error or response
    return Past(
        thought=action.thought, action=action.action, arguments=action.arguments,
        observation=shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False),
        outcome="failed" if error else "answered",
    )  # fmt: skip


def function(sheet: Sheet) -> dict[str, Json]:
    """A document as a function of a chat model, in ToolBench's form: optional parameters are named too."""
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {one.name: _property(one) for one in sheet.parameters},
        "required": [one.name for one in sheet.parameters if one.required],
        "optional": [one.name for one in sheet.parameters if not one.required],
    }
    return {"name": sheet.name, "description": sheet.description, "parameters": parameters}


def _property(one: Argument) -> dict[str, Json]:
    told: dict[str, Json] = {"type": one.type if one.type in _TYPES else "string", "description": one.description}
    if one.allowed:
        told["enum"] = list(one.allowed)
    example = one.example if one.example is not None else one.default
    return told if example is None else told | {"example_value": example}


FINISH_FUNCTION: dict[str, Json] = {
    "name": FINISH,
    "description": "Ends the task: with the answer, or without one where nothing is left to try.",
    "parameters": {
        "type": "object",
        "properties": {
            "return_type": {"type": "string", "enum": [GIVE_ANSWER, GIVE_UP]},
            "final_answer": {"type": "string", "description": "The whole answer, where there is one."},
        },
        "required": ["return_type"],
    },
}


def _aside(prompt: NextAction) -> str:
    """What is said beside the task before the next action: experience, what a critique found, what was tried here."""
    parts = [f"Experience: {text}" for past in prompt.history for text in past.experience]
    parts += [f"A reviewer says of the last action: {prompt.advice}"] if prompt.advice else []
    if prompt.siblings:
        tried = "\n".join(
            f"{one.action} {json.dumps(one.arguments, ensure_ascii=False)}\n{observation_text(one)}"
            for one in prompt.siblings
        )
        parts.append(f"These actions were taken here before and led nowhere; yours must differ from each:\n{tried}")
    return "\n".join(parts)
