"""What a sentence says about several names: one of them, all or none, one only with or only without another."""

from __future__ import annotations

import re

from docrev.conventions.error_claims import Claim
from docrev.conventions.error_locations import ErrorLocation, location_of
from docrev.conventions.error_subjects import FIELD_WORDS, PLACE_WORDS, QUOTED, Sentence, is_name, names_in

_OF_NAMES = (
    r"(?: the| these| this| following| query| request| fields?| parameters?| properties| keys?| attributes?)*[\s:]*"
)
_RELATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "all-or-none-of",
        re.compile(
            r"^(?P<before>\w+(?:, \w+)+) provide all or none of|all or none of[\s:]*(?P<names>.+)|either all or"
            r" none of (?P<more>.+)",
            re.I,
        ),
    ),
    (
        "all-or-none-of",
        re.compile(
            # A word is taken whole: a long one would be tried from each of its letters, to each.
            r"(?<!\w)(?:both )?(?P<names>[\"'`\w]++[^:]{0,300}?(?: and |, )[\"'`\w]+)\s+(?:must|should|need to"
            r"|have to)(?: both| all| either)? be (?:given|provided|set|specified|present|used|passed) together",
            re.I,
        ),
    ),
    (
        "at-most-one-of",
        re.compile(
            r"^(?:both )?(?:the )?(?:\w*(?:fields|parameters|properties|options|arguments)"
            r" )?(?P<names>[\"'`\w].*?) are mutually exclusive|mutually exclusive(?: \w+)?\W+(?P<more>.+)",
            re.I,
        ),
    ),
    ("at-most-one-of", re.compile(r"conflict between (?:optional )?exclusive peers (?P<names>.+)", re.I)),
    (
        "at-most-one-of",
        re.compile(
            rf"(?:at most|no more than|not more than|only(?: \w+)?|a maximum of) one (?:of"
            rf"|among){_OF_NAMES}(?P<names>.+)",
            re.I,
        ),
    ),
    (
        "at-least-one-of",
        re.compile(
            rf"(?:at least|a minimum of) one (?:of|among){_OF_NAMES}(?P<names>.+)|one or more of{_OF_NAMES}(?P<more>.+)"
            r"|^(?P<before>\w+(?:, \w+)+) are missing, at least one\b"
            r"|\bmissing (?:the |an? )?(?:required )?(?P<either>[\"'`][\w.]+[\"'`] or [\"'`][\w.]+[\"'`])",
            re.I,
        ),
    ),
    (
        "at-least-one-of",
        re.compile(
            r"^(?!.*\beither\b)(?P<names>[\"'`\w.]+ or [\"'`\w.]+) (?:(?:is|are) (?:missing|required)|must be (?:given"
            r"|provided|set|specified|present|supplied))|^no (?P<none>[\"'`\w.]+ or [\"'`\w.]+)"
            r" (?:was |were )?(?:given|provided|set|specified|present|supplied|found in)"
            r"|^(?:you )?(?:must|need to|have to|please) (?:provide|specify"
            r"|supply|send|include|give|pass|set) (?P<more>[\"'`\w.]+ or [\"'`\w.]+)$",
            re.I,
        ),
    ),
    (
        "exactly-one-of",
        re.compile(
            rf"(?:exactly|precisely) one (?:of|among){_OF_NAMES}(?P<names>.+)"
            r"|(?:have|has|contain|give|need) one or (?:the )?other of (?P<more>.+)"
            r"|^(?P<before>\w+(?:, \w+)+) are missing, exactly one\b",
            re.I,
        ),
    ),
    (
        "exactly-one-of",
        re.compile(
            r"(?:either|one of)(?: the)?(?: fields?| parameters?| query parameters?| properties)?:?"
            r" (?P<names>.{1,300}?"
            r" (?:or|,|and) .{1,300}?) (?:(?:is|are) (?:required|needed)|(?:must|should|needs? to|ha(?:s|ve) to) be"
            r" (?:given|provided|set|specified|present|supplied|passed))",
            re.I,
        ),
    ),
    (
        "exactly-one-of",
        re.compile(
            # What is chosen without an article may be a value: "choose one of: north, south".
            r"(?:specify|provide|supply|give|set|pass|send|include|require[ds]?|missing|must have"
            r"|(?:choose|select|pick)(?= either (?:an?|the) )) (?:either|one of)"
            r"(?: the)?(?: fields?| parameters?)?:? (?P<names>.+)",
            re.I,
        ),
    ),
)
_NAME = r"(?:an? |the )?[\"'`\[]?[A-Za-z_$][\w.$\-]*[\"'`\]]?"
_SERIES = re.compile(rf"(?:either |both )?(?P<names>{_NAME}(?:, {_NAME})*,? (?:or|and|nor) {_NAME})")
_JOINTS = re.compile(r",? (?:or|and|nor) |, ")
_SHAPED = re.compile(r"[\"'`]|[a-z][A-Z]|\w_\w")
_GIVE = r"(?:give|send|pass|provide|specify|supply|set|include|use|enter|fill in|needs?|wants?|requires?)"
_CUES = (
    (
        "exactly-one-of",
        re.compile(
            r"\b(?:not|never|but not) both\b|\bone of the two\b|\bone or the other\b"
            r"|\b(?:exactly|precisely|only) one (?:is|must|should|can|may|needs)\b",
            re.I,
        ),
    ),
    (
        "all-or-none-of",
        re.compile(r"\bor neither\b|\bor not at all\b|\b(?:go|belong) together\b|\b(?:in pairs|as a pair)\b", re.I),
    ),
    (
        "at-most-one-of",
        re.compile(
            r"\bexclude each other\b|\b(?:cannot|can't|can not|must not|may not|should not|do not|don't|never)\b.*"
            r"\b(?:both|combined?|mixed?|simultaneously|together|at once|at the same time)\b|\bincompatible\b"
            r"|\bmutually exclusive\b|\bonly one of\b",
            re.I,
        ),
    ),
    (
        "at-least-one-of",
        re.compile(
            rf"\b{_GIVE} (?:any|at least one|one or more)(?: of)?\b|\bneither\b.* (?:given|set|sent|present"
            r"|specified|provided|supplied|included|defined)\b",
            re.I,
        ),
    ),
)
"""What is said of several names, wherever they stand in the sentence."""
_REFUSED_BESIDE = re.compile(
    r"\b(?:refused|ignored|forbidden|rejected|not allowed|not permitted|not accepted|not supported|unused"
    r"|illegal)\b.*?\b(?:when|if|while|together with|alongside|along with|in combination with|in conjunction with"
    r"|beside) (?:the |an? )?(?P<names>[\"'`]?[\w.]+[\"'`]?)(?= (?:is|are|was) (?:used|given|set|present|sent|provided"
    r"|specified)|\.?$)|\b(?:cannot|can't|can not|must not|may not) (?:be )?(?:used?|sent|set|given"
    r"|combined?) (?P<first>\w+ )?(?:together with|alongside|along with|in combination with|in conjunction with"
    r"|with) (?P<others>[\"'`]?\w+[\"'`]?)\.?$",
    re.I,
)
_SAME_GROUP = re.compile(r"in the same (?:group of (?P<what>\w+)|exclusive group)", re.I)
_PAIRED = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"contains \[(?P<name>\w+).*\] without its required peers (?P<others>\[[^\]]+\])",
        r"must have propert(?:y|ies) (?P<others>.+) when property (?P<name>[\w.\-]+) is present",
        r"^the (?P<others>\w+) \w+ is required but .{1,60} when (?P<name>\w+) \w+ is present",
    )
)
"""That a name needs others beside it, both told by the sentence."""
_NEEDS: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(r"^missing required peer (?P<names>.+)", re.I), False),
    (
        re.compile(
            rf"^requires (?!property [\"'`])(?:the )?(?:{FIELD_WORDS} )?(?P<names>[\"'`]\w.*|\w+_\w+|\w+ (?:to be"
            rf"|must be|as well|too)\b.*)",
            re.I,
        ),
        False,
    ),
    (
        re.compile(
            r"^(?:(?:can|may|must|should) only be (?:used|set|given|specified|provided)(?: together| in combination)?"
            r" (?:with|when|if)|must be (?:combined with|accompanied by)) (?:an? (?=\w+ \w+ is ))?(?P<names>.+)",
            re.I,
        ),
        False,
    ),
    (re.compile(r"^is a dependency of (?P<names>.+)", re.I), True),
    (
        re.compile(
            rf"^(?:field )?(?:is|are|must be|should be|has to be) (?:required|set|given|provided|specified|present"
            rf"|needed|mandatory)(?: field)?,? (?:when|if|whenever|with) (?:the )?(?:{FIELD_WORDS}"
            rf" )?(?P<names>[\"'`]?[\w.]+[\"'`]?).*",
            re.I,
        ),
        True,
    ),
)
_CONDITION = re.compile(r"[\"'`]?((?!(?:it|this|that|there|which|what)\b)[a-z]\w+)[\"'`]? (?:is|==?|equals) [\"'`]")
_IS_REQUIRED = re.compile(r"(?:field )?(?:is|are) (?:required|mandatory|needed)\b", re.I)
_WITHOUT = re.compile(
    r"\b(?:when|if|unless|whenever) .*\b(?:is|are) (?:(?:not|un)[- ]?(?:defined|present|set|given|provided|supplied)"
    r"|empty|blank|null|missing|absent|omitted)",
    re.I,
)
_WITHOUT_ALL = re.compile(
    r"^(?:is|are) required (?:when|if|unless) none of (?P<names>.+?) (?:is|are) (?:present|set|given|provided)", re.I
)
_NEEDED_BY_WORDS = re.compile(
    r"^(?:is|are) required (?:when|if) (?P<names>[a-z]+(?: [a-z]+){1,2}) is (?:present|set|given|provided)"
)
_ONLY_WITHOUT = re.compile(
    r"\bonly (?:\w+ )?(?:if|when) (?P<names>[\"'`]?\w+[\"'`]?) is (?:not|un) ?(?:defined|set|given"
    r"|present|provided|specified)",
    re.I,
)
_PROHIBITS = re.compile(r"^(?:prohibits|excludes|forbids) (?P<names>\w+)(?: from being\b|$)", re.I)
_EXCLUDED = re.compile(
    rf"(?:cannot|can't|can not|must not|may not|should not|must NOT|not allowed to|is not (?:allowed|permitted)"
    rf"|conflicts?)(?: to)?(?: be| exist)?(?: (?:set|given|provided|specified|present|used|passed|supplied|combined"
    rf"|defined|included|allowed|simultaneously))?(?: together| in combination| in conjunction"
    rf"| at the same time)? (?:when|if|with|alongside|as|while|forbidden peer)(?: an?| the)?(?: forbidden peer)?(?: "
    rf"(?:{PLACE_WORDS} )?{FIELD_WORDS})? (?P<names>.+)",
    re.I,
)


