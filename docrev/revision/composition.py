"""Putting a text together: what was there, the purpose, the notes; within the budget, and never half a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docrev.language.phrases import sentence
from docrev.language.words import singular, words
from docrev.records import Fact
from docrev.revision.existing_texts import Judgement, judge
from docrev.revision.fingerprints import Own
from docrev.revision.notes import Notes
from docrev.revision.places import Spot
from docrev.revision.profiles import Budget, fits
from docrev.spec.texts import is_restated


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as it is to stand: `text` whole, `added` the part that docrev wrote, at its end."""

    text: str
    added: str


def judged(spot: Spot, original: str) -> Judgement:
    """The judgement of the text that stands at a spot, beside what was observed there."""
    operation = spot.first.observed.operation
    names = [spot.name, operation.path, operation.name, operation.method]
    values = [value for use in spot.uses for value, _ in use.values]
    facts = [fact for use in spot.uses for fact in use.facts if use.location]
    return judge(original, names, facts=facts, values=values)


def compose_operation(spot: Spot, own: Own, purpose: str, traps: Notes, budget: Budget) -> Draft | None:
    """An operation's description; None where nothing is to be changed.

    A good text only gets the traps. A short one that says something stays in front of the purpose. Where there is
    none, a good summary is taken over first: most consumers read the description or the summary, not both.
    """
    judgement = judged(spot, own.original)
    if judgement in ("good", "contradicted"):
        return _joined(own.original.rstrip(), _new(traps.sentences, own.original), budget.operation, budget)
    if judgement == "short" and (not purpose or _left(spot, own.original, purpose) > 1):
        return _joined(sentence(own.original), _fresh(purpose, own.original, traps.sentences), budget.operation, budget)
    summary = spot.first.observed.operation.summary
    lead = sentence(summary) if judged(spot, summary) == "good" else ""
    return _joined("", _fresh(purpose, "", traps.sentences, lead), budget.operation, budget)


def compose_value(spot: Spot, own: Own, purpose: str, notes: Notes, budget: Budget) -> Draft | None:
    """A parameter's or a property's description; None where nothing is to be changed."""
    judgement = judged(spot, own.original)
    if judgement == "good":
        sentences = _new(notes.sentences, own.original) if spot.kind == "parameter" else []
        return _joined(own.original.rstrip(), sentences, budget.parameter, budget)
    if judgement == "short" and (not purpose or _says_more(own.original, purpose)):
        sentences = _new(notes.sentences, own.original)
        return _joined(sentence(own.original) if sentences else own.original, sentences, budget.parameter, budget)
    # "Last modified." of `last_modified` is filler; "Id of the bucket." tells a path's ids apart.
    named = {singular(word) for word in words(spot.name)}
    filler = {singular(word) for word in words(purpose)} <= named
    if filler or (not notes.sentences and is_restated(purpose, spot.name, spot.first.observed.operation.path)):
        purpose = ""
    return _joined("", [purpose, *notes.sentences], budget.parameter, budget)


def _left(spot: Spot, original: str, purpose: str) -> int:
    """How many words of a short text neither the purpose nor the names hold."""
    operation = spot.first.observed.operation
    known = {singular(word) for text in (purpose, operation.path, operation.name) for word in words(text)}
    return sum(not is_restated(word, *known) for word in words(original))


def _says_more(original: str, purpose: str) -> bool:
    """Whether a short text holds all the words of the purpose: it then says at least as much."""
    held = {singular(word) for word in words(original)}
    return {singular(word) for word in words(purpose)} - {"of", "the", "a", "an"} <= held


def _fresh(purpose: str, original: str, traps: Sequence[str], lead: str = "") -> list[str]:
    paragraph = f"{lead} {purpose}".strip() if lead and fits(f"{lead} {purpose}") else lead or purpose
    return [paragraph, *_new(traps, original)]


def _new(sentences: Iterable[str], original: str) -> list[str]:
    """The sentences whose quotations the text does not hold yet: it then says that already, in its own words."""
    plain = original.casefold()
    kept: list[str] = []
    for text in sentences:
        quoted = re.findall(r"`([^`]+)`", text)
        if not quoted or not all(piece.casefold() in plain for piece in quoted):
            kept.append(text)
    return kept


def _joined(kept: str, sentences: Sequence[str], most: int, budget: Budget) -> Draft | None:
    """`kept` and as many of `sentences` as the bound leaves room for; a long text goes on in a second paragraph."""
    text, added = kept, ""
    for piece in filter(None, sentences):
        gap = "" if not text else _gap(text, piece, budget)
        if len(text) + len(gap) + len(piece) > most:
            continue
        text, added = f"{text}{gap}{piece}", f"{added}{gap if added else ''}{piece}"
    return Draft(text, added) if added else None


def _gap(text: str, piece: str, budget: Budget) -> str:
    paragraph = re.split(r"\n\s*\n", text)[-1]
    if "\n" in text.strip() and len(re.split(r"\n\s*\n", text)) == 1 and paragraph.lstrip()[:1] in "-*|#":
        return "\n\n"
    within = fits(f"{paragraph} {piece}", most_words=budget.paragraph_words, most_characters=budget.paragraph)
    return " " if within else "\n\n"


def shown_by(purpose_facts: Iterable[Fact], notes: Notes) -> tuple[Fact, ...]:
    """The facts behind a text, each once."""
    found: dict[tuple[object, ...], Fact] = {}
    for fact in (*purpose_facts, *notes.facts):
        found.setdefault((fact.key, fact.kind, fact.location, str(fact.value)), fact)
    return tuple(found.values())
