"""The line at the foot of a terminal that says what is going on, drawn by rich; it is gone when the work is done."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.cli.printing import is_quiet, plain, printed_above

if TYPE_CHECKING:
    from rich.console import RenderableType

DELAY_SECONDS = 1.0
"""What is done sooner needs no line."""
_BAR, _LEAST_BAR = 24, 10


@dataclass(frozen=True)
class State:
    """What the line says: what is done, how far it is (`done` of `total` `units`), and `counts` of what came of it."""

    what: str
    done: int = 0
    total: int | None = None
    units: str = ""
    counts: str = ""


@contextmanager
def moving_line(state: Callable[[], State]) -> Iterator[None]:
    """In the block, a terminal shows what `state` returns, four times a second; anything else shows nothing."""
    if is_quiet() or not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_show, args=(state, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _show(state: Callable[[], State], over: threading.Event) -> None:
    begun = time.monotonic()
    if over.wait(DELAY_SECONDS):
        return
    # Only now: most commands are done before rich would be loaded.
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    class Terminal(Console):
        """It leaves the cursor where it is seen: an interrupt may end the process at any moment."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    console, spinner = Terminal(stderr=True, highlight=False), Spinner("dots")

    def drawn() -> RenderableType:
        return _line(state(), spinner, time.monotonic() - begun, console.width)

    live = Live(
        console=console, get_renderable=drawn, refresh_per_second=4, transient=True,
        redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
    # Nobody reads it any more: no reason to stop.
    with suppress(OSError), printed_above(console), live:
        over.wait()


def _line(state: State, spinner: RenderableType, seconds: float, width: int) -> RenderableType:
    """Spinner, phase, bar, how far, rate, time and counts, as far as there is room for them."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    texts = [state.what]
    if state.units:
        texts.append(f"{state.done:,}{f' of {state.total:,}' if state.total else ''} {state.units}")
    if state.done:
        texts.append(f"{state.done / seconds:,.0f}/s")
    texts.append(f"{int(seconds) // 60}:{int(seconds) % 60:02}")
    left = width - len("*  ") - sum(len(text) + 2 for text in texts)
    if state.counts and left > len(state.counts) + 2:
        texts.append(state.counts)
        left -= len(state.counts) + 2
    parts: list[RenderableType] = [spinner, *map(plain, texts)]
    if state.total and left > _LEAST_BAR:
        bar = ProgressBar(state.total, min(state.done, state.total), width=min(left - 2, _BAR), complete_style="green")
        parts.insert(2, bar)
    line = Table.grid(padding=(0, 2, 0, 0))
    for _ in parts:
        line.add_column(no_wrap=True, overflow="ellipsis")
    line.add_row(*parts)
    return line
