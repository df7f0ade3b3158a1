"""What docrev writes into documents: sentences that can each stand alone, with the facts and calls that show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docrev.records import ChangeClass, Confidence, Fact
from docrev.spec.change_classes import by_worth


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence (a purpose may have several), the class that it belongs to, and what shows it.

    `kind` is the kind of fact that it rests on; "" if it rests on calls alone, or is a purpose. Of one kind, only
    statements `about` the same can be compared. `quotes` is what it quotes, in the order of the sentence, where that
    matters to others: a message, values, or names; a statement on a whole API that quotes nothing says less.
    """

    text: str
    kind: str = ""
    category: ChangeClass = "wording"
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()
    about: str = ""
    quotes: tuple[str, ...] = ()


MAX_CALLS = 5
"""Calls that a statement names where no fact stands behind it."""
CREATION = "creation"
"""What a statement is about that says what a creation returns."""


def facts_behind(statements: Iterable[Statement]) -> tuple[Fact, ...]:
    """The facts behind statements, each once."""
    found: dict[tuple[object, ...], Fact] = {}
    for fact in (fact for statement in statements for fact in statement.facts):
        found.setdefault((fact.key, fact.kind, fact.location, str(fact.value)), fact)
    return tuple(found.values())


def categories(statements: Iterable[Statement]) -> tuple[ChangeClass, ...]:
    """The classes of statements, each once, the most valuable first."""
    return by_worth(statement.category for statement in statements)


def confidence(statements: Iterable[Statement]) -> Confidence:
    """How sure a text is: "high" if each statement rests on facts, and fresh calls showed each of them again."""
    shown = [bool(statement.facts) and all(fact.replays for fact in statement.facts) for statement in statements]
    return "high" if shown and all(shown) else "medium"
