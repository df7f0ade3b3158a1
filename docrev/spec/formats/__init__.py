"""Other formats of tools: ToolBench's files, function schemas, MCP's lists; read as OpenAPI 3.1, and written from it.

Reading loses nothing: what has no place in OpenAPI stands under `x-…`, and writing brings it back to where it was.

x-category                  of a document: the category, which is a tag too
x-toolbench                 of a document, operation, parameter, property: the rest of a record of ToolBench,
                            DRAFT or EasyTool, with docrev's own words (`toolbench.parameters.RESERVED`)
x-functions, x-mcp          of a document: what the list was wrapped in; of an operation: the rest of its record
x-json-schema-KEYWORD       of a schema: a keyword whose value OpenAPI does not take
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from docrev.errors import UsageError
from docrev.events import Handler, StepTaken, ignore
from docrev.records import Json
from docrev.spec.catalog import Catalog
from docrev.spec.formats.draft import reader as draft_reader
from docrev.spec.formats.exported import Exported
from docrev.spec.formats.functions import reader as functions_reader
from docrev.spec.formats.functions import writer as functions_writer
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.mcp import reader as mcp_reader
from docrev.spec.formats.mcp import writer as mcp_writer
from docrev.spec.formats.postman import reader as postman_reader
from docrev.spec.formats.sources import SourceFile, sources
from docrev.spec.formats.toolbench import reader as toolbench_reader
from docrev.spec.formats.toolbench import writer as toolbench_writer

__all__ = ["READERS", "WRITERS", "Exported", "Imported", "export", "read", "read_part"]

READERS: dict[str, Callable[[Iterable[SourceFile], Imported], Imported]] = {
    "toolbench": toolbench_reader.read,
    "functions": functions_reader.read,
    "mcp": mcp_reader.read,
    "draft": draft_reader.read,
    "easytool": draft_reader.read,
    "postman": postman_reader.read,
}
WRITERS: dict[str, Callable[..., Exported]] = {
    "functions": functions_writer.export,
    "toolbench": toolbench_writer.export,
    "mcp": mcp_writer.export,
}


def read(format: str, paths: Sequence[Path | str], *, on_event: Handler = ignore) -> Imported:
    """The documents made from files or folders of a format. Raises UsageError if the format is unknown; InputError."""
    _check(format, READERS)
    result = Imported()

    def counted() -> Iterator[SourceFile]:
        for number, source in enumerate(sources(paths, result), 1):
            on_event(StepTaken("reading the sources", number, units="files"))
            yield source

    return READERS[format](counted(), result)


def read_part(task: Mapping[str, Any], on_event: Handler) -> dict[str, Json]:
    """A `part` of the documents made from `sources`: their texts, and what the whole import comes to.

    Each part reads all sources, since what one says depends on others; writing YAML is what takes time.
    """
    result = read(task["format"], task["sources"])
    return {"texts": result.texts(on_event, *task["part"]), "counts": result.counts()}


def export(format: str, catalog: Catalog, *, alone: bool = False, whole: bool = False) -> Exported:
    """A catalog in a format: in one file if `alone`, else in one file for each tool; `whole` cuts no description.

    Raises UsageError if the format is unknown.
    """
    _check(format, WRITERS)
    return WRITERS[format](catalog, alone=alone, whole=whole)


def _check(format: str, known: Mapping[str, object]) -> None:
    if format not in known:
        raise UsageError(f"no such format: {format}", fix=f"use one of {', '.join(known)}")
