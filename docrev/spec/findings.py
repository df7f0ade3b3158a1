"""What is wrong with a spec that can still be used: values, not exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Level = Literal["error", "warning", "info"]


class Place(NamedTuple):
    """Where a thing is defined, after `$ref`: a document's name and a JSON pointer (RFC 6901). Edits go there."""

    file: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to report on a spec. `id` is stable kebab-case; `line` is 1-based; `fix` says what to do."""

    id: str
    level: Level
    file: str
    line: int
    pointer: str
    message: str
    fix: str = ""

    @property
    def where(self) -> str:
        """`file:line`, as editors open it."""
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        hint = f"; {self.fix}" if self.fix else ""
        at = f" at {self.pointer}" if self.pointer else ""
        return f"{self.where}: {self.level}: {self.message}{at}{hint} [{self.id}]"
