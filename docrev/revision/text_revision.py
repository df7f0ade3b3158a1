"""The changes of descriptions: drafted, composed with what is there, and marked as docrev's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from docrev.facts.registry import LIST_EFFECTS
from docrev.models.concurrent_questions import Split, ask_concurrently
from docrev.records import Change, Fact
from docrev.revision.composition import Draft, compose, judged
from docrev.revision.drafts import Writing, purpose
from docrev.revision.notes import Statement, categories, confidence, facts_behind
from docrev.revision.observations import CatalogObservations
from docrev.revision.operation_notes import of_operation
from docrev.revision.operation_purposes import RESTS_ON
from docrev.revision.place_facts import common_facts
from docrev.revision.places import Spot, spots
from docrev.revision.selection import ALL_CHANGES, Offer, Selection, offer
from docrev.revision.value_notes import of_value
from docrev.spec import Catalog, Finding
from docrev.spec.lock import read_marks
from docrev.spec.marks import Mark, WrittenText, written

ASKED_AT_ONCE = 8
MAX_CALLS = 8
_SHOWN_CALLS = 3
_PURPOSE_RESTS_ON = frozenset({"comes-from", "type", "field", "format", *LIST_EFFECTS})
"""Kinds of facts that the purpose of a parameter or property may rest on."""


class TextRevision:
    """The revision of all descriptions of a catalog; `findings` says which were left alone.

    `marks` are those of each document, with the texts that the changes write.
    """

    def __init__(
        self, catalog: Catalog, observations: CatalogObservations, writing: Writing, selection: Selection = ALL_CHANGES
    ) -> None:
        self._catalog = catalog
        self._observations = observations
        self.writing = writing
        self.marks, self.findings = read_marks(catalog.documents)
        self._before: dict[tuple[str, str], Mark] = {}
        self._selection = selection
        selection.remember(self.marks)
        self.offers: dict[tuple[str, str], list[Offer]] = {}

    async def changes(self, split: Split) -> list[Change]:
        """The changes of descriptions, in the order of the operations that use them."""
        places = spots(self._catalog, self._observations)
        open_places = [spot for spot in places if self._may_change(spot)]
        questions = [partial(purpose, spot, self._observations, self.writing) for spot in open_places]
        purposes = await ask_concurrently(questions, at_once=ASKED_AT_ONCE, split=split)
        changes = [self._change(spot, text, places) for spot, text in zip(open_places, purposes, strict=True)]
        return [change for change in changes if change is not None]

    def _may_change(self, spot: Spot) -> bool:
        """Whether the text at a spot may be changed: not edited by a person since, and not in another language."""
        found = self.marks[spot.place.file].split(spot.pointer, spot.text)
        if found.edited:
            self._report("edited-since", spot, "this text was edited since docrev wrote it; it is left alone")
            return False
        summary = spot.first.observed.operation.summary if spot.kind == "operation" else ""
        if any(judged(spot, text) == "foreign" for text in (found.original, summary)):
            self._report("other-language", spot, "this text is not in English; nothing is mixed into it")
            return False
        return True

    def _report(self, id: str, spot: Spot, message: str) -> None:
        file, pointer = spot.place.file, spot.pointer
        line = self._catalog.documents[file].line(pointer)
        self.findings.append(Finding(id, "info", file, line, pointer, message))

    def _change(self, spot: Spot, purpose: str, places: Sequence[Spot]) -> Change | None:
        found = self.marks[spot.place.file].split(spot.pointer, spot.text)
        notes = [note for note in self._notes(spot, purpose, places) if self._is_wanted(spot, found, note)]
        stated = Statement(purpose, facts=_behind_purpose(spot), calls=tuple(_calls(spot)))
        stated = stated if self._is_wanted(spot, found, stated) else Statement("")
        draft = compose(spot, found, stated, notes, self.writing.budget)
        if draft is None:
            return None
        if found == WrittenText(spot.text) and draft.text != spot.text:
            draft = self._recognised(spot, stated, notes) or draft
        added = [statement for statement in draft.statements if statement.text not in found.added]
        whole = Statement(draft.text, category=categories(draft.statements)[0])
        if draft.text != spot.text and not added and not self._is_wanted(spot, found, whole):
            return None
        self._mark(spot, draft)
        if draft.text == spot.text:
            return None
        self.offers[spot.place.file, spot.pointer] = [
            self._offer(spot, found, draft, statement) for statement in added or [whole]
        ]
        facts = facts_behind((stated, *draft.statements))
        calls = [call for statement in (*draft.statements, stated) for call in statement.calls]
        calls += [call for fact in facts for call in fact.calls[:1]]
        return Change(
            file=spot.place.file,
            pointer=spot.pointer,
            before=spot.text or None,
            after=draft.text,
            key=spot.first.observed.key,
            facts=facts,
            calls=tuple(dict.fromkeys(calls))[:MAX_CALLS],
            classes=categories(added or [whole]),
            confidence=confidence(added or [whole]),
        )

    def _offer(self, spot: Spot, found: WrittenText, draft: Draft, statement: Statement) -> Offer:
        before = "" if found.original in draft.text else found.original
        use = spot.first
        return offer(spot.place.file, spot.pointer, use.observed.key, statement, place=use.location, before=before)

    def _is_wanted(self, spot: Spot, found: WrittenText, statement: Statement) -> bool:
        """Whether a statement is to be written at a spot; what is there already stays."""
        mark = self.marks[spot.place.file].at(spot.pointer)
        stands = bool(statement.text) and statement.text in found.added
        return stands or self._selection.wants(spot.place.file, spot.pointer, statement, mark)

    def _recognised(self, spot: Spot, purpose: Statement, notes: Sequence[Statement]) -> Draft | None:
        """The draft that the text of a spot is already, though no mark says so: a lock file may be lost or left behind.

        Without this, what docrev wrote would be added to itself.
        """
        pieces = [spot.text.find(statement.text) for statement in (purpose, *notes) if statement.text]
        for at in sorted({0, *(at for at in pieces if at > 0)} if max(pieces, default=-1) >= 0 else ()):
            found = WrittenText(spot.text[:at].rstrip(), spot.text[at:])
            draft = compose(spot, found, purpose, notes, self.writing.budget)
            if draft is not None and draft == Draft(spot.text, found.added):
                return draft
        return None

    def _notes(self, spot: Spot, purpose: str, places: Sequence[Spot]) -> list[Statement]:
        examples = self.writing.examples
        if spot.kind == "operation":
            return of_operation(spot.first.observed, self._observations, places, examples=examples)
        return of_value(spot, self._observations, purpose, examples=examples)

    def _mark(self, spot: Spot, draft: Draft) -> None:
        """Note which part of a text docrev writes, and of which classes it is."""
        marks = self.marks[spot.place.file]
        before = self._before[spot.place.file, spot.pointer] = marks.at(spot.pointer)
        found = draft.statements
        marks.put(spot.pointer, written(draft.added, categories(found), confidence(found), rejected=before.rejected))

    def forget(self, changes: Iterable[Change]) -> None:
        """Take back the marks of changes that were dropped."""
        for change in changes:
            if before := self._before.get((change.file, change.pointer)):
                self.marks[change.file].put(change.pointer, before)


def _behind_purpose(spot: Spot) -> tuple[Fact, ...]:
    """The facts that a purpose may rest on."""
    observed = spot.first.observed
    if spot.kind == "operation":
        return tuple(observed.all(*RESTS_ON))
    paging = observed.all("pages") if spot.name in observed.next_page else []
    return (*(fact for fact in common_facts(spot) if fact.kind in _PURPOSE_RESTS_ON), *paging)


def _calls(spot: Spot) -> list[str]:
    """Some calls that show what is documented."""
    if spot.kind == "operation":
        observed = spot.first.observed
        return [call.id for call in (observed.good or observed.bad)[:_SHOWN_CALLS]]
    return [call for use in spot.uses for _, call in use.values[:_SHOWN_CALLS]][:_SHOWN_CALLS]
