"""Tables of measured numbers beside what is wanted; what was rendered can be kept and compared with a later run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A number: what it is, what was measured, what is wanted; `met` is None if nothing is."""

    what: str
    measured: str
    wanted: str = ""
    met: bool | None = None


RENDERED: dict[str, list[Row]] = {}
"""The rows of every table that this process rendered, by title."""


def render(title: str, rows: Sequence[Row]) -> str:
    """A table as text; its rows are also kept in `RENDERED`."""
    RENDERED[title] = list(rows)
    cells = [("", "measured", "wanted", "")] + [
        (row.what, row.measured, row.wanted, {True: "met", False: "NOT MET", None: ""}[row.met]) for row in rows
    ]
    widths = [max(len(cell[i]) for cell in cells) for i in range(4)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(cell, widths, strict=True)).rstrip() for cell in cells]
    return "\n".join([title, "-" * len(title), *lines, ""])
