"""What a sentence requires of a value: bounds, lengths, a pattern, a type; lists and characters have own modules."""

from __future__ import annotations

import re

from docrev.conventions.error_characters import character_class, characters
from docrev.conventions.error_choices import choices
from docrev.conventions.error_claims import Claim
from docrev.conventions.error_types import type_of, types_in
from docrev.conventions.error_wordings import plainly
from docrev.language.patterns import is_pattern

_NUMBER = r"((?<![A-Za-z])[-+]?\d++(?:\.\d++)?)(?![\d\w]*[-/:]\d|[.\d]*\d|,\d{3}|\^)(?![A-Za-z]{1,2}\b(?<!x))"
_PLAIN = r"(-?\d+(?:\.\d+)?)(?!\d*-\d\d-)"
_RECEIVED = re.compile(
    r"[,;.:]?\s+(?:but )?(?:(?:was |has |have )?(?:received|got|given|found|provided|actual)(?: one| type"
    r"| value)?\b(?! (?:in|for|by|must|should)\b)|but (?:the final value |value |it )?(?:was|is|has)\b|instead of\b"
    r"|rather than\b|from (?:an? )?(?:invalid|bad) \w+ value\b|\(?input was\b|\(was\b|you (?:gave|sent|provided)\b).*$"
    r"|, \(?not .*$|[,(] ?\"?\w+\"? (?:was )?(?:given|received|found)\b.*$",
    re.I | re.DOTALL,
)
_WITH_REASON = re.compile(r"^(.{0,40}should be (?:in )?an? valid \w+(?: format)?), .*", re.I | re.DOTALL)
"""A parser's reason behind a comma is on a part of the value: "should be a valid time, hour is outside 0-23"."""
_BETWEEN = re.compile(
    rf"(?:between|range(?: of)?|from|in|of length)?\s*[\[(`'\"]*(?<![\d-]){_PLAIN}[`'\"]?\s*(?:and|to|[,;]|-|–|\.\.+"
    rf"|through)\s*[`'\"]?{_PLAIN}[\])`]*",
    re.I,
)
_BETWEEN_CUE = re.compile(
    r"between|range|\d+\s*(?:-|–|to)\s*\d+\s+(?:char|letter|digit|item|element|byte|long|in length)"
    r"|be \d+-\d+$|\d\.\.+\d",
    re.I,
)
_LOW = (
    r"(?:greater|longer|larger|higher) (?:than )?or equals?(?: to| than)?|at least(?: length)?|at minimum|>=|≥|(?:fewer"
    r"|less|shorter|smaller|lower) than(?: the)?(?: minimum)?(?: (?:value|length|size))?(?: of)?(?<=minimum of)"
    r"|no (?:less|fewer|smaller|shorter|lower) than|not (?:be |have )?(?:(?:less|fewer|smaller|shorter|lower) than"
    r"|below|under)|more than or equals?(?: to)?|min(?:imum)?(?: allowed)?(?: string| character)?(?: (?:value"
    r"|length|size|len"
    r"|number|count|limit|requirement))?(?: allowed)?(?: of [A-Za-z ]+?)?(?: is| of|:|=)?"
    r"|shorter than (?:the )?minimum (?:length"
    r"|size)(?: of)?|starting (?:at|from)|or (?:more|greater)"
)
_HIGH = (
    r"(?:less|shorter|smaller|lower|fewer) (?:than )?or equals?(?: to| than)?|at most(?: length)?|up to|<=|≤|no (?:more"
    r"|greater|larger|longer|higher) than|not (?:be |have )?(?:more|greater|larger|longer|higher|exceed\w*|above"
    r"|over) ?(?:than)?|(?:not|n't|never) exceed|may not exceed|exceed(?:s|ed|ing)?(?: the)?(?: max(?:imum)?"
    r"| limit)?(?: (?:value|length|size|limit))?(?: of)?|max(?:imum)?(?: allowed)?(?: string"
    r"| character)?(?: (?:value|length|size"
    r"|len|number|count|limit|requirement))?(?: allowed)?(?: of [A-Za-z ]+?)?(?: is| of|:|=)?"
    r"|longer than (?:the )?maximum "
    r"(?:length|size)(?: of)?|too long for type [a-z ]{4,20}(?=\()|limited to|limit(?: is| of)"
)
_BOUNDS = (
    ("exclusive-maximum", re.compile(rf"greater than or equal to the maximum of {_NUMBER}", re.I)),
    ("exclusive-minimum", re.compile(rf"less than or equal to the minimum of {_NUMBER}", re.I)),
    ("minimum", re.compile(rf"(?:{_LOW})\s*:?\s*[`'\"(\[]{{0,2}}{_NUMBER}", re.I)),
    (
        "minimum",
        re.compile(rf"{_NUMBER}[`']?(?: \w+){{0,2}} (?:at least|at minimum|or (?:more|greater|higher|longer))", re.I),
    ),
    ("maximum", re.compile(rf"(?:{_HIGH})\s*:?\s*[`'\"(\[]{{0,2}}{_NUMBER}", re.I)),
    (
        "maximum",
        re.compile(rf"{_NUMBER}[`']?(?: \w+){{0,2}} (?:at most|at maximum|or (?:less|fewer|lower|shorter))", re.I),
    ),
    (
        "exclusive-minimum",
        re.compile(
            rf"(?<!not )(?<!no )(?<!not be )(?:(?:greater|more|larger|higher|bigger|longer) than|above|over"
            rf"|>)\s*[`'\"(]?{_NUMBER}",
            re.I,
        ),
    ),
    (
        "exclusive-maximum",
        re.compile(
            rf"(?<!not )(?<!no )(?<!not be )(?:(?:less|smaller|lower|fewer|shorter) than|below|under|(?<!<)<)\s*"
            rf"[`'\"(]?{_NUMBER}",
            re.I,
        ),
    ),
)
_OPPOSITE = {"exclusive-minimum": "maximum", "exclusive-maximum": "minimum"}
_COMPLAINT = re.compile(
    r"\b(?:is|was|are|has) (?:greater|more|larger|higher|bigger|longer|less|smaller|lower|fewer|shorter|above|below) "
    r"|\d [<>] \d",
    re.I,
)
_BARE_COMPARISON = re.compile(
    r"(?:length (?:is )?)?(?:greater|lower|less|larger|smaller|longer|shorter|higher) than \d"
)
_IS_NOT = re.compile(
    r"\b(?:is|was|are) not (?=(?:between|greater|more|larger|higher|longer|less|smaller|lower|fewer|shorter)\b)", re.I
)
DEMAND = re.compile(r"\b(?:must|should|shall|ensure|expected|have to|has to|needs? to|please)\b", re.I)
_EXACT = re.compile(
    rf"(?:exactly(?: length)?|length must be|(?:must|should) (?:be|contain|have)|(?<!min )(?<!max )(?<!mum )length "
    rf"(?:is|of)|have length)\s+`?{_NUMBER}`?\s*(?:\(?char|letters|digits|long|items|elements|in length"
    rf"|\.?$)(?!\S* or )",
    re.I,
)
_LENGTH_WORDS = re.compile(
    r"\b(?:char(?:acter)?s?\b|character\(s\)|length|len\b|long\b|longer|(?:too )?short(?:er)?|letters|digits|runes)\b"
    r"|^size\b",
    re.I,
)
_LISTED = re.compile(
    r"\bitems?\b|\belement\(s\)|\bentries\b|\bvalues\b|\d forms?\b|\bcontain\b.{1,30}\d elements?\b",
    re.I,
)
_UNMEASURED = re.compile(
    r"\bbytes?\b|digits in total|[kmg](?:ilo|ega|iga)bytes|<\d+ digits>"
    r"|at least \d+ (?:\w+ )?(?:letter|digit|number|symbol|special|upper|lower|capital)"
    r"|at least \d+ (?:non[- ]?\w+|unique|different|distinct) char|properties|whole digits|years old|\d (?:second"
    r"|minute|hour|day|week|month|year)s? (?:after|before|ago|from|earlier|later)\b|\bwords?\b",
    re.I,
)
_DECIMAL_PLACES = re.compile(
    r"(?:at most|more than|maximum(?: of)?|up to|only) ([1-9]) (?:decimal|digits? after)|<\d+ digits>\.<([1-9]) "
    r"digits>|([1-9]) (?:decimal )?places (?:at most|or fewer)",
    re.I,
)
_POSITIVE = re.compile(r"\bpositive\b|(?:greater|more|larger|higher) than zero|\bnon-?zero positive", re.I)
_NON_NEGATIVE = re.compile(
    r"\bnon-?negative\b|\bunsigned\b|(?:not|n't) (?:be )?negative|(?:zero|0) or (?:greater|more|positive)"
    r"|positive or (?:zero|0)|greater than or equal to zero",
    re.I,
)
_NEGATIVE = re.compile(r"(?:must|should) be (?:a )?negative", re.I)
_MULTIPLE = re.compile(rf"(?:multiples? of(?: (?:the )?step(?: size)?)?|divisible by|in steps of)\s+{_NUMBER}", re.I)
_UNIQUE = re.compile(
    r"duplicated? items|unique items required|unique (?:items|elements|values)|(?:items|elements"
    r"|entries|values)(?:\[[\d,]+\])? (?:(?:must|to) be|are not) unique|must not contain duplicates?"
    r"|contains? duplicate",
    re.I,
)
_PATTERNS = (
    re.compile(
        r"(?:pattern|match(?:es|ing)?|regexp?|regular expression|regex used for validation is|satisf\w+)(?!"
        r" *format)[\w ,]{0,40}?:?\s*(?P<quote>[\"'`])(?P<pattern>.+?)(?P=quote)(?=[\s.,;)]|$)",
        re.I | re.DOTALL,
    ),
    re.compile(
        r"(?:(?:pattern|match(?:es|ing)?|regexp?|regular expression)[\w ]{0,30}?:?\s*|\bexpected "
        r")/(?P<pattern>.+)/[a-z]*(?:\s|$|\.|\")",
        re.I | re.DOTALL,
    ),
    re.compile(
        r"(?:pattern|match(?:es|ing)?|regexp?|regular"
        r" expression)[\w ]{0,30}?:?\s+(?P<pattern>[\^\[(\\]\S*[\]$)}*+?]\S*)",
        re.I,
    ),
    re.compile(r"(?:regular expression|regex)(?: pattern)?:\s+(?P<pattern>\S+)", re.I),
)

