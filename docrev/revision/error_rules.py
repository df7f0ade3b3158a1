"""What several properties must be to each other, as an API says when it refuses a request, where no text has it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import sent_properties
from docrev.facts.registry import PROVES_READ
from docrev.facts.status_causes import message
from docrev.language.phrases import joined_names
from docrev.language.words import words
from docrev.records import Call, Fact
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.refusal_notes import refused_on_some

MIN_LETTERS = 3
"""Letters of a word that says nothing of what a rule is about: more have to be in a text that says it."""
_LENGTHS = range(4, 22)
"""Words of a message that says a rule, and no more."""
_TOGETHER = re.compile(r"\bAND\b|\b(?:both|together|with)\b")
_EXCLUDES = re.compile(
    r"(?:cannot|can ?not|can't|must not|may not|not allowed)\b.*\b(?:and|both|with|together)\b", re.I
)
_UNIQUE = re.compile(r"^(?P<names>.+?) must (?:make a unique set|be unique together)", re.I)
_COMPARED = re.compile(
    r"^(?P<first>[\w '`\"-]+?) (?:must|should|has to|needs to) (?:be )?"
    r"(?P<relation>before|earlier than|after|later than"
    r"|(?:strictly )?(?:less|lower|smaller|greater|larger|higher|more) than(?: or equal to)?"
    r"|different (?:from|than|to)|differ from|at least|at most) (?P<second>[\w '`\"-]+)$",
    re.I,
)
_RELATIONS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    **dict.fromkeys(("before", "earlier than"), ("before", operator.lt)),
    **dict.fromkeys(("after", "later than"), ("after", operator.gt)),
    **dict.fromkeys(("less", "lower", "smaller"), ("less than", operator.lt)),
    **dict.fromkeys(("greater", "larger", "higher", "more"), ("greater than", operator.gt)),
    **dict.fromkeys(("different", "differ"), ("different from", operator.ne)),
    "at least": ("at least", operator.ge),
    "at most": ("at most", operator.le),
}
"""What one value must be to another, by how messages say it."""
_EQUAL_TOO = {operator.lt: operator.le, operator.gt: operator.ge}
_ARTICLE = re.compile(r"^(?:the )?(?:(?:fields?|properties|values?)(?: of)? )?", re.I)


def error_rules(observed: ObservedOperation) -> Iterator[Statement]:
    """What refusals state of several properties: that two exclude each other, that they are unique together, and how
    the value of one must compare to that of another.
    """
    present = {*words(f"{observed.operation.summary} {observed.operation.description}")}
    found: dict[str, str] = {}
    for rule, call in _unexplained(observed) if observed.good else []:
        if pair := _excluded_pair(rule, call, observed):
            found.setdefault(f"{joined_names(pair)} cannot be sent together: returns {call.status}.", call.id)
        elif (said := _unique(rule, call) or _comparison(rule, call, observed)) and not _is_said(rule, present):
            found.setdefault(f"{said}: otherwise returns {call.status}.", call.id)
    yield from (Statement(text, calls=(id,)) for text, id in sorted(found.items()))


def _is_said(rule: str, present: set[str]) -> bool:
    """Whether a text has most of the words of a rule."""
    said = [word for word in words(rule) if len(word) > MIN_LETTERS]
    return sum(word in present for word in said) > len(said) / 2


def _unique(rule: str, call: Call) -> str:
    """Which properties of the request that a rule refuses are unique in combination; "" if it says no such thing."""
    unique = _UNIQUE.match(rule)
    names = [_name_of(part, call) for part in re.split(r", (?:and )?| and ", unique["names"])] if unique else []
    return f"{joined_names(names)} must be unique in combination" if len(names) > 1 and all(names) else ""


def _comparison(rule: str, call: Call, observed: ObservedOperation) -> str:
    """What the value of one property must be to that of another, if what was refused breaks it and nothing that was
    accepted does."""
    compared = _COMPARED.match(rule)
    if compared is None:
        return ""
    names = [_name_of(compared[part], call) for part in ("first", "second")]
    relation = compared["relation"].lower().removeprefix("strictly ")
    said, holds = _RELATIONS.get(relation) or _RELATIONS[relation.split()[0]]
    lenient = _EQUAL_TOO.get(holds, holds)
    if relation.endswith("or equal to"):
        said, holds = f"{said} or equal to", lenient
    refused, *accepted = (_pair(other, names) for other in (call, *observed.good))
    # Whether times may be equal is seldom said.
    keeps = lenient if said in ("before", "after") else holds
    is_shown = refused is not None and not holds(*refused) and all(keeps(*pair) for pair in accepted if pair)
    return f"`{names[0]}` must be {said} `{names[1]}`" if is_shown else ""


def _pair(call: Call, names: Sequence[str]) -> tuple[Any, Any] | None:
    """What a request has under two names, if these can be compared."""
    sent = sent_properties(call)
    first, second = (sent.get(name) for name in names)
    number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (first, second))
    text = isinstance(first, str) and isinstance(second, str)
    return (first, second) if number or text else None


def _name_of(said: str, call: Call) -> str:
    """The property of a request that words name as it is called; "" if none."""
    called = words(_ARTICLE.sub("", said.strip(" '`\"")))
    return next((name for name in sent_properties(call) if words(name) == called), "")


def _unexplained(observed: ObservedOperation) -> list[tuple[str, Call]]:
    """The rules of refusals, each with its call, of which facts do not say more."""
    explained = _explained_messages(observed)
    calls = [call for call in observed.bad if call.status in INVALID and message(call.body) not in explained]
    return [(rule, call) for call in calls if (rule := _rule(message(call.body)))]


def _excluded_pair(rule: str, call: Call, observed: ObservedOperation) -> tuple[str, ...]:
    """The two properties of a refused request that a rule says are not sent together; () if it says no such thing, or
    if a request with both was accepted."""
    names = tuple(sorted({*sent_properties(call)} & {*words(rule)}))
    accepted = [{*sent_properties(other)} for other in observed.good]
    # "You cannot set a and b" may be about either.
    is_alone = _TOGETHER.search(rule) is not None or any(len({*names} & other) == 1 for other in accepted)
    is_both = any({*names} <= other for other in accepted)
    return names if len(names) == 2 and _EXCLUDES.search(rule) and is_alone and not is_both else ()


def _explained_messages(observed: ObservedOperation) -> set[str]:
    """The messages of refusals of which facts say more: of a place, or of names that exclude each other."""
    named = [{*fact.value["names"]} for fact in observed.all("alternatives")]
    told = observed.all("status", "exists")
    blamed = {id for fact in told if _is_explained(observed, fact) for id in fact.calls}
    by_text = {
        (message(call.body), call.id in blamed or _is_sometimes_lacking(observed, call)) for call in observed.bad
    }
    explained = {text for text, is_known in by_text if is_known or any(names <= {*words(text)} for names in named)}
    return explained | {text for _, text in refused_on_some(observed)}


def _is_sometimes_lacking(observed: ObservedOperation, call: Call) -> bool:
    """Whether a message is about a property that a request lacked, as some that were accepted do: see the property."""
    accepted = [sent_properties(other) for other in observed.good]
    lacking = {*words(message(call.body))}.difference(sent_properties(call))
    return any({name in body for body in accepted} == {True, False} for name in lacking)


def _is_explained(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether a status is about a place where what is valid is said, by facts or by the message, which stands there; or
    about what exists already, with which the message stands."""
    if fact.kind == "exists":
        return True
    place = str(fact.value.get("parameter") or "")
    is_lack = bool(place) and str(fact.value.get("cause")).endswith(" missing")
    is_quoted = place.startswith(("query:", "header:")) and bool(fact.value.get("message"))
    is_known = place.startswith("path:") or any(map(_is_valid_here, observed.at(place) if place else ()))
    return is_lack or is_quoted or is_known


def _is_valid_here(fact: Fact) -> bool:
    return fact.kind in PROVES_READ


def _rule(text: str) -> str:
    """The first sentence of a message; "" if it states no rule."""
    first, *_ = (part.strip().rstrip(".") for part in re.split(r"(?<=\w\w)[.:;]\s", text))
    return first if len(first.split()) in _LENGTHS else ""
