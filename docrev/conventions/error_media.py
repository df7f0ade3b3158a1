"""That a call wants another method or media type, or that its body cannot be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_claims import Claim
from docrev.conventions.error_locations import ErrorLocation
from docrev.conventions.error_subjects import Sentence
from docrev.conventions.statuses import NOT_ACCEPTABLE

MALFORMED_BODY = Claim("format", ("json",), ErrorLocation("body"))
_METHOD = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_USE_METHOD = re.compile(
    rf"(?:\b(?:[Uu]se|[Ss]end|[Cc]all|[Tt]ry)\b|using|"
    rf"must be (?:a|an)?|only supports?|supports only|expected|requires?|\b[Oo]nly|allowed(?:"
    rf" methods?)?(?: are|:)?|supported(?: methods?)?(?: are|:)?|only (?:accepts?|allows?))\s*:?\s*(?:an? |the "
    rf"|http )?[\"'`\[]*({_METHOD}(?:[\"'`]?(?:\s*,\s*|\s+or\s+|\s+and\s+|\s*\|\s*)[\"'`]?{_METHOD})*)\b"
)
_METHOD_REFUSED = re.compile(
    rf"\b{_METHOD}\b.{{0,40}}\bnot (?:allowed|supported)|method\b.{{0,30}}\bnot (?:allowed|supported)|cannot"
    rf" {_METHOD} to",
    re.I,
)
_MEDIA = r"(?:application|text|multipart|image|audio|video)/[\w.+*-]+"
_MEDIA_WANTED = re.compile(
    rf"\b(?:expected|expects?|use|must be|should be|does not match|only|(?:supported"
    rf"|valid(?= mime))(?: media types?| mime-?types?"
    rf"| types?| content types?)?(?: are|:)?|requires?|(?:was|is)(?: not|n't)|set to|acceptable|accepts?"
    rf"|allowed(?: types?)?(?: are|:)?)[^.]{{0,60}}?({_MEDIA}(?:[\"'`\]]?(?:\s*,\s*|\s+or\s+"
    rf"|\s+and\s+)[\"'`]?{_MEDIA})*)|[\"'`]?({_MEDIA})[\"'`]? (?:is )?(?:required|expected)$",
    re.I,
)
_MEDIA_REFUSED = re.compile(
    r"(?:unsupported|unacceptable) (?:media|content)[ -]?type"
    r"|content[- ]type\b.{0,60}(?:not (?:supported|allowed|acceptable|(?:application|text|multipart|image)/)|must"
    r"|should|expected|invalid|unsupported)|media type|mime-?types?\b|expected content-type"
    r"|expected [`'\"]?(?:application|multipart)/"
    r"|^[`'\"]?(?:application|multipart)/\S+ (?:is )?(?:required|expected)$",
    re.I,
)
_TYPE_REFUSED = re.compile(r"(?:unsupported|unacceptable) (?:media|content)|content[- ]type\b.* not supported", re.I)
_MALFORMED = re.compile(
    r"\b(?:malformed|invalid|bad|broken|illegal) (?:json|(?:request )?body)(?!: \S+ error:|: \w+\.| (?:value"
    r"|payload received|\w+ type|for|in the))\b|not (?:a )?(?:valid|well-formed) json\b(?! (?:string|object|array"
    r"|value|text))|json (?:parse|parsing|decode|decoding|syntax) error|(?:syntax )?error (?:in|parsing"
    r"|decoding) (?:the )?json\b(?! body:)|(?:cannot|can't|could not|couldn't|failed to|unable to|when"
    r"|while) (?:be )?pars\w* (?:the )?(?:(?:request )?(?:body|content)(?! \w+ field)|(?:as )?json)\b"
    r"|no json object could be decoded|\b(?:read|understand|decode) (?:the |your )?(?:body|payload|request) as json\b"
    r"|unexpected (?:token (?:near end|\S+ in json|at '?[{\[])|end of (?:json )?(?:input|file)|eof)"
    r"|json (?:is )?malformed"
    r"|\b(?:input|body|payload|request|content)\b.{0,20} (?:must|should) be (?:in |a |valid )*json\b"
    r"|\bin json at position \d|\blooking for beginning of object key\b|^end of input\b"
    r"|^input data was truncated|^expecting (?:value|property name)\b.*(?:line|char) \d|must pass valid "
    r"application/json",
    re.I,
)
_PARSED = re.compile(r"\b(?:path|query|uri|url|header)\b", re.I)


def media_types(text: str) -> tuple[str, ...]:
    """The media types that a text names."""
    return tuple(dict.fromkeys(name.rstrip(".") for name in re.findall(_MEDIA, text)))


def methods(text: str) -> tuple[str, ...]:
    """The methods that a text names, in its order."""
    return tuple(dict.fromkeys(re.findall(rf"\b{_METHOD}\b", text.upper())))


def method(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that another method is needed, with those that the sentence names."""
    text = sentence.whole
    if wanted := _USE_METHOD.search(text):
        yield Claim("method", methods(wanted.group(1)))
    elif _METHOD_REFUSED.search(text) and status in (405, None):
        yield Claim("method")


def media_type(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that another media type is needed, with those that the sentence names."""
    text = sentence.whole
    if status in (NOT_ACCEPTABLE, 415) or _MEDIA_REFUSED.search(text):
        wanted = _MEDIA_WANTED.search(
            re.sub(r"\b(?:but )?(?:got|received|found)\b.*|\bgiven: .*|instead of .*|, not [`'\"]?\w+/.*", "", text)
        )
        refused = re.search(rf"[\"'`]?({_MEDIA})[^,]*[\"'`]? (?:is )?(?:not|an unsupported)", text)
        named = media_types(wanted.group(1) or wanted.group(2)) if wanted else ()
        types = tuple(name for name in named if refused is None or name != refused.group(1))
        if types or status == 415 or _TYPE_REFUSED.search(text):
            yield Claim("media-type", types)


def malformed_body(sentence: Sentence) -> tuple[Claim, ...]:
    """That the body cannot be parsed; on a name, it is the text of a value that is no JSON."""
    found = not sentence.subject.keys and _MALFORMED.search(sentence.whole) and not _PARSED.search(sentence.whole)
    return (MALFORMED_BODY,) if found else ()
