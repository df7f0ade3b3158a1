"""Other formats as OpenAPI 3.1: one document a tool, and nothing lost: what has no place stands under `x-…`.

x-category                  of a document: the category, which is a tag too
x-toolbench                 of a document, operation, parameter, property: the rest of a record of ToolBench,
                            DRAFT or EasyTool, with docrev's own words (`toolbench_parameters.RESERVED`)
x-functions, x-mcp          of a document: what the list was wrapped in; of an operation: the rest of its record
x-json-schema-KEYWORD       of a schema: a keyword whose value OpenAPI does not take
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docrev.errors import UsageError
from docrev.spec.importers import draft, functions, mcp, toolbench
from docrev.spec.importers.imported import Imported
from docrev.spec.importers.sources import Source, sources

__all__ = ["FORMATS", "Imported", "read"]

FORMATS: dict[str, Callable[[Iterable[Source], Imported], Imported]] = {
    "toolbench": toolbench.read,
    "functions": functions.read,
    "mcp": mcp.read,
    "draft": draft.read,
    "easytool": draft.read,
}


def read(format: str, paths: Sequence[Path | str]) -> Imported:
    """The documents that files or folders in a format make. Raises UsageError for a format that is none, InputError."""
    if format not in FORMATS:
        raise UsageError(f"no such format: {format}", fix=f"use one of {', '.join(FORMATS)}")
    result = Imported()
    return FORMATS[format](sources(paths, result), result)
