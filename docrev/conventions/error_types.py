"""Types and formats as error messages call them, in English and in the words of programming languages."""

from __future__ import annotations

import re

from docrev.conventions.error_type_names import NAMES
from docrev.json_values.types import JSON_TYPES

_EITHER = {name: re.compile(rf"\b(?:{words})(?![\w-]|\.\w)", re.I) for name, words in NAMES.items()}
_ARRAYS = re.compile(r"^(?:\[\]|list\b|array\b|sequence\b)", re.I)
_OBJECTS = re.compile(r"^map\[|^(?:struct|model) \w|^class (?!name\b)\w")
_PRINTED_CLASS = re.compile(r"<class '(?:\w+\.)*(\w+)'>")
"""A type as Python prints it."""
_PACKAGES = re.compile(
    r"`\d+|\b(?:typing\.)?Optional\[(?=\w+\]?)|\b(?:BEGIN|START)_|\b(?:[A-Za-z]\w*\.){1,4}(?=[A-Z])|[`\"']|\bNullable\b|java\.util\.|\bxs:|<[^<>]*>"
)
_FILLERS = (
    r"(?:(?:a|an|the|of|json(?= (?:object|array))|type|valid|well-formed|correct|proper|single|new|in|form|format"
    r"|single-value|encoded|string to be|rfc 5322|parseable|non-empty|positive|negative|non-negative|full"
    r"|legal|unambiguous)\s+)*"
)
_NO_COMPOUND = (
    r"(?! (?:map|set|list|record|object|text|number|date|time|interval|period|port|domain|phone|e-?mail|url|regex|hash"
    r"|string|collection|sequence|slice|struct) (?!zone)(?:ids?|names?|keys?|sizes?|ranges?|types?|index|version|count"
    r"|length|template|code|mode|class|status|order|field)\b(?<!domain name))"
)
"""What is wrong with a `map id` is no map."""
_EXPECTING: tuple[re.Pattern[str], ...] = tuple(
    re.compile(rf"(?:{pattern})(?:\s+|\b|(?<=_))(.{{1,60}})", re.I | re.DOTALL)
    for pattern in (
        r"required type",
        r"\bmatch(?:es|ing)?(?: an?| the)?(?= [\w-]+ format\b)",
        r"\(type_",
        r"\bexpect(?:ed|s)? [^,.]{1,80}? to be(?= an? )",
        r"\bexpect(?:ed|s|ing)?(?: (?:value|type))?(?: to be| input)?[:=]?(?: (?:type:?|value of type))?(?! value)",
        r"\b(?:of|for|too \w+ for)(?: an?)? types?(?:\(s\))?",
        r"\binstance of|\bconforms? to(?: the)?|\binterpret\w* .{1,40}? as",
        r"\bvalue for(?= \w+ field)",
        r"\((?=\w+(?: string)? is expected\))",
        r"\ban? (?=(?:\w+ ){1,2}is expected\b)",
        r"\bmatch(?:es)? (?:the )?format:?|\bvalidates? as",
        r"cannot represent (?:a )?non-",
        r"(?:must|should|shall|has to|have to|needs to|may only|can only)(?: only)?(?: all)? (?:be(?: set to)?"
        r"|contain|have"
        r"|include)(?: in| of)?(?! of length)",
        r"\b(?:not|(?:is|are|was)n'?t) (?!in\b)",
        r"\bvalid",
        r"^(?:please )?(?:enter|provide)",
        r"(?:convert(?:ible)?|pars|cast|coerc|unmarshal|decod|deseriali[sz])(?:e|ed|l?ing|led)?"
        r"(?: [^ ]+){0,3}? (?:to|into|as)",
        r"(?:could|can|cannot|unable|failed|error)\b.*? (?:as|to parse|parse|parsing)",
        rf"\binvalid{_NO_COMPOUND}",
        rf"\b(?:wrong|bad|badly formed(?: hexadecimal)?|malformed|incorrect|illegal){_NO_COMPOUND}",
        r"^(?=[\w ]{2,40} expected\b)",
        r"\b(?:an?|the) (?=(?:e-?mail|ip|web|mac) address\b|phone number\b)",
    )
)
_WRONG_FORMAT = re.compile(
    r"^(\w[\w-]*) (?:has (?:the )?wrong format|format is (?:invalid|wrong|incorrect)|is malformed|(?:is )?not valid$)",
    re.I,
)
_ZONE = re.compile(
    r"time ?zone (?:info|information|component|offset|aware|designator|is required|must)|timezone[- ]aware"
    r"|\bnaive (?:date|datetime)|(?:include|have|contain|with|specify|missing|without|lacks?) (?:an? |the "
    r"|valid )*(?:time ?zone|utc offset)|(?:date|time)\b.{0,40} (?:an? |the )?offset",
    re.I,
)
_NO_ZONE = re.compile(r"\bnot (?:have|include|contain) (?:an? |any |the )?(?:time ?zone|utc offset)", re.I)
_TEMPLATE = re.compile(
    r"(?<![A-Za-z])(?:(?:y{4}|Y{4}|%?Y|2006)-(?:MM|%?m|01)-(?:DD|dd|%d|d\b|02\b|02(?=T))(?P<more>[ T']*(?:hh|HH|%H|15"
    r"|H):?)?|(?P<time>[hH]{2}|%H|H):(?:mm|MM|%M|i\b))"
)
_PARSERS = (
    (
        re.compile(
            r"ParseU?Int\b|\bAtoi\b|NumberFormatException|invalid literal for int|For input string"
            r"|invalid digit found in string|invalid value for Integer\(\)",
            re.I,
        ),
        "integer",
    ),
    (
        re.compile(
            r"ParseFloat|could not convert string to float|invalid value for Float\(\)|invalid float literal", re.I
        ),
        "number",
    ),
    (re.compile(r"ParseBool", re.I), "boolean"),
    (re.compile(r"\binto Go value of type (?:\w+\.)?[A-Z]\w*$"), "object"),
    (re.compile(r"\bParseAddr\("), "ip"),
    (re.compile(r"\bParsePrefix\("), "cidr"),
    (re.compile(r"^(?:mail: )?(?:missing|no|expected) (?=.*\b(?:angle-addr|'@'))"), "email"),
    (re.compile(r"DateTimeParseException", re.I), "date-time"),
)
"""The parsers of languages by their names, as in the messages that they leave behind."""
_GO_DURATION = re.compile(
    r"\btime: invalid duration|(?:unknown|missing) unit in duration|unknown unit .{1,40} in duration", re.I
)
"""What Go says, which does not take ISO 8601: `time: invalid duration "PT1H"`."""
_TRAILING_DOT = re.compile(
    r"(?:not|must be|should be|isn't) (?:a |an )?(?:canonical|fully[- ]qualified|FQDN|absolute)", re.I
)
_DNS = re.compile(r"\b(?:name|domain|zone|dns|fqdn|record|nameserver)", re.I)


