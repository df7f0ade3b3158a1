"""Lists of values in sentences: `one of 'a', 'b' or 'c'`, `expected "a"|"b"`, `allowed values are: [a, b]`."""

from __future__ import annotations

import re

from docrev.conventions.error_claims import Claim
from docrev.conventions.error_types import type_of
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS

_QUOTED = re.compile(r"\\?[\"'`](?P<value>[^\"'`\\]{0,400})\\?[\"'`]")
_LISTED_ADJECTIVES = (
    r"(?:allowed|accepted|possible|permitted|supported|valid|available|acceptable|legal|known|recogni[sz]ed)"
)
_LISTED_NOUNS = r"(?:[a-z]+s|value|sort|order)"
# What announces a list of values; and what may announce one, if the list shows that it is one.
_LISTING = re.compile(
    r"(?:exactly )?\b(?:one|any|either) (?:out )?of(?! type| the allowed values$)(?: (?:these|the|enum|allowed|accepted"
    r"|possible|valid|supported|available|following|string|your|values?|options?|choices?))*(?: for [\w ]+(?=:))?"
    rf"|\b{_LISTED_ADJECTIVES} (?:[\w-]+ )?{_LISTED_NOUNS}(?: for [\w'\" ]+?(?= are| is|:))?(?: are| is| include|"
    rf" being)?(?=[\s:=]*[\"'`\[({{]|\s*[:=]| are | include )"
    r"(?: are| include)?"
    r"|(?:supports?|accepts?|allows?)(?: only)? (?:these|the following)(?: [\w-]+)?(?=\s*:)"
    r"|\b(?:must|should) be in(?=:? *[\[({])|\b(?:in|within) (?:the )?(?:list|set|enum|enumeration)(?:"
    r" of)?(?=[\s:]*[\[({])|\bin (?:the )?(?:enum )?list(?=: )"
    r"|\bin(?= \([\"'])|\bnot (?:in|among|a member of|an element of the set)(?=:? *[\[(\"']|: )"
    r"|\(want (?=\w+(?:, \w+)*,? or \w)"
    r"|\bonly (?=[^.]{1,200} (?:are|is) (?:allowed|supported|accepted|permitted|valid)\b)"
    r"|\bcan only (?:contain|include|be)(?= [\"'`]\w[^\"'`]*[\"'`](?:,| or ))"
    r"|accepted for [\w ]+(?=:)|\bwe (?:only )?(?:have|support|accept|allow|know)(?: only)?(?= \S+(?:, | or | and ))"
    r"|\bwhitelist(?= ?[\[(])|\bincluded_in\?\((?=\[)|\bnot an? [\w ]+(?= \(\w+(?:, \w+)+\))"
    r"|\bidentical to (?:string |int(?:eger)? )?(?=[\"'`])"
    r"|choose from|choices(?: are)?(?=:)|enum value set|\b(?:permitted|allowed|supported"
    r"|available|options"
    r"|accepted|valid|known)(?= ?:)"
    r"|(?:must|should|can|may|has to) (?:only )?be (?:either|set to|equal to)|choose (?:either|between)",
    re.I,
)
_MAY_LIST = re.compile(
    r"(?:must|should|has to|have to|needs to|can only|may only) (?:only )?be(?: of(?= \[))?|\bexpected value"
    r"|supports only"
    r"|expects|choose|only supports|only accepts|accepts only|(?:invalid literal value, )?expected(?: the literal)?",
    re.I,
)
_WAS_EXPECTED = re.compile(
    r"^(?P<quote>['\"]?)(?P<value>(?<=['\"])[^'\"]*|-?\d+(?:\.\d+)?|true|false)(?P=quote) was expected", re.I
)
_FORBIDDEN = re.compile(r"(?:can't|cannot|must not|may not|should not|mustn't)(?: be)?\s*$|\bscheme\s+$")
"""What in front of a list makes it one of values that are refused, or of parts of values."""
_AFTER_LIST = r"[^\w\s]|(?:for|in|at|but|got|not|instead|is|are|when|only|value|depending)\b"
"""What may stand behind the last word of a list that nothing announces; another noun would be a part of that word."""
_WORD = re.compile(r"(?:[\w.\-+*/@~]|:(?=\w)){1,60}")
_NO_LIST = re.compile(r"[{}]|^\w+=|\":|^ref:|^(?:except|including|excluding|e\.g|i\.e|other than|such as)\b", re.I)
_NO_VALUES = frozenset(
    {"the", "a", "an", "following", "allowed", "values", "of", "these", "in", "valid", "be", "to", "not", "at"}
)
_ACCEPTED = re.compile(
    r"^must be accepted\b|^(?:this value |value |it )?(?:(?:must|should) be|was not) (?P<flag>true|false)\.?$", re.I
)
_CONSTANT = re.compile(
    r"(?<!no enum )\bconst(?:ant)?(?: value| definition)?[: ]+[\"'`]?(?P<value>[\w.\-]+)[\"'`]?\.?$", re.I
)
_CUT = re.compile(
    r"(?:,|\b(?:or|and|plus)|\(|\+)\s*(?:\d+|any|several|some|many) (?:other|more|of the other)s?\b"
    r"|,\s*(?:\.\.\.|…|etc\b)",
    re.I,
)
"""What says that a list has more values than it shows."""
_EQUAL = re.compile(r"(?:must|should) (?:be )?equal(?: to)? ([-+]?\d+(?:\.\d+)?)\.?$", re.I)


