"""Descriptions for formats that have no other place for experience, within the consumer's limits."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docrev.json_values.containers import mapping, sequence
from docrev.language.documentation_phrases import marked, sentences
from docrev.records import OperationKey
from docrev.spec.catalog import Catalog
from docrev.spec.meaning import string
from docrev.spec.operation import Operation

MOST_GENERAL = 200
"""Characters of a sentence on all operations that is repeated at one."""
_OPERATION = re.compile(r"`([A-Z]+ /[^`]*)`")
_WITH_TOOL = 3
"""Words of an operation to use that is another tool's."""
Names = Mapping[OperationKey, str]
"""What the reader calls each operation."""


def described(
    catalog: Catalog, operation: Operation, names: Mapping[OperationKey, str], *, summary: bool = True
) -> str:
    """The operation's text (without its summary unless `summary`), what the document says of its parameters for all
    operations, since these formats have no place for that, and its experience, operations by `names`."""
    text = operation.text if summary else operation.description
    general = " ".join(line for line in _of_all(catalog, operation) if line not in text)
    text = f"{text} {general}".strip() if general else text
    lessons = [line for said, line in _lessons(catalog, operation, names) if said not in text]
    return "\n\n".join([text, *lessons] if text else lessons)


def _of_all(catalog: Catalog, operation: Operation) -> list[str]:
    """The sentences in `info.description` that name a parameter of the operation."""
    text = string(catalog.documents[operation.place.file].get("/info/description", None))
    named = {parameter.name for parameter in operation.written_parameters}
    return [line for line in sentences(text) if len(line) <= MOST_GENERAL and named.intersection(marked(line))]


def bounded(text: str, limit: int) -> str:
    """`text` within `limit` characters: whole paragraphs are dropped from its end first, then words of the first."""
    if len(text) <= limit:
        return text
    kept = text.split("\n\n")
    while len(kept) > 1 and len("\n\n".join(kept)) > limit:
        kept.pop()
    short = "\n\n".join(kept)
    return short if len(short) <= limit else short[: limit - 1].rpartition(" ")[0].rstrip(" ,;:") + "…"


def _lessons(catalog: Catalog, operation: Operation, names: Names) -> list[tuple[str, str]]:
    """Each experience as it stands in the spec, and with the reader's names for operations."""
    told = mapping(catalog.node(operation.place, "/x-docrev"))
    items = [mapping(item) for item in sequence(told.get("experience"))]
    entries = [item for item in items if "parameter" not in item]
    texts = [(string(entry.get("text")), entry) for entry in entries]
    return [(text, _named(text, entry, operation.tool, names)) for text, entry in texts if text]


def _named(text: str, entry: dict[str, object], tool: str, names: Names) -> str:
    """An experience with the names that the reader has for operations: of the tool of the one to use."""
    words = string(entry.get("use")).split()
    tool = words[0] if len(words) == _WITH_TOOL else tool
    return _OPERATION.sub(lambda found: names.get(OperationKey(tool, found[1]), found[0]), text)
