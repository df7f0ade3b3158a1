"""A task's text as the offline agent reads it: clauses in order, what each asks for, and in which form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from docrev.agent.courtesies import is_beside, is_thanks
from docrev.agent.courtesies import plain as spoken
from docrev.agent.text_values import NUMBERS, OPENING, QUOTED, Span, Value, values
from docrev.agent.vocabulary import SELF, spelt, topic_stems
from docrev.language.stems import stem

Deed = Literal["read", "create", "change", "delete", "act"]
_CREATE = "create make add append save post register follow write put publish"
_CHANGE = "change rename set update edit modify turn increase decrease enable replace"
_VERBS: dict[str, Deed] = {
    **dict.fromkeys(_CREATE.split(), "create"),
    **dict.fromkeys(_CHANGE.split(), "change"),
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
_ASIDE = frozenset(
    stem(word)
    for word in "ask check call look find read count rank sort sorted order whether according per".split()  # noqa: SIM905
)
_POLITE = frozenset("please then now also and i want to can you could finally in by with for me".split())  # noqa: SIM905
_OPERATION = re.compile(
    r"(?:with |use |using |call |search with )?`?\b(GET|POST|PUT|PATCH|DELETE) (/[\w{}/.-]*[\w}])`?", re.I
)
_SPLIT = re.compile(
    r"(?<=[.?!])\s+(?=[A-Z\"])|;\s+|,?\s+and then\s+|,\s+then\s+|,\s*(?:and )?in it\s+|,?\s+and another\s+"
)
_JOINED = re.compile(r",?\s+and\s+|,\s+")
_FORM = re.compile(r"^(?:(?:and )?(?:give|tell|list|show|name)\b.*\b(?:its|their|them|it|all)\b|(?:its|their)\b)", re.I)
_FRAME = re.compile(
    r"\b(?:of|for|in|near|from|with|at|by|on|that|have|has|whose|does|do|did|is|are|was|were)\b|\0+|,|$"
)
_SEVERAL = re.compile(
    r"\ball\b|^list\b|\bwhat are\b|\bevery\b|\beach\b"
    r"|\bwhich (?:\w+ )?\w{2,}s (?:are|do|have|use|serve|lie|in|of|with|that|were|can|is it)\b"
)
_DOWN = re.compile(r"\b(?:most|highest|largest|biggest|longest|latest|newest|greatest|densest|descending)\b", re.I)
_UP = re.compile(r"\b(?:least|fewest|lowest|smallest|shortest|oldest|nearest|closest|earliest)\b|lowest-", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to do or to ask, in the text's order.

    `stems` are its content words without values; `want` maps stems to how much they are what is asked for; `form` are
    the words that say how to tell it ("its IATA code"). `many`: all of them; `whether`: yes or no; `counts`: how many,
    of `counted`; `top`: how many at most; `order`: 1 for the least first, -1 for the most; `named` are operations that
    the text itself names. `beside`: it wants an answer of its own, beside that of the clause before.
    """

    text: str
    deed: Deed
    values: tuple[Value, ...]
    stems: tuple[str, ...]
    want: tuple[tuple[str, float], ...]
    many: bool = False
    whether: bool = False
    counts: bool = False
    counted: str = ""
    top: int = 0
    order: int = 0
    form: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    beside: bool = False


_NAMED = r"(?:,? and (?:name|call) it|,? (?:called|named|titled))"
_FILLED = tuple(
    re.compile(pattern.replace("NAMED", _NAMED), re.I)
    for pattern in (
        r"^(?:please )?(?:make|create)(?: me)? an? (?:new )?(?P<thing>\w+) (?:containing|with|of|from) (?P<items>.+?)"
        r"NAMED (?P<name>.+)$",
        r"^(?:please )?(?:make|turn) (?P<items>.+?) (?:into )?an? new (?P<thing>\w+)NAMED (?P<name>.+)$",
        r"^(?:please )?(?:add|put|save) (?P<items>.+?) (?:to|into|in) an? new (?P<thing>\w+)NAMED (?P<name>.+)$",
    )
)
"""To make something of other things: "Make my top tracks a new playlist called …"."""
_MINE = re.compile(r"\b(?:my|mine|I (?:saved|follow|own|like|liked|am|have saved)|I\b.{0,12}\bplaying)\b", re.I)