def relations(sentence: Sentence) -> tuple[Claim, ...]:
    """What a sentence says about several names: one of them, all or none, one without or only with another."""
    if group := _SAME_GROUP.search(sentence.text):
        return (Claim("all-or-none-of" if group["what"] == "inclusion" else "at-most-one-of"),)
    if alone := next(filter(None, (pattern.search(sentence.whole) for pattern in _PAIRED)), None):
        return (Claim("needs", names_in(alone["others"]), location_of(alone["name"])),)
    for whole in dict.fromkeys((sentence.text, sentence.whole)):
        if claim := _among(whole):
            return (claim,)
    found = _between(sentence) if sentence.subject.keys else _both_excluded(sentence.whole)
    return found or _by_cue(sentence)


def _by_cue(sentence: Sentence) -> tuple[Claim, ...]:
    """What a cue says of the names in a series, wherever both stand: `Send a or b, not both`."""
    text = sentence.whole
    if beside := _REFUSED_BESIDE.search(text):
        return _refused_beside(sentence, beside)
    kind = next((kind for kind, cue in _CUES if cue.search(text)), "")
    found = (_names_of(series, text) for series in (_SERIES.finditer(text) if kind else ()))
    return next(((Claim(kind, names),) for names in found if names), ())


def _refused_beside(sentence: Sentence, beside: re.Match[str]) -> tuple[Claim, ...]:
    """That the subject of a sentence, or what it begins with, is refused where another name is sent."""
    names = _names_told(beside.group("names") or beside.group("others"))
    first = ErrorLocation() if sentence.subject.keys else location_of((beside.group("first") or "").strip())
    return (Claim("excluded-by", names, first),) if names and (first.keys or sentence.subject.keys) else ()


