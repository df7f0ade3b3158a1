"""`docrev` and `python -m docrev`: the command line, which may be interrupted from its first moment on."""

from __future__ import annotations

import os
import signal
from types import FrameType


def main() -> None:
    """Run the command line and exit."""
    # Until the command line is imported, and says so itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    from docrev.cli import main as run

    run()


def _stop(number: int, frame: FrameType | None) -> None:
    os.write(2, b"docrev: interrupted; all evidence is kept: the same command goes on, unless it says --fresh\n")
    os._exit(130)


if __name__ == "__main__":
    main()
