"""Putting a text together: what was there, the purpose, the notes; within the budget, and never half a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from docrev.revision.existing_texts import Judgement, judge
from docrev.revision.false_texts import ignored, is_false_total, refuted, swapped_text
from docrev.revision.head_topics import LABEL, is_not_worth_section, labels, topic
from docrev.revision.notes import Statement
from docrev.revision.places import Spot
from docrev.revision.profiles import TextBudget, fits
from docrev.revision.trap_notes import is_replaced
from docrev.spec.marks import WrittenText
from docrev.spec.texts import prose_end

_LABELLED = re.compile(r"[A-Z][\w' -]{0,40}:(?: \S+){1,6}(?<![.!?])")

DOCUMENT = 2
"""The characters of a whole document, as a multiple of an operation's: the words of what is told there are counted."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as it is to stand: `text` whole, `added` the part that docrev wrote, at the end of its prose."""

    text: str
    added: str
    statements: tuple[Statement, ...] = field(default=(), compare=False)


def judged(spot: Spot, original: str) -> Judgement:
    """The judgement of the text at a spot, by what was observed there."""
    operation = spot.first.observed.operation
    names = [spot.name, operation.path, operation.name, operation.method]
    if original and original == spot.text and (swapped_text(spot) or is_false_total(spot)):
        return "contradicted"
    if original and spot.kind != "operation" and _is_replaced(replace(spot, text=original)):
        return "contradicted"
    return judge(original, names, refuted(replace(spot, text=original)) if spot.kind != "operation" else "")


def _is_replaced(spot: Spot) -> bool:
    return is_replaced(spot) or bool(ignored(spot))


def present_text(spot: Spot, original: str) -> str:
    """What people wrote at a spot and nothing contradicts; of an operation without a description, its summary."""
    if spot.kind == "operation":
        return original.strip() or spot.first.observed.operation.summary.strip()
    is_false = spot.kind != "document" and judged(spot, original) == "contradicted"
    return "" if is_false else original.strip()


def is_described(spot: Spot, text: str) -> bool:
    """Whether people's `text` on a spot says more than its names."""
    return bool(text) and judged(spot, text) != "restated"


def compose(spot: Spot, written: WrittenText, statements: Sequence[Statement], budget: TextBudget) -> Draft | None:
    """The text of a spot: what people wrote, then the statements; None if there are none.

    Only what calls contradict is replaced. A summary is not repeated.
    """
    original = written.original.strip()
    present = original if spot.kind == "operation" else present_text(spot, original)
    if not statements or (spot.kind == "document" and is_not_worth_section(statements, original)):
        return None
    if spot.kind == "document":
        added = _join("", statements, DOCUMENT * budget.operation, budget, by=topic, named=labels(statements, original))
        return added and replace(added, text=f"{original}\n\n{added.text}".strip())
    most = budget.operation if spot.kind == "operation" else budget.parameter
    # What calls contradict stays until something is written in its place.
    is_kept = present == original or not any(found.category == "correction" for found in statements)
    kept = written.original.rstrip() if is_kept else ""
    end = prose_end(kept)
    draft = _join(kept[:end], statements, most - (len(kept) - end), budget)
    return draft and replace(draft, text=draft.text + kept[end:])


def taken_apart(spot: Spot, statements: Sequence[Statement]) -> WrittenText:
    """The text of a spot, split where nothing but these statements follows in its prose."""
    texts = [statement.text for statement in statements if statement.text]
    end = start = prose_end(spot.text)
    while (before := spot.text[:start].rstrip()) and (last := next(filter(before.endswith, texts), None)):
        start = len(LABEL.sub("", before[: len(before) - len(last)]))
    if start == end:
        return WrittenText(spot.text.rstrip())
    return WrittenText(spot.text[:start].rstrip() + spot.text[end:], spot.text[start:end])


def _closed(text: str) -> str:
    """`text` with a full stop, if it ends within a sentence."""
    last_line = text.rpartition("\n")[2]
    is_prose = text[-1:].isalnum() or text.endswith(("`", "'", '"', ")", "]", "”", "’"))
    return f"{text}." if is_prose and not re.match(r"\s*(?:[-*+|#>]|\d+[.)]|```)", last_line) else text


def _join(
    kept: str,
    statements: Sequence[Statement],
    most: int,
    budget: TextBudget,
    by: Callable[[Statement], str] = lambda statement: "",
    named: Mapping[str, str] = MappingProxyType({}),
) -> Draft | None:
    """`kept` and as many `statements` as the bound leaves room for; a long text goes on in a second paragraph, and so
    do statements that differ `by` something, which is `named` before the first of them."""
    text, added = kept, ""
    taken: list[Statement] = []
    for statement in statements:
        is_apart = bool(taken) and by(statement) != by(taken[-1])
        label = named.get(by(statement), "") if is_apart or not taken else ""
        piece = statement.text and f"{label}{statement.text}"
        gap = "" if not text else "\n\n" if is_apart else _gap(text, piece, budget)
        # What goes on in a paragraph of its own leaves the text before it as it is.
        before = text if added or gap.strip(" ") else _closed(text)
        if piece and len(before) + len(gap) + len(piece) <= most:
            text, added = f"{before}{gap}{piece}", f"{added}{gap if added else ''}{piece}"
            taken.append(statement)
    return Draft(text, added, tuple(taken)) if added else None


def _gap(text: str, piece: str, budget: TextBudget) -> str:
    """What goes between a text and a sentence: a space, or the start of a new paragraph."""
    paragraphs = re.split(r"\n\s*\n", text)
    is_list = "\n" in text.strip() and len(paragraphs) == 1 and text.lstrip()[:1] in "-*|#"
    longer = f"{paragraphs[-1]} {piece}"
    within = fits(longer, most_words=budget.paragraph_words, most_characters=budget.paragraph)
    return " " if within and not is_list and not _ends_apart(text) else "\n\n"


def _ends_apart(text: str) -> bool:
    """Whether a text ends in a paragraph that is no sentence: a value after its label (`Scope: items.read`), a block of
    code, which Markdown knows by its indentation, or a section of a docstring (`Raises:`, and indented lines).
    """
    *before, paragraph = re.split(r"\n[ \t]*\n", text.rstrip())
    first, *rest = paragraph.splitlines() or [""]
    is_code = all(re.match(" {4}|\t", line) for line in (first, *rest))
    is_section = first.rstrip().endswith(":") and any(line[:1].isspace() for line in rest)
    is_labelled = _LABELLED.fullmatch(paragraph.strip()) is not None
    return is_section or (bool(before) and (is_code or is_labelled))
