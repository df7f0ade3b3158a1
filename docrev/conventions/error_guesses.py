"""What a message that no reader understands says of the names that were sent, by the words that stand around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_mentions import SHAPED, mentioned
from docrev.conventions.error_messages import Message
from docrev.conventions.error_sentences import sentences
from docrev.conventions.error_subjects import FIELD_WORDS, QUOTED, is_name
from docrev.conventions.sent_values import Sent
from docrev.grouping import only
from docrev.json_values.pointer import join
from docrev.language.words import has_word, words

_ABSENT = re.compile(
    r"\b(?:missing|required|mandatory|needed|needs?|requires?|absent|empty|blank|suppl(?:y|ied)|specif(?:y|ied)"
    r"|provided?|without|lacks?)\b|\bno (?!such)",
    re.I,
)
_TOGETHER = re.compile(
    r"\b(?:both|together|combin\w+|mutually|simultaneous\w*|at (?:the same time|once)|along(?:side| with)|exclusive"
    r"|incompatible|conflicts?|clash\w*|not with)\b|\b(?:not|n't|never|unless|without)\b.* (?:with|when|if|and|in)\b",
    re.I,
)
_WITH = re.compile(r"\b(?:with|when|if|alongside|while)\b", re.I)
_UNKNOWN = re.compile(
    r"\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected|superfluous|not (?:an? )?(?:\w+ ){0,5}?"
    rf"(?:known|recogni[sz]ed|supported|allowed|expected|permitted))\b.*{FIELD_WORDS}"
    rf"|{FIELD_WORDS}s?\b.*\b(?:do(?:es)? not exist|unknown)",
    re.I,
)
_ON_ACCESS = re.compile(r"\bpermi(?:ssion|tted)|\b(?:authori[sz]|method|endpoint|route)", re.I)
_KINDS = (
    ("exists", re.compile(r"\balready (?:exists?|in use|used|taken)|\bduplicate|\bin use\b", re.I)),
    ("not-found", re.compile(r"\bnot exist|n't exist|\bnot (?:be )?found\b|\bno such\b", re.I)),
)
_LACKING = re.compile(
    r"^(?:no|missing|empty|(?:\w+ ){0,2}(?:has|needs|lacks|requires|with|without)(?: an?| no| empty| the| its)+)"
    r"(?: (?:required|mandatory|valid))? :?(?P<object>[\w\-]+)"
    r"(?: (?:was |is )?(?:given|provided|specified|supplied|set|sent|found))?\W*$"
    r"|^(?:\[[^\]]*\] ?)*(?:the |an? |message |:)*(?P<subject>[\w\-]+(?: (?!is|was|are)[\w\-]+)?)(?: is| was| are)? "
    r"(?:missing|required|mandatory|needed|absent|empty|blank|not (?:given|provided|specified|supplied|set))\b",
    re.I,
)
_WORD = re.compile(r"(?<![\w.\-])[A-Za-z][\w\-]*(?![\w\-])")
_NO_NAMES = re.compile(
    rf"(?:.* )?(?:{FIELD_WORDS}|body|data|request|object|payload|item|file|login|credentials?|auth\w*|token|user|be)s?",
    re.I,
)
"""What may lack without being a name: nothing in particular, or what a caller is."""


def guesses(unread: Iterable[Message], sent: Sent, *, alone: bool) -> Iterator[Hint]:
    """What is guessed of messages that are not read: of the first of which that can be done, if no other is read.

    Beside messages that are read, only what one begins with is believed to be its subject.
    """
    told = (_first_guess(message.texts, sent) for message in unread if not message.alternative)
    found = [hint for hint in told if hint is not None]
    yield from found[:1] if alone else filter(_begins_with_its_name, found)


def _first_guess(texts: Iterable[str], sent: Sent) -> Hint | None:
    told = (_guessed(sentence.whole, sent) for text in texts for sentence in sentences(text))
    return next(filter(None, told), None)


def _begins_with_its_name(hint: Hint) -> bool:
    name = words(hint.name)
    return words(hint.text)[: len(name)] == name


def _guessed(text: str, sent: Sent) -> Hint | None:
    """The hint of a text that nothing else is read in: on the names that it and what was sent have in common."""
    if _ON_ACCESS.search(text):
        return None
    if _TOGETHER.search(text) and (pair := _pair(text, sent)):
        return _of_two(text, *pair)
    name = mentioned(text, sent.names, sent.texts)
    if not name and _ABSENT.search(text) and (absent := _unsent(text, sent)):
        return Hint("required", "", join(absent), (), text)
    name = name or sent.file_meant(text) or sent.holder_meant(text)
    return _of_one(text, name, sent) if name else None


def _of_two(text: str, first: str, second: str) -> Hint:
    if _WITH.search(text[text.index(first) :]):
        return Hint("excluded-by", "", join(first), (second,), text)
    return Hint("at-most-one-of", "", "", (first, second), text)


def _of_one(text: str, name: str, sent: Sent) -> Hint:
    """That something is wrong with a sent name or its value, of the kind that the words around it tell."""
    kind = next((kind for kind, pattern in _KINDS if pattern.search(text)), "invalid")
    hint = Hint(kind, "", join(name), (), text)
    unexpected = _UNKNOWN.search(text) or re.search(rf"\bunexpected {re.escape(name)}\W*$", text, re.I)
    if unexpected and name in sent.named_alone:
        return replace(hint, kind="unknown")
    return replace(hint, kind="unique-items") if kind == "exists" and isinstance(sent.value_of(hint), list) else hint


def _pair(text: str, sent: Sent) -> tuple[str, str] | None:
    """The two sent names that a text has as words, or that stand beside each other in it; None if there are not two."""
    names = sorted((name for name in sent.named_alone if name and has_word(text, name)), key=text.index)
    joined = (rf"{re.escape(one)}\W+(?:and|or|with)\W+{re.escape(other)}" for one, other in pairwise(names))
    beside = [pair for pair, pattern in zip(pairwise(names), joined, strict=True) if re.search(pattern, text)]
    return only(beside if len(names) > 2 else [*pairwise(names)])


def _unsent(text: str, sent: Sent) -> str:
    """The one name in a text that was not sent; "" if there is none, or several."""
    other = set(re.findall(QUOTED, text)[1:])
    unsent = ({name for name in names if name not in other and not sent.shows(name)} for names in _names_said(text))
    found = next((names for names in unsent if len(names) == 1), set())
    return next((name for name in found if _may_lack(name, sent)), "")


def _names_said(text: str) -> Iterator[list[str]]:
    """What may be names in a text: in quotation marks, written as names are, or where only a name can be."""
    quoted, spoken = re.findall(QUOTED, text), _LACKING.search(text)
    yield quoted if len(quoted) == 1 and is_name(quoted[0], quoted=True) else []
    yield list(filter(SHAPED.search, _WORD.findall(text)))
    said = spoken["object"] or spoken["subject"] if spoken else ""
    yield [said] if said and is_name(said.split()[0], quoted=True) else []


def _may_lack(name: str, sent: Sent) -> bool:
    unsent = tuple(words(name)) not in sent.names and not _NO_NAMES.fullmatch(name)
    return unsent or name in ("key", "name")
