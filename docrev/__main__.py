"""`docrev` and `python -m docrev`: the command line, which may be interrupted from its first moment on."""

from __future__ import annotations

import os
import signal
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit."""
    # Until the command line is imported, and says so itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    from docrev.cli import main as run

    run()


def stop(number: int, frame: FrameType | None) -> None:
    """Say that the command was interrupted, and end the process."""
    os.write(2, b"docrev: interrupted; all evidence is kept\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