def _unfolded(text: str) -> str:
    """A text that makes something of other things, as steps: find them, make it, add them."""
    for pattern in _FILLED:
        match = pattern.match(text.strip())
        if match is not None:
            items, thing, name = match["items"], match["thing"], match["name"].rstrip(" .")
            return f"Find {items}. Create a new {thing} named {name}. Add {items} to the {thing}."
    return text


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a task; at least one."""
    text = _unfolded(text)
    found: list[Clause] = []
    named = frozenset(f"{match[1].upper()} {match[2]}" for match in _OPERATION.finditer(text))
    plain = spelt(_OPERATION.sub(" ", text)) if named else spelt(text)
    said = [part for part in _parts(plain) if not is_thanks(part)] or [plain]
    for before, heard in _with_context(said):
        beside, part = is_beside(heard), spoken(heard)
        deed = _deed(part)
        if found and deed is None and found[-1].deed == "read" and _FORM.match(part):
            found[-1] = _told(found[-1], part)
            continue
        if deed is None and found and found[-1].deed == "create" and not _reads(part):
            deed = "create"
        if found and deed is None and found[-1].deed != "read" and not (beside or _reads(part)):
            found[-1] = replace(found[-1], stems=tuple(dict.fromkeys((*found[-1].stems, *topic_stems(part)))))
            continue
        # A situation matters where what is asked names nothing itself.
        whole = part if values(part) else before + part
        for one in _each(replace(_clause(whole, deed or "read"), named=named, beside=beside)):
            if found and found[-1].deed == "create" and re.search(r"\b(?:to|in|into|from|on) it\b", part):
                one = replace(one, stems=tuple(dict.fromkeys((*one.stems, *found[-1].stems[1:]))))
            if found and one.deed == found[-1].deed == "read" and not found[-1].want:
                one = replace(one, values=(*found.pop().values, *one.values))
            alone = found and one.deed == found[-1].deed == "create" and not one.stems
            found.append(replace(one, stems=found[-1].stems) if alone else one)
    return tuple(found)


def _each(clause: Clause) -> list[Clause]:
    """One clause for each of several things to be made that differ in one value: the lists "Old" and "New"."""
    quoted = [value for value in clause.values if value.quoted]
    parted = re.search(r"\"\s*(?:,|and)(?: then)?\s*\"", clause.text)
    if clause.deed != "create" or len(quoted) < 2 or not parted:
        return [clause]
    rest = [value for value in clause.values if not value.quoted]
    label = next((value.before for value in quoted if value.before), ())
    return [replace(clause, values=(*rest, replace(value, before=label))) for value in quoted]


def _told(clause: Clause, part: str) -> Clause:
    """The clause with what a sentence behind it says on how to tell it: "Give its IATA code"."""
    words = tuple(word for word in topic_stems(part) if word not in ("enough", "name"))
    many = clause.many or bool(re.search(r"\ball\b|\btheir\b|\bthem\b", part, re.I))
    return replace(clause, form=words or (("name",) if "name" in part.lower() else ()), many=many)


def _parts(text: str) -> list[str]:
    """Sentences, and what "then" or another verb sets apart; never within a quotation."""
    masked = QUOTED.sub(lambda match: '"' + "\0" * (len(match[0]) - 2) + '"', text)
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


def _with_context(parts: list[str]) -> list[tuple[str, str]]:
    """Each sentence with what stands before it: those that neither ask nor do anything ("I am planning a trip. …")."""
    found: list[tuple[str, str]] = []
    before = ""
    for at, part in enumerate(parts):
        said = spoken(part)
        idle = _deed(said) is None and not _reads(said) and not re.match(r"(?:an?|another|it)\b", said, re.I)
        if idle and not found and at < len(parts) - 1:
            before = f"{before}{part} "
            continue
        found.append((before, part))
        before = ""
    return found


def _first_words(part: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+", part)[:5]]


def _deed(part: str) -> Deed | None:
    """What a clause asks to be done, by its first verb; None where it does not begin with one."""
    head = re.sub(r"^(?:in|with|by|using) \w+,\s*", "", part.strip(), flags=re.I)
    for word in _first_words(head):
        if word in _VERBS:
            return "create" if word == "set" and re.match(r"set up\b", head, re.I) else _VERBS[word]
        if word not in _POLITE:
            return None
    return None


def _reads(part: str) -> bool:
    return part.endswith("?") or bool(OPENING.intersection(_first_words(part)[:1]) - {"i"})


def _clause(part: str, deed: Deed) -> Clause:
    spans = values(part)
    rest = part
    for start, end, _ in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    lower = part.lower()
    counted = re.search(r"\bhow many (?:\w+ )??(\w+)|\bnumber of (\w+)|\bcount the (\w+)", lower)
    several = _SEVERAL.search(lower)
    top = re.search(
        rf"\b({'|'.join(NUMBERS)}) (?:most|largest|nearest|highest|biggest|longest|latest|\w+ \w+ nearest)", lower
    )
    return Clause(
        text=part,
        deed=deed,
        values=tuple(value for _, _, value in spans),
        stems=tuple(dict.fromkeys((*topic_stems(rest), *((SELF,) if _MINE.search(rest) else ())))),
        want=_want(part, spans, bool(counted)),
        many=deed == "read" and (bool(several) or bool(top)),
        whether=deed == "read" and _first_words(part)[:1] in (["is"], ["are"], ["does"], ["do"], ["has"], ["did"]),
        counts=counted is not None,
        counted=stem(next(group for group in counted.groups() if group)) if counted else "",
        top=NUMBERS[top[1]] if top else 0,
        order=1 if _UP.search(part) else -1 if _DOWN.search(part) else 0,
    )


def _want(part: str, spans: Sequence[Span], counts: bool) -> tuple[tuple[str, float], ...]:
    """What is asked for: the words up to the first "of" count most, those behind further and further ones less."""
    found: dict[str, float] = {}
    weight, at = 1.0, 0
    text = part
    for start, end, _ in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    text = re.split(r"[.:;!?] |\bI (?:need|want|prefer|would like)\b", text)[-1]
    for match in _FRAME.finditer(text):
        for one in topic_stems(text[at : match.start()].replace("\0", " ")):
            if one in _ASIDE:
                continue
            found.setdefault(one, weight)
        if found:
            weight = max(0.1, weight * 0.4)
        at = match.end()
    said = {"when": "date", "where": "place"}
    for word in _first_words(part)[:1]:
        if word in said:
            found.setdefault(stem(said[word]), 1.0)
    if counts:
        found.setdefault(stem("number"), 1.0)
    return tuple(found.items())
