"""The texts of an operation as retrieval needs them: whole, in brief, and by tool.

The whole text has the parts of ToolLLM's documents (§3.2: category, tool, API, description, parameters, response) in a
form that reads as words: names are split at changes of case and at signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from docrev.language.characters import visible
from docrev.records import Json, OperationKey
from docrev.spec import Catalog
from docrev.spec.meaning import Absent, first_present
from docrev.spec.operation import Operation

_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“(])|\s*[;•]\s+|\n+")
_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d{2})")
_SIGNS = re.compile(r"[_/{}:\-.|]+")
_LONGEST_VALUE = 60
LONGEST = 600
"""Characters of a description that are read: what follows is seldom about what the operation does."""


@dataclass(frozen=True, slots=True)
class OperationText:
    """One operation in words. `tool_text` describes its tool; `parameters` and `fields` are split names.

    `examples` are the values that the document shows for parameters, by split name.
    """

    key: OperationKey
    category: str
    tool: str
    tool_text: str
    name: str
    text: str
    parameters: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def brief(self) -> str:
        """Tool, name and the first sentence."""
        return _joined(self.tool, self.name, next(iter(sentences(self.text)), ""))

    @property
    def whole(self) -> str:
        """All that is known, the most telling first: models read a bounded number of words."""
        examples = [f"{name} {value}" for name, value in self.examples]
        texts = [
            self.name,
            self.text,
            *_list("Takes", self.parameters),
            *_list("Gives", self.fields),
            *_list("As", examples),
        ]
        return _joined(self.category, self.tool, self.tool_text, *texts)


def texts_of(catalog: Catalog) -> list[OperationText]:
    """The texts of all operations of a catalog, in its order."""
    tools = {tool: _tool(catalog, tool) for tool in catalog.tools}
    return [_text_of(operation, *tools[operation.tool]) for operation in catalog.operations]


def tool_texts(texts: Sequence[OperationText]) -> dict[str, str]:
    """Each tool in words, with the names of its operations, by the tool of the keys and in the texts' order."""
    names: dict[str, list[str]] = {}
    first: dict[str, OperationText] = {}
    for text in texts:
        first.setdefault(text.key.tool, text)
        names.setdefault(text.key.tool, []).append(text.name)
    return {
        tool: _joined(text.category, text.tool, text.tool_text, ", ".join(dict.fromkeys(names[tool]))[:LONGEST])
        for tool, text in first.items()
    }


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; what is shorter than three characters is none."""
    return [line for part in _BREAK.split(text) if len(line := visible(part)) > 2]


def as_words(name: str) -> str:
    """An identifier as words: `getUserOrders` → `get User Orders`, `/titles/{id}/crew` → `titles id crew`."""
    return visible(_CASE.sub(" ", _SIGNS.sub(" ", name)))


def _tool(catalog: Catalog, tool: str) -> tuple[str, str]:
    """Title and description that a tool's document gives itself."""
    document = catalog.documents[catalog.files[tool]]
    title, text = document.get("/info/title", tool), document.get("/info/description", "")
    return visible(str(title or tool)), visible(str(text or ""))[:LONGEST]


def _text_of(operation: Operation, tool: str, tool_text: str) -> OperationText:
    name = operation.summary if _is_name(operation.summary) else operation.operation_id or operation.path
    texts = [operation.summary, operation.description]
    lines = [one for one in dict.fromkeys(map(visible, texts)) if one and one != name]
    return OperationText(
        key=operation.key,
        category=as_words(operation.tags[0]) if operation.tags else "",
        tool=as_words(tool),
        tool_text=tool_text,
        name=as_words(name),
        text="\n".join(lines)[:LONGEST],
        parameters=tuple(dict.fromkeys(as_words(one) for one in _parameters(operation))),
        fields=tuple(dict.fromkeys(as_words(one) for one in _fields(operation))),
        examples=tuple(_examples(operation)),
    )


def _is_name(summary: str) -> bool:
    """Whether a summary is short enough to be the operation's name."""
    return 0 < len(summary.split()) <= 6 and not summary.rstrip().endswith(".")


def _parameters(operation: Operation) -> Iterable[str]:
    yield from (one.name for one in operation.parameters if one.location in ("path", "query"))
    if operation.body and operation.body.schema:
        yield from list(operation.body.schema.properties())[:20]


def _examples(operation: Operation) -> Iterator[tuple[str, str]]:
    """The values that parameters and the properties of the body are shown with, if they are short."""
    shown: list[tuple[str, Json | Absent]] = []
    for one in operation.parameters:
        shown.append((one.name, first_present(one.example, one.schema.example, one.schema.default)))
    if operation.body and operation.body.schema:
        for name, schema in list(operation.body.schema.properties().items())[:20]:
            shown.append((name, first_present(schema.example, schema.default)))
    for name, value in shown:
        text = visible(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        if 0 < len(text) <= _LONGEST_VALUE and text.lower() not in ("string", "null", "none"):
            yield as_words(name), text


def _fields(operation: Operation, most: int = 20) -> list[str]:
    """The names in a successful response, outer ones first."""
    schema = operation.success.schema if operation.success else None
    if schema is None:
        return []
    paths = sorted((path for path, _ in schema.walk()), key=lambda path: path.count("/"))
    names = [path.rpartition("/")[2] for path in paths]
    return [one for one in names if one and not one.isdigit()][:most]


def _list(head: str, names: Sequence[str]) -> list[str]:
    return [f"{head} {', '.join(names)}"] if names else []


def _joined(*parts: str) -> str:
    """The parts that say something as sentences."""
    kept = [part.strip().rstrip(".") for part in dict.fromkeys(parts) if part.strip()]
    return ". ".join(" ".join(part.split()) for part in kept)
