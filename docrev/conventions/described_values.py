"""The values that descriptions of parameters and properties name in words."""

from __future__ import annotations

import re
from functools import lru_cache

from docrev.conventions.error_choices import choices

_CLAUSE = re.compile(r";\s|\.(?:\s|$)")
_MAX_DESCRIPTION = 500
_QUOTED_VALUE = re.compile(r"[`'\"]([\w.+*/:-]{1,40})[`'\"]")
_ITEM = rf"{_QUOTED_VALUE.pattern}(?: \(default\))?"
_OFFERED = re.compile(rf"{_ITEM}(?:, {_ITEM}){{0,20}},? or {_ITEM}")
_NEAR = 60
"""Characters before a list in which a word may say that it is none of what is allowed."""
_OFFERING = re.compile(r"(?:^|[(:.,–-]|\b(?:among|are|be|between|either|is))\s*$", re.I)
"""What stands before a list of the values that something may have, and not of the things that a sentence is about."""
_EXCLUDING = re.compile(
    r"\b(?:not|never|neither|cannot|except|excluding|e\.g|example|such as|like|if|when|unless)\b", re.I
)
_LISTED = re.compile(r"[\w-]+(?:,\s*[\w-]+)*\s+or\s+[\w-]+")


@lru_cache(maxsize=4096)
def described_values(description: str) -> tuple[str, ...]:
    """The values that a description allows in words: `must be 'book'`, "One of `a`, `b`", "Level (`a` or `b`)"."""
    parts = [part.strip() for part in _CLAUSE.split(description[:_MAX_DESCRIPTION])]
    claims = [claim for part in parts for claim in choices(part)]
    stated = tuple(value for claim in claims if claim.kind == "allowed-values" for value in claim.values)
    return stated if claims else _offered_values(description[:_MAX_DESCRIPTION])


def _offered_values(text: str) -> tuple[str, ...]:
    """The values of a list in quotation marks that ends in "or", where what stands before it says that it is one."""
    found = _OFFERED.search(text)
    before = text[: found.start()] if found is not None else ""
    is_offer = found is not None and _OFFERING.search(before) and not _EXCLUDING.search(before[-_NEAR:])
    return tuple(dict.fromkeys(_QUOTED_VALUE.findall(found.group()))) if found is not None and is_offer else ()


def listed_values(text: str) -> list[str]:
    """The values that a description consists of: `new, sent or done`; empty if it says anything else."""
    plain = text.strip().rstrip(".")
    return re.split(r",\s*|\s+or\s+", plain) if _LISTED.fullmatch(plain) else []
