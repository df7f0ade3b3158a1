"""`python -m docrev.simulator SPEC --inherited FD`: a world on a socket that another process has bound."""

from __future__ import annotations

import argparse
import socket
import sys

from docrev.errors import DocrevError
from docrev.language.characters import escaped
from docrev.serving.processes import announce_ready
from docrev.simulator.serve import run


def main() -> None:
    """Serve, say `ready`, and end when standard input closes."""
    parser = argparse.ArgumentParser(prog="python -m docrev.simulator")
    parser.add_argument("spec")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inherited", type=int, required=True)
    options = parser.parse_args()
    try:
        sock = socket.socket(fileno=options.inherited)
        run(options.spec, options.seed, sock, announce=announce_ready, child=True)
    except DocrevError as error:
        print(escaped(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
