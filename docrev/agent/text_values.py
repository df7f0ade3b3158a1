"""The values that a text names: quotations, names, codes, numbers, dates and places ("the second")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from docrev.agent.vocabulary import STOP
from docrev.language.stems import stem
from docrev.records import Json

Kind = Literal["text", "number", "ordinal", "date"]
ORDINALS = {
    word: at
    for at, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"))
}
NUMBERS = {word: at + 2 for at, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"))}
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+(?:'[a-z][^']*)?)'(?!\w)")
_ISO = re.compile(r"(?<!\w)\d{4}-\d{2}-\d{2}(?!\w)")
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(_MONTHS)
_SPOKEN = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH})|({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?),? (\d{{4}})", re.I
)
_MAX_DIGITS = 300
"""Characters of a number: Python reads no integer of more than 4,300 digits."""
_NUMBER = re.compile(r"(?<![\w.\-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)")
_TOKEN = r"[\w'&:-]*(?:\.\w[\w'&:-]*)*(?:/[A-Z]\w*)?"
_PROPER = re.compile(rf"(?<![\w'/])[A-Z0-9]{_TOKEN}(?: (?:(?:of|the|and|de|la|&) )*[A-Z0-9]{_TOKEN})*(?<!')")
_CODED = re.compile(r"\b(?:code|id) (?:is )?(?!(?:of|is|for|and|the|in|to|at)\b)([a-z]{2,3})\b")
_ALIAS = re.compile(r"\s*(?:\(|, )([A-Z]{2,4})\b\)?")
_NO_NAMES = frozenset("tv iata icao iso api id url utc tmdb i pc us usa uk".split())
_OWNERS = ("by", "actor", "actress", "director", "singer", "artist", "author")
_PREPOSITIONS = frozenset("from to between for in at near of on with into within about".split())
_KIND_OF = r"\b(?:city|town|region|state|country|province|continent|island|kingdom|republic) of (?:the )?$"
_WORD = re.compile(r"[\w'&:.-]+")
_COUNTING = re.compile(r"\d+(?= (?:of|the) )")
_ONLY_DIGITS = re.compile(r"[\d.,:-]+")
WORDS_BEFORE, REACH_BEFORE, REACH_BEHIND = 6, 1_000, 40
"""Words before a value, within so many characters, and characters behind it, that say what it is of."""
_LOOSE = frozenset("least than over under about only just exactly another new".split())
OPENING = frozenset(
    "what who when where which how list give show find tell get is are does did do recommend i please look name "
    "search return fetch count compute determine report ask check call use with by according write publish put set "
    "create make add delete remove change rename update read say send open follow unfollow save append play pause "
    "resume skip switch stop clear cancel turn enable append register post drop".split()
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value that the text names: `before` are the stems of the words in front of it, nearest first; `after` behind.

    `kind`: "text" (quoted, or a name), "number", "ordinal" (from 0; -1 for the last) or "date". `code` is the code
    that follows a name: Brazil (BR). `of`: it owns or made what the text is about; `lead` is the word right before it,
    `by` the preposition before it; `quoted`: its extent is sure; `apart`: what stands before it is not what it is
    ("cities in Japan").
    """

    value: Json
    kind: Kind
    before: tuple[str, ...]
    after: tuple[str, ...]
    of: bool = False
    lead: str = ""
    by: str = ""
    code: str = ""
    quoted: bool = False
    apart: bool = False

    @property
    def near(self) -> tuple[str, ...]:
        return (*self.before, *self.after)


Span = tuple[int, int, Value]


class _FoundValue(NamedTuple):
    """A value and where it stands."""

    start: int
    end: int
    value: Json
    kind: Kind
    quoted: bool = False


def find_values(part: str) -> list[Span]:
    """The values of a clause with their places, in order, none within another."""
    kept: list[_FoundValue] = []
    taken = bytearray(len(part))
    for one in _candidates(part):
        if one.end > one.start and not any(taken[one.start : one.end]):
            kept.append(one)
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
    spans = [(one.start, one.end, _value(part, one)) for one in kept]
    return _aliased(part, sorted(spans, key=lambda span: span[:2]))


def _candidates(part: str) -> Iterator[_FoundValue]:
    """What may be a value, the surest kinds first."""
    for match in QUOTED.finditer(part):
        text = next(filter(None, match.groups()))
        yield _FoundValue(*match.span(), text, "date" if _ISO.fullmatch(text) else "text", quoted=True)
    for match in _ISO.finditer(part):
        yield _FoundValue(*match.span(), match[0], "date")
    for match in _SPOKEN.finditer(part):
        yield _FoundValue(*match.span(), _date(match), "date")
    for match in _CODED.finditer(part):
        yield _FoundValue(*match.span(1), match[1], "text")
    for match in _PROPER.finditer(part):
        for start, end in _names(part, *match.span()):
            yield _FoundValue(start, end, part[start:end], "text")
    for match in _NUMBER.finditer(part):
        yield from _number(part, match)
    for match in re.finditer(r"[A-Za-z]+", part):
        word = match[0].lower()
        if word in ORDINALS or word == "last":
            yield _FoundValue(*match.span(), ORDINALS.get(word, -1), "ordinal")


