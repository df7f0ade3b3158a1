"""What several properties must be to each other, as an API says when it refuses a request, where no text has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import sent_properties
from docrev.facts.registry import PROVES_READ
from docrev.facts.status_causes import message
from docrev.json_values.leaves import leaves
from docrev.language.phrases import joined, joined_names
from docrev.language.words import singular, words
from docrev.records import Call, Fact
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import MAX_QUOTED, is_quotable, quote_message
from docrev.revision.refusal_notes import refused_on_some
from docrev.spec.schema import properties_of

MOST = 2
"""Rules that are quoted for a status of one operation."""
MIN_LETTERS = 3
"""Letters of a word that says nothing of what a rule is about: more have to be in a text that says it."""
_LENGTHS = range(5, 22)
"""Words of a message that says a rule, and no more."""
_HIDDEN = "…"
_TOGETHER = re.compile(r"\bAND\b|\b(?:both|together|with)\b")
_EXCLUDES = re.compile(
    r"(?:cannot|can ?not|can't|must not|may not|not allowed)\b.*\b(?:and|both|with|together)\b", re.I
)
_RULE = re.compile(
    r"\b(?:must|cannot|can ?not|can't|may not|only|either|requires?|is not (?:an?|in)|instead|at (?:least|most)"
    r"|more than|less than|within|out of|outside|before|after)\b",
    re.IGNORECASE,
)
"""What tells a caller what to do: that a value is not supported does not say which is."""
_OTHER = re.compile(
    r"\b(?:json|uuid\w*|string|pars(?:e|ed|ing)|deserial\w*|decod\w*|invalid type|expected|str|dict|int|unicode|object"
    r"|array|list|mapping|number|integer|boolean|valid|null|none|exist(?:s|ing)?|found|missing|present|required|internal"
    r"|try again|contact)\b|[{}<>]|Error:",
    re.IGNORECASE,
)
"""What is about the form of a body, about what is not there, or no rule for callers."""
_WRITTEN = re.compile(r"Errors with (\d+) include `[^`]*`(?: and `[^`]*`)?\.")
"""The sentence itself: what it quotes is no news on its own account, and there is one for a status."""


def error_rules(observed: ObservedOperation) -> Iterator[Statement]:
    """The rules that the messages of refusals state: pairs that exclude each other, then the others by status."""
    rules = _unexplained(observed) if observed.good else []
    pairs = {(call.status, pair): call for rule, call in rules if (pair := _excluded_pair(rule, call, observed))}
    for (status, names), call in pairs.items():
        text = f"{joined_names(names)} cannot be sent together: returns {status}."
        yield Statement(text, calls=(call.id,))
    yield from _by_status(_unsaid(rules, observed), observed.operation.description)


def _by_status(rules: Iterable[tuple[str, Call]], description: str) -> Iterator[Statement]:
    """The rules of each status, in a sentence; the one that a description has already stays as it is."""
    written = {int(match[1]): match[0] for match in _WRITTEN.finditer(description)}
    found: dict[int, dict[str, str]] = {}
    for rule, call in rules:
        found.setdefault(call.status or 0, {}).setdefault(rule, call.id)
    for status, by_rule in sorted(found.items()):
        # Of a rule with its subject and without, the one that holds for more is shown.
        shown = [rule for rule in by_rule if not any(other in rule for other in by_rule if other != rule)][:MOST]
        text = f"Errors with {status} include {joined([quote_message(rule) for rule in shown])}."
        yield Statement(written.get(status, text), calls=tuple(by_rule[rule] for rule in shown))


def _unexplained(observed: ObservedOperation) -> list[tuple[str, Call]]:
    """The rules of refusals, each with its call, of which facts do not say more."""
    explained = _explained_messages(observed)
    calls = [call for call in observed.bad if call.status in INVALID and message(call.body) not in explained]
    return [(rule, call) for call in calls if (rule := _rule(message(call.body), call))]


def _unsaid(rules: Iterable[tuple[str, Call]], observed: ObservedOperation) -> Iterator[tuple[str, Call]]:
    """The rules that no text says, and that are about no pair."""
    operation = observed.operation
    present = {*words(f"{operation.summary} {_WRITTEN.sub('', operation.description)}")}
    for rule, call in rules:
        # A refusal of one value explains itself; what two must be to each other, nobody finds out by mending one.
        is_of_several = len(_named(rule, call, observed)) > 1
        if is_of_several and not _is_said(rule, present) and not _excluded_pair(rule, call, observed):
            yield rule, call


def _named(rule: str, call: Call, observed: ObservedOperation) -> set[str]:
    """The properties of a request that a rule names, sent or declared, as one thing or several."""
    names = {*sent_properties(call), *properties_of(observed.operation.body_schema)}
    said = {*map(singular, words(rule))}
    return {name for name in names if {*map(singular, words(name))} <= said}


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


def _is_said(rule: str, present: set[str]) -> bool:
    """Whether a text has most of the words of a rule."""
    said = [word for word in words(rule) if len(word) > MIN_LETTERS]
    return sum(word in present for word in said) > len(said) / 2


def _rule(text: str, call: Call) -> str:
    """The first sentence of a message, without what was sent; "" if it states no rule."""
    for value in sorted(_sent(call), key=len, reverse=True):
        text = text.replace(value, _HIDDEN)
    first, *rest = (part.strip().rstrip(".") for part in re.split(r"(?<=\w\w)[.:;]\s", text))
    # What was sent is put before a rule as its subject: "Record … IN MX: Name is out of zone".
    return next((part for part in (first, *rest[: first.count(_HIDDEN)][:1]) if _is_rule(part)), "")


def _is_rule(part: str) -> bool:
    """Whether a part of a message, in which what was sent is hidden, states a rule."""
    is_short = len(part) <= MAX_QUOTED and len(part.split()) in _LENGTHS
    whole = part.count(_HIDDEN) <= 1 and not part.endswith(_HIDDEN) and is_quotable(part)
    return bool(is_short and whole and _RULE.search(part) and not _OTHER.search(part))


def _sent(call: Call) -> Iterable[str]:
    """The texts of a request that a message may repeat."""
    texts = {value for _, value in leaves(call.arguments, "") if isinstance(value, str) and len(value) > 2}
    # A word that anybody may send is what a rule is about.
    return [text for text in texts if is_invented(text) or not text.isalpha()]
