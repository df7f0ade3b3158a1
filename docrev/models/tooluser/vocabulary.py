"""The vocabulary: signs of the form, function words, and slots for everything else."""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.language.words import singular, words

PAD, BEGIN, STOP = "<pad>", "<s>", "</s>"
TASK, FUNCTION, PARAMETER, REQUIRED, ONE_OF, NEXT = "<task>", "<fn>", "<takes>", "<required>", "<oneof>", "<next>"
ACTION, ARGUMENT, END, FINISH, QUIT, ALSO = "<action>", "<arg>", "<end>", "<finish>", "<quit>", "<also>"
SEEN, FAILED, REFUSED, TRIED, HIT = "<seen>", "<failed>", "<refused>", "<tried>", "<hit>"
OPEN, CLOSE, COMMA = "{", "}", ","
THOUGHTS = {
    "<search>": "What the task says is all that is known, so begin there.",
    "<list>": "The items that fit must be listed.",
    "<read>": "What this needs is known by now.",
    "<parts>": "The id is known, so list what belongs to it.",
    "<answer>": "The observations hold the answer.",
    "<stuck>": "Nothing sensible is left to try here.",
}
SIGNS = (
    PAD, BEGIN, STOP, TASK, FUNCTION, PARAMETER, REQUIRED, ONE_OF, NEXT, ACTION, ARGUMENT, END, FINISH, QUIT, ALSO,
    SEEN, FAILED, REFUSED, TRIED, HIT, OPEN, CLOSE, COMMA, *THOUGHTS,
)  # fmt: skip
_WORDS = """
a about all an and any are at be belong belonging by called can do does find for from get give given has have having
how i if in information is it item its know like list look lookup many me more my name named need no not number of
on one only or other out part please query read record result return returned say search see show tell text that the
their them there these they this those to up want what where which who whose will with you data detail id value
field filter everything each every retrieve fetch endpoint request guide page limit size offset exact kept whatever
under true false null type code key error status message browse us should so was were some
"""
KNOWN = tuple(_WORDS.split())
_UNSAID = "a an the of is are that this whose if you like there to what its and"
DROPPED = frozenset(_UNSAID.split())
# Letters behind figures in something long are an id, which is one word, unless it is a time.
_ID = r"(?!\d{4}-\d)(?=[A-Za-z\d-]{8})(?=[A-Za-z-]*\d[\d-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*"
_PIECE = re.compile(rf"(?P<id>{_ID})|[A-Za-z_$][\w$]*|\d+(?:[.:/-]\d+)*|[^\W\d_][\w]*", re.UNICODE)
_KNOWN = frozenset(KNOWN)


@lru_cache(maxsize=65536)
def symbol(word: str) -> str:
    """The symbol of one word: itself where it is known, otherwise a dot and its singular."""
    stem = singular(word.casefold())
    return stem if stem in _KNOWN else f"·{stem}"


@lru_cache(maxsize=65536)
def spelt(text: str) -> tuple[tuple[str, int, int], ...]:
    """The symbols of a text with their place in it; identifiers are split into their words."""
    found: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(text):
        piece = match[0]
        if match["id"] or piece[0].isdigit():
            found.append((f"·{piece}", match.start(), match.end()))
            continue
        parts = words(piece) or (piece.casefold(),)
        if len(parts) == 1:
            found.append((symbol(piece), match.start(), match.end()))
            continue
        # The parts of an identifier cannot be cut out of it: only all of them make it again.
        found += [(symbol(part), match.start(), match.end()) for part in parts]
    return tuple(found)


def symbols(text: str) -> list[str]:
    """The symbols of a text of a document: articles and the like are left out."""
    return [one for one, start, end in spelt(text) if text[start:end].lower() not in DROPPED]
