"""What an operation does, as a user would say it: from its name or description, by rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from docrev.language.words import words
from docrev.retrieval.documents import OperationText, sentences

_SHOWING = frozenset(
    words("""
    get gets return returns retrieve retrieves fetch fetches provide provides list lists give gives deliver
    delivers show shows obtain obtains find finds display displays query queries read reads view views contains
    receive receives responds lookup pull pulls expose exposes grab load
    """)
)
_DOING = frozenset(
    words("""
    add analyze apply book calculate cancel change check classify compare compress compute convert count crawl
    create decode delete detect determine download edit encode encrypt estimate evaluate extract filter format
    generate identify insert login make measure merge parse post predict publish purchase recognize recommend
    register remove render resolve save scan scrape search send set shorten solve sort start store submit
    subscribe suggest summarize synthesize test track transform translate update upload validate verify visit
    write
    """)
)
_LEAD = re.compile(
    r"^(?:(?:this|the|an?|our|use this|using this|with this)\s+)?(?:\w+\s+)?"
    r"(?:end\s?po?i?n?t\w*|endpiont|api|method|call|request|route|service|operation|function|resource|query)s?\b[\s,:]*"
    r"(?:(?:will|can|could|is used to|is|to|that|which|allows?|lets?|enables?|helps?|us|users?|you|be used to|able to|"
    r"for|provides? you with|gives? you|returns? you)\s+)*",
    re.IGNORECASE,
)
_USER = re.compile(r"^(?:(?:allows?|lets?|enables?|helps?|use this)\s+)?(?:(?:you|users?|us|to)\s+)+", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*(?:\(.*|\bbased on (?:the )?(?:given|provided)\b.*|,? (?:which|please|note|see|where|e\.g)\b.*)$"
)
_NOISE = re.compile(r"https?://\S+|<[^>]+>|[*`#\[\]{}|\"]+")
_PLURALS = ("s", "data", "info", "information", "news", "people")
_DETERMINED = frozenset(
    words("""
    a an the all any every each some this that my your our current latest random more
    """)
)
_OPENING = frozenset({"to", "will", "you", "us", "me", "and", "by", "it", "is", "are", "-"})
_FOR_WHOM = frozenset({"you", "us", "back", "with", "for", "me"})
LONGEST = 16
"""Words of a phrase: users say less than documents do."""


@dataclass(frozen=True, slots=True)
class OperationPhrase:
    """`doing` is True for what is to be done ("generate a QR code"), False for what is to be shown ("the latest
    news")."""

    text: str
    doing: bool


def phrases(text: OperationText) -> list[OperationPhrase]:
    """What can be said of an operation, from its description's first sentences and from its name; never empty."""
    described = [part for one in sentences(text.text)[:2] if (part := _read_sentence(one)) is not None]
    named = _read_sentence(text.name)
    return list(dict.fromkeys([*described, *([named] if named else [])])) or [
        OperationPhrase(f"{text.tool} {text.name}", False)
    ]


def determined(phrase: OperationPhrase, random: Random) -> str:
    """The phrase with an article, if it bears one."""
    first, _, _ = phrase.text.partition(" ")
    if phrase.doing or first.lower() in _DETERMINED or first[:1].isdigit():
        return phrase.text
    plural = any(word.lower().endswith(_PLURALS) for word in phrase.text.split()[:3])
    return f"{random.choice(('the', 'some', 'a list of', 'the')) if plural else 'the'} {phrase.text}"


def _read_sentence(sentence: str) -> OperationPhrase | None:
    """One sentence as a phrase; None if it says nothing."""
    text = _NOISE.sub(" ", sentence).strip(" .:;-,")
    text = _USER.sub("", _LEAD.sub("", text)).strip(" .:;-,")
    text = _TAIL.sub("", text)
    rest = _after(text.split(), _OPENING)
    while rest and rest[0].lower() in _SHOWING:
        rest = _after(rest[1:], _FOR_WHOM)
    doing = False
    if rest and (verb := _base(rest[0].lower())) in _DOING and len(rest) > 1:
        rest, doing = [verb, *rest[1:]], True
    if not rest or (len(rest) == 1 and len(rest[0]) < 3):
        return None
    return OperationPhrase(_mine(_lowered(rest[:LONGEST])), doing)


def _after(parts: list[str], skipped: frozenset[str]) -> list[str]:
    """The words from the first on that is not to be skipped."""
    start = next((at for at, part in enumerate(parts) if part.lower() not in skipped), len(parts))
    return parts[start:]


def _base(verb: str) -> str:
    """`generates`, `generating` → `generate`, as far as it is known."""
    for cut in (verb, verb[:-1], verb[:-2], f"{verb[:-3]}e", verb[:-3], f"{verb[:-3]}y"):
        if cut in _DOING:
            return cut
    return verb


def _lowered(given: list[str]) -> str:
    """The words, without the capital of a title; what is in capitals stays."""
    return " ".join(word.lower() if word[1:].islower() or len(word) == 1 else word for word in given).rstrip(" .,:;")


def _mine(text: str) -> str:
    """Said by the one whom the document addresses."""
    return re.sub(r"\byou\b", "I", re.sub(r"\byour\b", "my", text))
