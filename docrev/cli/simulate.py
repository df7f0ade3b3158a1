"""`docrev simulate`."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName
from docrev.cli.printing import echo


@click.command("simulate")
@click.argument("spec", type=PathName(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port on loopback; by default a free one."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of the data that the service has."
)
def command(spec: Path, port: int, seed: int) -> None:
    """Serve any spec as one consistent service, until Ctrl-C.

    Its responses have the documented form: IDs from one operation are valid in the others, a search for a name finds
    something of that name, filters, sorts and pages do what they say, and what is written can be read back. Prints the
    base URL on standard output. Needs the extra: pip install 'docrev[sandbox]'
    """
    from docrev.serving.processes import listen, require_server, url
    from docrev.simulator.serve import run

    require_server("a simulated service")
    sock = listen(port)
    run(spec, seed, sock, announce=lambda: echo(url(sock)))
