"""Which of the sent names a text is about, in whatever writing: `"unitPrice"`, `unit_price`, "Unit price"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from docrev.conventions.error_subjects import NOUNS, VERB
from docrev.language.words import plural, singular, words

SHAPED = re.compile(r"[a-z\d][A-Z]|[_\d.\-]")
"""What no plain word has: an identifier, wherever it stands."""
FILES = r"(?:file|image|picture|photo|avatar|upload|attachment)s?"
"""What a file that is sent is called, in its name and in sentences on it."""
_BEGINNING = r"(?:^|[.:>\n]\s*|each value in )"
_LED_TO = r"\b(?:for|of|in|at|that|the|a valid|parse|read|convert) "
_BLAMED = (
    r"\b(?:expect(?:ed|s)?|invalid|unsupported|unexpected|unknown|wrong|incorrect|illegal|bad|requested|allowed|supported"
    r"|too (?:many|few|much)|\d+|biggest|largest|smallest|lowest|highest|longest|shortest) "
)
"""What stands before a plain word that is a name: one that ends its phrase, or any."""
_QUOTED, _IDENTIFIER, _SEVERAL_WORDS, _WORD = 4, 3, 2, 1
"""How sure it is that a name is meant, by how it is written."""


def mentioned(text: str, names: Mapping[tuple[str, ...], str], values: Iterable[str]) -> str:
    """The one name that a text is about, by its words; "" if there is none, or if several are as likely.

    What was sent as a value is no name where the text repeats it.
    """
    told = _without_values(text, values)
    found = [(sureness, at, name) for parts, name in names.items() for sureness, at in _mentions(told, parts, name)]
    best = [(at, name) for sureness, at, name in found if sureness == max(found)[0]]
    if len({name for _, name in best}) == 1:
        return best[0][1]
    first = [name for at, name in best if at <= len("the '")]
    return first[0] if len(set(first)) == 1 else ""


def _without_values(text: str, values: Iterable[str]) -> str:
    """A text with blanks instead of the sent values that it quotes."""
    # What a validator prints in front is the whole that it refuses.
    text = re.sub(r"^\{.*\} (?=is )", " ", text)
    for value in values:
        if len(value) > 1 and value in text:
            text = re.sub(rf"([\"'`\[(]){re.escape(value)}(?=[\"'`\])])", lambda found: " " * len(found[0]), text)
    return text


def _mentions(text: str, parts: tuple[str, ...], name: str) -> Iterator[tuple[int, int]]:
    """(how sure it is, where) for the first mention of a name in a text."""
    for sureness, pattern in _writings(parts, name):
        if match := pattern.search(text):
            yield sureness, match.start()
            return


@lru_cache(maxsize=2048)
def _writings(parts: tuple[str, ...], name: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    exact = re.escape(name)
    quoted = _QUOTED, re.compile(rf"[\"'`\[(<$.@/]{exact}(?=[\"'`\])>:.\[ ]|$)")
    if len(parts) > 1:
        # The last word may be in the plural: "Expiry dates must be …".
        spoken = r"[\s_\-.]*".join(map(re.escape, parts))
        shaped = _IDENTIFIER, re.compile(rf"(?<![\w]){exact}(?![\w])")
        return quoted, shaped, (_SEVERAL_WORDS, re.compile(rf"(?<![\w]){spoken}(?:s|es)?(?![\w])", re.I))
    if SHAPED.search(name):
        return quoted, (_IDENTIFIER, re.compile(rf"(?<![\w]){exact}(?![\w])"))
    either = "|".join(map(re.escape, dict.fromkeys((name, singular(name), plural(name)))))
    if len(name) < 2:
        return (quoted,)
    # A noun for any value is a name where a sentence begins with it, and not after an article.
    ends = rf"(?:[.,:;)]|$| (?={VERB}|(?:but|as)\b))"
    # An entry date is no entry.
    blamed = rf"{_BLAMED}(?:{either})(?!\w)(?! (?:date|name|type|id|kind|size|code)\W*$)"
    if name.lower() in NOUNS:
        return quoted, (_WORD, re.compile(rf"{_BEGINNING}(?:{either})(?:: | (?=[\w<>=])|$)|{blamed}", re.I))
    begins = rf"{_BEGINNING}(?:the |your |selected |requested )?(?:{either})(?![\w\-])"
    led = rf"(?:{_LED_TO}(?:{either}){ends}|\b(?:{either})(?: (?={VERB})|[:=] ?(?=[\"'`\w])))"
    return quoted, *_apart(name), (_WORD, re.compile(rf"{begins}|{led}|{blamed}", re.I))


def _apart(name: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    """A name that is two words without a mark between them: `loglevel` is "log level"."""
    halves = "|".join(rf"{name[:at]}[\s\-]{name[at:]}" for at in range(3, len(name) - 2)) if name.isalpha() else ""
    return ((_SEVERAL_WORDS, re.compile(rf"(?<![\w])(?:{halves})(?![\w])", re.I)),) if halves else ()


def in_words(names: Iterable[str]) -> dict[tuple[str, ...], str]:
    """Each name by its words; the first of those that have the same."""
    found: dict[tuple[str, ...], str] = {}
    for name in names:
        if parts := words(name):
            found.setdefault(parts, name)
    return found
