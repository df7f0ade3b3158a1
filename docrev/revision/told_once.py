"""What statements of an operation say at two places: it stays at the parameter that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.language import documentation_phrases as phrases
from docrev.records import OperationKey
from docrev.revision.word_budget import WeighedStatement


def told_once(candidates: Sequence[WeighedStatement]) -> list[WeighedStatement]:
    """The candidates, of which those are worth nothing that say how an operation's next page is requested where the
    parameter says itself that it is a field of the page before."""
    told = {cursor for candidate in candidates for cursor in _cursors(candidate)}
    return [one._replace(worth=0.0) if _requests_page(one) in told else one for one in candidates]


def _cursors(candidate: WeighedStatement) -> Iterator[tuple[OperationKey, str]]:
    """By operation the field of the page before that a parameter is said to be, now or with this statement."""
    spot, statement = candidate.spot, candidate.statement
    text = f"{spot.text} {statement.text}" if candidate.worth > 0 else spot.text
    found = phrases.CURSOR.read(text) if spot.kind == "parameter" else None
    if found is not None and "field" in found:
        yield from ((use.observed.key, found["field"]) for use in spot.uses)


def _requests_page(candidate: WeighedStatement) -> tuple[OperationKey, str] | None:
    """The operation and the field with which its next page is requested, if a statement on it says so."""
    spot, statement = candidate.spot, candidate.statement
    found = phrases.NEXT_PAGE.read(statement.text) if spot.kind == "operation" and statement.kind == "pages" else None
    return (spot.first.observed.key, found["field"].rpartition(".")[2]) if found is not None else None
