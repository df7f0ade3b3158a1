"""From a prompt to symbols, and what an action may be made of.

The task stands before the documents, and the name of a function behind what is said of it, so that a model that reads
from left to right knows at a name whether it is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from docrev.conventions.parameters import PAGING, Typed, role_of
from docrev.json_values.leaves import parts
from docrev.models.observations import read_observation
from docrev.models.tooluser.vocabulary import (
    ACTION,
    ALSO,
    ARGUMENT,
    BEGIN,
    CLOSE,
    COMMA,
    END,
    FAILED,
    FINISH,
    FUNCTION,
    HIT,
    NEXT,
    ONE_OF,
    OPEN,
    PARAMETER,
    QUIT,
    REFUSED,
    REQUIRED,
    SEEN,
    TASK,
    THOUGHTS,
    TRIED,
    spelt,
    symbols,
)
from docrev.prompts.agents import FINISH as FINISH_NAME
from docrev.prompts.agents import GIVE_UP, Argument, NextAction, Past, Sheet
from docrev.records import Json

MOST_TEXT, MOST_OBSERVED, MOST_ALLOWED, MOST_SPAN = 24, 96, 8, 5
LONG_LIST, MOST_MEANT = 4, 3
"""A list of so many items is cut to those that share most words with the task, if they are no more than so many."""
_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?")
_THOUGHT = {text: sign for sign, text in THOUGHTS.items()}
Copied = tuple[tuple[str, ...], Json]
"""Symbols that may be copied, and the value that they stand for."""
_TRUTHS: tuple[Copied, ...] = ((("true",), True), (("false",), False))
_SIGN = {"answered": SEEN, "failed": FAILED, "invalid": REFUSED}


def prompt_symbols(prompt: NextAction) -> list[str]:
    """A prompt up to where the next action begins."""
    task = task_symbols(prompt.task)
    found, said = [BEGIN, *task], words_of(task)
    for sheet in prompt.operations:
        found += mark_hits(sheet_symbols(sheet), said)
    found.append(NEXT)
    sheets = {sheet.name: sheet for sheet in prompt.operations}
    for past in prompt.history:
        done = past_symbols(past, sheets, said)
        end = done.index(END) + 1
        found += done[:end] + mark_hits(done[end:], said)
    return found + tried_symbols(one.action for one in prompt.siblings)


def mark_hits(symbols: Iterable[str], said: Collection[str]) -> list[str]:
    """Symbols with a mark before each that was said in the task."""
    found: list[str] = []
    for one in symbols:
        found += (HIT, one) if one in said else (one,)
    return found


def words_of(task: Iterable[str]) -> frozenset[str]:
    """What a task says apart from function words."""
    return frozenset(one for one in task if one.startswith("·"))


def tried_symbols(names: Iterable[str]) -> list[str]:
    """What was tried at this very point."""
    return [part for name in names for part in (TRIED, function(name) if name != FINISH_NAME else QUIT)]


def task_symbols(text: str) -> list[str]:
    """The symbols of a task's text."""
    return [TASK, *(one for one, _, _ in spelt(text))]


def function(name: str) -> str:
    """The symbol of a function's name."""
    return f"@{name}"


def parameter(function_name: str, name: str) -> str:
    """The symbol of a parameter's name, which is of this function alone."""
    return f"@{function_name}.{name}"


def sheet_symbols(sheet: Sheet) -> list[str]:
    """A document: the words of its name, its text, its parameters, its name."""
    text = symbols(sheet.description)[:MOST_TEXT]
    said = set(text)
    # A name is read by its words, as far as the text does not say them anyway.
    found = [FUNCTION, *(one for one in symbols(sheet.name)[:6] if one not in said), *text]
    shown = [one for field in sheet.fields for one in symbols(field.pointer.rpartition("/")[2])]
    found += [one for one in dict.fromkeys(shown) if one not in said and one not in ("id", "name")][:8]
    for one in sheet.parameters:
        if one.required or role_of(one.name, Typed(one.type)) not in PAGING:
            found += _parameter(sheet.name, one)
    return [*found, function(sheet.name)]


def _parameter(owner: str, one: Argument) -> list[str]:
    found = [PARAMETER, *dict.fromkeys([*symbols(one.name)[:3], *symbols(one.description)[:10]])]
    if one.required:
        found.append(REQUIRED)
    if one.allowed:
        found.append(ONE_OF)
    for value in one.allowed[:MOST_ALLOWED]:
        found += value_symbols(value)
    return [*found, parameter(owner, one.name)]


