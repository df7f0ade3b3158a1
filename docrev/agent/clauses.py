"""A task's text as the built-in agent reads it: clauses in order, what each asks for, and in which form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from docrev.agent.text_values import NUMBERS, OPENING, QUOTED, Span, Value, find_values
from docrev.agent.vocabulary import SELF, spelt, topic_stems
from docrev.language.characters import without_long_blanks
from docrev.language.stems import stem

_BESIDE = re.compile(
    r"(?:also|additionally|in addition|besides(?: that)?|moreover|furthermore|on top of that|apart from that)\b,?\s+",
    re.I,
)
_THANKS = re.compile(
    r"(?:many )?thanks?\b|thank you\b|i (?:really )?(?:would )?appreciate\b|that would (?:help|be)\b"
    r"|you(?:'re| are) the best|cheers\b",
    re.I,
)
_DOING = re.compile(
    r"(?:(?:please|kindly|could you|can you|would you|help me(?: to)?|let's|let us|i need(?: you)? to"
    r"|i want(?: you)? to|i(?:'d| would) (?:like|love)(?: you)? to|it would be (?:great|nice) if you could"
    r"|would you be so kind as to)\s+)+(?!be\b|please\b)",
    re.I,
)
_SHOWING = re.compile(
    r"(?:(?:please )?(?:look up|provide me with|tell me about)|i (?:can't|cannot) wait to see|do you have"
    r"|what can you tell me about|i would be grateful for|i(?:'m| am) looking for|see)\s+",
    re.I,
)
_FOR_WHOM = re.compile(r"(?:,?\s+(?:for (?:me|us)|please))+(?=[.?!]*$)", re.I)


def is_thanks(part: str) -> bool:
    """Whether a sentence only thanks."""
    return _THANKS.match(part) is not None


def is_beside(part: str) -> bool:
    """Whether a sentence asks for another thing beside the one before: both want an answer."""
    return _BESIDE.match(part) is not None


def without_courtesies(part: str) -> str:
    """A sentence without what is said for politeness: `Could you please delete it for me?` → `delete it?`."""
    text = _BESIDE.sub("", part, count=1) if is_beside(part) else part
    if (begun := _DOING.match(text)) is not None:
        text = text[begun.end() :]
    if (begun := _SHOWING.match(text)) is not None:
        text = f"show {text[begun.end() :]}"
    return _FOR_WHOM.sub("", text) if text != part else part


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
    stem(word) for word in "ask check call look find read count rank sort sorted order whether according per".split()
)
_POLITE = frozenset("please then now also and i want to can you could finally in by with for me".split())
_OPERATION = re.compile(
    r"(?:with |use |using |call |search with )?`?\b(GET|POST|PUT|PATCH|DELETE) (/[\w{}/.-]*[\w}])`?", re.I
)
_SPLIT = re.compile(
    r"(?<=[.?!])\s+(?=[A-Z\"])|;\s+|,?\s+and then\s+|,\s+then\s+|,\s*(?:and )?in it\s+|,?\s+and another\s+"
)
_JOINED = re.compile(r",?\s+and\s+|,\s+")
_FORM = re.compile(
    r"^(?:(?:and )?(?:give|tell|list|show|name)\b.*\b(?:its|their|them|it|all)\b|(?:its|their)\b|answer (?:with|in)\b)",
    re.I,
)
_FRAME = re.compile(
    r"\b(?:of|for|in|near|from|with|at|by|on|that|have|has|whose|does|do|did|is|are|was|were)\b|\0+|,|$"
)
_SEVERAL = re.compile(
    r"\ball\b|^list\b|\bwhat are\b|\bevery\b|\beach\b"
    r"|\bwhich (?:\w+ )?\w{2,}s (?:are|do|have|use|serve|lie|in|of|with|that|were|can|is it)\b"
)
_DOWN = re.compile(r"\b(?:most|highest|largest|biggest|longest|latest|newest|greatest|densest|descending)\b", re.I)
_COUNTED = re.compile(r"\bhow many (?:\w+ )??(\w+)|\bnumber of (\w+)|\bcount the (\w+)")
_TOP = re.compile(rf"\b({'|'.join(NUMBERS)}) (?:most|largest|nearest|highest|biggest|longest|latest|\w+ \w+ nearest)")
_INTO_IT = re.compile(r"\b(?:to|in|into|from|on) it\b")
_SEVERAL_QUOTED = re.compile(r"\"\s*(?:,|and)(?: then)?\s*\"")
_ALL_OF_THEM = re.compile(r"\ball\b|\btheir\b|\bthem\b", re.I)
_ASKING_PART = re.compile(r"[.:;!?] |\bI (?:need|want|prefer|would like)\b")
_NAME = stem("name")
_NO_FORM = frozenset({stem("enough"), _NAME})
_YES_OR_NO = frozenset({"is", "are", "does", "do", "has", "did"})
_ASKED_BY = {"when": stem("date"), "where": stem("place")}
FURTHER, LEAST_WANTED = 0.4, 0.1
"""What is left of a word's weight behind each "of", "in" and so on, and what is at least left."""
_UP = re.compile(r"\b(?:least|fewest|lowest|smallest|shortest|oldest|nearest|closest|earliest)\b|lowest-", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to do or to ask, in the text's order."""

    text: str
    deed: Deed
    values: tuple[Value, ...]
    stems: tuple[str, ...]
    """Its content words without values, as stems."""
    want: tuple[tuple[str, float], ...]
    """Stems with how much each is what is asked for."""
    many: bool = False
    """Whether it asks for all of them."""
    whether: bool = False
    """Whether it asks for yes or no."""
    counts: bool = False
    """Whether it asks how many there are, of what is `counted`."""
    counted: str = ""
    top: int = 0
    """How many are asked for at most; 0 for all."""
    order: int = 0
    """1 for the least first, -1 for the most."""
    form: tuple[str, ...] = ()
    """The words for the form of the answer: "its IATA code"."""
    named: frozenset[str] = frozenset()
    """Operations that the text itself names."""
    beside: bool = False
    """Whether it wants an answer of its own, beside that of the clause before."""


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


class _Sentence(NamedTuple):
    """A sentence of a task: what stands before it for context, whether it asks for another thing, and its deed."""

    context: str
    text: str
    beside: bool
    deed: Deed | None

    @property
    def is_new(self) -> bool:
        """Whether it asks for something of its own, whatever stands before it."""
        return self.beside or _asks(self.text)


@lru_cache(maxsize=2048)
def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a task; at least one."""
    text = _unfolded(without_long_blanks(text))
    named = frozenset(f"{match[1].upper()} {match[2]}" for match in _OPERATION.finditer(text))
    plain = spelt(_OPERATION.sub(" ", text)) if named else spelt(text)
    parts = [part for part in _parts(plain) if not is_thanks(part)] or [plain]
    clauses: list[Clause] = []
    for context, part in _with_context(parts):
        bare = without_courtesies(part)
        _add(clauses, _Sentence(context, bare, is_beside(part), _deed(bare)), named)
    return tuple(clauses)


def _add(clauses: list[Clause], sentence: _Sentence, named: frozenset[str]) -> None:
    """Add the clauses of a sentence to those before, or complete the last one."""
    last = clauses[-1] if clauses else None
    completed = _completed(last, sentence) if last is not None and sentence.deed is None else None
    if completed is not None:
        clauses[-1] = completed
        return
    # A situation matters if what is asked names nothing itself.
    whole = sentence.text if find_values(sentence.text) else sentence.context + sentence.text
    clause = replace(_clause(whole, _implied_deed(last, sentence)), named=named, beside=sentence.beside)
    for part in _each(clause):
        _append(clauses, _with_stems(part, last.stems[1:]) if last and _refers_to(last, sentence.text) else part)
        last = clauses[-1]


def _completed(last: Clause, sentence: _Sentence) -> Clause | None:
    """The clause before a sentence without a deed, completed by it; None if that is a clause of its own."""
    if last.deed == "read":
        return _with_form(last, sentence.text) if _FORM.match(sentence.text) else None
    if last.deed == "create" or sentence.is_new:
        return None
    return _with_stems(last, topic_stems(sentence.text))


def _implied_deed(last: Clause | None, sentence: _Sentence) -> Deed:
    """What a sentence asks to be done: by its verb; behind something to create, another such thing."""
    if sentence.deed is not None:
        return sentence.deed
    return "create" if last is not None and last.deed == "create" and not _asks(sentence.text) else "read"


def _append(clauses: list[Clause], clause: Clause) -> None:
    """Add a clause; it takes over what the one before it lacks to stand alone, and the other way round."""
    last = clauses[-1] if clauses else None
    if last is not None and clause.deed == last.deed == "read" and not last.want:
        clause = replace(clause, values=(*clauses.pop().values, *clause.values))
    elif last is not None and clause.deed == last.deed == "create" and not clause.stems:
        clause = replace(clause, stems=last.stems)
    clauses.append(clause)


def _refers_to(last: Clause, text: str) -> bool:
    """Whether a sentence refers to what the clause before it creates: "add it to it"."""
    return last.deed == "create" and _INTO_IT.search(text) is not None


def _with_stems(clause: Clause, more: Sequence[str]) -> Clause:
    return replace(clause, stems=tuple(dict.fromkeys((*clause.stems, *more))))


def _each(clause: Clause) -> list[Clause]:
    """One clause for each of several things to create that differ in one value: the lists "Old" and "New"."""
    quoted = [value for value in clause.values if value.quoted]
    if clause.deed != "create" or len(quoted) < 2 or not _SEVERAL_QUOTED.search(clause.text):
        return [clause]
    rest = [value for value in clause.values if not value.quoted]
    label = next((value.before for value in quoted if value.before), ())
    return [replace(clause, values=(*rest, replace(value, before=label))) for value in quoted]


def _with_form(clause: Clause, part: str) -> Clause:
    """The clause with the form that a sentence behind it asks for: "Give its IATA code"."""
    form = tuple(word for word in topic_stems(part) if word not in _NO_FORM)
    many = clause.many or _ALL_OF_THEM.search(part) is not None
    return replace(clause, form=form or ((_NAME,) if "name" in part.lower() else ()), many=many)


def _parts(text: str) -> list[str]:
    """Sentences, and what "then" or another verb sets apart; never within a quotation."""
    masked = QUOTED.sub(lambda match: '"' + "\0" * (len(match[0]) - 2) + '"', text)
    joints = (match for match in _JOINED.finditer(masked) if _joins_deeds(masked, match))
    parts, at = [], 0
    for start, end in sorted(match.span() for match in (*_SPLIT.finditer(masked), *joints)):
        if start >= at:
            parts.append(text[at:start])
            at = end
    parts.append(text[at:])
    return [part.strip() for part in parts if part.strip(" .,")] or [text]


def _joins_deeds(text: str, match: re.Match[str]) -> bool:
    """Whether an "and" or a comma joins two things to do: "skip this track and pause"."""
    word = re.match(r"\w+", text[match.end() :])
    return word is not None and word[0].lower() in _VERBS and _deed(text[: match.start()]) is not None


def _with_context(parts: list[str]) -> list[tuple[str, str]]:
    """Each sentence with what stands before it: those that neither ask nor do anything ("I am planning a trip. …")."""
    found: list[tuple[str, str]] = []
    before = ""
    for at, part in enumerate(parts):
        if not found and at < len(parts) - 1 and _is_idle(without_courtesies(part)):
            before = f"{before}{part} "
            continue
        found.append((before, part))
        before = ""
    return found


def _is_idle(part: str) -> bool:
    """Whether a sentence neither asks nor does anything."""
    return _deed(part) is None and not _asks(part) and not re.match(r"(?:an?|another|it)\b", part, re.I)


def _first_words(part: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+", part)[:5]]


def _deed(part: str) -> Deed | None:
    """What a clause asks to be done, by its first verb; None if it does not begin with one."""
    head = re.sub(r"^(?:in|with|by|using) \w+,\s*", "", part.strip(), flags=re.I)
    for word in _first_words(head):
        if word in _VERBS:
            return "create" if word == "set" and re.match(r"set up\b", head, re.I) else _VERBS[word]
        if word not in _POLITE:
            return None
    return None


def _asks(part: str) -> bool:
    return part.endswith("?") or bool(OPENING.intersection(_first_words(part)[:1]) - {"i"})


def _clause(part: str, deed: Deed) -> Clause:
    spans = find_values(part)
    rest = part
    for start, end, _ in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    counted = _COUNTED.search(part.lower())
    top = _TOP.search(part.lower())
    return Clause(
        text=part,
        deed=deed,
        values=tuple(value for _, _, value in spans),
        stems=tuple(dict.fromkeys((*topic_stems(rest), *((SELF,) if _MINE.search(rest) else ())))),
        want=_want(part, spans, counts=counted is not None),
        many=deed == "read" and (_SEVERAL.search(part.lower()) is not None or top is not None),
        whether=deed == "read" and bool(_YES_OR_NO.intersection(_first_words(part)[:1])),
        counts=counted is not None,
        counted=stem(next(filter(None, counted.groups()))) if counted else "",
        top=NUMBERS[top[1]] if top else 0,
        order=1 if _UP.search(part) else -1 if _DOWN.search(part) else 0,
    )


def _want(part: str, spans: Sequence[Span], *, counts: bool) -> tuple[tuple[str, float], ...]:
    """What is asked for: the words up to the first "of" count most, those behind further and further ones less."""
    wanted: dict[str, float] = {}
    weight, at = 1.0, 0
    text = part
    for start, end, _ in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    text = _ASKING_PART.split(text)[-1]
    for match in _FRAME.finditer(text):
        for one in topic_stems(text[at : match.start()].replace("\0", " ")):
            if one not in _ASIDE:
                wanted.setdefault(one, weight)
        weight = max(LEAST_WANTED, weight * FURTHER) if wanted else weight
        at = match.end()
    for word in _first_words(part)[:1]:
        if word in _ASKED_BY:
            wanted.setdefault(_ASKED_BY[word], 1.0)
    if counts:
        wanted.setdefault(stem("number"), 1.0)
    return tuple(wanted.items())
