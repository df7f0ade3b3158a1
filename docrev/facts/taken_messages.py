"""What refusals of a thing that is there already say: that it is, and which property must be its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docrev.conventions.statuses import INVALID
from docrev.facts.outcomes import DEPTH
from docrev.facts.status_causes import message
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last
from docrev.language.words import singular, words
from docrev.records import Call

_CONFLICT = 409
_EXISTS = frozenset("exist exists existing already taken duplicate unique conflict".split())
_EXISTS_NOT = re.compile(
    r"\b(?:not|\w+n[’']t|cannot|never)\s+exist\w*|\bno\b[^.,;]*\bexist\w*|\bnon[- ]?exist\w*", re.IGNORECASE
)
"""What is not there, or may not be: "property size should not exist"."""


def says_taken(call: Call) -> bool:
    """Whether a refusal is about something that exists, by its status or, if that may mean anything, its message."""
    stated = call.status in INVALID and not _EXISTS.isdisjoint(words(_EXISTS_NOT.sub(" ", message(call.body))))
    return call.error is None and (call.status == _CONFLICT or stated)


def names_in(refused: Sequence[Call], shared: set[str]) -> set[str]:
    """Of what repeated creations share, what their messages name; a message that names something else is about that.

    A message may name properties by a word of theirs: "duplicate shortcut key" is about `prefix_key` or `suffix_key`.
    """
    said, of_things = _words_of_messages(refused), _words_of_paths(refused)
    bodies = [call.arguments.get("body:") for call in refused]
    called = {at: {*words(last(at))} for body in bodies for at, _ in members(body, depth=DEPTH)}
    named = {at for at, name in called.items() if name <= said}
    named = named or {at for at, name in called.items() if name & said - of_things}
    return shared & named if named else shared


def names_any(calls: Iterable[Call], by: Iterable[str]) -> bool:
    """Whether messages have a word of one of these properties."""
    said = _words_of_messages(calls)
    return any(not said.isdisjoint(words(last(at))) for at in by)


def names_alone(calls: Sequence[Call], at: str) -> bool:
    """Whether all calls were refused in words that name the property, which is not what the things are called.

    Of what lies in another thing, words do not tell whether it is so within that alone.
    """
    name = {*words(last(at))}
    said = [{*words(message(call.body).lower())} for call in calls]
    is_name = bool(name) and name.isdisjoint(_words_of_paths(calls)) and "{" not in calls[0].key.path
    return is_name and all(name <= each for each in said)


def names_unsent(calls: Sequence[Call], declared: Iterable[str]) -> bool:
    """Whether a refusal names a property that the request does not have: the thing has it from what was sent, or gets
    it otherwise, so what was sent need not be what must be unique."""
    said = _words_of_messages(calls) - _words_of_paths(calls)
    sent = {
        word
        for call in calls
        for at, _ in members(call.arguments.get("body:"), depth=DEPTH)
        for word in words(last(at))
    }
    return any(name and name <= said and name.isdisjoint(sent) for name in ({*words(one)} for one in declared))


def _words_of_messages(refused: Iterable[Call]) -> set[str]:
    return {word for call in refused if not call.ok for word in words(message(call.body).lower())}


def _words_of_paths(refused: Iterable[Call]) -> set[str]:
    """What the things are called that calls are about: messages speak of those anyway."""
    return {form for call in refused for word in words(call.key.path) for form in (word, singular(word))}
