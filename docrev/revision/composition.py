"""Putting a text together: what was there, the purpose, the notes; within the budget, and never half a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from docrev.language.phrases import sentence
from docrev.language.words import singular, words
from docrev.revision.existing_texts import Judgement, judge
from docrev.revision.notes import Statement
from docrev.revision.places import Spot
from docrev.revision.profiles import TextBudget, fits
from docrev.spec.marks import WrittenText
from docrev.spec.texts import is_restated


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as it is to stand: `text` whole, `added` the part that docrev wrote, at its end, in `statements`."""

    text: str
    added: str
    statements: tuple[Statement, ...] = field(default=(), compare=False)


def judged(spot: Spot, original: str) -> Judgement:
    """The judgement of the text at a spot, by what was observed there."""
    operation = spot.first.observed.operation
    names = [spot.name, operation.path, operation.name, operation.method]
    values = [value for use in spot.uses for value, _ in use.values]
    facts = [fact for use in spot.uses for fact in use.facts if use.location]
    return judge(original, names, facts=facts, values=values)


def compose(
    spot: Spot, written: WrittenText, purpose: Statement, notes: Sequence[Statement], budget: TextBudget
) -> Draft | None:
    """The text of a spot; None if nothing is to be changed."""
    how = compose_operation if spot.kind == "operation" else compose_value
    return how(spot, written, purpose, notes, budget)


def compose_operation(
    spot: Spot, written: WrittenText, purpose: Statement, notes: Sequence[Statement], budget: TextBudget
) -> Draft | None:
    """An operation's description; None if nothing is to be changed.

    A good text only gets the notes. A short one that says something stays in front of the purpose. Without a text, a
    good summary is taken over first: most consumers read the description or the summary, not both.
    """
    original = written.original
    judgement = judged(spot, original)
    if judgement in ("good", "contradicted"):
        return _join(original.rstrip(), _new(notes, original), budget.operation, budget)
    if judgement == "short" and (not purpose.text or _left(spot, original, purpose.text) > 1):
        return _join(sentence(original), [purpose, *_new(notes, original)], budget.operation, budget)
    summary = spot.first.observed.operation.summary
    lead = sentence(summary) if judged(spot, summary) == "good" else ""
    both = f"{lead} {purpose.text}".strip()
    first = both if fits(both) else lead or purpose.text
    return _join("", [replace(purpose, text=first), *notes], budget.operation, budget)


def compose_value(
    spot: Spot, written: WrittenText, purpose: Statement, notes: Sequence[Statement], budget: TextBudget
) -> Draft | None:
    """A parameter's or a property's description; None if nothing is to be changed."""
    original = written.original
    judgement = judged(spot, original)
    if judgement == "good":
        added = _new(notes, original) if spot.kind == "parameter" else []
        return _join(original.rstrip(), added, budget.parameter, budget)
    if judgement == "short" and (not purpose.text or _says_more(original, purpose.text)):
        added = _new(notes, original)
        return _join(sentence(original) if added else original, added, budget.parameter, budget)
    said = [] if _is_filler(spot, purpose.text, alone=not notes) else [purpose]
    return _join("", [*said, *notes], budget.parameter, budget)


def _is_filler(spot: Spot, purpose: str, *, alone: bool) -> bool:
    """Whether a purpose says no more than the name.

    "Last modified." of `last_modified` is filler; "ID of the bucket." is only if nothing follows, since it
    distinguishes the IDs of a path.
    """
    named = {singular(word) for word in words(spot.name)}
    if {singular(word) for word in words(purpose)} <= named:
        return True
    return alone and is_restated(purpose, spot.name, spot.first.observed.operation.path)


def _left(spot: Spot, original: str, purpose: str) -> int:
    """How many words of a short text occur neither in the purpose nor in the names."""
    operation = spot.first.observed.operation
    used = {singular(word) for text in (purpose, operation.path, operation.name) for word in words(text)}
    return sum(not is_restated(word, *used) for word in words(original))


def _says_more(original: str, purpose: str) -> bool:
    """Whether a short text has all the words of the purpose: it then says at least as much."""
    used = {singular(word) for word in words(original)}
    return {singular(word) for word in words(purpose)} - {"of", "the", "a", "an"} <= used


def _new(statements: Iterable[Statement], original: str) -> list[Statement]:
    """The statements that quote something that the text does not: it says the others already, in its own words."""
    plain = original.casefold()
    kept: list[Statement] = []
    for statement in statements:
        quoted = re.findall(r"`([^`]+)`", statement.text)
        if not quoted or not all(piece.casefold() in plain for piece in quoted):
            kept.append(statement)
    return kept


def _join(kept: str, statements: Sequence[Statement], most: int, budget: TextBudget) -> Draft | None:
    """`kept` and as many `statements` as the bound leaves room for; a long text goes on in a second paragraph."""
    text, added = kept, ""
    taken: list[Statement] = []
    for statement in statements:
        piece = statement.text
        gap = _gap(text, piece, budget) if text else ""
        if piece and len(text) + len(gap) + len(piece) <= most:
            text, added = f"{text}{gap}{piece}", f"{added}{gap if added else ''}{piece}"
            taken.append(statement)
    return Draft(text, added, tuple(taken)) if added else None


def _gap(text: str, piece: str, budget: TextBudget) -> str:
    """What goes between a text and a sentence: a space, or the start of a new paragraph."""
    paragraphs = re.split(r"\n\s*\n", text)
    is_list = "\n" in text.strip() and len(paragraphs) == 1 and text.lstrip()[:1] in "-*|#"
    longer = f"{paragraphs[-1]} {piece}"
    within = fits(longer, most_words=budget.paragraph_words, most_characters=budget.paragraph)
    return " " if within and not is_list else "\n\n"
