"""The values that a text names: quotations, names, codes, numbers, dates and places ("the second")."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

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
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_MONTH = "|".join(_MONTHS)
_SPOKEN = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH})|({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?),? (\d{{4}})", re.I
)
_NUMBER = re.compile(r"(?<![\w.\-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)")
_TOKEN = r"[\w'&:-]*(?:\.\w[\w'&:-]*)*(?:/[A-Z]\w*)?"
_PROPER = re.compile(rf"(?<![\w'/])[A-Z0-9]{_TOKEN}(?: (?:(?:of|the|and|de|la|&) )*[A-Z0-9]{_TOKEN})*(?<!')")
_CODED = re.compile(r"\b(?:code|id) (?:is )?(?!(?:of|is|for|and|the|in|to|at)\b)([a-z]{2,3})\b")
_ALIAS = re.compile(r"\s*(?:\(|, )([A-Z]{2,4})\b\)?")
_SAID = frozenset("tv iata icao iso api id url utc tmdb i pc us usa uk".split())  # noqa: SIM905
_OWNERS = ("by", "actor", "actress", "director", "singer", "artist", "author")
_PREPOSITIONS = frozenset("from to between for in at near of on with into within about".split())  # noqa: SIM905
_KIND_OF = r"\b(?:city|town|region|state|country|province|continent|island|kingdom|republic) of (?:the )?$"
_LOOSE = frozenset("least than over under about only just exactly another new".split())  # noqa: SIM905
OPENING = frozenset(
    "what who when where which how list give show find tell get is are does did do recommend i please look name "  # noqa: SIM905
    "search return fetch count compute determine report ask check call use with by according write publish put set "
    "create make add delete remove change rename update read say send open follow unfollow save append play pause "
    "resume skip switch stop clear cancel turn enable append register post drop".split()
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value that the text names: `before` are the stems of the words in front of it, nearest first; `after` behind.

    `kind`: "text" (quoted, or a name), "number", "ordinal" (from 0; -1 for the last) or "date". `code` is the code
    that follows a name: Brazil (BR). `of`: it owns or made what is spoken of; `lead` is the word right before it, `by`
    the preposition before it; `quoted`: its extent is sure; `apart`: what stands before it is not what it is
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


def values(part: str) -> list[Span]:
    """The values of a clause with their places, in order, none within another."""
    spans: list[tuple[int, int, Json, Kind]] = []

    def take(start: int, end: int, value: Json, kind: Kind) -> None:
        if end > start and all(end <= other[0] or start >= other[1] for other in spans):
            spans.append((start, end, value, kind))

    for match in QUOTED.finditer(part):
        text = next(group for group in match.groups() if group)
        take(match.start(), match.end(), text, "date" if _ISO.fullmatch(text) else "text")
    for match in _ISO.finditer(part):
        take(match.start(), match.end(), match[0], "date")
    for match in _SPOKEN.finditer(part):
        take(match.start(), match.end(), _date(match), "date")
    for match in _CODED.finditer(part):
        take(match.start(1), match.end(1), match[1], "text")
    for match in _PROPER.finditer(part):
        for start, end in _names(part, match.start(), match.end()):
            take(start, end, part[start:end], "text")
    for match in _NUMBER.finditer(part):
        _take_number(part, match, take)
    for match in re.finditer(r"[A-Za-z]+", part):
        word = match[0].lower()
        if word in ORDINALS or word == "last":
            take(match.start(), match.end(), ORDINALS.get(word, -1), "ordinal")
    quoted = {match.start() for match in QUOTED.finditer(part)}
    found = [(start, end, _value(part, start, end, value, kind, start in quoted)) for start, end, value, kind in spans]
    return _aliased(part, sorted(found, key=lambda span: span[:2]))


def _take_number(part: str, match: re.Match[str], take: object) -> None:
    before = part[: match.start()].rstrip("- ").rpartition(" ")[2]
    if before.lower() == "top" or (len(before) > 1 and before.isupper()):
        return
    plain = match[0].replace(",", "")
    number = float(plain) if "." in plain else int(plain)
    assert callable(take)
    place = before.lower() == "number" and isinstance(number, int) and number > 0
    take(match.start(), match.end(), number - 1 if place else number, "ordinal" if place else "number")


def _date(match: re.Match[str]) -> str:
    day, month = match[1] or match[4], (match[2] or match[3]).lower()
    return f"{match[5]}-{_MONTHS.index(month) + 1:02}-{int(day):02}"


def _aliased(part: str, found: list[Span]) -> list[Span]:
    """A code that follows a name, "Brazil (BR)", is no value of its own."""
    kept: list[Span] = []
    for start, end, value in found:
        if kept and value.kind == "text" and kept[-1][2].kind == "text" and not kept[-1][2].code:
            alias = _ALIAS.match(part, kept[-1][1])
            if alias is not None and alias.start(1) == start and alias.end(1) == end:
                first, _, name = kept.pop()
                kept.append((first, end, replace(name, code=str(value.value))))
                continue
        kept.append((start, end, value))
    return kept


def _names(part: str, start: int, end: int) -> list[tuple[int, int]]:
    """The names in a run of capitalised words: "Kathmandu and Pokhara" are two, "The Fast and the Furious" is one."""
    start, end = _trimmed(part, start, end)
    text = part[start:end]
    if " and " in text and not text.startswith("The ") and " and the " not in text:
        left, _, right = text.partition(" and ")
        return [*_names(part, start, start + len(left)), *_names(part, end - len(right), end)]
    own = text.startswith(("My ", "Your "))
    sure = any(char.isalpha() for char in text) and text.lower() not in _SAID and not own
    return [(start, end)] if text and sure else []


def _trimmed(part: str, start: int, end: int) -> tuple[int, int]:
    """A run of capitalised words without what only begins the sentence, or says what kind of thing follows."""
    while start < end:
        word = re.match(r"[\w'&:.-]+", part[start:end])
        if word is None:
            break
        low = word[0].lower().rstrip(".:")
        behind = part[start + len(word[0]) :]
        first = not re.sub(r"\W", "", part[:start]) or part[:start].rstrip()[-1:] in ".?!:"
        opens = first and (low in STOP or low in OPENING or low in ORDINALS or bool(re.match(r" [a-z]", behind)))
        keeps = low in ("the", "a", "my") and re.match(r" [A-Z]", behind) and word[0][0].isupper()
        if not ((opens and not keeps) or low in _SAID or (word[0].islower() and low in STOP)):
            break
        start += len(word[0])
        start += len(part[start:end]) - len(part[start:end].lstrip())
    text = re.sub(r" and I$", "", part[start:end]).rstrip(".:-")
    if re.match(r"\d+(?= (?:of|the) )", text) or re.fullmatch(r"[\d.,:-]+", text):
        return start, start
    return start, start + len(text.removesuffix("'s"))


def _value(part: str, start: int, end: int, value: Json, kind: Kind, quoted: bool) -> Value:
    said = re.findall(r"[A-Za-z]+", QUOTED.sub(" ", part[:start]))[-6:]
    after = re.findall(r"[A-Za-z']+", re.split(r"[.,;?!]", part[end : end + 40])[0])[:2]
    owner = part[end : end + 2] == "'s"
    near = [stem(word) for word in reversed(said) if word.lower() not in STOP and word.lower() not in _LOOSE]
    return Value(
        value=value,
        kind=kind,
        before=tuple(near[:3]),
        after=tuple(stem(word) for word in after if word.lower().partition("'")[0] not in STOP and not owner)[:2],
        of=bool(owner or (said and said[-1].lower() in _OWNERS)),
        lead=said[-1].lower() if said else "",
        by=next((word.lower() for word in reversed(said) if word.lower() in _PREPOSITIONS), ""),
        quoted=quoted,
        apart=bool(said) and said[-1].lower() in _PREPOSITIONS and not re.search(_KIND_OF, part[:start]),
    )
