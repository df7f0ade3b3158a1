"""Prompts as messages: a template for each, filled with what the prompt holds, all of it cleaned.

A template is rendered twice, with `part` "system" (what is to be done, rules, examples: the same for every prompt of
its kind, so that servers can cache it) and "user" (this question). It is given the prompt's fields as plain data, every
text on one line and without control or invisible characters, and functions: `data(value, limit)` fences what came from
an API, `fenced(lines)` does so with lines of text that `shown(value, limit)` has made, `text(value, limit)` cuts,
`json(value)` shows a value. Whatever an API answered may only be put behind a fence.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, singledispatch
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from docrev.conventions.ids import identifying_members
from docrev.language.characters import shortened, visible
from docrev.language.documentation_phrases import sentences
from docrev.models import answer_forms, exploring_checks  # noqa: F401 (importing them registers the checks)
from docrev.models.answer_checks import check, operations_of
from docrev.models.native_turns import NativeConversation, conversation
from docrev.models.repeated_parts import repeated_lines, repeated_parameters, repeated_shapes
from docrev.models.response_shapes import response_shape
from docrev.prompts.agents import Past, ReadResponse, Sheet
from docrev.prompts.exploring import NextTurn
from docrev.prompts.questions import AnswerT, Brief, Prompt
from docrev.records import Call, Json, OperationKey
from docrev.render import render

__all__ = ["answer", "answer_class", "answer_schema", "functions", "messages", "native", "template_name", "written"]

MAX_TEXT = 1200
MAX_DATA = 2000
MAX_RESULT = 660
"""Characters of a response in a conversation with tools: every later turn holds it again."""
_OPERATION = re.compile(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`\s]*)`")
_BLANK = re.compile(r"\n{3,}")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TELLING = re.compile(r"[\"“'«]([^\"”'»]{2,60})[\"”'»]|\b(?:[A-Z][\w.-]+(?: [A-Z][\w.-]+)*|\d[\w.:-]*)")


def template_name(prompt: Prompt[Any] | type[Prompt[Any]]) -> str:
    """`prompts/next_plan.j2` for `NextPlan`."""
    kind = prompt if isinstance(prompt, type) else type(prompt)
    return f"prompts/{_HUMP.sub('_', kind.__name__).lower()}.j2"


def messages(prompt: Prompt[Any], *, templates: Path | None = None) -> list[dict[str, str]]:
    """The messages that a prompt is asked with: `role` system or user, and `content`.

    `templates` is a folder whose `prompts/*.j2` are taken before ours; one that does not tell the parts apart is sent
    as the user's message alone. Raises InputError for a user's template that is wrong.
    """
    system, user = _rendered(prompt, ("system", "user"), templates)
    told = [("system", system), ("user", user)] if system != user else [("user", user)]
    return [{"role": role, "content": content} for role, content in told if content]


def native(prompt: Prompt[Any], *, templates: Path | None = None) -> NativeConversation | None:
    """A prompt as a conversation with tools; None if it is none. Raises as `messages`."""
    if not isinstance(prompt, NextTurn):
        return None
    parts = ("native", "task", "siblings")
    texts = dict(zip(parts, _rendered(prompt, parts, templates), strict=True))
    focus = _focus(prompt)
    shown = [_call(node.call)["answer"] for node in prompt.history if node.call is not None]
    return conversation(prompt, texts, [fence(show_result(answer, MAX_RESULT, focus)) for answer in shown])


def functions(sheets: Sequence[Sheet], folded: Sequence[str] = ()) -> str:
    """The documentation of operations as agent prompts show it, by the bundled template; a line of the `folded`."""
    return render("prompts/parts/tools.j2", operations=_plain(tuple(sheets)), folded=folded, **_SHOWING_SHEETS)


def _rendered(prompt: Prompt[Any], parts: Sequence[str], templates: Path | None) -> list[str]:
    """Parts of a prompt's template."""
    name, focus = template_name(prompt), _focus(prompt)

    def shown(value: object, limit: int = MAX_DATA) -> str:
        return _text(value, limit) if isinstance(value, str) else show_value(value, limit, focus)

    def data(value: object, limit: int = MAX_DATA) -> str:
        return fence(shown(value, limit))

    def result(value: object, limit: int) -> str:
        return show_result(value, limit, focus)

    context = {
        **{field: _plain(getattr(prompt, field)) for field in type(prompt).model_fields},
        # What an API answered is cut where the template says, and not before.
        **({"response": prompt.response} if isinstance(prompt, ReadResponse) else {}),
        "data": data,
        "fence": fence,
        "fenced": _fenced,
        "result": result,
        "shown": shown,
        **_SHOWING_SHEETS,
    }
    texts = (render(name, templates=templates, part=part, **context) for part in parts)
    return [_BLANK.sub("\n\n", text).strip() for text in texts]


