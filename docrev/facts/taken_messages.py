"""What refusals of a thing that is there already say: that it is, and which property must be its own."""

from __future__ import annotations

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


def says_taken(call: Call) -> bool:
    """Whether a refusal is about something that exists, by its status or, if that may mean anything, its message."""
    stated = call.status in INVALID and not _EXISTS.isdisjoint(words(message(call.body)))
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


def names_alone(calls: Sequence[Call], at: str) -> bool:
    """Whether all calls were refused in words that name the property, which is not what the things are called.

    Of what lies in another thing, words do not tell whether it is so within that alone.
    """
    name = {*words(last(at))}
    said = [{*words(message(call.body).lower())} for call in calls]
    is_name = bool(name) and name.isdisjoint(_words_of_paths(calls)) and "{" not in calls[0].key.path
    return is_name and all(name <= each for each in said)


def _words_of_messages(refused: Iterable[Call]) -> set[str]:
    return {word for call in refused if not call.ok for word in words(message(call.body).lower())}


def _words_of_paths(refused: Iterable[Call]) -> set[str]:
    """What the things are called that calls are about: messages speak of those anyway."""
    return {form for call in refused for word in words(call.key.path) for form in (word, singular(word))}