def choices(text: str) -> tuple[Claim, ...]:
    """The values that a sentence allows: a list of them, or one in quotation marks."""
    if expected := _WAS_EXPECTED.match(text):
        return (Claim("allowed-values", (expected.group("value"),)),)
    if accepted := _ACCEPTED.search(text):
        return (Claim("allowed-values", ((accepted.group("flag") or "true").lower(),)),)
    if constant := _CONSTANT.search(text):
        return (Claim("allowed-values", (constant.group("value"),)),)
    if equal := _EQUAL.search(text):
        return (Claim("allowed-values", (equal.group(1),)),)
    for lead, strong in ((_LISTING, True), (_MAY_LIST, False)):
        for match in lead.finditer(text):
            if _FORBIDDEN.search(text[: match.start()]):
                return ()
            tail = text[match.end() :].strip().lstrip(":=").strip()
            if _CUT.search(tail):
                # Neither all that is allowed, nor a reason to think that the rest is not.
                return ()
            if values := _values_after(tail, strong=strong):
                return _typed_choices(values)
    return ()


def _values_after(tail: str, *, strong: bool) -> tuple[str, ...]:
    """The values at the beginning of a text, if it is a list of them: surely, or only by what it looks like."""
    if re.match(
        r"\S+ or (?:greater|more|less|fewer|higher|lower|later|earlier|above|below|null|empty|none|zero|0)\b",
        tail,
        re.I,
    ):
        return ()
    if re.match(r"(?:a|an|in|of|at|to be|greater|less|between)\b(?! ?[,|])", tail):
        return ()
    values = listed_values(tail, strong=strong)
    if any(_NO_LIST.search(value) for value in values):
        return ()
    if len(values) == 1:
        return values if _is_single(tail, strong=strong) else ()
    looks_so = re.match(r"[\"'`\[({\\]|true\b", tail) or re.search(r"\bor\b|\|", tail)
    return values if strong or looks_so else ()


def _is_single(tail: str, *, strong: bool) -> bool:
    """Whether a list of one value is a list: it stands in quotation marks or in brackets."""
    tail = tail.strip()
    return bool(re.match(r"\\?[\"'`][^\"'`\\]*\\?[\"'`]\.?$", tail)) or (strong and bool(re.match(r"\[[^\]]+\]", tail)))


