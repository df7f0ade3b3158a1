"""What is beside an item: the things of others that a list shows before and after a creation, or a change.

A creation may take a thing in place of a new one, push the oldest one out, or move all others down. Nothing says so
before; where a look shows it, the operation is not called again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from docrev.calls.listings import Listed, has_pages, read_list
from docrev.calls.looks import LookPair
from docrev.calls.path_texts import item_path
from docrev.conventions.fields import is_epoch, is_volatile_field
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last
from docrev.language.words import words
from docrev.records import Json

_MOVING = frozenset("state status phase progress health connections load".split())
"""Words of fields that change while something is going on."""
_MEASURED = frozenset("time delta seconds lateness lag latency wait".split())
"""Words of fields that hold, where the number has a fraction, how long something has been going on."""


def disturbs(tool: str, collection: str, looks: Sequence[LookPair], is_own: Callable[[str, str], bool]) -> bool:
    """Whether the list of a collection shows that something of others is gone after a call, or not as it was before."""
    for old, new, whole in _lists(collection, looks):
        # What looks like an ID may be that of several things: the end of a link that leads elsewhere.
        there = grouped((ids[0], thing) for ids, thing in new.things)
        others = _things_of_others(old, lambda id: is_own(tool, item_path(collection, id)))
        for id, thing in others:
            if not any(_is_as_before(thing, now) for now in there[id]) if id in there else whole:
                return True
    return False


def _lists(collection: str, looks: Sequence[LookPair]) -> Iterator[tuple[Listed, Listed, bool]]:
    """What each list of a collection shows before and after a call, and whether after it that is all that there is."""
    for look, before, after in looks:
        if look.path is None and look.listing is not None and not look.part:
            old, new = (read_list(look.listing, collection, call) for call in (before, after))
            if old is not None and new is not None:
                yield old, new, new.whole or not has_pages(look.listing)


def _is_as_before(old: Json, now: Json) -> bool:
    return canonical(old) == canonical(now) or _values(old) == _values(now)


def _things_of_others(listed: Listed, is_own: Callable[[str], bool]) -> Iterator[tuple[str, Json]]:
    """(id, thing) for each thing in a list that the run did not create."""
    for ids, thing in listed.things:
        if not any(map(is_own, ids)):
            yield ids[0], thing


def _values(thing: Json) -> set[tuple[str, str]]:
    """The values of a thing by pointer, but for those that may change by themselves."""
    return {(pointer, canonical(value)) for pointer, value in leaves(thing) if not _moves(last(pointer), value)}


def _moves(name: str, value: object) -> bool:
    is_measured = isinstance(value, float) and not value.is_integer() and not _MEASURED.isdisjoint(words(name))
    return is_measured or is_epoch(value) or is_volatile_field(name, value) or not _MOVING.isdisjoint(words(name))
