"""The sentences of a message, without what frameworks put around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_locations import ErrorLocation
from docrev.conventions.error_subjects import PATH, VERB, Sentence, taken_apart

_SPLIT = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!etc)[.!]\s+(?=[\"'`]\w|[(\[]?[A-Z])|;\s+(?=\S+ [^(])(?!\[|\d|(?:at|in|on) (?:path )?\$)"
    r"|;(?=[a-z_][\w.]*: )|\.,\s+(?=\w)|\s*\n+\s*"
)
_COMMA = re.compile(
    rf",\s+(?=(?-i:[A-Z])[a-z_]+(?: [a-z_]+){{0,2}} (?:must|should|can't|cannot|does not|has|is)\b)"
    rf"|,\s+(?=[a-z_][\w.\[\]]{{0,60}}: (?:[A-Z][a-z]+|must|should|cannot|is) )"
    r"|,\s+(?=(?:[a-z_]\w*, )+[a-z_]\w* are\b)"
    rf"|,\s+(?:and\s+)?(?!they\b)(?=[\"'`]?{PATH}[\"'`]?\s+(?:field\s+)?(?:must (?!be (?:greater|less)|contain only)"
    r"|should (?:be|have|not)|(?:is|are) (?:a )?(?:required|missing|invalid|not )|cannot be|can't be|does not|has ))"
)
_GOES_ON = (
    r"(?:it|its|the value|value|values|this|must|should|(?:supported|allowed|valid|accepted|possible|available"
    r"|permitted|expected|expecting)|(?:required|mandatory) (?:field|value)|only|use|please|can't|cannot)\b"
)
_HEADING = re.compile(
    r"^(?![^:]*\b(?:constraint|parameter|field|property|pattern|regexp?|for|at"
    r"|in)\b)(?:[A-Za-z][\w'-]*\s+){0,7}(?:(?:an? )?error|failed(?: validation)?|failure|(?:does not"
    r"|doesn't) match (?:the )?[a-z]+(?: [#/]\S+)?|exception|bad request|wrong input|problem)\s*:\s+(?=\S)"
    # What failed or is invalid, before a sentence on a part of it.
    r"|^(?:invalid|incorrect|bad|error|failed|cannot|could not|unable)\b[^:\"'`]{3,80}:\s+"
    r"(?=(?:the )?(?!value|length|size|it |this|input|must|should|can)[a-z]\w+ "
    r"(?:[a-z]+ )?(?:must|should|can|cannot|may)\b)"
    r"|^resource not found\s*:\s+(?=\S+\s)",
    re.I,
)
_LINE_SUBJECT = re.compile(rf"^({PATH})\n[ \t]+(?=\S)", re.M)
_ARROW_BELOW = re.compile(
    rf"^\W*(?P<what>\w.*)\n\s*(?:(?:→|->|=>) at (?P<name>{PATH})|at \[\"(?P<key>\w+)\"\](?:\[.*)?)$", re.M
)
# `"int pageSize"` and `'Query.user(id:)'` are declarations, with the name at their end.
_DECLARED = re.compile(
    r"([\"'`])(?:(?:(?!field\b)[a-z]+|[A-Z]\w+) (?=[a-z]\w*\1)|[A-Z]\w*\.\w+\((?=\w+:\)\1))(\w+)(?::\))?\1"
)
_THROUGH = re.compile(r"\s*\(through reference chain: [^()]*\)")
_NOISE = re.compile(
    r"^(?:(?:\w+\.)*\w*(?:Error|Exception)|FAIL|\w+ violation|(?:Bad|Invalid|Malformed) (?:request|argument|input)"
    r"|Validation error"
    r"|\w+ failed(?! validation)|Value error|An error occurred \(\w+\) when calling the \w+ operation"
    r"|\d+ (?:validation )?errors?(?: detected)?|schema|\(root\)|(?-i:Invalid [A-Z]{2,5}(?=: [A-Z][a-z]+ \S+ \S))"
    r"|(?:time|mail|netip|net|base64)(?=: (?:missing|unknown|invalid|no|bad|unable) )|json|gin"
    r"|proto|\(line \d+:\d+\)|\d{1,2}|rpc error: code = \w+ desc|invalid argument|Failed to deserialize the JSON body "
    r"into the target type|Failed to deserialize (?:query string|form body|path parameters?)|(?:JSON|Query"
    r"|Json) deserialize error|(?:JSON )?parse error|Could not resolve type id|message|error|code=\d+, message"
    r"|Input validation failed|Key: '[^']*' Error)\s*(?:[:,=]|\s-)\s*",
    re.I,
)
_AFTER = re.compile(
    r"\s*(?:\[type=[\w.]+,.*\]|\(type=[\w.;= ]+\)|For further information visit \S+"
    r"|\bat line \d+,? column \d+(?! path \$\.\w).*"
    r"|\(line \d+.*\)|near line \d+.*)\s*$",
    re.I,
)
_STACK = re.compile(r"\n\s+(?:at (?!\[)|File \").*", re.DOTALL)
_BLANKS = re.compile(r"([^\S\n])[^\S\n]+|(\s{8})\s+")
_BULLET = re.compile(r"[*•✖✗×·–-]\s+(?=\S)")
_SCHEMA_AND_VALUE = re.compile(r"\nSchema:\n(?:(?: (?!\| ).*)?\n)+Value:(?:\n (?!\| ).*)*(?:\n \| )?")
"""What validators print behind a sentence: the schema, and what was sent."""
_ON_INSTANCE = re.compile(r"\bOn instance((?:\[[^\]\n]{1,80}\])*):")

_SIZE = re.compile(r"^'(?P<side>min|max)(?P<what>Length|Items)'(?s:.*)'(?P=side)(?P=what)': (\d+)")
_SIDES = {"min": "least", "max": "most"}


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a message; one on `it` or `the value` is on the subject of the one before."""
    # Eight blanks say as much as a thousand, of which the patterns below would try each as a beginning.
    text = _BLANKS.sub(r"\1\2", text)
    text = _STACK.sub("", _without_schema(text)).replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    # Of `schema`.`table`.`column`, the last is the one.
    text = re.sub(r"\n(?=Path: )", " ", re.sub(r"(?:`\w+`\.)+(?=`)", "", text))
    text = _ARROW_BELOW.sub(
        lambda found: f"'{found['name'] or found['key']}': {found['what']}", _LINE_SUBJECT.sub(r"\1: ", text)
    )
    text = _THROUGH.sub(
        lambda found: " @ $" + "".join(re.findall(r"\[[^\]]+\]", found[0])), _DECLARED.sub(r"\1\2\1", text)
    )
    subject = ErrorLocation()
    for part in (clause for whole in _SPLIT.split(text) for clause in _clauses(whole)):
        part = _without_noise(part)
        if not part:
            continue
        sentence = taken_apart(part)
        if not sentence.subject.keys and subject.keys and _goes_on(part, subject):
            sentence = sentence._replace(subject=subject)
        subject = sentence.subject if sentence.subject.keys else subject
        yield sentence


