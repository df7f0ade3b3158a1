"""Statements that API documentation makes: how docrev writes each, and how a reader recognises it.

A `Phrase` has both sides. `write` gives docrev's sentence; `read` understands that sentence and the common ways in
which people write the same thing in OpenAPI documents. Whoever writes documentation takes such sentences from here,
whoever reads it asks here, and a test reads back all that is written. Texts are of one parameter or one operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docrev.language.characters import without_long_runs

_OPERATION = r"`?(?:[\w-]+ )?(?P<operation>(?:GET|POST|PUT|PATCH|DELETE) /(?:[^\s`,;)]*[\w}/])?)(?![\w}/])`?"
_TICKED = r"[`\"*]+(?P<field>[\w.\[\]/-]+)[`\"*]+"
_BARE = r"(?:the )?\b(?P<field>ids?|codes?|slugs?|keys?|uuids?|uris?|[\w.]+(?= (?:field|property|attribute)))\b"
_PARAMETER = r"[`\"*]+(?P<parameter>[\w.\[\]-]+)[`\"*]+"
_NUMBER = r"[`*]*(?P<number>\d+(?:,\d{3})*)\b"
_VALUE = r"(?:[`\"*]+(?P<value>[^`\"*]+)[`\"*]+|(?P<value_>-?[\w/]+(?:[.-]\w+)*))"
_CALL = r"(?:please )?(?:use|see|call|try)(?: the)?"
_LINK = (
    r"(?:,? ?\b(?:as|of|from|in|the|a|an|field|property|attribute|value|response|responses|results?|output|call|to|"
    r"returned|given|listed|provided|obtained|found|by|via|with|through|using)\b){1,8} "
)
_WITHIN = r"[^.`]{0,200}"
"""What may stand between the parts of a sentence."""
_ASIDE = r"(?: endpoint| operation| instead)*"
_UNLESS = r"(?! (?:if|when|only|unless|for|to|as|in)\b)"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One kind of statement: `written` is a format string, `patterns` are the forms in which it is read, surest first.

    What a pattern captures has the name of the value that `written` takes for it.
    """

    written: str
    patterns: tuple[re.Pattern[str], ...]

    def write(self, **values: object) -> str:
        """The sentence as docrev writes it. Raises KeyError if a value is missing."""
        return self.written.format(**values)

    def read(self, text: str) -> dict[str, str] | None:
        """The values that a text states by this phrase; None if it contains no such statement."""
        return next(self.read_all(text), None)

    def read_all(self, text: str) -> Iterator[dict[str, str]]:
        """The values of every such statement in a text, pattern by pattern."""
        text = without_long_runs(text)
        for pattern in self.patterns:
            for match in pattern.finditer(text):
                yield {name.rstrip("_"): part.strip() for name, part in match.groupdict().items() if part is not None}


def _phrase(written: str, *patterns: str) -> Phrase:
    return Phrase(written, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))


# Where values come from

SOURCE = _phrase(
    "{label}, as in `{field}` of `{operation}`.",
    rf"{_TICKED}{_LINK}{_OPERATION}",
    rf"{_OPERATION}{_ASIDE}(?:[ ,(]|\b(?:and|which|returns?|it|as|use|the|its|response|field|in)\b)+{_TICKED}",
    rf"{_BARE}{_LINK}{_OPERATION}",
)
"""A parameter's value is a field of what an operation returns."""
PROVIDER = _phrase(
    "{label}, as in `{operation}`.",
    rf"\b(?:as in|from|by|see|via|with|through|call|calling|use|using)"
    rf"(?: the| a| call to| response of| results? of)* {_OPERATION}(?!`? instead)",
)
"""A parameter's value is in what an operation returns; which field is not stated."""
ALTERNATIVE = _phrase(
    "For {purpose}, use `{operation}`.",
    rf"\bfor (?P<purpose>[^.`]*?),? {_CALL} {_OPERATION}",
    rf"\bif you (?:only |just )?(?:need|want) (?P<purpose>[^.`]*?),? {_CALL} {_OPERATION}",
    rf"\bto (?:get|retrieve|fetch|list|see|obtain) (?P<purpose>[^.`]*?),? {_CALL} {_OPERATION}",
    rf"\b{_CALL} {_OPERATION}{_ASIDE} (?:for|if you (?:only |just )?(?:need|want)"
    rf"|to (?:get|retrieve|fetch|list|see|obtain)) (?P<purpose>[^.`]*)",
)
"""Another operation serves a purpose that this one does not."""
LOOKUP = _phrase(
    "To find {purpose}, use `{operation}`.",
    rf"\bto (?:find|look up|search for|identify) (?P<purpose>[^.`]*?),? {_CALL} {_OPERATION}",
    rf"\b{_CALL} {_OPERATION}{_ASIDE} to (?:find|look up|search for|identify) (?P<purpose>[^.`]*)",
)
"""Another operation finds the same thing by what is known of it."""

