"""`python -m docrev.sandbox atlas --port 8001`: run bundled services until Ctrl-C."""

from __future__ import annotations

import socket
import sys

import click

from docrev.errors import DocrevError
from docrev.sandbox.serve import SERVICES, run
from docrev.serving.processes import listen, url


@click.command()
@click.argument("names", nargs=-1, metavar="[atlas] [airfield] [depot]")
@click.option("--port", type=int, default=0, help="Port of the first service, the next one's is one higher.")
@click.option("--inherited", is_flag=True, hidden=True, help="Names are NAME=FD; end when standard input closes.")
def main(names: tuple[str, ...], port: int, inherited: bool) -> None:
    """Run the bundled services on loopback; prints the base URL of each."""
    try:
        if inherited:
            run({name: _adopted(fd) for name, _, fd in (one.partition("=") for one in names)}, child=True)
        else:
            chosen = names or SERVICES
            sockets = {name: listen(port + place if port else 0) for place, name in enumerate(chosen)}
            run(sockets, announce=lambda: _announce(sockets))
    except DocrevError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


def _announce(sockets: dict[str, socket.socket]) -> None:
    for name, sock in sockets.items():
        print(name, url(sock), flush=True)


def _adopted(fd: str) -> socket.socket:
    return socket.socket(fileno=int(fd))


if __name__ == "__main__":
    main()