_WRITTEN_ONCE = re.compile(r"(?<!\\)(?:\\\\)*\\(?!\\)")
"""A backslash that stands alone, or beside pairs."""
_JOINED = re.compile(
    r"(?:must|should|has to|expected|requires?|needs?)\b[^.;:]{0,30}?\b(\d|1\d) comma[- ](?:separated|delimited)"
    r" (?:numbers?|numeric|integers?|floats?|values?|coordinates?|parameters?|parts?|elements?|components?)",
    re.I,
)
"""How many numbers stand in one text: `bbox must have 4 comma-separated values`."""
_JOINED_NUMBER = r"-?\d+(?:\.\d+)?"

_COUNTED_CLASS = re.compile(r"(\d{1,2}) ((?:[a-z-]+ )?(?:letters?|digits?|numbers?|capitals?|characters?))", re.I)
_COUNTED_CLASSES = re.compile(
    rf"\b(?:be|consist of|form|format)(?: exactly)?:? (?P<parts>{_COUNTED_CLASS.pattern}(?:(?:,? (?:and|then)|,?"
    rf" followed by|,)(?: exactly)? {_COUNTED_CLASS.pattern})+)\W*$",
    re.I,
)
"""What stands one behind the other in a text: "must be 2 capital letters and 4 digits"."""
_TYPE_ALONE = re.compile(r"an? |true\b", re.I)
_DIGIT = {"[0-9]": r"\d"}