def _names_of(series: re.Match[str], text: str) -> tuple[str, ...]:
    """The names in a series, if it is one of names: by what leads to it, or by how they are written."""
    names = tuple(re.sub(r"^(?:an? |the )|[\"'`\[\]]", "", name) for name in _JOINTS.split(series.group("names")))
    led = not text[: series.start()].strip() or re.search(
        rf"(?:either|any of|one of|both|more of|combine|mix|choose|select|pick|{_GIVE})[\s:]+$",
        text[: series.start("names")],
        re.I,
    )
    named = len(set(names)) >= 2 and all(map(is_name, names)) and (led or _SHAPED.search(series.group()))
    return names if named else ()


def _both_excluded(text: str) -> tuple[Claim, ...]:
    """`a and b cannot be set when c is …`: each is excluded by `c`."""
    match = re.match(r"(?P<names>\w+ and \w+) (?=cannot|can't|can not|must not|may not|should not)", text)
    excluded = _EXCLUDED.match(text, match.end()) if match else None
    names = _names_told(excluded.group("names")) if excluded else ()
    both = names_in(match.group("names")) if match and names else ()
    return tuple(Claim("excluded-by", names, location_of(name)) for name in both)


def _among(text: str) -> Claim | None:
    """How many of the names in a sentence may be sent."""
    for kind, pattern in _RELATIONS:
        match = pattern.search(text)
        names = [name for group in (match.groupdict() if match else {}).values() if group for name in names_in(group)]
        if len(set(names)) >= 2:
            if "one-of" in kind and re.search(r"\beither\b|not both", text, re.I):
                # "Either" does not say that both are too many.
                kind = "exactly-one-of" if re.search("both|never", text) else "at-least-one-of"
            return Claim(kind, tuple(names))
    return None


