"""Refusals that say no more than that: which texts are one of a value, and which tell less than their status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_mentions import FILES
from docrev.conventions.error_sent import counts_one_of_nothing
from docrev.conventions.statuses import INVALID, is_success

_FAULTY = re.compile(
    r"\binvalid\b|\bnot (?:a )?valid\b|\bnot an? (?:supported|known|recogni[sz]ed)\b"
    r"|\b(?:unknown|unrecogni[sz]ed|unsupported) \w"
    r"|\bout of range\b|\b(?:bad|improper) \w|\boverflow\b|\b(?:syntax|parse|parsing) error\b|\bparsing failed\b"
    r"|\bunexpected (?:token|character)\b|\bcheck constraint\b|\b(?:could not|cannot|unable to|failed to) (?:understand"
    r"|make sense of|interpret|decode|recogni[sz]e|resolve|convert|set)\b|\bdoes not match any\b"
    r"|\bfailed validation\b|\bmalformed\b"
    r"|\bincorrect\b|\bwrong\b"
    r"|\bis (?:larger|greater|bigger|higher|longer|smaller|lower|less|shorter) than\b"
    rf"|\b(?:only|unsupported|disallowed|valid) (?:\w+ ){{0,3}}?{FILES}\b"
    rf"|\b{FILES}\b.{{0,60}}\b(?:not (?:allowed|supported|accepted|permitted|recogni[sz]ed|an? )|is (?:empty|corrupt))",
    re.I,
)
"""What says of a value by itself that it is refused, wherever its name stands."""
_ON_REQUEST = re.compile(
    r"\brequest\b(?! data)|\bwent wrong\b|\bunknown error\b|\bvalue\(s\)|^invalid (?:input|params)\W*$",
    re.I,
)
"""What a refusal speaks of that says no more than its status."""


def is_faulty(text: str) -> bool:
    """Whether a text says of a value by itself that it is refused, wherever its name stands."""
    return bool(_FAULTY.search(text))


def saying_something(hints: Iterable[Hint], status: int | None) -> Iterator[Hint]:
    """The hints without the refusals of no name that say no more than their status: "bad CQL text" does."""
    may_refuse = status in INVALID or is_success(status)
    return (hint for hint in hints if not _is_of_nothing(hint) or (may_refuse and not _ON_REQUEST.search(hint.text)))


def telling(hints: Sequence[Hint]) -> list[Hint]:
    """The hints that tell of what they are; or else the refusal that names nothing, if that is all."""
    found = [hint for hint in hints if not counts_one_of_nothing(hint) and not _is_of_nothing(hint)]
    return found or [hint for hint in hints[:1] if _is_of_nothing(hint)]


def _is_of_nothing(hint: Hint) -> bool:
    """Whether a hint refuses a value without any word of which."""
    return hint.kind == "invalid" and not (hint.pointer or hint.place)
