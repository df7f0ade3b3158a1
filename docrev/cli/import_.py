"""`docrev import`: tools that are documented in other formats, as OpenAPI."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName, as_json
from docrev.cli.progress import Progress
from docrev.cli.results import print_result, print_warnings

_NAMES = ("toolbench", "functions", "mcp", "draft", "easytool", "postman")


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
@as_json
def command(format: str, sources: tuple[str, ...], out: Path, as_json: bool) -> None:
    """Write the tools that SOURCE (JSON files, or folders of them) documents into OUT_DIR, as OpenAPI 3.1.

    One YAML file a tool, and nothing lost: what OpenAPI has no place for stands under x-toolbench, x-functions, x-mcp
    and x-json-schema-KEYWORD. FORMAT is one of:

    \b
    toolbench  tool files (tools/CATEGORY/TOOL.json), response sketches, instruction files' api_list
    functions  function schemas: chat, responses, bare or input_schema; one, a list, {"tools": [...]}
    mcp        what a server answers to tools/list: the JSON-RPC answer, its result, or the list
    draft      DRAFT's records, of endpoints or under tool_guidelines
    easytool   EasyTool's records, likewise
    postman    collections (v2.x): requests as operations, with the form of their examples; docrev observe reads values

    An entry that cannot be used is left out, said on stderr and counted; the rest is imported.
    With --json, one object: {files, operations, duplicates, left_out, warnings}.
    """
    from docrev.spec.formats import read

    with Progress("reading the sources") as progress:
        result = read(format, sources, on_event=progress)
        files = result.write(out, on_event=progress)
    print_warnings(result.warnings)
    print_result(
        {"files": [str(path) for path in files], "operations": result.operations}
        | {"duplicates": result.duplicates, "left_out": result.left_out, "warnings": result.warnings},
        f"{result.operations:,} operations of {len(files):,} {'tool' if len(files) == 1 else 'tools'} written to {out}"
        f"; {result.duplicates:,} met again, {result.left_out:,} left out.",
        as_json=as_json,
    )
