"""What a sentence of an error is on: it is taken apart into its subject, which names a value, and what is said of it.

`body/name must be string` is on `name` of the body, `The "n" parameter is invalid` on `n`, `Expected a number - at
`$.i`` on `i`. A noun that stands for any value (`input`, `value`, `this field`) is no subject.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from docrev.conventions.error_locations import ErrorLocation, location_of, place_of
from docrev.conventions.error_types import type_of
from docrev.language.function_words import FUNCTION_WORDS
from docrev.language.words import word_set, words

FIELD_WORDS = (
    r"(?:field|parameter|param|property|propertie|attribute|argument|arg|key|option|member|column|input|variable|header"
    r"|cookie|element|entry|name|value)"
)
PLACE_WORDS = (
    r"(?:query(?:[ -]?string)?|path|url|uri|route|request|body|header|headers|cookie|form|json|payload|input|http)"
)
_LABELS = r"(?:field|parameter|param|property|attribute|argument|header|cookie|column|key|member)"
PATH = r"[A-Za-z_$@][\w$@\-]*(?:\[\w*\]|[./][\w$@\-]+|\['[^']+'\]|\[\"[^\"]+\"\])*"
_ITEM = re.compile(rf"(?:the )?(?P<quote>[\"'`:]\s*)?(?P<name>{PATH})[\"'`]?(?P<after>.*)", re.DOTALL)
QUOTED = r"[\"'`]([^\"'`\n]{1,80})[\"'`]"
VERB = (
    r"(?:must|should|shall|has to|have to|is|are|was|were|cannot|can't|can not|can only|may|needs?|expects?|requires?"
    r"|does(?:n't| not)|do(?:n't| not)|has|have|had|contains?|fails?|failed|already|missing|not|too|exceeds?|accepts?"
    r"|only|prohibits|\w+n't|length must|conflict|with value)\b"
)
_FUNCTION_WORDS = FUNCTION_WORDS | word_set(
    "accepted all allowed blank both cannot either empty exactly expected failed false found given illegal incorrect "
    "invalid mandatory may might missing must no none not null one only optional permitted provided received "
    "requested required specified such supplied supported too true unable unexpected unknown when wrong"
)
"""Words that are no names, wherever they stand."""
NOUNS = frozenset(
    "value values input inputs string strings number numbers text list array object data length size "
    "field fields parameter parameters param params property properties argument arguments query request "
    "body payload json document error errors message bad validation header headers cookie resource item "
    "items element elements method server client api operation key keys attribute attributes member "
    "variable option entity integer float double decimal boolean datetime enum form choice choices "
    "character characters exception reason detail details code status warning problem constraint "
    "violation syntax parse parsing max min maximum minimum long short exists exist duplicate "
    "unprocessable unsupported forbidden unauthorized conflict".split()
)
"""Nouns that stand for any value: names only in quotation marks, or in a list of names."""
_WHOLES = frozenset({"value", "body", "object", "data", "input", "json", "root", "request", "payload", "string"})
"""What frameworks call the whole in quotation marks."""
_MAX_COLONS = 8
"""Names before colons that are taken off a sentence; more would be a text of nothing else."""
_AT = re.compile(
    rf"(?:\s*[-–—,;]?\s*\(?\b(?:at|on|in)\s+(?:line \d+,? column \d+ )?(?:path\s*:?\s*)?"
    rf"[`'\"]?(?P<dollar>\$[\w.\[\]$]*)[`'\"]?\)?\.?"
    rf"|\s+-\s+['\"](?P<dash>{PATH})['\"]"
    r"|\s*(?:for dictionary value\s*)?@\s*"
    r"(?P<data>data(?:\[[^\]]+\])+|(?=[\w.\[\]]+$)\w+(?:\.\w+|\[\d+\])+|\$[\w.\[\]'\"$]*)"
    rf"|\.?\s*Path:?\s*['\"]?[./]?(?P<net>\$?[\w.$\[\]]+)['\"]?\s*(?:(?:\||,).*)?|\s*\(at (?P<value>{PATH})\)"
    r"|\s*\(in \$\w+(?:->)?\{[\"']?(?P<member>\w+)[\"']?\}\))$"
)
_PREFIX = re.compile(
    rf"(?:element [\"'][\w:]+[\"'], )?(?:(?:at path|path|at|in|error (?:in|at|for|(?:on|validating|parsing) (?:field"
    rf"|parameter))|failed to (?:parse|read|decode|convert|bind)|field|parameter|element|attribute|key|property"
    rf"|{PLACE_WORDS} (?:parameter|param|field))\b:?\s+)?[\[(]?[\"'`]?#?[/.]?(?P<name>{PATH})[\"'`]?[\])]?(?: (?:field"
    rf"|error|param(?:eter)?|argument|option|header|value))?\s*(?::|--|->|=>|\s-\s)\s*(?P<rest>\S.*)",
    re.I | re.DOTALL,
)
_INVALID_NAME = re.compile(
    rf"(?:[Ii]nvalid|[Bb]ad|[Ww]rong) (?:[A-Z]\w*\.(?=[A-Z]))?(?!(?:type|value|length"
    rf"|format)\b)`?(?P<name>{PATH})(?:`? {_LABELS})?:"
    r"\s+(?P<rest>\S+ \S.*)",
    re.DOTALL,
)
_SLASHED = re.compile(
    r"(?:request[/.])?(?P<place>data|instance|query|querystring|params|path|headers?|body|cookies?|json|payload)"
    rf"(?P<keys>(?:[/.\[][\w$@\-\]]+)*)\s+(?P<rest>(?:{VERB}|NOT\b|property name).*)",
    re.DOTALL,
)
_LABELLED = re.compile(
    rf"(?:(?:expected|did not expect) )?(?:the |a |an |this |for |value (?:of|for) |invalid value (?:for|of"
    rf"|in) |invalid )?(?:(?:required|given"
    rf"|supplied|provided|specified|method|optional|nested|inequivalent"
    rf"|conflicting)\s+(?:[A-Z]\w+\s+)?)?(?P<place>{PLACE_WORDS})?\s*\b(?:{_LABELS}|arg|option|member|variable|input"
    rf"|element|path)s?\b:?\s+(?:(?:named |called |name |string |number |array |object )(?=[\"'`]))?(?:[\"'`]"
    rf"|[\[(])?(?P<name>{PATH})(?P<end>[\"'`\])]?)(?:\s*\([^)]*\))?,?\s*(?::\s*)?(?P<rest>\S.*)",
    re.I | re.DOTALL,
)
_LABEL_AFTER = re.compile(
    rf"(?:the |your |a )?[\"'`]?(?P<name>{PATH})[\"'`]?\s+(?P<place>{PLACE_WORDS}\s+)?"
    rf"(?P<label>{_LABELS})\b\s+(?:value\s+)?(?:[\[(][^\])]*[\])]\s+)?"
    rf"(?P<rest>{VERB}.*)",
    re.I | re.DOTALL,
)
_QUOTED_SUBJECT = re.compile(
    rf"(?:the |each value in |path )?{QUOTED}:?\s+(?P<rest>(?:length )?{VERB}.*)", re.I | re.DOTALL
)
_BARE_SUBJECT = re.compile(
    rf"(?:(?:[Tt]he )?[Vv]alue (?:for|of) |[Tt]he |each value in )?(?P<name>{PATH})\s+(?:value\s+)?"
    rf"(?P<rest>(?:length )?{VERB}.*)",
    re.DOTALL,
)
_ALL_OF = re.compile(r"(?:all|each) (?:of )?(?P<name>\w+)'s (?P<rest>(?:elements|items|values|entries)\b.*)", re.I)
_SHORT_SUBJECT = re.compile(
    r"(?P<name>items(?= must (?:contain|have) )"
    r"|no|at|to|from|by|on|in|as|with|when|code|status|reason|detail|details|message|choice|form|(?:text|body"
    r"|size|number|key)(?= (?:(?:can't|cannot) be (?:blank|empty)|has already been taken|is too (?:short|long))))\s+"
    r"(?P<rest>(?:must|should|can only be|is required|is missing|is the wrong|is too|is not included|cannot be|can't be"
    r"|has already been)\b.*)",
    re.DOTALL | re.I,
)
"""Words that are names where nothing but a demand follows them."""
_HUMAN_SUBJECT = re.compile(
    r"(?:The )?(?:(?:selected|given|supplied|provided|specified|submitted) )?(?P<name>[A-Za-z][a-z]+(?: (?:[a-z]+"
    r"|[A-Z]{2,4}\b)){0,2})\s+(?P<rest>(?:must|should|can't|cannot(?! represent)|can only|may only|is required"
    r"|is reserved|is too|is invalid|is not|isn't|has already|already been|is missing|does not|doesn't)\b.*)",
    re.DOTALL,
)
_DEMANDED = re.compile(r"(?:value|length|input|field)? ?(?:must|should|is|are|cannot|can't|expected|required)\b", re.I)
_NOT_A_VALID = re.compile(r"is not an? (?:valid|known|allowed) (\w+)")
_TAIL = re.compile(
    rf"\b(?<!one )(?<!any )(?:for|of|in|on|at|to)\s+(?:the |a"
    rf" )?(?:(?P<place>{PLACE_WORDS})\s+)?(?P<label>(?:(?:property )?path|{_LABELS}|enum)\s*:?\s+)?"
    rf"(?:(?P<quote>[\"'`])\.?(?P<quoted>{PATH})[\"'`]|(?P<bare>{PATH}))(?=$|[\s.,:;(])"
)
_LISTED_LABEL = re.compile(
    rf"(?:^|[,;(]\s*)(?:parameter|field|property|param|argument)\s*[:=]\s*[\"'`]?(?P<name>{PATH})"
    r"|(?:convert|parse|bind|read|load) (?:field )?[`'](?P<converted>\w+)[`'] (?:with value|in class)",
    re.I,
)
_IN_PLACE = re.compile(
    rf"(?:(?:the )?{FIELD_WORDS} )?[\"'`.]?(?P<name>(?:\d{{1,6}}\.)*{PATH})[\"'`]? in (?P<place>query|path|body|header"
    rf"|formData|cookie)\b,?\s+(?P<rest>\S.*)",
    re.I | re.DOTALL,
)
_POINTER = re.compile(r"[`'\"(]#(?P<name>(?:/[\w.\-]+)+)[`'\")]")
_GO_FIELD = re.compile(r"Go struct field (?:\w+\.)?(?P<name>[\w.]+)(?: of type|$)")
_FIELD_VALUE = re.compile(rf"^invalid value for \w+ field (?P<name>{PATH}):")
_GO_TAG = re.compile(r"Field validation for '(?P<name>[\w.\[\]]+)' failed on the '(?P<tag>\w+)' tag")
_CONSTRAINT = re.compile(
    r"constraint failed: (?:\w+\.)?\"?(\w+)|Key \((\w+)\)=|dup key: \{ *:? ?\"?(\w+)|for key '(?:\w+\.)?(\w+)'|column"
    r" [\"'](\w+)[\"']"
)
# What a value is said to be: then it is the value that stands in front.
_OF_VALUE = re.compile(
    r"(?:is|are) (?:longer |shorter |not (?:a |an |of |one |valid|in |among|permitted|allowed|unique|recogni[sz]ed)"
    r"|too |less |greater |more |an? (?:in)?valid)|does not match|has non-unique|should be non-empty|was expected"
    r"|already exists|not found",
    re.I,
)


_MEDIA_TYPE = re.compile(r"(?:application|text|multipart|image|audio|video)/")


class Sentence(NamedTuple):
    """A sentence without its subject. `tag` is the rule that it names, as Go's validator does.

    `quoted` tells whether the subject stood in quotation marks: then it may be the value instead of its name.
    """

    subject: ErrorLocation
    text: str
    tag: str = ""
    whole: str = ""


def is_name(text: str, *, quoted: bool = False) -> bool:
    """Whether a word may be the name of a field: no noun that stands for any value, if it is not quoted."""
    lower = text.lower()
    if (
        not re.fullmatch(PATH, text)
        or text == "@"
        or _MEDIA_TYPE.match(text)
        or lower.endswith("exception")
        or (lower in _FUNCTION_WORDS and not quoted)
    ):
        return False
    return lower not in (_WHOLES if quoted else NOUNS)


def _is_noun(match: re.Match[str], before: list[str]) -> bool:
    return len(before) > 1 and match.group("name").lower() not in _FUNCTION_WORDS


def _is_listed_name(match: re.Match[str], listed: bool, *, several: bool) -> bool:
    name = match.group("name")
    if listed and several and name.lower() in _WHOLES:
        return True
    return is_name(name, quoted=listed or bool(match.group("quote")))


_ARTICLES = re.compile(r"\b(?:an?|the) (?=[\w.\-]+(?:,| (?:and|or) (?:an?|the) |\W*$))", re.I)
"""The articles before the names of a series: `a chart or a dashboard`."""


def names_in(text: str) -> tuple[str, ...]:
    """The names that a list begins with: `'a', 'b' were`, `[p, q]`, `a, b and c must`, `run_id or key`."""
    text = text.strip().lstrip(":").strip()
    bracketed = re.match(r"[\"']?[\[({]{1,2}([^\])}]*)[\])}]", text)
    text = bracketed.group(1) if bracketed else _ARTICLES.sub("", text)
    # A list of nothing but names may have names that are nouns elsewhere; two of them, also what is else the body.
    listed = bool(bracketed) or bool(re.fullmatch(r"[\w.\-]+(?:(?:,\s*| or | and )[\w.\-]+)*\W*", text))
    found: list[str] = []
    parts = re.split(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|/(?=\s?\w)|\||&)\s*", text)
    for part in parts:
        match = _ITEM.match(part.strip())
        # After two names, a noun is a name as well.
        if match is None or not _is_listed_name(match, listed or _is_noun(match, found), several=len(parts) > 1):
            break
        if not match.group("quote") and re.match(r":\s*[\"'`]", match.group("after")):
            # `properties including: 'name'`: what stands after the colon is named.
            return names_in(text[text.index(match.group("after")) :])
        if match.group("after").startswith("()"):
            # A function is no name of a value.
            break
        found.append(match.group("name"))
        if match.group("after").strip(" .") and not re.match(r"\s*\([^)]*\)$", match.group("after")):
            break
    return tuple(found)


def taken_apart(text: str, colons: int = _MAX_COLONS) -> Sentence:
    """One sentence with its subject taken off, which stands before at most so many colons."""
    if tag := _GO_TAG.search(text):
        return Sentence(location_of(tag.group("name")), text, tag.group("tag"), text)
    if at := _AT.search(text):
        where = next(group for group in at.groups() if group)
        return Sentence(location_of(where), text[: at.start()].strip(), "", text)
    for pattern in (_POINTER, _GO_FIELD, _CONSTRAINT, _FIELD_VALUE):
        if found := pattern.search(text):
            return Sentence(location_of(next(filter(None, found.groups()))), text, "", text)
    if colons and (sentence := _after_colon(text, colons)) is not None:
        return sentence
    for taken_apart in (_in_place, _slashed, _labelled, _named):
        if (sentence := taken_apart(text)) is not None:
            return sentence
    return Sentence(_in_tail(text), text, "", text)


def _after_colon(text: str, colons: int) -> Sentence | None:
    """`logical_date: Input should …`, `[name] - is required`."""
    match = _INVALID_NAME.match(text) or _PREFIX.match(text)
    if match is None or _is_noun_phrase(match.group("name")):
        return None
    name = match.group("name")
    demanded = _DEMANDED.match(match.group("rest")) and not re.fullmatch(FIELD_WORDS, name, re.I) and not place_of(name)
    if not is_name(name, quoted=bool(demanded) or text[match.start("name") - 1 : match.start("name")] == "'"):
        return None
    if re.fullmatch(rf"{QUOTED}\.?", match.group("rest")):
        # `Name: '1111'` is a value beside a word for it.
        return Sentence(ErrorLocation(), text, "", text)
    inner = taken_apart(match.group("rest"), colons - 1)
    at = location_of(match.group("name"))
    if _is_below(at, inner, match.group("rest")):
        return inner._replace(subject=at.below(inner.subject), whole=text)
    return inner._replace(subject=at, text=inner.text if inner.subject == at else match.group("rest"), whole=text)


def _is_below(at: ErrorLocation, inner: Sentence, rest: str) -> bool:
    """Whether what stands after a colon begins with a field of the thing before it: `posts: title can't be blank`."""
    if not inner.subject.keys or at.keys == inner.subject.keys:
        return False
    begins = re.match(rf"{re.escape(inner.subject.name)} (?:can't|cannot|must|is|has)\b", rest)
    return bool((begins and at.name.islower()) or re.match("failed to ", rest, re.I))


def _is_noun_phrase(name: str) -> bool:
    """Whether what stands before a colon is a code or a title, no name: `ValidationFailed: …`, `NotFound: …`."""
    parts = words(name)
    if name.startswith("strconv."):
        # Go's parser tells by its name what it expected.
        return True
    titled = name[:1].isupper() and len(parts) > 1 and "_" not in name and "." not in name
    return (
        titled or bool({"error", "exception", "failed", "failure", "invalid", "parse"} & set(parts)) or name.isupper()
    )


def _in_place(text: str) -> Sentence | None:
    """`limit in query should be …`, `parameter limit in query has an error: …`."""
    match = _IN_PLACE.match(text)
    if match is None or not is_name(match.group("name").lstrip("0123456789."), quoted=True):
        return None
    rest = re.sub(r"^has an error:\s+", "", match.group("rest"))
    return Sentence(location_of(match.group("name"), place_of(match.group("place"))), rest, "", text)


def _slashed(text: str) -> Sentence | None:
    """`querystring/limit must be <= 50`, `data/0/name must be string`, `body must have required property 'x'`."""
    match = _SLASHED.match(text)
    if match is None:
        return None
    if not match.group("keys") and not re.match(r"(?:must|should) (?:have|be object|NOT)", match.group("rest")):
        return None
    at = location_of([key for key in re.split(r"[./\[\]]", match.group("keys")) if key], place_of(match.group("place")))
    return Sentence(at, match.group("rest"), "", text)


def _labelled(text: str) -> Sentence | None:
    """`query parameter 'sort' must be …`, `The "n" parameter is required`, `Required header 'X' is not present`."""
    if (match := _LABEL_AFTER.match(text)) and _is_labelled_name(match.group("name")):
        return Sentence(location_of(match.group("name"), _place(match)), match.group("rest"), "", text)
    match = _LABELLED.match(text)
    quoted = match is not None and bool(match.group("end"))
    if match is None or not is_name(match.group("name"), quoted=quoted) or not (quoted or _follows(match)):
        return None
    if re.match(rf"{FIELD_WORDS} [\"'`]", match.group("rest"), re.I) and (inner := _labelled(match.group("rest"))):
        # Of `field "f" argument "id"`, the last is the one.
        return inner._replace(whole=text)
    rest = match.group("rest") if re.match(VERB, match.group("rest"), re.I) else text
    return Sentence(location_of(match.group("name"), _place(match)), rest, "", text)


def _is_labelled_name(text: str) -> bool:
    """Whether a word before `field` or `parameter` is a name, as nouns may be here (`The size field`, `list field`)."""
    lower = text.lower()
    return is_name(text) or (is_name(text, quoted=True) and lower not in _FUNCTION_WORDS and not place_of(lower))


def _follows(match: re.Match[str]) -> bool:
    return bool(re.match(VERB + r"|:|-|$", match.group("rest"), re.I))


def _place(match: re.Match[str]) -> str:
    word = (match.groupdict().get("place") or "").strip()
    label = (match.groupdict().get("label") or "").strip(" :")
    # `at path "name"` leads to a value of the body, as often as not.
    label = "" if label == "path" else place_of(label)
    label = label or ("header" if re.match(r"[^\"'`]*\bheader\b", match.group(0)[:60], re.I) else "")
    return place_of(word) or label or ("path" if re.search(r"path variable", match.group(0)[:40], re.I) else "")


def _named(text: str) -> Sentence | None:
    """`"name" is required`, `age must be an integer`, `First name can't be blank`; not `'zzz' is not one of …`."""
    if match := _QUOTED_SUBJECT.match(text):
        quoted, rest = match.group(1), match.group("rest")
        is_value = _OF_VALUE.match(rest) and not re.match(r"is not allowed\b", rest)
        of = _in_tail(rest) if is_value or not is_name(quoted, quoted=True) else location_of(quoted)
        return Sentence(of, rest, "", text)
    if (match := _ALL_OF.match(text) or _SHORT_SUBJECT.match(text)) and match.group("name") not in _WHOLES:
        return Sentence(location_of(match.group("name")), match.group("rest"), "", text)
    if re.match(r"\w+ cannot represent\b", text):
        # GraphQL begins with the type.
        return None
    return _named_plainly(text)


def _named_plainly(text: str) -> Sentence | None:
    """A sentence that begins with a name in plain words."""
    for pattern in (_BARE_SUBJECT, _HUMAN_SUBJECT):
        if match := pattern.match(text):
            kind = _NOT_A_VALID.match(match.group("rest"))
            first = match.group("name").partition(" ")[0]
            # `Kind z is not a valid kind` begins with the name and the value.
            spoken = first if kind and kind.group(1) == first.lower() else match.group("name")
            if name := _spoken_name(spoken):
                return Sentence(location_of(name), match.group("rest"), "", text)
    return None


def _spoken_name(text: str) -> str:
    """The name that a sentence begins with, in one or several words: `Start date` is `start_date`; "" if it is none."""
    parts = text.lower().split()
    if len(parts) > 1 and re.fullmatch(_LABELS, parts[-1]):
        parts, text = parts[:-1], text.rpartition(" ")[0]
    name = "_".join(parts) if len(parts) > 1 or text.istitle() else text
    generic = parts[0] in NOUNS or not _FUNCTION_WORDS.isdisjoint(parts) or not NOUNS.isdisjoint(parts[:-1])
    return "" if generic or not is_name(name) or re.search(r"[A-Za-z]-\d+$", name) else name


def _names_field(tail: re.Match[str], name: str) -> bool:
    """Whether the end of a sentence names a field, and neither a type (`to integer`) nor a path."""
    if not (tail.group("quoted") or tail.group("label")) or "/" in name:
        return False
    typed = re.match(r"(?:to|as)\b", tail.group(0)) or re.search(r"\binstance $", tail.string[: tail.start()])
    is_type = not tail.group("label") and typed and type_of(name)
    return is_name(name, quoted=bool(tail.group("quoted"))) and not is_type


def _in_tail(text: str) -> ErrorLocation:
    """The name that `for field x`, `of parameter 'x'`, `for 'x'`, `, parameter: x` tell within a sentence."""
    match = _LISTED_LABEL.search(text)
    if match and is_name(name := match.group("name") or match.group("converted"), quoted=bool(match["converted"])):
        return location_of(name)
    for match in _TAIL.finditer(text):
        name = match.group("quoted") or match.group("bare")
        if _names_field(match, name):
            return location_of(name, _place(match) if match.group("label") else "")
    return ErrorLocation()