def _number(part: str, match: re.Match[str]) -> Iterator[_FoundValue]:
    """A number, or the place that "number 150" gives; none in "top 5", behind a name in capitals, of endless digits."""
    before = part[max(0, match.start() - REACH_BEFORE) : match.start()].rstrip("- ").rpartition(" ")[2]
    if before.lower() == "top" or (len(before) > 1 and before.isupper()) or len(match[0]) > _MAX_DIGITS:
        return
    plain = match[0].replace(",", "")
    number = float(plain) if "." in plain else int(plain)
    is_place = before.lower() == "number" and isinstance(number, int) and number > 0
    yield _FoundValue(*match.span(), number - 1 if is_place else number, "ordinal" if is_place else "number")


def _date(match: re.Match[str]) -> str:
    day, month = match[1] or match[4], (match[2] or match[3]).lower()
    return f"{match[5]}-{_MONTHS.index(month) + 1:02}-{int(day):02}"


def _aliased(part: str, spans: list[Span]) -> list[Span]:
    """A code that follows a name, "Brazil (BR)", is no value of its own."""
    kept: list[Span] = []
    for start, end, value in spans:
        first, last, name = kept[-1] if kept else (0, 0, None)
        alias = _ALIAS.match(part, last)
        if name is not None and alias is not None and alias.span(1) == (start, end) and _is_alias(name, value):
            kept[-1] = (first, end, replace(name, code=str(value.value)))
        else:
            kept.append((start, end, value))
    return kept


def _is_alias(name: Value, value: Value) -> bool:
    return name.kind == value.kind == "text" and not name.code


def _names(part: str, start: int, end: int) -> list[tuple[int, int]]:
    """The names in a run of capitalised words: "Kathmandu and Pokhara" are two, "The Fast and the Furious" is one."""
    found, waiting = list[tuple[int, int]](), [(start, end)]
    while waiting:
        start, end = _trimmed(part, *waiting.pop())
        text = part[start:end]
        if " and " in text and not text.startswith("The ") and " and the " not in text:
            left, _, right = text.partition(" and ")
            waiting += [(end - len(right), end), (start, start + len(left))]
        elif _is_name(text):
            found.append((start, end))
    return found


def _is_name(text: str) -> bool:
    is_own = text.startswith(("My ", "Your "))
    return any(char.isalpha() for char in text) and text.lower() not in _NO_NAMES and not is_own


def _trimmed(part: str, start: int, end: int) -> tuple[int, int]:
    """A run of capitalised words without what only begins the sentence, or says what kind of thing follows."""
    while start < end:
        word = _WORD.match(part, start, end)
        if word is None or not _is_no_name(part, word):
            break
        start = word.end() + len(part[word.end() : end]) - len(part[word.end() : end].lstrip())
    text = part[start:end].removesuffix(" and I").rstrip(".:-")
    if _COUNTING.match(text) or _ONLY_DIGITS.fullmatch(text):
        return start, start
    return start, start + len(text.removesuffix("'s"))


def _is_no_name(part: str, word: re.Match[str]) -> bool:
    """Whether a word at the beginning of a run is no part of a name."""
    low = word[0].lower().rstrip(".:")
    if low in _NO_NAMES or (word[0].islower() and low in STOP):
        return True
    behind = part[word.end() :]
    keeps = low in ("the", "a", "my") and word[0][0].isupper() and re.match(r" [A-Z]", behind)
    return _opens_sentence(part, word.start()) and not keeps and _is_opening(low, behind)


def _opens_sentence(part: str, at: int) -> bool:
    before = part[:at]
    return re.search(r"\w", before) is None or before.rstrip()[-1:] in ".?!:"


def _is_opening(word: str, behind: str) -> bool:
    """Whether sentences begin with a word, or it is a common one: the next is not capitalised."""
    return word in STOP or word in OPENING or word in ORDINALS or re.match(r" [a-z]", behind) is not None


def _value(part: str, at: _FoundValue) -> Value:
    near = part[max(0, at.start - REACH_BEFORE) : at.start]
    before = re.findall(r"[A-Za-z]+", QUOTED.sub(" ", near))[-WORDS_BEFORE:]
    behind = re.split(r"[.,;?!]", part[at.end : at.end + REACH_BEHIND])[0]
    owns = part[at.end : at.end + 2] == "'s"
    words = [word.lower() for word in reversed(before)]
    lead = words[0] if words else ""
    return Value(
        value=at.value,
        kind=at.kind,
        before=tuple(stem(word) for word in words if word not in STOP and word not in _LOOSE)[:3],
        after=() if owns else _stems_behind(behind),
        of=owns or lead in _OWNERS,
        lead=lead,
        by=next((word for word in words if word in _PREPOSITIONS), ""),
        quoted=at.quoted,
        apart=lead in _PREPOSITIONS and not re.search(_KIND_OF, near),
    )


def _stems_behind(text: str) -> tuple[str, ...]:
    words = re.findall(r"[A-Za-z']+", text)[:2]
    return tuple(stem(word) for word in words if word.lower().partition("'")[0] not in STOP)