def types_in(text: str) -> tuple[tuple[str, str], ...]:
    """What type or format a sentence requires: (`type` or `format`, its name), more than one if any of them will do."""
    if _GO_DURATION.search(text):
        return (("format", "duration-in-units"),)
    if _NO_ZONE.search(text):
        return (("format", "date-time"),)
    if _ZONE.search(text):
        return (("format", "zoned-date-time"),)
    if _TRAILING_DOT.search(text) and _DNS.search(text):
        return (("suffix", "."),)
    if template := _TEMPLATE.search(text):
        return (("format", {"time": "time", "more": "date-time"}.get(template.lastgroup or "", "date")),)
    if wrong := _WRONG_FORMAT.match(text):
        return _named(wrong.group(1))
    plain = _PACKAGES.sub("", _PRINTED_CLASS.sub(r"\1", text))
    for pattern in _EXPECTING:
        if (match := pattern.search(plain)) and (found := _named(match.group(1))):
            return found
    return next(((_kind(name),) for parser, name in _PARSERS if parser.search(text)), ())


def type_of(word: str) -> tuple[tuple[str, str], ...]:
    """The type or format that a word names, on its own."""
    return _named(_PACKAGES.sub("", _PRINTED_CLASS.sub(r"\1", word)), whole=True)


def _first_type(text: str) -> tuple[int, str] | None:
    """Where the name of a type with which a text begins ends, and the type; None if it begins with none."""
    if _ARRAYS.match(text) or _OBJECTS.match(text):
        return len(text.split()[0]), "array" if _ARRAYS.match(text) else "object"
    hits = [(match.end(), name) for name, words in _EITHER.items() if (match := words.match(text))]
    return max(hits, key=lambda hit: hit[0], default=None)


def _named(text: str, *, whole: bool = False) -> tuple[tuple[str, str], ...]:
    """The types with which a text begins: `valid integer, unable …`, `string or number`, `string,null`."""
    found: list[tuple[str, str]] = []
    rest = text.strip() if text else ""
    while True:
        rest = re.sub(rf"^(?:{_FILLERS})", "", rest, flags=re.I)
        first = _first_type(rest)
        if first is None:
            return tuple(dict.fromkeys(found)) if not whole or not rest else ()
        end, name = first
        found.append(_kind(name))
        more = re.match(r"(?:\s*(?:,|\||/)\s*(?:or )?|\s+or\s+)(?=\w)", rest[end:])
        if more is None:
            return tuple(dict.fromkeys(found)) if not whole or not rest[end:].strip(" .") else ()
        rest = rest[end + more.end() :]


def _kind(name: str) -> tuple[str, str]:
    return ("type", name) if name in JSON_TYPES else ("format", name)
