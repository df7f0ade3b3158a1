"""What is appended to a purpose: sentences, each of which can stand alone, with the facts and calls that show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docrev.records import Fact
from docrev.render import render


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences, the weightiest first: where there is no room, the last go."""

    sentences: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()


def lines(template: str, context: dict[str, Any]) -> tuple[str, ...]:
    """The sentences of a template that has one a line."""
    return tuple(line.strip() for line in render(template, **context).splitlines() if line.strip())
