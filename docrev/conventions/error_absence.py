"""That something does not exist: what it is, and its id."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_claims import Claim
from docrev.conventions.error_subjects import Sentence
from docrev.conventions.statuses import NOT_ACCEPTABLE, NOT_FOUND

_NOUN = (
    r"(?P<noun>[A-Za-z][\w-]*(?:\.[a-z][\w.-]*(?= [\"']))?(?: (?!with|by|for|id\b|of|in|named|called|not|is"
    r"|was|does|could)[a-z]\w*){0,2})"
)
_ID = r"[\"'`\[(<{]?(?P<id>[^\s\"'`\[\]()<>{},;]{1,120})[\"'`\])>}]?"
_ABSENT = (
    r"(?:(?:was |is |were |are |could |can )?(?:not|n't)(?: be)? (?:found|exist|known|located)|(?:does|do|did) ?(?:not"
    r"|n't) exist|not found|doesn't exist|is unknown|not exist|cannot be found|is gone|(?:has been|was) (?:deleted"
    r"|removed)|no longer exists)"
)
_NOT_FOUND = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bno {_NOUN} [\"'`](?P<id>[^\"'`]{{1,120}})[\"'`]",
        rf"^\w+ has no {_NOUN} {_ID}$",
        rf"(?:invalid pk|pk) {_ID} - (?P<noun>object) does not exist",
        rf"(?:(?<!is )(?<!are )no|could ?n[o']t find(?: an?| the| any)?|cannot find(?: an?| the)?"
        rf"|unable to (?:find|locate)(?: an?| the)?|can't find(?: an?| the)?|there is no) {_NOUN}(?: found)?"
        rf" (?:with|by|for|of|having|named|called|matching)(?: the| this| an?)? *(?:given |specified )?"
        rf"(?:[\"'`]?\w*(?:id|name|key|uuid|slug|identifier|pk|code)[\"'`]?)? ?(?:of |is |=|:)? ?{_ID}",
        rf"{_NOUN}:? (?:with|by|for|of|having|named|called|matching)(?: the| an?)? ?(?:given |specified"
        rf" )?(?:[\"'`]?\w*(?:id|name|key|uuid|slug|identifier|pk|code)s?[\"'`]?)? ?(?:of |=|:|is )? ?{_ID}"
        rf" {_ABSENT}",
        rf"(?:no such|unknown|non-?existent|nonexisting|could ?n[o']t find(?: an?| the)?|cannot find(?: an?| the)?"
        rf"|unable to find(?: an?| the)?|can't find(?: an?| the)?) {_NOUN}:? +{_ID}\.?$",
        rf"{_NOUN}:? (?:[\"'`]|\[|\(|<|\{{)(?P<id>[^\"'`\[\]()<>{{}}]{{1,120}})(?:[\"'`]|\]|\)|>|\}}) (?:\([^)]*\)"
        rf" )?{_ABSENT}",
        rf"^(?:the |requested |specified |this )*{_NOUN} (?P<id>[\w.:\-]*[\d_.:\-][\w.:\-]*) {_ABSENT}",
        rf"^(?:the |requested |specified |this |your |an? |given )*{_NOUN} {_ABSENT}",
        rf"^(?:no such|unknown|non-?existent) {_NOUN}(?: found| exists| available)?\.?$",
        rf"^no {_NOUN} (?:found|exists|available)\.?$",
        rf"^found no {_NOUN}(?: (?:with|by|for|of|in|named|called)\b.*)?$",
        r"^<?(?:Model: )?(?:no )?(?P<noun>\w+)>? (?:instance )?match(?:es|ing) (?:the |this "
        r"|your )?(?:given )?(?:query|criteria|filters?|request|conditions?)\b",
        r"^no query results for model \[(?:\w+\\)*(?P<noun>\w+)\] ?(?P<id>\S*)",
        rf"^{_NOUN} (?P<id>[\w\-.]+) (?:under|in|on|of) \S+(?: \S+)? {_ABSENT}",
        rf"^(?:could ?n[o']t find|cannot find|unable to find|can't find)(?: an?| the)? {_NOUN}\.?$",
    )
)
_NO_NOUNS = frozenset(
    "page route url uri path endpoint method operation resource handler it value field key parameter "
    "property argument header attribute option column variable type format error match matching mapping "
    "action data body content that this file_type api reason such response request static view controller "
    "no you template not service input string enum member cookie document_type query content-type entry "
    "schema results result records variant token credentials credential values name feature plugin module "
    "extension functionality support capability function required".split()
)
_PARTS = frozenset({"plugin", "module", "extension", "template", "service", "page"})
"""Parts of a server and of a listing, which are things of the API where their names are told."""
_NO_TYPED = _NO_NOUNS | frozenset("media mime content grant data object token auth authentication file".split())
"""What a type is of that is no thing of the API: a `strategy type` may be one."""
_NO_IDS = frozenset(
    {"found", "that", "this", "the", "such", "given", "or", "available", "defined", "configured", "registered"}
)
_NO_FIRST = frozenset(
    {
        "the",
        "given",
        "specified",
        "invalid",
        "argument",
        "parameter",
        "field",
        "for",
        "of",
        "unknown",
        "could",
        "cannot",
        "can",
        "does",
        "do",
        "did",
        "is",
        "was",
        "has",
    }
)
_ABSENT_VALUE = re.compile(
    r"^(?:the )?value [\"'`\[](?P<id>[^\"'`\]]{1,120})[\"'`\]] (?:does not exist|was not found|is not found)", re.I
)
_ABSENT_KEY = re.compile(r"Key \(\w+\)=\((?P<id>[^)]{0,120})\) is not present in table")
_NOT_THERE = re.compile(
    r"^(?:(?:is |was )?not found|does(?: not|n't) exist)(?:\.|: [\"'`][^\"'`]*[\"'`](?: \([^)]*\))?)?$", re.I
)
_MUST_EXIST = re.compile(r"^must exist\b|^(?:the )?selected [\w ]+ is invalid$|foreign key constraint", re.I)


def not_found(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that something does not exist."""
    text = sentence.whole.strip().rstrip(".")
    if status == NOT_ACCEPTABLE:
        return
    if _MUST_EXIST.search(sentence.text) and not sentence.text.startswith("update or delete"):
        yield Claim("not-found")
        return
    if key := _ABSENT_KEY.search(text):
        yield Claim("not-found", (key.group("id"),), sentence.subject)
        return
    absent = absent_thing(text)
    if sentence.subject.keys and (value := _ABSENT_VALUE.search(text)):
        yield Claim("not-found", (value.group("id"),), sentence.subject)
    elif absent is not None:
        yield Claim("not-found", _told(*absent))
    elif sentence.subject.keys:
        yield from _subject_absent(sentence)
    elif status not in NOT_FOUND and _NOT_THERE.search(text):
        # Of what a 404 is on, it says no more than its status.
        yield Claim("not-found")


