"""Things that a service still shows after their removal: what they say of their end."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.ids import created_object
from docrev.json_values.containers import mapping
from docrev.language.words import words
from docrev.records import Json

_MARKS = frozenset({"deleted", "deleting", "removed", "archived", "trashed", "deactivated"})
_ENDS = frozenset({"cancelled", "canceled", "closed", "disabled", "ended", "expired", "inactive", "revoked", "voided"})
"""States that a service may give to what it keeps; one that nobody used yet may have them, too."""
_STATES = frozenset({"status", "state", "lifecycle", "phase"})
_LONGEST = 30


def is_marked_deleted(thing: Json) -> bool:
    """Whether a thing says of itself that it was deleted: what was given its ID again would not."""
    members = mapping(created_object(thing)).items()
    return any(value for name, value in members if _MARKS.intersection(words(name))) or any(
        map(_is_mark, _states_of(thing))
    )


def end_of(thing: Json) -> str:
    """How a thing that was removed is still there, as it says of itself; "" if it says nothing of an end."""
    if is_marked_deleted(thing):
        return "it is only marked as deleted"
    state = next(
        (state for state in _states_of(thing) if len(state) <= _LONGEST and _ENDS.intersection(words(state))), ""
    )
    return f"it is still shown, as `{state}`" if state else ""


def _is_mark(state: str) -> bool:
    return not _MARKS.isdisjoint(words(state))


def _states_of(thing: Json) -> Iterator[str]:
    """The texts by which a thing says in which state it is: `status`, or `state` in its `status`."""
    for name, value in mapping(created_object(thing)).items():
        if _STATES.intersection(words(name)):
            inner = mapping(value).items()
            texts = (value, *(part for name, part in inner if _STATES.intersection(words(name))))
            yield from (text for text in texts if isinstance(text, str))