def constraints(text: str) -> tuple[Claim, ...]:
    """What a sentence requires of the value that it is on; nothing if it is not understood."""
    text = plainly(text)
    text = re.sub(r" \(inclusive\)", "", _RECEIVED.sub("", text)).strip() or text
    text = _WITH_REASON.sub(r"\1", text)
    # What a value is not, it must be.
    text = re.sub(r"\bdoes(?: not|n't) (?=(?:start|begin|end)\b)", "must ", text)
    text = _IS_NOT.sub("must be ", re.sub(r"\bcan(?:'t|not) (?=be\b)", "must not ", text))
    if found := tuple(characters(text)):
        return (*_pattern(text), *found, *_bounds(text))
    if pattern := _pattern(text):
        return pattern
    if listed := choices(text):
        return listed
    if bounds := _bounds(text):
        # That a bounded value is a number goes without saying.
        typed = (Claim("type", ("integer",)),) if Claim("type", ("integer",)) in _types(text) else ()
        return (*(typed if _POSITIVE.search(text) or _NON_NEGATIVE.search(text) else ()), *bounds)
    return _types(text)


def _types(text: str) -> tuple[Claim, ...]:
    """The type or the format; several types that will do are one claim."""
    found = types_in(text) or (type_of(text) if _TYPE_ALONE.match(text) else ())
    types = tuple(name for kind, name in found if kind == "type")
    return (Claim("type", types),) if types else tuple(Claim(kind, (name,)) for kind, name in found[:1])