# Values of a parameter

CHOICE = _phrase(
    "One of {values}.",
    r"\b(?:(?:must|can|may) be|accepts) (?=[`\"*])",
    r"\b(?:one of|either|options are|values are"
    r"|(?:allowed|valid|possible|accepted|supported|available) (?:values?|types?|options?|choices))\b",
)
"""The values named in the same sentence are all that a parameter accepts; `choices` reads them."""
DEFAULT = _phrase(
    "Defaults to {value}.",
    rf"\bdefaults?(?: value)?(?: is| are| to|:| =)* {_VALUE}",
    rf"\b(?:if|when) (?:omitted|not (?:given|set|specified|provided)),? (?:the value )?{_VALUE} is (?:used|assumed)",
    rf"{_VALUE} (?:is the default|by default|\(default\))",
)
REQUIRED = _phrase(
    "Required; requests without it return {status}.",
    rf"(?:^|[.!?]\s+)\W*(?:required|mandatory)\b{_UNLESS}",
    rf"\bis (?:always )?(?:required|mandatory)\b{_UNLESS}",
    rf"\bmust be (?:given|sent|provided|specified|supplied|present|included|set)\b{_UNLESS}",
    r"\b(?:cannot|can't|must not|may not) be (?:omitted|left out|missing)\b",
)
_MOST = (
    rf"\b(?:at most|up to|no more than|exceed|(?:larger|greater|more|higher) than|less than or equal to|capped at"
    rf"|limited to|max(?:imum)?\.?(?: value| number| size)?)(?:(?: is| of|:)* ){_NUMBER}",
    rf"\b(?:between|from) [`*]*[\d,.]+[`*]* (?:and|to) {_NUMBER}",
    rf"\(\d+ ?[-–] ?{_NUMBER}\)",
    rf"\bcapped at the server's limit \({_NUMBER}\)",
)
MOST = _phrase("Must be at most {number}.", *_MOST)
CLAMP = _phrase("Silently capped at the server's limit ({number}).", *_MOST)
"""A larger value is not refused, but taken as the bound: which of these is a setting, nobody sees from outside."""
RANGE = _phrase("Must be between {low} and {number}.", *_MOST)
_MOST_HERE = (
    rf"{_PARAMETER}(?:[: ]|\b(?:is|are|can|may|must|should|not|be|values?|has|a|of|parameter|allows)\b)*{_MOST[0]}",
    rf"{_PARAMETER}: silently {_MOST[-1]}",
)
MOST_HERE = _phrase("`{parameter}`: at most {number}.", *_MOST_HERE)
"""An operation's own bound on a parameter that others share."""
CLAMP_HERE = _phrase("`{parameter}`: silently capped at the server's limit ({number}).", *_MOST_HERE)
"""Such a bound that larger values are taken as."""
EXAMPLE = _phrase(
    "Example: {value}.",
    r"\b(?:examples?|observed values|e\.g\.|ex\.|for example|for instance|such as)[:,]? ?`?(?P<value>[^`.\s,][^`.,]*)",
)
DATE = _phrase(
    "Date in `{format}` format.",
    r"\b(?P<format>YYYY-MM-DD|DD\.MM\.YYYY|MM/DD/YYYY|DD/MM/YYYY|YYYY/MM/DD|YYYYMMDD)\b",
)
SEARCH = _phrase(
    "Text to search for in `{field}`.",
    rf"\btext to (?:search|look)(?: for)?(?: in {_TICKED})?",
    r"\bsearch(?:es)? (?:for |by |on )?(?:an? |the )?(?:query|text|term|string|keywords?|phrase)\b",
    r"\bfull[- ]text search\b|\bfree[- ]text\b|\b(?:keywords?|terms?|phrase) to (?:search|look|match|find)\b",
    r"\bsearch(?:es)? (?:in|through|within)\b",
)

# Pages

_BEFORE = r"(?:of|from|in|returned (?:by|with|in)) (?:the|a|your) (?:previous|last|prior|preceding)\b"
CURSOR = _phrase(
    "Pagination cursor: the `{field}` value of the previous page.",
    rf"{_TICKED}(?: \w+){{0,3}}? {_BEFORE}",
    rf"{_BEFORE} (?:[\w']+ )+\(?(?:as |in |field |property |the )*{_TICKED}",
    rf"\b(?:cursor|token)\b[^.]*? {_BEFORE}",
    rf"{_TICKED} of the (?:page|response) before\b",
)
NEXT_PAGE = _phrase(
    "For the next page, pass the response's `{field}` as `{parameter}`.",
    rf"\bnext page\b{_WITHIN}{_TICKED}{_WITHIN} (?:as|in|for|into)(?: the)? {_PARAMETER}",
    rf"{_TICKED}{_WITHIN} (?:as|in|for|into)(?: the)? {_PARAMETER}{_WITHIN}\bnext page\b",
    rf"\bset {_PARAMETER} to{_WITHIN}{_TICKED}",
)
NEXT_PAGE_URL = _phrase(
    "For the next page, call the URL in the `{header}` response header; the last page has none.",
    r"\bnext page\b[^.`]*`(?P<header>[\w-]+)` (?:response )?header",
    r"`(?P<header>[\w-]+)` (?:response )?header[^.`]*\bnext page\b",
)


