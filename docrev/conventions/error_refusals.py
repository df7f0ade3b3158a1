"""Refusals that say no more than that: which texts are one of a value, and which tell less than their status."""

from __future__ import annotations

import re

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_mentions import FILES
from docrev.conventions.statuses import INVALID, is_success

_FAULTY = re.compile(
    r"\binvalid\b|\bnot (?:a )?valid\b|\bnot an? (?:supported|known|recogni[sz]ed)\b"
    r"|\b(?:unknown|unrecogni[sz]ed|unsupported) \w"
    r"|\bout of range\b|\b(?:bad|improper) \w|\boverflow\b|\b(?:syntax|parse|parsing) error\b|\bparsing failed\b"
    r"|\bunexpected (?:token|character)\b|\bcheck constraint\b|\b(?:could not|cannot|unable to|failed to) (?:understand"
    r"|make sense of|interpret|decode|recogni[sz]e|resolve|convert|set)\b|\bdoes not match any\b|\bmalformed\b"
    r"|\bincorrect\b|\bwrong\b|\b(?:bad \w+|unexpected) value\b"
    r"|\bis (?:larger|greater|bigger|higher|longer|smaller|lower|less|shorter) than\b"
    rf"|\b(?:only|unsupported|disallowed|valid) (?:\w+ ){{0,3}}?{FILES}\b"
    rf"|\b{FILES}\b.{{0,60}}\b(?:not (?:allowed|supported|accepted|permitted|recogni[sz]ed|an? )|is (?:empty|corrupt))",
    re.I,
)
"""What says of a value by itself that it is refused, wherever its name stands."""
_ON_REQUEST = re.compile(
    r"\brequest\b(?! data)|\bserver\b|\bwent wrong\b|\bunknown error\b|\bvalue\(s\)|^invalid (?:input|params)\W*$",
    re.I,
)
"""What a refusal speaks of that says no more than its status."""


def is_faulty(text: str) -> bool:
    """Whether a text says of a value by itself that it is refused, wherever its name stands."""
    return bool(_FAULTY.search(text))


def is_of_nothing(hint: Hint) -> bool:
    """Whether a hint refuses a value without any word of which."""
    return hint.kind == "invalid" and not (hint.pointer or hint.place)


def says_something(hint: Hint, status: int | None) -> bool:
    """Whether a refusal without a name says more than its status: "bad CQL text"."""
    return (status in INVALID or is_success(status)) and not _ON_REQUEST.search(hint.text)
