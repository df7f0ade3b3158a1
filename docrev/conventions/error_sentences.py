"""What one sentence of an error says: which value is required, of which type, within which bounds, one of which.

The patterns are those of the common frameworks' messages, in English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NUMBER = r"(-?\d+(?:\.\d+)?)\b(?!-)"
_REQUIRED = re.compile(
    r"required|missing|not present|can't be blank|must be (?:given|provided|set)|mandatory|is needed"
    r"|must not be (?:blank|null|empty)|may not be (?:blank|null)",
    re.I,
)
_NOT_MISSING = re.compile(
    r"valid [\w-]+(?: [\w-]+)? is required|required (?:pattern|type|format)|should be a valid", re.I
)
_UNKNOWN = re.compile(
    r"unrecogni[sz]ed|unknown (?:key|field|parameter|property)|unexpected|not allowed here"
    r"|(?:inputs?|fields?|propert(?:y|ies)) (?:are |is )?not permitted|not have additional",
    re.I,
)
_ENUM = re.compile(
    r"(?:one of|valid choices?|allowed(?: values?)?|accepted for [\w ]+|choose from|should be|expected|permitted"
    r"|possible values?|use)\b[^'\"\[:\w]*:?\s*(.+)",
    re.I,
)
_RECEIVED = re.compile(r",? (?:received|but got|got|given) .*$|, not .*$", re.I)
_WANTED = re.compile(r"required type '(?:[\w.]+\.)?(\w+)'", re.I)
_QUOTED = re.compile(r"['\"“`]([\w.\-+ ]{1,40})['\"”`]")
_EMPTY = re.compile(r"(?<!\w)(''|\"\")(?!\w)")
_SEPARATOR = re.compile(r",|\bor\b|\band\b|\|")
_CHOICE = re.compile(r"[\w.\-+]{1,40}")
_TYPE = re.compile(
    r"\b(integer|int|number|float|double|decimal|boolean|bool|string|array|list|object|date(?:-?time)?|timestamp|uuid"
    r"|email|e-mail|url|uri)\b",
    re.I,
)
_TYPES = {
    "int": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "list": "array",
    "datetime": "date-time",
    "timestamp": "date-time",
    "e-mail": "email",
    "uri": "url",
}
_PATTERN = re.compile(
    r"(?:pattern|match(?:es)?|regex|regular expression)(?! *format)[\w ]{0,20}:?\s*(['\"])(.+)\1", re.I
)
_LENGTH_WORDS = re.compile(r"\b(?:char(?:acter)?s?\b|character\(s\)|length|long\b|short\b|letters)|^size\b", re.I)
_LISTED = re.compile(r"\bitems?\b|\belements?\b|\bentries\b", re.I)
_BETWEEN = re.compile(rf"(?:between|range(?: of)?|from)\s*\[?{_NUMBER}\s*(?:and|to|,|-|\.\.)\s*{_NUMBER}", re.I)
_BOUNDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "minimum",
        re.compile(
            r"(?:greater than or equal(?: to)?|at least|>=|fewer than|(?:not|no)(?: be)? (?:less|smaller|lower) than"
            rf"|minimum(?: (?:value|length|size))?(?: is| of)?|shorter than)\s*:?\s*{_NUMBER}",
            re.I,
        ),
    ),
    (
        "maximum",
        re.compile(
            r"(?:less than or equal(?: to)?|at most|<=|(?:not|no)(?: \w+)? (?:more|greater|larger|longer|higher) than"
            r"|(?:not|n't) exceed|maximum(?: (?:value|length|size))?(?: is| of)?|longer than|up to)"
            rf"\s*:?\s*{_NUMBER}",
            re.I,
        ),
    ),
    (
        "exclusive-minimum",
        re.compile(rf"(?<!not )(?<!no )(?<!not be )(?:greater than|more than|larger than|above|>)\s*{_NUMBER}", re.I),
    ),
    ("exclusive-maximum", re.compile(rf"(?<!not )(?<!no )(?:less than|smaller than|below|<)\s*{_NUMBER}", re.I)),
)
_POSITIVE = re.compile(r"\bpositive\b", re.I)


class Claim(NamedTuple):
    """What a sentence says: a `kind` as of `error_messages.Statement`, and the values that belong to it."""

    kind: str
    values: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def claims(text: str) -> tuple[Claim, ...]:
    """What one sentence says; never nothing."""
    if _REQUIRED.search(text) and not _NOT_MISSING.search(text):
        return (Claim("required"),)
    if _UNKNOWN.search(text):
        return (Claim("unknown"),)
    if pattern := _PATTERN.search(text):
        return (Claim("pattern", (pattern.group(2),)),)
    if bounds := _bounds(text):
        typed = _types(text) if _POSITIVE.search(text) else ()
        return (*typed, *(Claim(kind, (value,)) for kind, value in bounds))
    return _choices_in(text) or _types(text) or (Claim("other"),)


def quoted_words(text: str) -> list[str]:
    """What stands in quotation marks in a text."""
    return _QUOTED.findall(text)


def _choices_in(text: str) -> tuple[Claim, ...]:
    """The values that a sentence allows, if it lists at least two."""
    enum = _ENUM.search(text)
    values = _choices(enum.group(1)) if enum else ()
    return (Claim("allowed-values", values),) if len(values) >= 2 else ()


def _types(text: str) -> tuple[Claim, ...]:
    """The type or format that a sentence requires, or none."""
    kind = _WANTED.search(text) or _TYPE.search(_RECEIVED.sub("", text))
    word = kind.group(1).lower() if kind else ""
    return (Claim("type", (_TYPES.get(word, word),)),) if word else ()


def _bounds(text: str) -> list[tuple[str, str]]:
    """The bounds that a sentence gives, of a number or of a length; a bound on a number of items is neither."""
    if _LISTED.search(text):
        return []
    found = _numbers(text)
    if _LENGTH_WORDS.search(text):
        names = {"minimum": "min-length", "maximum": "max-length"}
        return [(names[kind], value) for kind, value in found if kind in names]
    if not found and _POSITIVE.search(text):
        return [("exclusive-minimum", "0")]
    return found


def _numbers(text: str) -> list[tuple[str, str]]:
    """The numbers that bound something, with the kind of bound."""
    if between := _BETWEEN.search(text):
        return [("minimum", between.group(1)), ("maximum", between.group(2))]
    found = [(kind, match.group(1)) for kind, pattern in _BOUNDS if (match := pattern.search(text))]
    # "0 is less than minimum value 1" is one bound.
    exact = [pair for pair in found if not pair[0].startswith("exclusive")]
    return exact if exact and len(found) > 1 else found


def _choices(text: str) -> tuple[str, ...]:
    """The values that the rest of a sentence lists: those in quotation marks, or between commas."""
    text = _RECEIVED.sub("", text)
    quoted = quoted_words(text)
    if len(quoted) >= 2:
        return tuple(dict.fromkeys([*([""] if _EMPTY.search(text) else []), *quoted]))
    parts = [part.strip(" .[]()") for part in _SEPARATOR.split(text.partition(". ")[0])]
    # An empty text is a choice if it is in quotation marks.
    bare = ["" if part in ("''", '""') else part.strip("'\"") for part in parts]
    values = [
        value for part, value in zip(parts, bare, strict=True) if part and (not value or _CHOICE.fullmatch(value))
    ]
    return tuple(values) if len(parts) >= 2 else ()
