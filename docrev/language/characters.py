"""Visible characters: which characters of a text are drawn, and a text without the others."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
# Characters that are letters or marks by category and yet draw nothing.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(c) for c in range(0xFE00, 0xFE10)}

_JOINING = frozenset("\n\t\u00ad\u200c\u200d")


def visible(text: str) -> str:
    """`text` on one line, without control, invisible and direction-turning characters."""
    if text.isprintable() and _BLANK.isdisjoint(text):
        return " ".join(text.split())
    kept = (" " if char in "\t\n\r\u2028\u2029\x85" else char for char in text)
    return " ".join("".join(char for char in kept if not hidden(char)).split())


MAX_WORD, MAX_UNBROKEN, MAX_BLANKS = 100, 400, 8
"""Letters and digits, characters without a blank, and blanks that stand in a row in texts that patterns read."""
_LONG_WORD = re.compile(rf"(\w{{{MAX_WORD}}})\w+")
_LONG_BLANKS = re.compile(rf"(\s{{{MAX_BLANKS}}})\s+")
_UNBROKEN = re.compile(rf"\S{{{MAX_UNBROKEN}}}(?=\S)")


def without_long_runs(text: str) -> str:
    """`text` without the long runs of characters that mean nothing: patterns try a run from each of its places.

    Words end after 100 characters and blanks after eight, where a line break stays; a blank stands after 400 characters
    without one.
    """
    if len(text) <= MAX_WORD:
        return text
    return _UNBROKEN.sub(r"\g<0> ", without_long_blanks(_LONG_WORD.sub(r"\1", text)))


def without_long_blanks(text: str) -> str:
    """`text` with eight blanks where more stand in a row, among them a line break if there is one."""
    return _LONG_BLANKS.sub(lambda run: f"\n{run[1][1:]}" if "\n" in run[0] else run[1], text)


def shortened(text: str, most: int) -> str:
    """`text`, with an ellipsis for its end if it has more than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def one_line(text: object, most: int = 200) -> str:
    """What an error or a text says, on one line of at most `most` characters."""
    return shortened(" ".join(str(text).split()), most)


def hidden(char: str) -> bool:
    """Whether a character draws nothing or steers how others are drawn; a line break is one too."""
    return unicodedata.category(char) in _HIDDEN or char in _BLANK


def escaped(text: str) -> str:
    """A text with what a terminal would obey, or show in another order, as `\\uXXXX`: in JSON that means the same.

    Line ends and tabs stay, and what words of some languages and emoji are joined or divided by.
    """
    if all(line.isprintable() for line in text.split("\n")):
        return text
    return "".join(_written_out(char) if _steers(char) else char for char in text)


def _steers(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN and char not in _JOINING


def _written_out(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def fold(text: str) -> str:
    """`text` in small letters without accents."""
    if text.isascii():
        return text.casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
