"""Whether a text claims that a list is ordered by time: "the newest first"."""

from __future__ import annotations

import re

_CLAIM = re.compile(
    r"\b(?:(newest|latest|most recent)|(oldest|earliest))(?: (?:ones?|items?))?(?= (?:come |are )?first\b)", re.I
)


def claimed_order(text: str) -> tuple[bool, int, int] | None:
    """Whether a text says that a list descends in time, and where the word is; None if it says nothing of it."""
    found = _CLAIM.search(text)
    return None if found is None else (found[1] is not None, found.start(), found.end())
