"""The changes of descriptions: drafted, composed with what is there, and fingerprinted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from docrev.facts.registry import LIST_EFFECTS
from docrev.models.concurrent_questions import Split, ask_concurrently
from docrev.records import Change, ChangeClass, Fact
from docrev.revision.composition import Draft, compose, judged, present_text
from docrev.revision.drafts import Writing, purpose
from docrev.revision.fingerprints import Fingerprints, WrittenText
from docrev.revision.notes import Statement, categories, facts_behind
from docrev.revision.observations import CatalogObservations
from docrev.revision.operation_notes import of_operation
from docrev.revision.operation_purposes import RESTS_ON
from docrev.revision.place_facts import common_facts
from docrev.revision.places import Spot, spots
from docrev.revision.value_notes import of_value
from docrev.revision.worth import Candidate, choose, worth
from docrev.spec import Catalog, Finding, Place

ASKED_AT_ONCE = 8
MAX_CALLS = 8
_SHOWN_CALLS = 3
_PURPOSE_RESTS_ON = frozenset({"comes-from", "type", "field", "format", *LIST_EFFECTS})
"""Kinds of facts that the purpose of a parameter or property may rest on."""


class TextRevision:
    """The revision of all descriptions of a catalog; `findings` says which were left alone."""

    def __init__(self, catalog: Catalog, observations: CatalogObservations, writing: Writing) -> None:
        self._catalog = catalog
        self._observations = observations
        self._prints = {name: Fingerprints.of(document) for name, document in catalog.documents.items()}
        self.writing = writing
        self.findings: list[Finding] = []

    async def changes(self, split: Split) -> list[Change]:
        """The changes of descriptions, in the order of the operations that use them."""
        places = spots(self._catalog, self._observations)
        open_places = [spot for spot in places if self._may_change(spot)]
        present = [present_text(spot, self._written(spot).original) for spot in open_places]
        questions = [
            partial(purpose, spot, self._observations, self.writing, described=bool(text))
            for spot, text in zip(open_places, present, strict=True)
        ]
        purposes = await ask_concurrently(questions, at_once=ASKED_AT_ONCE, split=split)
        candidates: list[Candidate] = []
        for spot, text, written in zip(open_places, present, purposes, strict=True):
            candidates += self._candidates(spot, text, written, places)
        chosen: dict[Place, list[Statement]] = {}
        for spot, statement, _ in choose(candidates, self.writing.words):
            chosen.setdefault(spot.place, []).append(statement)
        changes = [self._change(spot, chosen.get(spot.place, [])) for spot in open_places]
        return [change for change in changes if change is not None]

    def _candidates(self, spot: Spot, text: str, purpose: str, places: Sequence[Spot]) -> list[Candidate]:
        """The statements on a spot that would tell a reader of its present `text` something."""
        if spot.kind == "operation" and text:
            purpose = ""
        category: ChangeClass = "correction" if spot.text and not text else "wording"
        stated = Statement(purpose, "", category, _behind_purpose(spot), tuple(_calls(spot)))
        known = f"{text} {spot.first.observed.operation.summary}" if spot.kind == "operation" else text
        found = []
        for statement in (stated, *self._notes(spot, purpose, places)):
            found.append(Candidate(spot, statement, worth(statement, spot, known)))
            known = f"{known} {statement.text}" if statement is stated else known
        return found

    def _written(self, spot: Spot) -> WrittenText:
        return self._prints[spot.place.file].split(spot.pointer, spot.text)

    def _may_change(self, spot: Spot) -> bool:
        """Whether the text at a spot may be changed: not edited by a person since, and not in another language."""
        written = self._written(spot)
        if written.edited:
            self._report("edited-since", spot, "this text was edited since docrev wrote it; it is left alone")
            return False
        summary = spot.first.observed.operation.summary if spot.kind == "operation" else ""
        if any(judged(spot, text) == "foreign" for text in (written.original, summary)):
            self._report("other-language", spot, "this text is not in English; nothing is mixed into it")
            return False
        return True

    def _report(self, id: str, spot: Spot, message: str) -> None:
        file, pointer = spot.place.file, spot.pointer
        line = self._catalog.documents[file].line(pointer)
        self.findings.append(Finding(id, "info", file, line, pointer, message))

    def _change(self, spot: Spot, statements: Sequence[Statement]) -> Change | None:
        prints = self._prints[spot.place.file]
        written = self._written(spot)
        draft = compose(spot, written, statements, self.writing.budget)
        if draft is None or draft == Draft(spot.text, written.added):
            return None
        prints.put(spot.pointer, draft.added)
        if draft.text == spot.text:
            return None
        facts = facts_behind(draft.statements)
        calls = [call for statement in draft.statements for call in statement.calls] + _calls(spot)
        calls += [call for fact in facts for call in fact.calls[:1]]
        return Change(
            file=spot.place.file,
            pointer=spot.pointer,
            before=spot.text or None,
            after=draft.text,
            key=spot.first.observed.key,
            facts=facts,
            calls=tuple(dict.fromkeys(calls))[:MAX_CALLS],
            classes=categories(draft.statements),
        )

    def _notes(self, spot: Spot, purpose: str, places: Sequence[Spot]) -> list[Statement]:
        examples = self.writing.examples
        if spot.kind == "operation":
            return of_operation(spot.first.observed, self._observations, places, examples=examples)
        return of_value(spot, self._observations, purpose, examples=examples)

    def fingerprint_changes(self, changes: Sequence[Change]) -> list[Change]:
        """The fingerprints of the texts that docrev wrote, at the root of each document."""
        marked: list[Change] = []
        for name, prints in self._prints.items():
            root = self._catalog.documents[name].tree
            extension = root.get("x-docrev") if isinstance(root, dict) else None
            before = extension.get("texts") if isinstance(extension, dict) else None
            after = prints.tree()
            if after != (before or {}) and isinstance(root, dict):
                calls = tuple(sorted({call for change in changes if change.file == name for call in change.calls}))
                inside = isinstance(extension, dict)
                pointer, value = ("/x-docrev/texts", after) if inside else ("/x-docrev", {"texts": after})
                marked.append(Change(name, pointer, before, value, None, calls=calls))
        return marked


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