@singledispatch
def _plain(value: Any) -> Any:
    """A field of a prompt as templates see it: objects as mappings, operations by name, texts cleaned and cut."""
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


@_plain.register(str)
@_plain.register(OperationKey)
def _line(value: str | OperationKey) -> str:
    return _text(value, MAX_TEXT)


@_plain.register
def _fields(value: BaseModel) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name in type(value).model_fields}


@_plain.register
def _past(value: Past) -> dict[str, Any]:
    """The observation is whole: `data` cleans it, and cuts it where the template says."""
    return {**_fields(value), "observation": value.observation}


@_plain.register
def _sheet(value: Sheet) -> dict[str, Any]:
    """What holds for a whole API is whole: it stands once, and is cut where the template says."""
    return {**_fields(value), "api": value.api}


@_plain.register
@lru_cache(maxsize=4096)
def _brief(value: Brief) -> dict[str, Any]:
    """Kept: every question of a search lists the same operations."""
    return _fields(value)


@_plain.register
def _sorted(value: frozenset) -> list[Any]:  # type: ignore[type-arg]
    return sorted(map(_plain, value))


@_plain.register(list)
@_plain.register(tuple)
def _list(value: Sequence[Any]) -> list[Any]:
    plain = [_plain(part) for part in value]
    names = {(part.key.tool, part.key.operation): part.name for part in value if isinstance(part, Sheet)}
    return (
        [_in_functions(part, sheet.key.tool, names) for part, sheet in zip(plain, value, strict=True)]
        if names
        else plain
    )


