"""`docrev export`: specs in the formats of those who read no OpenAPI."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, settings_options, specs
from docrev.cli.progress import waiting
from docrev.cli.results import print_result, print_warnings
from docrev.settings.groups import SpecSettings

_NAMES = ("functions", "toolbench", "mcp", "arazzo", "har")


@click.command("export")
@click.argument("format", type=click.Choice(_NAMES), metavar="FORMAT")
@specs
@click.option(
    "-o",
    "--out",
    type=PathName(path_type=Path),
    required=True,
    metavar="OUT",
    help="File that ends in .json, or folder, to write to.",
)
@click.option(
    "--evidence",
    type=PathName(),
    default=".docrev",
    show_default=True,
    metavar="DIR",
    help="Folder that docrev explore wrote its evidence to, for arazzo.",
)
@click.option(
    "--whole", is_flag=True, help="Keep descriptions of functions whole, even over OpenAI's limit of 1,024 characters."
)
@click.option("--leaving", is_flag=True, help="Write workflows that leave behind what they create too, for arazzo.")
@settings_options(SpecSettings, from_file=False)
@as_json
def command(
    format: str,
    specs: tuple[str, ...],
    settings: SpecSettings,
    *,
    out: Path,
    evidence: str,
    whole: bool,
    leaving: bool,
    as_json: bool,
) -> None:
    """Write SPECS (files, or folders of files) as FORMAT: functions, toolbench, mcp; or evidence, as arazzo or har.

    Writes one file if OUT ends in .json, else one file for each tool into the folder OUT. Operations get unique names
    of at most 64 characters; OUT.names.json, or _names.json in the folder, says what each name stands for: tool,
    operation, and where each argument goes. The experience of an operation is added to the end of its description.

    What docrev import read is written as it was, and docrev import makes the same specs of it again.
    With --json, prints one object: {files, operations, renamed, cut, warnings}.

    arazzo writes the scenarios that an exploration solved (--evidence) as workflows of one Arazzo 1.0.1 document, the
    file OUT: inputs, with the given values as defaults, steps, outputs, success criteria. Runners of Arazzo execute
    them against the specs where they are now. The last steps delete what the others created; if no deletion is known
    to work, a workflow is written only with --leaving. --json gives {files, workflows}.

    har writes the calls of the newest run in an evidence folder (in place of SPECS) as HAR 1.2, which browsers, proxies
    and docrev observe read; OUT is a file, and --json gives {files, calls}.
    """
    if format == "har":
        _export_har(specs, out, as_json)
        return
    if format == "arazzo":
        _export_arazzo(specs, evidence, out, leaving=leaving, as_json=as_json)
        return
    from docrev.spec import load
    from docrev.spec.formats import export

    with waiting("reading the specs"):
        catalog = load(list(specs), max_size=settings.max_spec_size)
    result = export(format, catalog, alone=out.suffix.lower() == ".json", whole=whole)
    files = result.write(out)
    print_warnings([str(finding) for finding in catalog.left_out] + result.warnings)
    print_result(
        {"files": [str(path) for path in files], "operations": result.operations}
        | {"renamed": result.renamed, "cut": result.cut, "warnings": result.warnings},
        f"{result.operations:,} operations written to {out}; {result.renamed:,} renamed, {result.cut:,} texts cut.",
        as_json=as_json,
    )


def _export_har(folders: tuple[str, ...], out: Path, as_json: bool) -> None:
    from docrev.api_files import export_har

    if len(folders) != 1:
        raise click.UsageError("name one folder of evidence")
    calls = export_har(folders[0], out)
    print_result({"files": [str(out)], "calls": calls}, f"{calls:,} calls written to {out}.", as_json=as_json)


def _export_arazzo(specs: tuple[str, ...], evidence: str, out: Path, *, leaving: bool, as_json: bool) -> None:
    from docrev.api_files import export_arazzo

    count = export_arazzo(list(specs), out, evidence=evidence, leaving=leaving)
    print_result({"files": [str(out)], "workflows": count}, f"{count:,} workflows written to {out}.", as_json=as_json)
