"""Which changes are wanted: by class, and by what a person accepted or declined.

What a person declined is kept with the marks of its place, as a hash of the facts behind it: it is not offered again
while these are the same, in whatever words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.records import Change, ChangeClass, Confidence, OperationKey
from docrev.revision.notes import Statement, confidence
from docrev.spec.change_classes import CLASSES
from docrev.spec.diff.view import plain
from docrev.spec.marks import Mark, Marks, short_hash


class OfferKey(NamedTuple):
    """What a person decides about: a statement at a place, by the hash of what it rests on."""

    file: str
    pointer: str
    basis: str


@dataclass(frozen=True, slots=True)
class Offer:
    """One statement, or one change that is no text, for a person to accept or to decline.

    `place` is its location in the operation, or a pointer; `before` is the text that it replaces, "" if it adds to one.
    """

    key: OfferKey
    category: ChangeClass
    operation: OperationKey | None
    place: str
    text: str
    confidence: Confidence
    before: str = ""


@dataclass(frozen=True)
class UnwantedOffers:
    """Offers that a person did not accept: `declined` while their facts are the same, `postponed` for this time."""

    declined: frozenset[OfferKey] = frozenset()
    postponed: frozenset[OfferKey] = frozenset()


NOTHING_CHOSEN = UnwantedOffers()


@dataclass(frozen=True)
class WantedChanges:
    """Which changes are wanted: those of the classes `only` (all, if there are none) without those of `skip`.

    `choice` is what a person did not accept.
    """

    only: Sequence[ChangeClass] = ()
    skip: Sequence[ChangeClass] = ()
    choice: UnwantedOffers = NOTHING_CHOSEN

    def wants(self, file: str, pointer: str, statement: Statement, mark: Mark) -> bool:
        """Whether a statement is to be written at a place that has this mark."""
        key = OfferKey(file, pointer, basis(statement))
        is_open = key not in self.choice.declined | self.choice.postponed and key.basis not in mark.rejected
        return is_open and statement.category in (self.only or CLASSES) and statement.category not in self.skip

    def is_only(self, name: ChangeClass) -> bool:
        """Whether no other class is wanted."""
        return {*(self.only or CLASSES)}.difference(self.skip) == {name}

    def wanted(self, changes: Iterable[Change], marks: Mapping[str, Marks]) -> list[Change]:
        """The changes that are wanted, of those that are no texts."""
        return [
            change
            for change in changes
            if self.wants(change.file, change.pointer, as_statement(change), marks[change.file].at(change.pointer))
        ]

    def remember(self, marks: Mapping[str, Marks]) -> None:
        """Note in the marks what was declined of these files."""
        for file, pointer, hashed in sorted(one for one in self.choice.declined if one.file in marks):
            mark = marks[file].at(pointer)
            marks[file].put(pointer, replace(mark, rejected=tuple(sorted({*mark.rejected, hashed}))))


ALL_CHANGES = WantedChanges()


def basis(statement: Statement) -> str:
    """The hash of what a statement rests on: its facts, or, without any, its words."""
    facts = sorted(canonical([*fact.key, fact.kind, fact.location, fact.value]) for fact in statement.facts)
    return short_hash(canonical([statement.category, facts or statement.text]))


def as_statement(change: Change) -> Statement:
    """A change that is no text as one statement."""
    return Statement(canonical(change.after), category=change.classes[0], facts=change.facts, calls=change.calls)


def offer(
    file: str, pointer: str, key: OperationKey | None, statement: Statement, *, place: str, before: str = ""
) -> Offer:
    """The offer of a statement at a place."""
    hashed = OfferKey(file, pointer, basis(statement))
    return Offer(hashed, statement.category, key, place, statement.text, confidence([statement]), before)


def offer_of(change: Change) -> Offer:
    """The offer of a change that is no text."""
    key = change.key
    place = change.pointer.removeprefix(pointers.join("paths", key.path, key.method.lower()) if key else "")
    found = offer(change.file, change.pointer, key, as_statement(change), place=place)
    return replace(found, text=plain(change.after))