def next_page_url(header: str) -> str:
    """Where the URL of the next page is: a `Link` header may have others, too (RFC 8288 §3.3)."""
    text = NEXT_PAGE_URL.write(header=header)
    return text.replace("the URL in", 'the URL with rel="next" in') if header.lower() == "link" else text


# How requests are handled, which says nothing of what an operation is for

ABSENT = _phrase(
    "Returns {status} if the {label} does not exist.",
    r"\b(?:returns?|responds? with|gives?|yields?|throws?|raises?|fails? with)(?: an?| HTTP| status| code| error)* "
    r"[45]\d\d\b(?=[^\w\s]|$| (?:if|when|for|unless|on|errors?|status|responses?|not|bad)\b)",
    r"\b[45]\d\d\b(?: [\w()]+){0,4} (?:is returned|if|when|for|unless)\b",
    r"\b(?:is|are) answered\b",
)
NOTHING_MATCHES = _phrase(
    "If nothing matches, returns {status} with an empty {list}.",
    r"^(?:if|when|where) (?:nothing|none|no [\w ]{1,30}?) (?:matche?s?|is found|are found|exists?)\b",
    r"\bempty (?:list|array|collection|result)\b[^.]{0,20}\b(?:if|when)\b",
)
BROKEN = _phrase(
    "Every valid request observed failed with {status}.", r"\brequests?\b[^.]{0,40}\bfail(?:s|ed)?(?: with)? [45]\d\d\b"
)
IGNORES = _phrase(
    "Ignores `{name}`.", r"^ignores\b", r"\b(?:is|are) (?:silently )?ignored\b", r"\bha(?:s|ve) no effect\b"
)
CREDENTIALS = _phrase(
    "Requires credentials; requests without them return {status}.",
    r"^(?:this \w+ )?requires? (?:\w+ )?(?:credentials|authentication|authorization)\b",
)
HANDLING = (ABSENT, NOTHING_MATCHES, BROKEN, IGNORES, CREDENTIALS)

# What a response contains

FIELDS = _phrase("Each {noun} has {fields}.", r"\b(?:ha[sd]|have|returns?|told|contains?|includes?|provides?)\b")
"""The names marked in the same sentence are fields of the response; `marked` gives them."""
MORE_FIELDS = _phrase(
    "and {count} more fields", r"\band (?:\d+|many|several|some) (?:more|other) (?:fields?|properties)\b"
)

_SENTENCE = re.compile(r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?])\s+")
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\"([^\"]{1,40})\"")
_ONLY_JOINED = re.compile(r"[\s,;.:]*(?:(?:or|and)[\s,;.:]*)*")
_TOKENS = r"[\w.+-]*\w(?:(?:,? (?:or|and) |, ?| ?\| ?)[\w.+-]*\w)+"
_UNMARKED = re.compile(
    rf"(?:\b(?:one of|either)|\b(?:allowed|valid|possible|accepted|supported|available) (?:values|types|options)"
    rf"(?: are|:)+):? \(?(?P<list>{_TOKENS})(?=[.;)]|$)|\((?P<piped>\w+(?:\|\w+)+)\)",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return _SENTENCE.split(text)


def is_sentence(part: str, text: str) -> bool:
    """Whether `part` stands in a text as one of its sentences, or as several."""
    return re.search(rf"(?:^|[.!?]\s+){re.escape(part)}(?:\s|$)", text) is not None


def marked(sentence: str) -> tuple[str, ...]:
    """The names and values that a sentence sets apart by backticks, asterisks or double quotes, each once."""
    found = (next(group for group in match.groups() if group) for match in _MARKED.finditer(sentence))
    return tuple(dict.fromkeys(found))


def choices(text: str) -> tuple[tuple[str, ...], bool]:
    """The values that a parameter's description names, and whether they are all that it accepts."""
    for sentence in sentences(text):
        names = marked(sentence)
        if len(names) > 1 and (CHOICE.read(sentence) is not None or _ONLY_JOINED.fullmatch(_MARKED.sub("", sentence))):
            return names, True
        if len(names) > 1 and SOURCE.read(sentence) is None:
            return names, False
        unmarked = _UNMARKED.search(sentence)
        if unmarked is not None:
            return tuple(re.split(r",? (?:or|and) |, ?| ?\| ?", unmarked["list"] or unmarked["piped"])), True
    return (), False


def is_handling(sentence: str) -> bool:
    """Whether a sentence states how requests are handled: statuses, what is ignored, credentials."""
    return any(phrase.read(sentence) is not None for phrase in HANDLING)
