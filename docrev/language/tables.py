"""Tables as text: columns under each other, folded where there is less room than they need."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextvars import ContextVar

from docrev.language.characters import escaped

room: ContextVar[int | None] = ContextVar("room", default=None)
"""The characters of a line that tables may use: the width of a terminal; None is as many as they need."""


def columns(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """The lines of a table, its columns at `right` flush right. Where there is less room, cells take several lines."""
    rows = [[escaped(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    wide = [
        "  ".join(f"{cell:{'>' if at in right else '<'}{widths[at]}}" for at, cell in enumerate(row)).rstrip()
        for row in rows
    ]
    most = room.get()
    return wide if most is None or max(map(len, wide), default=0) <= most else _folded(rows, right, most)


def _folded(rows: Sequence[Sequence[str]], right: Container[int], most: int) -> list[str]:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for at in range(len(rows[0])):
        table.add_column(overflow="fold", justify="right" if at in right else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(width=most, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]
