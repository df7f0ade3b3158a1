"""`docrev import`: tools that are documented in other formats, as OpenAPI."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from docrev.cli.options import PathName, as_json, on_cluster
from docrev.cli.progress import Progress
from docrev.cli.results import print_result, print_warnings
from docrev.records import Json

_NAMES = ("toolbench", "functions", "mcp", "draft", "easytool", "postman")
_PARTS = 4
"""Parts that an import is divided into: each worker reads all sources."""


@click.command("import")
@click.argument("format", type=click.Choice(_NAMES), metavar="FORMAT")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=PathName())
@click.option(
    "-o",
    "--out",
    type=PathName(path_type=Path, file_okay=False),
    required=True,
    metavar="OUT_DIR",
    help="Folder to write the specs to.",
)
@on_cluster
@as_json
def command(format: str, sources: tuple[str, ...], out: Path, cluster: str | None, as_json: bool) -> None:
    """Write the tools that SOURCE (JSON files, or folders of them) documents into OUT_DIR, as OpenAPI 3.1.

    Writes one YAML file for each tool and loses nothing: what OpenAPI has no place for is kept under x-toolbench,
    x-functions, x-mcp and x-json-schema-KEYWORD. FORMAT is one of:

    \b
    toolbench  tool files (tools/CATEGORY/TOOL.json), response sketches, instruction files' api_list
    functions  function schemas: chat, responses, bare or input_schema; one, a list, {"tools": [...]}
    mcp        what a server answers to tools/list: the JSON-RPC answer, its result, or the list
    draft      DRAFT's records, of endpoints or under tool_guidelines
    easytool   EasyTool's records, likewise
    postman    collections (v2.x): requests as operations, with the form of their examples; docrev observe reads values

    An entry that cannot be used is left out, named on standard error and counted; the rest is imported.
    With --json, one object: {files, operations, duplicates, left_out, warnings}.
    """
    from docrev.spec.formats import read
    from docrev.spec.formats.imported import write_files

    with Progress("reading the sources") as progress:
        if cluster is None:
            result = read(format, sources, on_event=progress)
            files, counts = result.write(out, on_event=progress), result.counts()
        else:
            texts, counts = _read_on(cluster, format, sources, progress)
            files = write_files({out / name: texts[name] for name in sorted(texts)})
    print_warnings(counts["warnings"])
    print_result(
        {"files": [str(path) for path in files], **counts},
        f"{counts['operations']:,} operations of {len(files):,} {'tool' if len(files) == 1 else 'tools'} written to "
        f"{out}; {counts['duplicates']:,} met again, {counts['left_out']:,} left out.",
        as_json=as_json,
    )


def _read_on(
    cluster: str, format: str, sources: tuple[str, ...], progress: Progress
) -> tuple[dict[str, str], dict[str, Json]]:
    """The texts that workers make of the sources by file name, and what was counted."""
    from docrev.cluster.parts import shared_out
    from docrev.cluster.pool import Cluster

    request: dict[str, Json] = {"format": format, "sources": [*sources]}
    work = "docrev.spec.formats:read_part"
    with TemporaryDirectory(prefix="docrev-") as folder:
        parts = shared_out(Cluster.parse(cluster), work, request, Path(folder), progress, parts=_PARTS).values()
    texts = {name: text for part in parts for name, text in part["texts"].items()}
    return texts, next(iter(parts))["counts"]
