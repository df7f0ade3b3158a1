"""The statements that can be made at one place: what it is for, and the notes that its facts and calls give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docrev.facts.registry import LIST_EFFECTS
from docrev.language.documentation_phrases import is_sentence, sentences
from docrev.language.words import words
from docrev.records import ChangeClass, Fact
from docrev.revision.common_notes import OF_LISTS
from docrev.revision.composition import is_described, present_text
from docrev.revision.drafts import next_page_facts, writer_input
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations
from docrev.revision.operation_notes import of_operation
from docrev.revision.operation_purposes import RESTS_ON
from docrev.revision.places import Spot
from docrev.revision.purposes import write
from docrev.revision.shared_notes import shared_parts
from docrev.revision.trap_notes import STRICT_BOUNDS
from docrev.revision.value_notes import of_value
from docrev.revision.worth import worth
from docrev.revision.writer_inputs import Purpose
from docrev.settings.choices import Examples
from docrev.spec import Place
from docrev.spec.marks import Marks, WrittenText

_SHOWN_CALLS = 3
_PURPOSE_RESTS_ON = frozenset({"comes-from", "type", "field", "format", *LIST_EFFECTS})
"""Kinds of facts that the purpose of a parameter or property may rest on."""


class PlaceStatements:
    """The statements at each of the `places`; `marks` say what docrev wrote there, by file."""

    def __init__(
        self, observations: CatalogObservations, places: Sequence[Spot], marks: Mapping[str, Marks], examples: Examples
    ) -> None:
        self._observations, self._marks, self._examples = observations, marks, examples
        self._shared = shared_parts(places)
        # What was drafted behind a text, until it is asked for: the same if docrev had not written there.
        self._behind: dict[Place, list[Statement]] = {}

    def of(self, spot: Spot, found: WrittenText) -> list[Statement]:
        """The statements at a spot, given what people and docrev wrote there: first the purpose, then the notes."""
        behind = self._behind.pop(spot.place, None)
        return behind if behind and found == WrittenText(spot.text) else self._of(spot, found, self._purpose(spot))

    def drafted(self, spot: Spot) -> list[Statement]:
        """The statements at a spot in both wordings: standing alone, and behind the text that is there."""
        purpose = self._purpose(spot)
        alone, behind = (self._of(spot, WrittenText(text), purpose) for text in ("", spot.text))
        if spot.text:
            self._behind[spot.place] = behind
        return [*alone, *behind]

    def _of(self, spot: Spot, found: WrittenText, purpose: Purpose) -> list[Statement]:
        """The purpose (of an operation only if people have not described it) and the notes.

        A text of docrev's that replaced a false one is kept: the text that it corrected is gone.
        """
        if not found.original and "correction" in self._marks[spot.place.file].at(spot.pointer).classes:
            return self._kept(spot, found.added, purpose)
        text = present_text(spot, found.original)
        is_false = spot.kind != "operation" and found.original != "" and not text
        said = Purpose("") if spot.kind == "operation" and is_described(spot, text) else purpose
        notes = self._notes(replace(spot, text=found.original), said.text)
        has_correction = any(note.category == "correction" for note in notes)
        said = Purpose("") if is_false and has_correction else said
        return [self._purpose_statement(spot, said, corrects=is_false and not has_correction), *notes]

    def _kept(self, spot: Spot, added: str, purpose: Purpose) -> list[Statement]:
        """The statements of a text that took the place of people's: what stands there, and what is known besides."""
        first = sentences(added)[0]
        known = [self._purpose_statement(spot, purpose, corrects=True)]
        known += self._notes(replace(spot, text=first), purpose.text)
        stands = [statement for statement in known if statement.text and is_sentence(statement.text, added)]
        left = added
        for statement in stands:
            left = left.replace(statement.text, "", 1)
        calls = tuple(shown_calls(spot))
        kept = [Statement(text, "", "correction", calls=calls) for text in sentences(left.strip()) if text]
        said, *notes = known
        others = ("correction", "wording")
        notes = [one for one in notes if one in stands or (one.category not in others and worth(one, spot, added))]
        return [said if said in stands else Statement(""), *kept, *notes]

    def _purpose(self, spot: Spot) -> Purpose:
        """The purpose in docrev's own words."""
        return write(writer_input(spot, self._observations))

    def _notes(self, spot: Spot, purpose: str) -> list[Statement]:
        examples = self._examples
        if spot.kind == "operation":
            parts = self._shared.get(spot.first.observed.key, [])
            return of_operation(spot.first.observed, self._observations, parts, examples=examples)
        return of_value(spot, self._observations, purpose, examples=examples)

    def _purpose_statement(self, spot: Spot, purpose: Purpose, *, corrects: bool) -> Statement:
        """The purpose as a statement, which is more than wording if it says what no name says: where a cursor comes
        from, or that a bound itself is left out."""
        facts = _behind_purpose(spot, self._observations)
        is_cursors = "cursor" in words(purpose.text.lower()) and any(is_cursor(fact) for fact in facts)
        is_source = spot.kind == "parameter" and is_cursors
        is_strict = not spot.text and any(fact.kind in STRICT_BOUNDS for fact in facts)
        category: ChangeClass = (
            "correction" if corrects else "source" if is_source else "trap" if is_strict else "wording"
        )
        of_lists = f"`{spot.name}` {purpose.of_lists}" if purpose.of_lists else ""
        kind = OF_LISTS if of_lists else ""
        return Statement(purpose.text, kind, category, facts, tuple(shown_calls(spot)), of_lists)


def _behind_purpose(spot: Spot, observations: CatalogObservations) -> tuple[Fact, ...]:
    """The facts that a purpose may rest on."""
    observed = spot.first.observed
    if spot.kind == "operation":
        return tuple(observed.all(*RESTS_ON))
    paging = next_page_facts(spot, observations)
    return (*(fact for fact in spot.common if fact.kind in _PURPOSE_RESTS_ON), *paging)


def is_cursor(fact: Fact) -> bool:
    """Whether a fact says that pages are requested with a cursor."""
    return fact.kind == "pages" and fact.value.get("by") == "cursor"


def shown_calls(spot: Spot) -> list[str]:
    """Some calls that show what is documented."""
    if spot.kind == "operation":
        observed = spot.first.observed
        return [call.id for call in (observed.good or observed.bad)[:_SHOWN_CALLS]]
    return [call for use in spot.uses for _, call in use.values[:_SHOWN_CALLS]][:_SHOWN_CALLS]
