"""What a sentence requires beyond a value: names that are missing or too many, and what `error_states` reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from docrev.conventions import error_states as states
from docrev.conventions.error_absence import not_found
from docrev.conventions.error_claims import Claim
from docrev.conventions.error_codes import claims_of_rule
from docrev.conventions.error_locations import ErrorLocation, location_of, place_of
from docrev.conventions.error_media import media_type, method
from docrev.conventions.error_subjects import FIELD_WORDS, PLACE_WORDS, QUOTED, Sentence, is_name, names_in

_EMPTY_BODY = re.compile(
    r"^(?:the )?(?:request ?)?body (?:is (?:missing|required|empty)(?! required)|cannot be (?:empty|null|blank)"
    r"|must not be (?:empty|null))|required request body is missing|(?:non-empty|missing) request body"
    r"|empty (?:json |request )?body|no (?:request )?body|^(?:the |a )?(?:request )?body is required",
    re.I,
)
_WITHOUT_REQUIRED = re.compile(
    r"valid [\w-]+(?: [\w-]+)? (?:is|are) required|required (?:pattern|type|format|regex|length|range|minimum|maximum"
    r"|primitive)|authentication (?:is )?required"
    r"|login required|no longer required|not required|required by (?:\d|other|an?\b|the\b)"
    r"|(?:should|must) be not present|precondition required"
    r"|unique \w+ required"
    r"|with (?:an? |the )?required\b"
    r"|missing (?:\w+ scheme|closing|opening|terminat\w+|trailing|unit in|port in)\b|at least (?:one|\d+) "
    r"|missing (?:[\"'`]\W|dependency)|payment required",
    re.I,
)
_REQUIRED = re.compile(
    r"\b(?:must|should) (?:contain|include|have) (?:\[|[\"'`]\w+[\"'`] (?:propert|field|key|attribute|element))"
    rf"|\bexpected {FIELD_WORDS}(?:s|\(s\)): \w|\brequires property\b|\brequired\b|(?<!\bbe )\bmissing\b|not"
    rf" present(?! in table)|insert (?:the value )?NULL into|can(?:'t|not) be (?:blank|empty|null"
    r"|undefined|none|nil)|(?:must|should|needs? to|ha(?:s|ve) to) be (?:defined|given|provided|set|specified|supplied"
    r"|present|included|filled)(?! (?:to|when|if|as)\b)|mandatory|is needed|undefined (?:array )?(?:index|key"
    r"|offset)\b|(?:must|should) (?:contain|include|have) (?:the |a )?(?:following )?(?:\w+ )?(?:parameter|field"
    r"|property|key|header|attribute)s?\b|(?:must|should|may|can) ?not be (?:blank|null|empty|undefined|none|nil"
    r"|an? empty)|not be null or|not allowed to be empty|should be non-empty|(?:was|were|is|are)(?: not"
    r"|n't) (?:provided|specified|supplied|given|set|found in (?:the )?(?:request|query|body))|not provided"
    r"|^not (?:given|specified|supplied|set)|not specified|value is not provided|(?:empty|blank|null) values? (?:(?:is"
    r"|are) )?not allowed|no \w\S*(?: \w+)? (?:provided|specified|supplied|given)"
    r"|no file (?:was )?(?:submitted|uploaded|attached)|must (?:provide|specify"
    r"|supply|send|include)\b|please (?:provide|specify|supply|send|include) (?:an?|the|your) \w+(?: (?:param|field"
    r"|header)|\.?$)|non[- ]nullable|is not nullable|must be non-?empty|must be non-?null|enter a value\.?$"
    r"|have a default value\b"
    r"|not contain (?:fields?|keys?|propert(?:y|ies))\b|has to be (?:given|set|provided)|undefined$"
    r"|received type [`'\"]?undefined|violates not-null|^is blank\b"
    r"|NOT NULL constraint",
    re.I,
)
_LOST_KEY = re.compile(r"(?:KeyError: )?'(?P<name>[A-Za-z_]\w*)'")
"""The text of Python's KeyError: a name alone that was looked for in what was sent."""
_LABELS = (
    rf"(?:(?:required|mandatory|JSON|request|following|query|path|header|body|string|form|the|value for|values for"
    rf"|an?)\s+)*(?:{PLACE_WORDS}\s+)?"
)
_NO_MEMBER = (
    r"(?:field|parameter|param|property|argument|arg|option|header|cookie|element|entry|value|input|data|body|json"
    r"|payload|request|message|file|credential|token|auth\w*|user|change|update|information|details)s?"
)
"""What is missing without being a member of a request: all of it, a part of its head, or nothing in particular."""
_MISSING_NAMES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\bmissing (?:required )?(?P<names>(?!required\b)\w+) (?:parameter|param|field|property|attribute"
        r"|argument)\.?$",
        rf"\bmissing\s+{_LABELS}(?:\w+ )?{FIELD_WORDS}(?:s|\(s\))?(?:(?: in [\w ]+| from"
        rf" [\w ]+)?\s*:\s+|\s+(?!(?:in|from)\b))(?P<names>[\"'`\[({{:]{{0,3}}[\w$@].*)",
        rf"(?:must|should) (?:contain|include|have) (?:the |a |an )?(?:following )?(?:{PLACE_WORDS}"
        rf" )?{FIELD_WORDS}s?:? (?P<names>\S.*)",
        rf"\b(?:required|mandatory)\s+(?:{PLACE_WORDS}\s+)?{FIELD_WORDS}s?\s*:?\s*(?P<names>[\"'`\[].+?)(?:\s+(?:is|was|are|were"
        rf"|for|not|missing)\b.*|$)",
        rf"(?P<names>{QUOTED}) is a required property",
        r"\bmissing (?:required )?(?P<names>[A-Za-z]+_\w+|(?-i:[a-z]+[A-Z]\w*))\b",
        r"^(?P<names>\w+(?:, \w+){0,8},? and \w+) are required",
        rf"(?:must|please) (?:provide|specify|supply|send|include) (?:an?|the) (?P<names>\w+) {FIELD_WORDS}\b",
        r"(?:must|please|need to|have to) (?:provide|specify|supply|include|send|give|enter) (?:an?|the|your)"
        r" (?P<names>\w+)(?=\.?$| (?:to|when|for|in|before|with)\b)",
        r"\brequires property (?P<names>[\"'].+)",
        rf"\bno (?P<names>[\w.\-]+(?:\[\])?) {FIELD_WORDS} (?:was )?(?:provided|specified|supplied|given)",
        rf"^no (?:[a-z]+ )?(?P<names>(?!{_NO_MEMBER}\b)[a-z]\w+) (?:was |were )?(?:provided|specified|supplied"
        r"|given)\b",
        r"^missing (?P<names>\w+) (?:query|header|body|path)\b",
        r"(?:must|should) (?:contain|include|have) (?P<names>\[.+?\]|[\"'`]\w+[\"'`]) (?:propert|field|key|attribute"
        r"|element)",
        rf"\bexpected {FIELD_WORDS}(?:s|\(s\)): (?P<names>.+)",
        rf"(?:must|please|need to|have to) (?:provide|specify|supply|include|send|pass|give|set)(?: a| an|"
        rf" the)?(?: value for| valid)?(?: the)? (?:(?:{PLACE_WORDS} )?{FIELD_WORDS}:? )?(?P<names>[\"'`].+"
        rf"|\w+_\w+$|\w+_\w+ .*)",
        r"\b(?:missing|required|empty|blank)\b[^:\"']{0,50}:\s+(?P<names>[\w.\-]+(?:,\s*[\w.\-]+)*)\.?\)?$",
    )
)
_NAMED = (
    r"(?:field|parameter|param|property|propertie|attribute|argument|arg|key|option|member|column|name|header|variable"
    r"|setting|flag)"
)
_UNKNOWN = re.compile(
    rf"(?:unrecogni[sz]ed|unknown|unexpected|unpermitted|unsupported|undeclared|undefined|illegal|extra|rogue"
    rf"|undocumented|non-?exist(?:ing|ent)|unspecified|extraneous|superfluous|excess|disallowed|wrong(?=\s+\w+s\b)"
    rf"|invalid(?=\s+\w+s:))\s+(?:(?:query|path|request|body|json|url|form|input|http|header|file)\s+)?{_NAMED}(?:s"
    rf"|\(s\))?(?! (?:type|value)\b)"
    r"|additional propert(?:y|ies)|(?:inputs?|fields?|elements?|propert(?:y|ies)|keys?|parameters?) (?:(?:that"
    r"|which) )?(?:are |is |was |were )?not (?:permitted|allowed|recogni[sz]ed|expected)|extra (?:inputs?|keys?"
    r"|fields?) (?:are )?(?:not|forbidden)|(?:should|must) not (?:exist|be present|be (?:set|given|provided|specified"
    r"|included|sent|supplied))(?! (?:to|when|if|with)\b)|must be removed$|(?:did not"
    r"|didn't) expect (?:the )?propert|(?:should|must) be not present"
    r"|expected (?:a value of type )?\W?never\b|must not contain \{.*\} properties|^(?:is )?not (?:allowed|permitted"
    r"|expected|recogni[sz]ed)(?: here| (?:in|for|by) th(?:is|e) \w+)?\.?$|is (?:a )?read[- ]?only"
    r"|\bset (?:a )?read[- ]?only|(?:is immutable"
    r"|field is frozen)|(?:cannot|can't|may not|must not) be (?:changed|modified|updated|set|specified|provided"
    r"|overridden|edited)(?! (?:to|when|if|with)\b)|must be (?:missing|omitted|absent|left out|unset|undefined)"
    r"|^is (?:prohibited|forbidden)\.?$|column \"\w+\" of relation \"\w+\" does not exist"
    r"|forbidden (?:property|field|parameter|key|attribute)|is not defined (?:by|on|in) type"
    r"|is an invalid keyword argument|is not an? (?:(?:known"
    r"|valid|recogni[sz]ed|allowed|accepted) )?(?:field|parameter|property|attribute|argument|member|query parameter)\b"
    r"|^(?:field|column|property|parameter|attribute|argument) \S+ (?:does not|doesn't) exist|(?:could not find"
    r"|no such) (?:an? |the )?(?:[\"'`]\w+[\"'`] )?(?:member|field|property|attribute|column)[ :]|cannot query field"
    r"|is (?:unknown|unexpected|not recogni[sz]ed|unrecogni[sz]ed)\b"
    rf"|(?:not have|has no|there is no|without) (?:an? )?{_NAMED} (?:with (?:the )?name|named|called)|\b(?:was|were"
    rf"|is|are) not"
    r" (?:defined|declared)\b(?! (?:by|for|or))",
    re.I,
)
_UNKNOWN_NAMES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:unrecogni[sz]ed|unknown|unexpected|unpermitted|unsupported|undeclared|undefined|illegal|extra|rogue"
        rf"|undocumented|non-?exist(?:ing|ent)|unspecified|extraneous|superfluous|excess|disallowed|wrong"
        rf"|invalid)\s+(?P<label>(?:query|path|request|body|json|url|form|input|http|header)\s+)?{_NAMED}(?:s"
        rf"|\(s\))?(?: (?:in|on|for) [\w. ]+(?=:)| (?:in|on) [\w ]+?| name| supplied| provided| given| found| "
        rf"received)?\s*:?\s+(?P<names>[\"'`\[(:\w].*)",
        r"(?:propert(?:y|ies)|fields?|keys?|parameters?|attributes?) not (?:allowed|permitted|recogni[sz]ed|expected)"
        r": (?P<names>\S.*)",
        r"additional propert(?:y|ies) [\w ]*\((?P<names>.+?) (?:was|were)",
        r"additional propert(?:y|ies)(?: (?:are )?(?:is )?not allowed)?\s*:?\s+(?P<names>(?:[\"'`]|(?<=: )\w).+)",
        r"additional property (?P<names>\S+) is not allowed",
        r"(?:could not find|no such) (?:an? |the )?(?:member|field|property|attribute"
        r"|column):?(?: named)? (?P<names>.+)",
        r"^(?:field|column|property|parameter|attribute|argument) (?P<names>\S+) (?:does not|doesn't) exist",
        r"(?<=cannot query )field (?P<names>[\"'`]\w+[\"'`])",
        r"must not contain (?P<names>\{.*\}) properties",
        r"could not find (?:the )?(?P<names>[\"'`]\w+[\"'`]) (?:member|field|property|attribute|column)\b",
        rf"(?:no|not have an?|has no|without) {_NAMED} (?:with (?:the )?name |named |called )?(?P<names>[\"'`].+"
        rf"|(?<=named )\w+\.?$)",
        rf"{_NAMED}s? (?:that|which) (?:are|is) not (?:defined|declared|known|allowed|permitted)[\w ]*: (?P<names>.+)",
    )
)
_NOT_FOUND = 404
_INVALID = re.compile(
    r"does(?: not|n't) have a valid|failed to (?:convert|parse|bind|read|decode)|could not (?:convert|be converted"
    r"|parse)|unable to|\binvalid|not (?:a )?valid|malformed|incorrect|\bwrong\b"
    r"|unacceptable|not (?:acceptable|permitted|allowed|recogni[sz]ed|supported|accepted)|illegal|could not be"
    r" parsed|does(?: not|n't) validate"
    r"|cannot be parsed|can't be parsed|unable to parse|too (?:short|long|small|large|big|many|few|high"
    r"|low)|out of (?:range|bounds)|does(?: not|n't) match|unallowed|unparse?able|not in the correct"
    r"|is valid under each of"
    r"|failed on the|must\b|should\b|cannot\b|not one of|not included|is reserved|(?:unknown|unexpected) (?:variant"
    r"|value)"
    r"|unrecogni[sz]ed|not in (?:the|a) (?:correct|right|valid|expected|proper)"
    r" format|once set\b|^could not\b",
    re.I,
)
_REFUSED = re.compile(
    r"\b(?:not?|neither|never|fail(?:s|ed)|has errors|too \w+|\w+ than \d+)\b|\b(?:enter a|expected \w+) v", re.I
)
"""What also says of a value under its name that it is refused."""