def past_symbols(past: Past, sheets: Mapping[str, Sheet], said: frozenset[str]) -> list[str]:
    """An action that was taken, and what came of it; with the thought if it is one of a tool user's own."""
    thought = [_THOUGHT[past.thought]] if past.thought in _THOUGHT else []
    found = [*thought, *action_symbols(past.action, past.arguments, sheets)]
    return [*found, _SIGN[past.outcome], *observation_symbols(past.observation, said, past.outcome)]


def action_symbols(name: str, arguments: Mapping[str, object], sheets: Mapping[str, Sheet]) -> list[str]:
    """An action, to its end."""
    if name == FINISH_NAME:
        if arguments.get("return_type") == GIVE_UP:
            return [ACTION, QUIT, END]
        answer = arguments.get("final_answer")
        items = answer if isinstance(answer, list) else [answer]
        told = [one for part in items for one in (ALSO, *value_symbols(part))]
        return [ACTION, FINISH, *told[1:], END]
    known = {one.name for one in sheets[name].parameters} if name in sheets else set()
    found = [ACTION, function(name)]
    for key, value in arguments.items():
        if key in known:
            found += [ARGUMENT, parameter(name, key), *value_symbols(value)]
    return [*found, END]


def value_symbols(value: object) -> list[str]:
    """A value as it stands in observations and arguments."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return [one for one, _, _ in spelt(text)][:12]


def observation_symbols(text: str, said: frozenset[str], outcome: str = "answered") -> list[str]:
    """The symbols of an observation; of what was answered, as far as it matters for a task that says these words."""
    if outcome != "answered":
        return symbols(text)[:12]
    return list(_walk(_read(text, said)))[:MOST_OBSERVED]


def scalars(text: str, said: frozenset[str]) -> list[Copied]:
    """The scalars of what `observation_symbols` shows: their symbols, and the value."""
    return [(tuple(value_symbols(value)), value) for value in _scalars(_read(text, said)) if value_symbols(value)][:60]


@lru_cache(maxsize=1024)
def _read(text: str, said: frozenset[str]) -> Json:
    found = read_observation(text)
    return text[:400] if found is None else _meant(found, said)


def _meant(value: object, said: frozenset[str]) -> Json:
    """A response with long lists cut to the items that are meant, if a task says which."""
    if isinstance(value, dict):
        return {key: _meant(part, said) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) >= LONG_LIST:
        hits = [len(said.intersection(one for leaf in _scalars(item) for one in value_symbols(leaf))) for item in value]
        best = max(hits)
        most = [item for item, count in zip(value, hits, strict=True) if count == best > 0]
        value = most if 0 < len(most) <= MOST_MEANT else value
    return [_meant(item, said) for item in value]


def _walk(value: object) -> Iterable[str]:
    if isinstance(value, dict):
        yield OPEN
        for key, part in value.items():
            yield COMMA
            yield from symbols(key)[:3]
            yield from _walk(part)
        yield CLOSE
    elif isinstance(value, list):
        for part in value:
            yield from _walk(part)
    else:
        yield from value_symbols(value)


def _scalars(value: object) -> Iterable[Json]:
    return (part for _, part in parts(value) if part is not None and not isinstance(part, dict | list))


def spans(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The spans of a task that a value may be copied from, with their own spelling."""
    found = spelt(text)
    return [
        (tuple(one for one, _, _ in found[at:end]), text[found[at][1] : found[end - 1][2]])
        for at in range(len(found))
        for end in range(at + 1, min(at + MOST_SPAN, len(found)) + 1)
    ]


def values(prompt: NextAction, argument: Argument | None) -> list[Copied]:
    """What an argument may be given (None: the final answer), later ones said before earlier ones."""
    if argument is not None and argument.allowed:
        return [(tuple(value_symbols(value)), value) for value in argument.allowed if value_symbols(value)]
    seen = _seen(prompt)
    if argument is None:
        # Whether something is so is nowhere to be copied from, but only what came of a call can tell.
        return [*seen, *_TRUTHS] if prompt.history else seen
    both = [*seen, *spans(prompt.task)]
    if argument.type not in ("integer", "number"):
        return both
    numbers = [(told, _number(value, whole=argument.type == "integer")) for told, value in both]
    return [(told, value) for told, value in numbers if value is not None]


def _seen(prompt: NextAction) -> list[Copied]:
    said = words_of(task_symbols(prompt.task))
    answered = (past for past in reversed(prompt.history) if past.outcome == "answered")
    return [scalar for past in answered for scalar in scalars(past.observation, said)]


def _number(value: object, *, whole: bool) -> int | float | None:
    """The number that a value is or spells; None if it is none, or none without a fraction as `whole` wants."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if whole and not isinstance(value, int) else value