def _in_functions(sheet: dict[str, Any], tool: str, names: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    """A sheet whose texts call the operations of its tool as the functions are called: its reader sees no paths."""

    def named(text: str) -> str:
        return _OPERATION.sub(lambda found: f"`{names.get((tool, found[1]), found[1])}`", text)

    def described(part: dict[str, Any]) -> dict[str, Any]:
        return {**part, "description": named(part["description"])}

    lists = {name: [described(part) for part in sheet[name]] for name in ("parameters", "fields")}
    return described({**sheet, **lists, "api": named(sheet["api"])})


@_plain.register
def _mapping(value: Mapping) -> dict[str, Any]:  # type: ignore[type-arg]
    return {visible(str(name)): _plain(part) for name, part in value.items()}


@_plain.register
def _call(call: Call) -> dict[str, Any]:
    """What a model is told of a call; `answer` is the API's, and only for `data`."""
    told: dict[str, Any] = {"status": call.status}
    if call.error:
        told |= {"error": call.error, "detail": call.detail}
    return {
        "key": _plain(call.key),
        "arguments": _plain(call.arguments),
        "ok": call.ok,
        "answer": {**told, "body": call.body},
    }


def _text(value: Any, limit: int = MAX_TEXT) -> str:
    """On one line, cleaned, and cut."""
    return shortened(visible(str(value)[: 4 * limit]), limit)


def _fenced(lines: str) -> str:
    return fence("\n".join(line for line in map(visible, lines.split("\n")) if line))


def _json(value: object) -> str:
    return show_value(value, MAX_TEXT)


_SHOWING_SHEETS: dict[str, Any] = {
    "repeated_lines": repeated_lines,
    "repeated_parameters": repeated_parameters,
    "repeated_shapes": repeated_shapes,
    "response_shape": response_shape,
    "first_sentence": lambda described: next(iter(sentences(described)), ""),
    "text": _text,
    "json": _json,
}
"""What the template of an operation's documentation calls."""


def _focus(prompt: Prompt[Any]) -> tuple[str, ...]:
    """What the prompt's scenario is about, casefolded: items of a long list that hold it are not cut away."""
    scenario = getattr(prompt, "scenario", None)
    if scenario is None:
        return ()
    found = [match[1] or match[0] for match in _TELLING.finditer(visible(scenario.text)[:MAX_TEXT])]
    plan = getattr(prompt, "plan", None)
    found += [str(value) for value in (plan.arguments.values() if plan is not None else ()) if _is_searchable(value)]
    return tuple(dict.fromkeys(word.casefold() for word in found if len(word) > 1))[:20]


def _is_searchable(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 1


def answer_class(prompt: Prompt[Any] | type[Prompt[Any]]) -> type:
    """The class of a prompt's answer."""
    return _answer_class(prompt if isinstance(prompt, type) else type(prompt))


@lru_cache(maxsize=128)
def _answer_class(kind: type[Prompt[Any]]) -> type:
    for base in kind.__mro__:
        generic = getattr(base, "__pydantic_generic_metadata__", None) or {}
        origin = generic.get("origin")
        if isinstance(origin, type) and issubclass(origin, Prompt):
            found: type = generic["args"][0]
            return found
    raise TypeError(f"{kind.__name__} does not say what its answer is: derive it from Prompt[…]")


def answer_schema(prompt: Prompt[Any]) -> dict[str, Json]:
    """The JSON schema of what a model is to write: closed, all properties required, as strict output demands."""
    return answer_forms.schema(answer_class(prompt), operations_of(prompt))


def answer(prompt: Prompt[AnswerT], data: object) -> AnswerT:
    """The answer that `data` says. Raises AnswerError if it is not one, or says what the prompt does not allow."""
    read = answer_forms.read(answer_class(prompt), data, operations_of(prompt))
    return cast(AnswerT, check(prompt, read))


def written(prompt: Prompt[AnswerT], given: AnswerT) -> Json:
    """An answer in the form that models write: `answer(prompt, written(prompt, given))` is `given`."""
    return answer_forms.written(given, answer_class(prompt))


# Items of a list, characters of a text, and levels that are shown: the first that fits is taken.
_LEVELS = ((100, 2000, 20), (40, 400, 12), (12, 200, 10), (6, 120, 8), (3, 80, 6), (2, 40, 5), (1, 24, 4))
_MAX_FIELDS = 80
_ROOMS = ((200, 12), (80, 6), (40, 3))
"""Characters of a text and the fewest items of a list, from the most to the least telling."""
_ITEMS = (100, 60, 40, 30, 25, 20, 18, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3)
_MIN_ROWS = 3
_MAX_LEFT_OUT = 200


def fence(text: str, *, name: str = "data") -> str:
    """`text` between `<data-1a2b3c4d>` and `</data-1a2b3c4d>`, on lines of their own."""
    content = text.encode(errors="replace")
    digests = (hashlib.sha256(content + str(turn).encode()).hexdigest()[:8] for turn in count())
    tag = next(f"{name}-{digest}" for digest in digests if digest not in text.lower())
    return f"<{tag}>\n{text}\n</{tag}>"


def show_value(value: object, limit: int = 2000, focus: Sequence[str] = ()) -> str:
    """A JSON value on one line of at most `limit` characters: lists and texts are cut, and then what lies deep, so
    that the names of fields are the last to go. Items that hold one of `focus` (casefolded) are kept before others.
    """
    text = ""
    for items, characters, levels in _LEVELS:
        text = visible(_dump(_cut(value, items, characters, levels, focus)))
        if len(text) <= limit:
            return text
    return f"{text[: limit - 1]}…"


def show_result(value: object, limit: int, focus: Sequence[str] = ()) -> str:
    """As `show_value`, but lists end where the room does: items of the same fields are rows below the names of these
    fields, and those that are left out are named by what identifies them."""
    text = show_value(value, limit, focus)
    if text == visible(_dump(_cut(value, *_LEVELS[0], focus))):
        return text
    for characters, fewest in _ROOMS:
        for items in (items for items in _ITEMS if items >= fewest):
            fuller = visible(_dump(_cut(value, items, characters, 12, focus, as_rows=True)))
            if len(fuller) <= limit:
                return fuller
    return text


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _cut(
    value: object, items: int, characters: int, levels: int, focus: Sequence[str], *, as_rows: bool = False
) -> Json:
    if isinstance(value, str):
        text = visible(value[: 4 * characters])
        return text if len(text) <= characters else f"{text[:characters]}…"
    if not isinstance(value, dict | list) or not value:
        return value
    if levels == 0:
        return "{…}" if isinstance(value, dict) else f"[… {len(value)} items]"
    if isinstance(value, list):
        chosen = _chosen(value, items, focus)
        kept = [_cut(part, items, characters, levels - 1, focus, as_rows=as_rows) for part in chosen]
        return [*(_rows(kept, len(value)) if as_rows else kept), *_left_out(value, chosen, with_names=as_rows)]
    cut = {
        visible(name[:100]): _cut(part, items, characters, levels - 1, focus, as_rows=as_rows)
        for name, part in islice(value.items(), _MAX_FIELDS)
    }
    return cut if len(value) <= _MAX_FIELDS else {**cut, "…": f"{len(value) - _MAX_FIELDS} more"}


def _rows(items: list[Json], count: int) -> list[Json]:
    """Objects of the same fields as lists of values, after a line with the names; other items as they are."""
    fields = list(items[0]) if items and isinstance(items[0], dict) else []
    if not fields or len(items) < _MIN_ROWS:
        return items
    rows: list[Json] = [list(item.values()) for item in items if isinstance(item, dict) and list(item) == fields]
    return [f"{count} items, each [{', '.join(fields)}]:", *rows] if len(rows) == len(items) else items


def _left_out(value: list[Json], chosen: list[Json], *, with_names: bool) -> Iterator[Json]:
    """How many items of a list are not among those that are shown, and which."""
    if len(value) == len(chosen):
        return
    present = {id(item) for item in chosen}
    others = islice((item for item in value if with_names and id(item) not in present), 40)
    names = (" ".join(str(part) for _, part in identifying_members(item)[:2]) for item in others)
    listed = visible(", ".join(filter(None, names)))
    if len(listed) > _MAX_LEFT_OUT:
        listed = f"{listed[:_MAX_LEFT_OUT].rpartition(', ')[0]}, …"
    yield f"… {len(value) - len(chosen)} more{': ' if listed else ''}{listed}"


def _chosen(value: list[Json], items: int, focus: Sequence[str]) -> list[Json]:
    """`items` of a list in their order: those that hold what is looked for, then the first."""
    if len(value) <= items or not focus:
        return value[:items]
    held = [at for at, part in enumerate(value[:2000]) if _holds(part, focus)]
    kept = sorted(list(dict.fromkeys([*held, *range(items)]))[:items])
    return [value[at] for at in kept]


def _holds(part: object, focus: Sequence[str]) -> bool:
    text = _dump(part).casefold() if isinstance(part, dict | list) else str(part).casefold()
    return any(word in text for word in focus)
