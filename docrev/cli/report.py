"""`docrev report`: an exploration as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName
from docrev.cli.printing import echo
from docrev.cli.progress import waiting


@click.command("report")
@click.argument("folder", metavar="[DIR]", default=".docrev", type=PathName())
@click.option(
    "-o",
    "--out",
    type=PathName(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="File to write the page to.",
)
@click.option(
    "--specs",
    multiple=True,
    type=PathName(),
    metavar="SPECS",
    help="Show each text before and after the revision of these files or folders; may be repeated.",
)
@click.option(
    "--examples",
    type=click.Choice(("masked", "observed")),
    default="masked",
    show_default=True,
    help="Values in responses: with personal ones masked, or all as observed.",
)
def command(folder: str, *, out: Path, specs: tuple[str, ...], examples: str) -> None:
    """Write what the newest run in DIR (.docrev) came to as one HTML page, which needs no other file and no network.

    The page shows coverage by operation, what was not reached and which value would help, requests over time, which
    operation feeds which, the search trees with right and wrong turns, and each fact with the calls that show it, as
    curl. With --specs, also each text before and after.

    \b
      docrev report -o report.html
      docrev report .docrev --specs specs -o report.html
    """
    from docrev.api import report

    with waiting("writing the report"):
        page = report(folder, specs=specs, examples="observed" if examples == "observed" else "masked", write_to=out)
    echo(f"{out}: {len(page.encode()):,} bytes")
