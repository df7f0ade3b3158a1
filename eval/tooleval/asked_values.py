"""What a task asks for, by its words alone: the kind of value, what it names as conditions, whether it compares.

For a judge by rules, which must not take a value for an answer because some response contains it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from docrev.language.words import has_word
from docrev.prompts.agents import Past

from ..metrics.accepted_answers import folded

Kind = Literal["number", "code", "yes-no", "any"]

_CALL = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\s+/\S*")
_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")
_NAME = re.compile(r"(?<![\w'’])[A-ZÀ-Þ][\w'’.-]*(?:/[A-ZÀ-Þ][\w-]*)?|(?<![\w.-])-?\d[\d.,]*\d|(?<![\w.-])\d(?![\w.-])")
_NUMBER = re.compile(
    r"\bhow (?:many|much|far|high|long|old|deep|large|big|wide|heavy|tall)\b|\bin (?:degrees|feet|kilomet|miles|hours)"
    r"|\b(?:number|distance|latitude|longitude|elevation|population|revision|total|average|sum) (?:of|in|between|is)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\bcodes?\b(?! /)", re.IGNORECASE)
_YES_NO = re.compile(r"^(?:is|are|does|do(?! you)|did|was|were|has|have)\b|\bwhether\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\?|\b(?:find|get|give|show|list|tell|search|fetch|provide|look(?:ing)?|see|need|want|call|use|using|count|which|what"
    r"|where|when|who|how|whether|check|read|create|add|write|remove|delete|change|set|rename)\b",
    re.IGNORECASE,
)
"""What a sentence has that asks for something; other sentences tell a story, and their names are no conditions."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ\"“])")
_NO_SUPERLATIVE = (
    "west east rest test guest request interest forest list latest suggest harvest invest digest contest nest honest "
    "manifest protest quest chest best"
)
_COMPARES = re.compile(
    rf"\b(?!(?:{'|'.join(_NO_SUPERLATIVE.split())})\b)\w{{2,}}est\b|\b\w{{2,}}ernmost\b"
    r"|\b(?:most|least|first|last|latest|best|worst|number \d+|same|average|total|sum|more|fewer|less|every|each)\b",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:what|which)\b[^?.]*\bis the (?!latest\b)(?:\w{2,}est|(?:most|least) \w+)\b(?![^?]*(?:\band\b|[,;]))",
    re.IGNORECASE,
)
"""What asks for the one thing that a comparison leads to, and for nothing beside it."""
_NEGATIVE = re.compile(r"(?<![\w.-])(?=\d[\d.]*(?:°| degrees) ?(?:S|W|south|west)\b)")
"""Before degrees that coordinates have a minus for."""
_COORDINATE = re.compile(r"(?<![\w.-])-?\d[\d.]*(?=(?:°| degrees) ?(?:[NESW]|north|east|south|west)\b)")
_CHOICE = re.compile(r"\b(?:or|whether)\b")
_OBJECT = re.compile(r"\{[^{}]*\}")
_ORDER = re.compile(r"/[\w-]*(?:near|top|latest|popular|ranking)|[\"_:](?:sort|order|min|max|direction)", re.IGNORECASE)
"""What of a call asks for an order or a bound: its path, or the name of an argument."""
_IDENTIFIES = re.compile(r"(?:^|_)id$|\bnumber$", re.IGNORECASE)
_QUALIFIED = re.compile(r"\b([A-Za-z]{3,}) codes?\b")
_STARTS = re.compile(r"(?:^|[.!?:]\s+)(\w+)")
_ABBREVIATION = re.compile(r"\b[A-Z]{2,5}(?=[ -](?:codes?|numbers?|ids?)\b)")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a task asks for. `names` are its conditions (names, quotations, numbers), without case and accents.

    `qualifier` is the word before "code": the kind of code that is asked for; `is_one` if it is a single thing.
    """

    kind: Kind
    names: tuple[str, ...]
    compares: bool
    chooses: bool
    qualifier: str = ""
    is_one: bool = False


def read_task(task: str, tools: Sequence[str] = ()) -> Asked:
    """What a task asks for; `tools` are names in it that are no conditions."""
    plain = _NEGATIVE.sub("-", _ABBREVIATION.sub("", _CALL.sub("", task)))
    qualified = _QUALIFIED.search(task)
    return Asked(
        _kind(plain),
        _names(plain, {folded(tool) for tool in tools}),
        bool(_COMPARES.search(plain)),
        bool(_CHOICE.search(plain)),
        qualified[1] if qualified is not None else "",
        _ONE.search(plain) is not None,
    )


def _kind(text: str) -> Kind:
    if _NUMBER.search(text):
        return "number"
    if _CODE.search(text):
        return "code"
    return "yes-no" if _YES_NO.search(text.strip()) else "any"


def _names(plain: str, left_out: set[str]) -> tuple[str, ...]:
    """The names, quotations and numbers of the sentences that ask for something."""
    text = " ".join(part for part in _SENTENCE_END.split(plain) if _ASKS.search(part)) or plain
    opening = {capitalised[1] for capitalised in _STARTS.finditer(text)}
    quoted = _QUOTED.findall(text)
    # Where something is counts in a story too.
    quoted += _COORDINATE.findall(plain)
    capitalised = (word.rstrip(".,'") for word in _NAME.findall(_QUOTED.sub("", text)) if word not in opening)
    names = dict.fromkeys(folded(word.removesuffix("'s").removesuffix("’s")) for word in (*quoted, *capitalised))
    return tuple(name for name in names if name and name not in left_out and not re.match(r"i\b", name))


_LONGEST_CODE = 12


def fits_kind(asked: Asked, answer: object, history: Sequence[Past]) -> bool:
    """Whether an answer is of the kind that is asked for, by its own form and by the fields that it stands in."""
    values = [*answer.values()] if isinstance(answer, dict) else answer if isinstance(answer, list) else [answer]
    if asked.is_one and len(values) > 1:
        return False
    fields = [_fields(folded(str(value)), history) for value in values]
    if asked.kind == "number":
        return _are_numbers(values, fields)
    if asked.kind == "code":
        return (all(map(_is_short, values)) or _sentence(answer)) and _has_qualifier(asked, fields, history)
    if asked.kind == "yes-no":
        return isinstance(answer, bool) or bool(re.match(r"\s*(?:yes|no|true|false)\b", str(answer), re.IGNORECASE))
    return True


def _is_short(value: object) -> bool:
    """Whether a value may be a code by its length: one short word."""
    return len(str(value).split()) == 1 and len(str(value)) <= _LONGEST_CODE


def _are_numbers(values: Sequence[object], fields: Sequence[set[str]]) -> bool:
    """Whether values are numbers, and neither names with a number in them nor only IDs."""
    if not all(re.search(r"\d", str(value)) for value in values):
        return False
    named = [field for found in fields for field in found]
    is_name = any(re.search(r"[^\W\d_]{3}", str(value)) and found for value, found in zip(values, fields, strict=True))
    return not is_name and not (named and all(map(_IDENTIFIES.search, named)))


def _has_qualifier(asked: Asked, fields: Sequence[set[str]], history: Sequence[Past]) -> bool:
    """Whether codes of a certain kind stand in fields that are named so: always of an abbreviation, as IATA codes;
    of another word, as currency codes, if any field of the responses is named so."""
    wanted = asked.qualifier.casefold()
    is_named = any(f'{wanted}"' in past.observation.casefold() for past in history)
    if not wanted or not (is_named or asked.qualifier.isupper()):
        return True
    return all(any(wanted in field for field in found) for found in fields if found)


def _fields(value: str, history: Sequence[Past]) -> set[str]:
    """The names of the fields that hold a value, as a whole, in what was answered."""
    form = re.compile(rf'"(\w+)":\s*\[?"?{re.escape(value)}"?\s*[,}}\]]')
    texts = (folded(past.observation) for past in history if past.outcome == "answered")
    return {name for text in texts for name in form.findall(text)}


def _sentence(answer: object) -> bool:
    return isinstance(answer, str) and re.search(r"\b[A-Z0-9]{2,8}\b", answer) is not None and " " in answer.strip()


def names_only_the_task(sayings: set[str], task: str, asked: Asked) -> bool:
    """Whether an answer says nothing but what the task says."""
    text = folded(task)
    return not asked.chooses and asked.kind != "yes-no" and all(has_word(text, saying) for saying in sayings)


def unmet(asked: Asked, sayings: set[str], history: Sequence[Past]) -> tuple[str, ...]:
    """The conditions that nothing shows to hold for all of the answer.

    A condition is met if for each value of the answer a call on the way to it was made with the condition, or the
    smallest object of a response that contains the value contains the condition as well.
    """
    contexts = [_shown_with(saying, history) for saying in sorted(sayings)]
    names = map(_plain, asked.names)
    return tuple(name for name in names if not all(has_word(text, name) for text in contexts))


def _shown_with(saying: str, history: Sequence[Past]) -> str:
    """The arguments of the calls on the way to a value, and the objects of their responses that contain it."""
    way = list(_way({saying}, history))
    sent = json.dumps([past.arguments for past in way], ensure_ascii=False)
    return " ".join([folded(sent), *(item for past in way for item in _items(saying, past))])


def unsent(asked: Asked, history: Sequence[Past]) -> tuple[str, ...]:
    """The conditions that no call that was answered was made with."""
    sent = folded(json.dumps([past.arguments for past in history if past.outcome == "answered"], ensure_ascii=False))
    return tuple(name for name in asked.names if not has_word(sent, _plain(name)))


def is_ordered(history: Sequence[Past], sayings: set[str]) -> bool:
    """Whether a call on the way to the answer asked for an order or a bound, so that a comparison may rest on it."""
    return any(_ORDER.search(f"{past.action} {json.dumps(past.arguments)}") for past in _way(sayings, history))


def _way(sayings: set[str], history: Sequence[Past]) -> Iterator[Past]:
    """The calls whose responses contain what is said, and those whose responses gave them their arguments."""
    wanted = set(sayings)
    for past in reversed(history):
        if past.outcome != "answered":
            continue
        text = folded(past.observation)
        if any(has_word(text, saying) for saying in wanted):
            wanted |= {folded(str(value)) for value in past.arguments.values() if isinstance(value, str | int)}
            yield past


def _items(saying: str, past: Past) -> Iterator[str]:
    """The innermost objects of a response that contain a value."""
    return (item for item in _OBJECT.findall(folded(past.observation)) if has_word(item, saying))


def _plain(name: str) -> str:
    """A number as arguments have it: without separators of thousands and zeros behind the point."""
    if not re.fullmatch(r"-?[\d.,]+", name):
        return name
    return re.sub(r"(\.\d*?)0+$", r"\1", name.replace(",", "")).rstrip(".")
