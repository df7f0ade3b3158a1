"""What is appended to a purpose: sentences that can each stand alone, with the facts and calls that show them."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.records import Fact


@dataclass(frozen=True, slots=True)
class FactNotes:
    """Sentences, the most important first: without room for all, the last are left out."""

    sentences: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()
