"""What docrev writes into documents: sentences that can each stand alone, with the facts and calls that show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docrev.records import ChangeClass, Fact


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence (a purpose may have several), the class that it belongs to, and what shows it.

    `kind` is the kind of fact that it rests on; "" if it rests on calls alone, or is a purpose.
    """

    text: str
    kind: str = ""
    category: ChangeClass = "wording"
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()


def facts_behind(statements: Iterable[Statement]) -> tuple[Fact, ...]:
    """The facts behind statements, each once."""
    found: dict[tuple[object, ...], Fact] = {}
    for fact in (fact for statement in statements for fact in statement.facts):
        found.setdefault((fact.key, fact.kind, fact.location, str(fact.value)), fact)
    return tuple(found.values())


def categories(statements: Iterable[Statement]) -> tuple[ChangeClass, ...]:
    """The classes of statements, each once."""
    return tuple(dict.fromkeys(statement.category for statement in statements))
