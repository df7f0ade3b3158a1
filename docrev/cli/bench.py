"""`docrev bench`: measure. `docrev bench recovery` hides documentation and scores what is found again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json
from docrev.cli.progress import Progress


@click.group("bench")
def command() -> None:
    """Measure docrev itself: what it finds out, against what is known to be true."""


@command.command("recovery")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path(path_type=Path))
@click.option(
    "--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Where the good specs' services are."
)
@click.option("--simulate", is_flag=True, help="Serve simulated worlds made of the good specs.")
@click.option("--hide", "kinds", default="all", show_default=True, metavar="KINDS", help="What to hide, see above.")
@click.option("--share", default=1.0, show_default=True, type=click.FloatRange(0, 1), help="Of the places, how many.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option(
    "--allow", multiple=True, metavar="METHODS", help="As for explore; POST,PUT,PATCH,DELETE with --simulate."
)
@click.option("--calls", default=40, show_default=True, type=click.IntRange(1), help="Requests an operation, at most.")
@click.option("--closed", is_flag=True, help="The good specs are whole: what they do not have is wrong.")
@click.option("--curve", is_flag=True, help="Also measure with 5, 10, 20 and 40 calls, and with probing at random.")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write recovery.json and recovery.svg there."
)
@as_json
def recovery(**options: Any) -> None:
    """Hide documentation of good SPECs, explore and revise what is left, and score every hidden fact.

    The specs' keywords are taken as the truth, with the extensions that eval/truth.py lists (x-filters, x-sorts, …).
    Kinds to hide: descriptions, parameters, required, types, enums, defaults, bounds, examples, responses, or all,
    which is all of them but parameters: the names of query parameters stay, as no call can show a name that nobody
    knows; `all,parameters` takes those too.

    A statement is recovered where place and value are right, wrong where the truth contradicts it, silent where the
    truth does not speak. With --json one object: operations, requests, calls_per_operation, facts and revised (total,
    mean_recall, kinds, wrong, missed), left_out, and the points of the curve.
    """
    from docrev.eval import reports

    with Progress() as progress:
        found = reports.recover(options, progress)
    if options["out"] is not None:
        reports.write(found, options["out"])
    click.echo(json.dumps(found.to_json()) if options["as_json"] else found.to_text())