def demands(sentence: Sentence, status: int | None) -> tuple[Claim, ...]:
    """What a sentence requires beyond a value; nothing if it is not understood."""
    for read in _READERS:
        if claims := tuple(read(sentence, status)):
            return claims
    return ()


def is_refusal(text: str) -> bool:
    """Whether a sentence says that something is not valid."""
    return bool(_INVALID.search(text))


def is_bare_refusal(text: str) -> bool:
    """Whether a text on one value says no more than that it is refused: in a sentence, or by a code."""
    return is_refusal(text) or bool(_REFUSED.search(text) or re.fullmatch(r"\w+", text))


def _missing(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    text = sentence.text
    if _EMPTY_BODY.search(sentence.whole):
        yield Claim("required", (), ErrorLocation("body"))
        return
    if lost := _LOST_KEY.fullmatch(sentence.whole):
        yield Claim("required", (), location_of(lost["name"]))
        return
    if (
        _WITHOUT_REQUIRED.search(text) and not re.search(r"not provided|(?<!be )not present", text)
    ) or not _REQUIRED.search(text):
        return
    for pattern in _MISSING_NAMES:
        match = pattern.search(sentence.whole)
        if match and (names := names_in(match.group("names"))):
            place = _place_before(match.group(0))
            for name in names:
                yield from _inside(sentence, "required", name, place)
            return
    yield from _on_quoted(sentence, "required")


def _unknown(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    if not _UNKNOWN.search(sentence.text) and not _UNKNOWN.search(sentence.whole):
        return
    if status == _NOT_FOUND and re.search(r"could not find", sentence.whole, re.I):
        # The field is the thing that was asked for.
        return
    for pattern in _UNKNOWN_NAMES:
        match = pattern.search(sentence.whole)
        if match and (names := names_in(match.group("names"))):
            place = _place_before(match.group(0))
            for name in names:
                yield from _inside(sentence, "unknown", name, place)
            return
    yield from _on_quoted(sentence, "unknown")


def _on_quoted(sentence: Sentence, kind: str) -> Iterator[Claim]:
    """A claim on the one name that a sentence without a subject quotes, or else on its subject."""
    quoted = {name for name in re.findall(QUOTED.replace("{1,", "{0,"), sentence.whole) if is_name(name, quoted=True)}
    if len(quoted) == 1 and not sentence.subject.keys:
        yield Claim(kind, (), location_of(quoted.pop()))
    else:
        yield Claim(kind)


def _inside(sentence: Sentence, kind: str, name: str, place: str) -> Iterator[Claim]:
    at = location_of(name, place)
    if sentence.subject.keys and sentence.subject.keys[-1:] == at.keys[-1:]:
        yield Claim(kind)
    else:
        yield Claim(kind, (), at)


def _place_before(text: str) -> str:
    words = re.findall(rf"\b({PLACE_WORDS})\s+(?:string )?{FIELD_WORDS}", text, re.I)
    if not words and re.search(r"\bheader\b", text, re.I):
        return "header"
    return place_of(words[0]) if words and words[0].lower() not in ("input", "http", "request", "url", "uri") else ""


_READERS: tuple[Callable[[Sentence, int | None], Iterator[Claim]], ...] = (
    lambda sentence, status: iter(claims_of_rule(sentence.text)),
    method,
    media_type,
    states.credentials,
    states.exists,
    states.unsupported,
    states.state,
    _missing,
    _unknown,
    not_found,
)
