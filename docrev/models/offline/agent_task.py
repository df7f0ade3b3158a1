"""A task's text as the offline agent reads it: clauses, the values they name, and what is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from docrev.models.offline.agent_words import STOP, stem, stems
from docrev.records import Json

Deed = Literal["read", "create", "change", "delete", "act"]
_VERBS: dict[str, Deed] = {
    **dict.fromkeys(
        ("create", "make", "add", "append", "save", "post", "register", "follow", "write", "put"), "create"
    ),
    **dict.fromkeys(
        ("change", "rename", "set", "update", "edit", "modify", "turn", "increase", "decrease", "enable", "replace"),
        "change",
    ),
    **dict.fromkeys(("delete", "remove", "unfollow", "clear", "cancel", "drop"), "delete"),
    **dict.fromkeys(("skip", "pause", "play", "resume", "stop", "switch"), "act"),
}
METHODS: dict[Deed, tuple[str, ...]] = {
    "read": ("GET",),
    "create": ("POST", "PUT"),
    "change": ("PATCH", "PUT", "POST"),
    "delete": ("DELETE",),
    "act": ("PUT", "POST"),
}
_READING = frozenset(
    "what who when where which how list give show find tell get is are does did do recommend i please look name "  # noqa: SIM905
    "search return fetch count compute determine report look".split()
)
ORDINALS = {
    word: at
    for at, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"))
}
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+(?:'[a-z][^']*)?)'(?!\w)")
_OPERATION = re.compile(r"`?\b(GET|POST|PUT|PATCH|DELETE) (/[\w{}/.-]*[\w}])`?")
_DATE = re.compile(r"(?<!\w)\d{4}-\d{2}-\d{2}(?!\w)")
_NUMBER = re.compile(r"(?<![\w.\-])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_PROPER = re.compile(
    r"(?<![\w'])[A-Z0-9][\w'&:.-]*(?: (?:(?:of|the|and|on|in|as|a|de|la|&) )*[A-Z0-9][\w'&:-]*)*(?<!')"
)
_SPLIT = re.compile(
    r"(?<=[.?!])\s+(?=[A-Z])|;\s+|,?\s+and then\s+|,\s+then\s+|,\s*(?:and )?in it\s+|,?\s+and another\s+", re.I
)
_JOINED = re.compile(r",?\s+and\s+|,\s+")
_SAID = frozenset("tv iata icao iso api id url utc tmdb i pc us usa uk".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Value:
    """A value that the text names: `before` are the stems of the words in front of it, nearest first; `after` behind.

    `kind`: "text" (quoted, or a name), "number", "ordinal" (from 0) or "date". `of`: it owns or made what is spoken of;
    `lead` is the word right before it.
    """

    value: Json
    kind: Literal["text", "number", "ordinal", "date"]
    before: tuple[str, ...]
    after: tuple[str, ...]
    of: bool = False
    lead: str = ""

    @property
    def near(self) -> tuple[str, ...]:
        return (*self.before, *self.after)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to do or to ask, in the text's order.

    `stems` are its content words without values; `want` maps stems to how much they are what is asked for; `many`:
    all of them; `whether`: yes or no; `counts`: how many; `named` are operations that the text itself names.
    """

    text: str
    deed: Deed
    values: tuple[Value, ...]
    stems: tuple[str, ...]
    want: tuple[tuple[str, float], ...]
    many: bool = False
    whether: bool = False
    counts: bool = False
    named: frozenset[str] = frozenset()


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a task; at least one."""
    found: list[Clause] = []
    named = frozenset(f"{match[1]} {match[2]}" for match in _OPERATION.finditer(text))
    text = _OPERATION.sub(" ", text)
    for part in _with_context(_parts(text)):
        deed = _deed(part)
        if deed is None and found and found[-1].deed == "create" and not _reads(part):
            deed = "create"
        found.append(replace(_clause(part, deed or "read"), named=named))
    return tuple(found)


def _parts(text: str) -> list[str]:
    """Sentences, and what "then" or another verb sets apart; never within a quotation."""
    masked = _QUOTED.sub(lambda match: "\0" * len(match[0]), text)
    cuts = [(match.start(), match.end()) for match in _SPLIT.finditer(masked)]
    for match in _JOINED.finditer(masked):
        word = re.match(r"\w+", masked[match.end() :])
        if word and word[0].lower() in _VERBS and _deed(masked[: match.start()]) is not None:
            cuts.append((match.start(), match.end()))
    parts, at = [], 0
    for start, end in sorted(cuts):
        if start >= at:
            parts.append(text[at:start])
            at = end
    parts.append(text[at:])
    return [part.strip() for part in parts if part.strip(" .,")] or [text]


def _with_context(parts: list[str]) -> list[str]:
    """Sentences that neither ask nor do anything go with the next one: "I am planning a trip. …"."""
    found: list[str] = []
    before = ""
    for at, part in enumerate(parts):
        idle = _deed(part) is None and not _reads(part) and not re.match(r"(?:I|an?|another|it)\b", part)
        if idle and not found and at < len(parts) - 1:
            before = f"{before}{part} "
            continue
        found.append(before + part)
        before = ""
    return found


def _first_words(part: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+", part)[:4]]


def _deed(part: str) -> Deed | None:
    """What a clause asks to be done, by its first verb; None where it does not begin with one."""
    for word in _first_words(part):
        if word in _VERBS:
            return _VERBS[word]
        if word not in ("please", "then", "now", "also", "and", "i", "want", "to", "can", "you", "could", "finally"):
            return None
    return None


def _reads(part: str) -> bool:
    return part.endswith("?") or bool(_READING.intersection(_first_words(part)[:1]))


def _clause(part: str, deed: Deed) -> Clause:
    spans = _values(part)
    rest = part
    for start, end, _ in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    words = stems(rest)
    lower = part.lower()
    first = _first_words(part)[:1]
    return Clause(
        text=part,
        deed=deed,
        values=tuple(value for _, _, value in spans),
        stems=tuple(dict.fromkeys(words)),
        want=_want(part, spans),
        many=deed == "read"
        and bool(re.search(r"\ball\b|^list\b|\bwhat are\b|\bwhich .*\bare\b|\bevery\b|\beach\b", lower)),
        whether=deed == "read" and first[:1] in (["is"], ["are"], ["does"], ["do"], ["has"], ["did"]),
        counts="how many" in lower or "number of" in lower,
    )


def _want(part: str, spans: list[tuple[int, int, Value]]) -> tuple[tuple[str, float], ...]:
    """What is asked for: the words up to the first "of" count most, those behind further and further ones less."""
    found: dict[str, float] = {}
    weight, at = 1.0, 0
    text = part
    for start, end, _ in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    for match in re.finditer(r"\b(?:of|for|in|near|from|with|at|by|on|that|have|has|whose|does|do|did)\b|\0+|$", text):
        for one in stems(text[at : match.start()].replace("\0", " ")):
            found.setdefault(one, weight)
        if found:
            weight = max(0.1, weight * 0.4)
        at = match.end()
    said = {"when": "date", "where": "place", "birthday": "birthday"}
    for word in _first_words(part)[:1]:
        if word in said:
            found.setdefault(stem(said[word]), 1.0)
    return tuple(found.items())


def _values(part: str) -> list[tuple[int, int, Value]]:
    """The values of a clause with their places, in order, none within another."""
    spans: list[tuple[int, int, Json, str]] = []

    def take(start: int, end: int, value: Json, kind: str) -> None:
        if all(end <= other[0] or start >= other[1] for other in spans):
            spans.append((start, end, value, kind))

    for match in _QUOTED.finditer(part):
        text = next(group for group in match.groups() if group)
        take(match.start(), match.end(), text, "date" if _DATE.fullmatch(text) else "text")
    for match in _DATE.finditer(part):
        take(match.start(), match.end(), match[0], "date")
    for match in _PROPER.finditer(part):
        start, end = _trimmed(part, match.start(), match.end())
        if end > start and any(char.isalpha() for char in part[start:end]):
            take(start, end, part[start:end], "text")
    for match in _NUMBER.finditer(part):
        before = part[: match.start()].rstrip("- ").rpartition(" ")[2]
        if before.lower() != "top" and not (len(before) > 1 and before.isupper()):
            number = float(match[0]) if "." in match[0] else int(match[0])
            take(match.start(), match.end(), number, "number")
    for match in re.finditer(r"[A-Za-z]+", part):
        at = ORDINALS.get(match[0].lower())
        if at is not None:
            take(match.start(), match.end(), at, "ordinal")
    return [
        (start, end, _value(part, start, end, value, kind))
        for start, end, value, kind in sorted(spans, key=lambda s: s[:2])
    ]


def _trimmed(part: str, start: int, end: int) -> tuple[int, int]:
    """A run of capitalised words without what only begins the sentence, or says what kind of thing follows."""
    while start < end:
        word = re.match(r"[\w'&:.-]+", part[start:end])
        if word is None:
            break
        low = word[0].lower().rstrip(".:")
        opens = not part[:start].strip() and (
            low in STOP or low in _READING or low in _VERBS or low.rstrip("s") in _VERBS
        )
        if not (
            opens or low in _SAID or (low in STOP and low not in ("the", "a", "my", "you") and not part[:start].strip())
        ):
            break
        start += len(word[0])
        start += len(part[start:end]) - len(part[start:end].lstrip())
    text = re.sub(r" and I$", "", part[start:end]).rstrip(".:-")
    counted = re.match(r"\d+(?= (?:of|in|on) )", text)
    if counted:
        return start, start
    if text.endswith("'s"):
        text = text[:-2]
    if text.lower() in _SAID or text.lower() in ("the", "a", "i'm"):
        return start, start
    return start, start + len(text)


def _value(part: str, start: int, end: int, value: Json, kind: str) -> Value:
    before = re.findall(r"[A-Za-z]+", _QUOTED.sub(" ", part[:start]))[-5:]
    after = re.findall(r"[A-Za-z']+", part[end : end + 40])[:2]
    owner = part[end : end + 2] == "'s"
    by = before[-1:] and before[-1].lower() in ("by", "actor", "actress", "director", "singer", "artist", "author")
    near = [stem(word) for word in reversed(before) if word.lower() not in STOP]
    return Value(
        value=value,
        kind=kind,  # type: ignore[arg-type]
        before=tuple(near[:3]),
        after=tuple(stem(word) for word in after if word.lower().partition("'")[0] not in STOP and not owner)[:1],
        of=bool(owner or by),
        lead=before[-1].lower() if before else "",
    )
