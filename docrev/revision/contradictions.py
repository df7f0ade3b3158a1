"""Sentences of docrev in the documents that it would write with other values today."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docrev.language.documentation_phrases import sentences
from docrev.records import Change
from docrev.spec.marks import Marks

_VALUE = re.compile(r"`[^`]*`|\d[\d,.]*(?<=\d)")
_SAMPLED = re.compile(r"\b(observed|example|e\.g\.|such as)\b", re.IGNORECASE)
"""Words of sentences whose values are a choice of what was seen: others are no contradiction."""


def contradiction(change: Change, marks: Mapping[str, Marks]) -> tuple[str, str] | None:
    """A sentence that docrev wrote at the place of a change, and the same with other values that the change has.

    None if there is none, as where a person wrote the text, or less was seen than before.
    """
    if not (isinstance(change.before, str) and isinstance(change.after, str)):
        return None
    written = marks[change.file].split(change.pointer, change.before).added
    after = {_VALUE.sub("`", sentence): sentence for sentence in sentences(change.after)}
    for before in sentences(written):
        now = after.get(_VALUE.sub("`", before), before)
        if now != before and not _SAMPLED.search(before):
            return before, now
    return None