def _counted(text: str) -> str:
    """The pattern of what stands one behind the other in a text; "" if nothing is counted so."""
    counted = _COUNTED_CLASSES.search(text)
    parts = (
        [(character_class(kind), size) for size, kind in _COUNTED_CLASS.findall(counted["parts"])] if counted else []
    )
    told = parts and all(piece for piece, _ in parts)
    return "^" + "".join(f"{_DIGIT.get(piece, piece)}{{{size}}}" for piece, size in parts) + "$" if told else ""


def _pattern(text: str) -> tuple[Claim, ...]:
    if counted := _counted(text):
        return (Claim("pattern", (counted,)),)
    if joined := _JOINED.search(text):
        more = int(joined.group(1)) - 1
        return (Claim("pattern", (f"^{_JOINED_NUMBER}(?:,{_JOINED_NUMBER}){{{more}}}$",)),) if more > 0 else ()
    for form in _PATTERNS:
        match = form.search(text)
        while match and (inner := form.search(match["pattern"] + match.groupdict().get("quote", ""))):
            match = inner
        if match and (named := re.fullmatch(r"\[([a-z\-]+)\],?", match.group("pattern"))):
            return tuple(Claim(kind, (name,)) for kind, name in type_of(named.group(1)))
        if match and (pattern := readable_pattern(match.group("pattern"))):
            return (Claim("pattern", (pattern,)),)
    return ()


def readable_pattern(text: str) -> str:
    """A regular expression as Python has it, without the slashes of JavaScript; "" if it is none."""
    text = re.sub(r"\$\.$", "$", text.strip().rstrip(":;,"))
    if (slashed := re.fullmatch(r"/(.+)/[a-z]*", text, re.DOTALL)) is not None:
        text = slashed.group(1)
    if "\\" in text and not _WRITTEN_ONCE.search(text):
        # Printed as a program writes it: each backslash twice.
        text = text.replace("\\\\", "\\")
    if not is_pattern(text):
        return ""
    return text if re.search(r"[\[\\^$*+?{]|\(.*\|", text) and text[:2] not in ('["', "['") else ""