def _typed_choices(values: tuple[str, ...]) -> tuple[Claim, ...]:
    """Allowed values; or types, if the values are names of types, or the two truth values."""
    if {value.lower() for value in values} == {"true", "false"}:
        return (Claim("type", ("boolean",)),)
    if SAFE_METHODS.union(UNSAFE_METHODS).issuperset(values):
        return (Claim("method", values),)
    types = [type_of(value) for value in values]
    if all(types):
        names = tuple(dict.fromkeys(name for found in types for kind, name in found if kind == "type"))
        return (Claim("type", names),) if names else tuple(Claim(*_single(found[0])) for found in types[:1])
    return (Claim("allowed-values", values),)


def _single(named: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    return named[0], (named[1],)


def listed_values(text: str, *, strong: bool = True) -> tuple[str, ...]:
    """The values of a list: `'a', 'b' or 'c'`, `"a"|"b"`, `[a, b]`, `[GET POST]`, `a, b and c`."""
    text = text.strip().rstrip(".")
    if wrapped := re.match(r"`(?P<list>.*[\"'].*)`|([\"'])(?P<array>\[.*[\"'].*\])\2", text):
        text = wrapped["list"] or wrapped["array"]
    if quoted := _quoted_list(text):
        return quoted
    if each := re.match(r"\[[^\[\]]{1,60}\](?: or \[[^\[\]]{1,60}\])+", text):
        return tuple(re.findall(r"\[([^\[\]]+)\]", each.group()))
    if bracketed := re.match(r"[`]?[\[({]([^\])}]*)[\])}]", text):
        inside = bracketed.group(1)
        if announced := re.match(r"[a-z]+ values: (?P<list>.+)", inside + text[bracketed.end() - 1 :], re.I):
            return listed_values(announced.group("list").rstrip(")"), strong=strong)
        return _quoted_list(inside.strip()) or _parted(inside)
    return _bare_list(text, strong=strong)


def _parted(text: str) -> tuple[str, ...]:
    """The values between brackets: parted by commas or bars, or else by spaces."""
    parts = re.split(r"\s*[,|]\s*", text) if re.search(r"[,|]", text) else text.split()
    return tuple(part.strip() for part in parts if part.strip()) if all(len(part) <= 60 for part in parts) else ()


def _quoted_list(text: str) -> tuple[str, ...]:
    found: list[str] = []
    at = 0
    while match := re.compile(r"(?:[\s,|]|\bor\b|\band\b|\(default\))*" + _QUOTED.pattern).match(text, at):
        if found and not re.search(r"[,|]|\bor\b|\band\b|\s", text[at : match.start("value")]):
            break
        found.append(match.group("value"))
        at = match.end()
    # Unquoted values may stand beside a quoted empty one.
    more = re.match(r"\s*(?:,|\||or\b)\s*", text[at:]) if found else None
    rest = _bare_list(text[at + more.end() :], least=1) if more else ()
    joined = tuple(
        part
        for value in found
        for part in (re.split(r"\s*,\s*", value) if len(found) == 1 and "," in value else [value])
    )
    return (*joined, *rest)


def _bare_list(text: str, *, strong: bool = True, least: int = 2) -> tuple[str, ...]:
    found: list[str] = []
    for part in re.split(r"\s*(?:,\s*(?:or|and)\s|,|;|\bor\b|\band\b|\|)\s*", text):
        match = re.match(r"(?P<empty>''|\"\")|" + _QUOTED.pattern + "|(?P<word>" + _WORD.pattern + r")", part.strip())
        if match is None:
            break
        word = match.group("value") or match.group("word") or ""
        rest = part.strip()[match.end() :].strip()
        if rest and word.lower() in _NO_VALUES:
            break
        if rest and (not found or (not strong and not re.match(_AFTER_LIST, rest))):
            return ()
        found.append(word.rstrip("."))
        if rest:
            break
    return tuple(found) if len(found) >= least else ()
