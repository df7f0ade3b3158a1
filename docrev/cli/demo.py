"""`docrev demo`."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName
from docrev.cli.printing import echo
from docrev.sandbox.demo import run_demo


@click.command("demo")
@click.argument("folder", type=PathName(file_okay=False, path_type=Path), default=Path("docrev-demo"))
@click.pass_context
def command(ctx: click.Context, folder: Path) -> None:
    """Explore two bundled services and revise their specs.

    Writes FOLDER (./docrev-demo/): `specs`, as published, `evidence`, and `revised`. The services listen on free
    loopback ports and stop at the end. Needs the extra: pip install 'docrev[sandbox]'
    """
    from docrev.cli import run

    ctx.exit(run_demo(folder, explore=run, revise=run, out=echo))
