"""Whether an error says that what it asks for is so in some cases alone: another request may be none of them."""

from __future__ import annotations

import re

from docrev.language.words import words

_REASONS = "as|because|since|unless"
_CASES = f"{_REASONS}|for|if|when|where|while|with(?:out)?"
_SOME_CASES = re.compile(rf"\b(?:{_CASES})\b", re.IGNORECASE)
_ANY_CASE = re.compile(r"\bfor (?:this |the |a )?required field\b|\bvalue for\b", re.IGNORECASE)
"""What says of all that something is required, in the words of frameworks."""
_REQUIRED_SINCE = re.compile(rf"\brequired (?:{_REASONS})\b", re.IGNORECASE)
_BOUND_IN = re.compile(r"\d\S* (?:for|if|when|while|unless) ([^.;]+)")
_ALL_CASES = frozenset(["a", "all", "an", "any", "argument", "each", "field", "parameter", "property", "the", "value"])


def may_ask_in_some_cases(text: str) -> bool:
    """Whether a demand may go on to say in which cases it holds: `a reason is required for refunds`."""
    return _SOME_CASES.search(_ANY_CASE.sub("", text)) is not None


def asks_with_reason(text: str) -> bool:
    """Whether a demand says why it holds here: `required since the container has no default stream`."""
    return _REQUIRED_SINCE.search(text) is not None


def bounds_in_some_cases(text: str, location: str) -> bool:
    """Whether a bound of the value at a location goes on to say when it holds: `at most 9 for ZIP archives`."""
    case = _BOUND_IN.search(text)
    return case is not None and not {*words(case[1])} <= _ALL_CASES | {*words(location)}
