"""Ratings of documentation by rule (ToolBFS+ tables 17 to 19): how much of an operation is told, and how briefly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.prompts.questions import RateDocumentation, Rating, Ratings
from docrev.wording import singular, words

BRIEF = 60
"""Words that a first paragraph may have and still be read."""
_TYPE = re.compile(r"\([^)]*\):?\s*")
_EMPTY = frozenset("the a an of to in for by get set list return returns this value param parameter".split())  # noqa: SIM905


def rate(prompt: RateDocumentation) -> Ratings:
    """The three aspects; the same for the same documentation."""
    return Ratings(
        description=_description(prompt),
        parameters=_lines(prompt.parameters, "parameter"),
        responses=_lines(prompt.responses, "response field", needed=True),
    )


def _description(prompt: RateDocumentation) -> Rating:
    first = prompt.description.split("\n\n")[0]
    count = len(first.split())
    said = _said(first, prompt.key.operation)
    if said < 2:
        return Rating(reason="It tells no more than the path does.", score=1)
    if count > 2 * BRIEF:
        return Rating(reason=f"Its first paragraph has {count} words.", score=1)
    if said < 5 or count > BRIEF:
        return Rating(reason="It is short of what to expect." if said < 5 else "It could be shorter.", score=2)
    return Rating(reason="It tells more than the name, and briefly.", score=3)


def _lines(lines: Sequence[str], what: str, *, needed: bool = False) -> Rating:
    """How many of the places are explained in words that their names do not have."""
    if not lines:
        return Rating(reason=f"No {what} is told of.", score=1 if needed else 3)
    told = sum(_told(line) for line in lines)
    score = 3 if told >= 0.8 * len(lines) else 2 if told >= 0.4 * len(lines) else 1
    return Rating(reason=f"{told} of {len(lines)} {what}s are explained.", score=score)


def _told(line: str) -> bool:
    place, _, rest = line.partition(" ")
    return _said(_TYPE.sub("", rest, count=1), place) >= 1


def _said(text: str, name: str) -> int:
    """The words of a text that its name does not have."""
    known = {singular(word) for word in words(name)} | _EMPTY
    return len({singular(word) for word in words(text)} - known)