def _between(sentence: Sentence) -> tuple[Claim, ...]:
    """Which names the subject of a sentence needs, or cannot be sent with."""
    if (match := _WITHOUT_ALL.search(sentence.text)) and (names := names_in(match.group("names"))):
        return (Claim("at-least-one-of", (sentence.subject.name, *names)),)
    if match := _NEEDED_BY_WORDS.search(sentence.text):
        return (Claim("needs", (sentence.subject.name,), location_of("_".join(match.group("names").split()))),)
    for pattern, turned in _NEEDS:
        if (match := pattern.search(sentence.text)) and (names := _names_or_condition(match.group("names"))):
            if turned:
                return _when(sentence, location_of(names[0]))
            return (Claim("needs", names),)
    searched = (pattern.search(sentence.text) for pattern in (_PROHIBITS, _ONLY_WITHOUT, _EXCLUDED))
    excluded = next(filter(None, searched), None)
    names = _names_told(excluded.group("names")) if excluded else ()
    return (Claim("excluded-by", names),) if names else ()


def _names_or_condition(text: str) -> tuple[str, ...]:
    """The names that a list begins with, or that of a condition, whatever word it is: `status is "sent"`."""
    condition = _CONDITION.match(text)
    return names_in(text) or ((condition[1],) if condition else ())


def _when(sentence: Sentence, other: ErrorLocation) -> tuple[Claim, ...]:
    """What a condition asks for; an error tells one that was met, so it is missing in this call."""
    missing = (Claim("required"),) if _IS_REQUIRED.match(sentence.text) else ()
    if _WITHOUT.search(sentence.text):
        return (Claim("required"),)
    return (Claim("needs", (sentence.subject.name,), other), *missing)


def _names_told(text: str) -> tuple[str, ...]:
    """The names in a condition: those in quotation marks, those that look like identifiers, or the first word."""
    quoted = tuple(name for name in re.findall(QUOTED, text) if is_name(name))
    shaped = tuple(name for name in re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w+", text))
    return shaped or quoted[:1] or names_in(text)