def _without_schema(text: str) -> str:
    """The text of a JSON Schema validator without the schema and the value behind it, which tell the place."""
    text, _, schema = _SCHEMA_AND_VALUE.sub("\n", text).partition("\nFailed validating ")
    instance, size = _ON_INSTANCE.search(schema), _SIZE.search(schema)
    text = text.strip() + (f": must have at {_SIDES[size[1]]} {size[3]} {size[2].lower()}" if size else "")
    return text + (f" @ ${instance.group(1)}" if instance else "")


def _goes_on(text: str, subject: ErrorLocation) -> bool:
    """Whether a sentence without a name of its own is on the subject before it: on `it`, or on `Index uid`."""
    return bool(
        re.match(rf"{_GOES_ON}|\w+ cannot represent\b", text, re.I)
        or re.match(rf"(?:\w+ )?{re.escape(subject.name)} (?:can|may)\b", text)
    )


def _clauses(text: str) -> list[str]:
    """The parts of a sentence that have their own subjects; `a, b and c must be given` is one."""
    parts: list[str] = []
    for part in _COMMA.split(text):
        if parts and not re.search(VERB, parts[-1]):
            parts[-1] = f"{parts[-1]}, {part}"
        else:
            parts.append(part)
    return parts


def _without_noise(text: str) -> str:
    """A sentence without what frameworks put in front of it and behind it."""
    text = (
        _BULLET.sub("", _AFTER.sub("", text.strip()), count=1) if _BULLET.match(text) else _AFTER.sub("", text.strip())
    )
    text = re.sub(
        rf"^(?:[1-5]\d\d\s*(?:\([^)]*\)|-|:)\s*|[\[(]#?[A-Z0-9_\-]{{2,30}}[\])]\s+(?=\w)(?!{VERB}))", "", text
    )
    # So Python's drivers of databases print: with a number.
    text = re.sub(r"^\(\d{4}, ([\"'])(.*)\1\)$", r"\2", text)
    while match := _NOISE.match(text) or _HEADING.match(text):
        text = text[match.end() :]
    return text.strip()
