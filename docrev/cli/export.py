"""`docrev export`: specs in the formats of those who read no OpenAPI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json, max_spec_size, specs
from docrev.cli.told import tell, warn

_NAMES = ("functions", "toolbench", "mcp")


@click.command("export")
@click.argument("format", type=click.Choice(_NAMES), metavar="FORMAT")
@specs
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, metavar="OUT", help="A .json or a folder.")
@click.option("--whole", is_flag=True, help="Leave descriptions of functions that are over OpenAI's 1,024 characters.")
@max_spec_size
@as_json
@click.pass_context
def command(ctx: click.Context, /, format: str, specs: tuple[str, ...], out: Path, whole: bool, **_: Any) -> None:
    """Write SPECS (files, or folders of files) as FORMAT: functions, toolbench or mcp.

    Into one file where OUT ends in .json, else into the folder OUT, a file a tool. Operations get names that are
    unique and within 64 characters; OUT.names.json, or _names.json in the folder, says what each one stands for:
    tool, operation, and where each argument goes. Experience of the operation stands at the end of its description.

    What docrev import wrote comes back as it was, and docrev import gives the same specs of it again.
    With --json, one object: {files, operations, renamed, cut, warnings}.
    """
    from docrev.spec import load
    from docrev.spec.formats import export

    values = ctx.params
    catalog = load(list(specs), max_size=values["max_spec_size"])
    result = export(format, catalog, alone=out.suffix.lower() == ".json", whole=whole)
    files = result.write(out)
    warn([str(finding) for finding in catalog.left_out] + result.warnings)
    tell(
        {"files": [str(path) for path in files], "operations": result.operations}
        | {"renamed": result.renamed, "cut": result.cut, "warnings": result.warnings},
        f"{result.operations:,} operations written to {out}; {result.renamed:,} renamed, {result.cut:,} texts cut.",
        as_json=values["as_json"],
    )