def _subject_absent(sentence: Sentence) -> Iterator[Claim]:
    """That what a sentence is about is not there."""
    if (absent := absent_thing(sentence.text.rstrip("."))) is not None:
        yield Claim("not-found", _told(*absent), sentence.subject)
    elif _NOT_THERE.search(sentence.text):
        yield Claim("not-found")


def _told(noun: str, identifier: str) -> tuple[str, ...]:
    return (noun, identifier) if identifier else (noun,)


def absent_thing(text: str) -> tuple[str, str] | None:
    """The noun and the id ("" if none is told) of what a sentence says is not there; None if it does not say so."""
    for pattern in _NOT_FOUND:
        for match in pattern.finditer(text):
            id = match.groupdict().get("id") or ""
            if id.lower() in _NO_IDS:
                return re.sub(r"^(?:the|an?) ", "", match.group("noun")), ""
            noun = re.sub(
                r"^(?:the|an?|requested|specified|referenced|this|such|given|no|any|your) ",
                "",
                match.group("noun"),
                flags=re.I,
            )
            # `deployments.apps` is the kind and the group that it belongs to.
            noun = re.sub(
                r" (?:with|by|id|name|named|found|found for id|specified|requested|given|provided|supplied|configured"
                r"|available|defined|registered)$|\..*",
                "",
                noun,
            )
            if _is_no_thing(noun.lower(), id) and not _is_type(noun.lower(), match.group()):
                continue
            return noun, id.rstrip(".")
    return None


def _is_no_thing(noun: str, id: str) -> bool:
    """Whether what a pattern took for a noun and an id is none: a word for a value, half a phrase, a label."""
    first, *_, end = (*noun.split(), *noun.split()[-1:])
    if {id.lower(), end, end.removesuffix("s")} & (_NO_NOUNS - _PARTS if id else _NO_NOUNS):
        return True
    is_label = bool(id) and (id.endswith(":") or not re.search(r"\w", id))
    return is_label or first in _NO_FIRST or " to " in noun or noun.endswith((" or", " and"))


def _is_type(noun: str, said: str) -> bool:
    """Whether a noun is a kind of thing that is called a type, as a `strategy type`; an unknown type is a value."""
    kind, _, end = noun.rpartition(" ")
    return end == "type" and bool(kind) and not {*kind.split()} & _NO_TYPED and not said.lower().startswith("un")