def _bounds(text: str) -> tuple[Claim, ...]:
    """The bounds of a number, of a length, or of a number of items."""
    if places := _DECIMAL_PLACES.search(text):
        return (Claim("multiple-of", (str(10.0 ** -int(next(filter(None, places.groups())))),)),)
    if _UNMEASURED.search(text):
        return ()
    if multiple := _MULTIPLE.search(text):
        return (Claim("multiple-of", (multiple.group(1),)),)
    if _UNIQUE.search(text):
        return (Claim("unique-items"),)
    found = _numbers(text) or _signs(text)
    if _LISTED.search(text) and not re.search(r"\bchar", text, re.I):
        return tuple(Claim(*_measured(kind, value, "items")) for kind, value in found)
    if _LENGTH_WORDS.search(text):
        return tuple(Claim(*_measured(kind, value, "length")) for kind, value in found)
    return tuple(Claim(kind, (value,)) for kind, value in found)


def _measured(kind: str, value: str, what: str) -> tuple[str, tuple[str, ...]]:
    """A bound of a length or of a number of items: these are whole, so none needs to be exclusive."""
    whole = int(float(value)) + (kind == "exclusive-minimum") - (kind == "exclusive-maximum")
    return f"{kind.removeprefix('exclusive-')[:3]}-{what}", (str(whole),)


def _signs(text: str) -> list[tuple[str, str]]:
    if _NON_NEGATIVE.search(text):
        return [("minimum", "0")]
    if _NEGATIVE.search(text):
        return [("exclusive-maximum", "0")]
    return [("exclusive-minimum", "0")] if _POSITIVE.search(text) else []


def _numbers(text: str) -> list[tuple[str, str]]:
    """The numbers that bound something, with the kind of bound."""
    if _BETWEEN_CUE.search(text) and (between := _BETWEEN.search(text)):
        outside = "exclusive-" if re.search(r"\bexclusive", text) and "nclusive" not in text else ""
        return [(f"{outside}minimum", between.group(1)), (f"{outside}maximum", between.group(2))]
    exact = _EXACT.search(text) if not re.search(r"\b(?:min|max)(?:imum)?\b", text, re.I) else None
    if exact and (_LENGTH_WORDS.search(text) or _LISTED.search(text)):
        return [("minimum", exact.group(1)), ("maximum", exact.group(1))]
    numbers = list(_numbers_by_kind(text).items())
    return _of_comparison(text, *numbers[0]) if len(numbers) == 1 else numbers


def _of_comparison(text: str, kind: str, value: str) -> list[tuple[str, str]]:
    """The bound of a single comparison, which says what is wanted or what was sent."""
    if side := re.search(r"\((min|max)\w+\)$", text):
        # `less than 18 (minimum)` says which bound it breaks.
        return [(f"{side[1]}imum", value)]
    complaint = _COMPLAINT.search(text) and not DEMAND.search(text)
    if not complaint and _BARE_COMPARISON.match(text):
        # "lower than 18" may be what was sent, or what is wanted.
        return []
    if complaint and (re.search(r"\d [<>] \d", text) or not re.search("equal|minimum|maximum", text)):
        # "101 is greater than 100" tells the bound that it breaks.
        return [(_OPPOSITE.get(kind, kind), value)]
    return [(kind, value)]


def _numbers_by_kind(text: str) -> dict[str, str]:
    """The first number for each kind of bound, by words that no kind before it has read."""
    found: dict[str, str] = {}
    spans: list[tuple[int, int]] = []
    for kind, pattern in _BOUNDS:
        match = pattern.search(text)
        if match and kind not in found and not any(low <= match.start(1) < high for low, high in spans):
            found[kind] = match.group(1)
            spans.append(match.span())
    return found
