"""What one thing of a list alone has, as its lists show: a flag that is true, or the state of the current one.

Another thing that gets it may take it from that one (`pinned: true`), though no text says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from docrev.calls.listed_things import is_of_run
from docrev.calls.path_texts import noun_of
from docrev.conventions.ranks import is_held_by_one
from docrev.json_values.containers import mapping
from docrev.records import Json

_ENOUGH = 3
"""Things of which one alone has something, for that to be no chance; one fewer where a name says the same."""


class SeenRanks:
    """By tool, kind of thing and member, what one thing alone has, and what the others have instead.

    `is_own` says whether the run created what a tool has at a path.
    """

    def __init__(self, is_own: Callable[[str, str], bool]) -> None:
        self._is_own = is_own
        self._of_one: dict[tuple[str, str], dict[str, tuple[Json, Json]]] = {}
        self._of_several: set[tuple[str, str, str]] = set()

    def see_list(self, tool: str, collection: str, listed: Iterable[tuple[Json, Json, frozenset[str]]]) -> None:
        """An answer listed things of the collection at a path, by their IDs."""
        kind, place, things = noun_of(collection), (tool, collection), [*listed]
        names = {name for name in _names_of_one(things) if (tool, kind, name) not in self._of_several}
        if not names:
            # Most lists show nothing of the kind: whose their things are need not be asked.
            return
        others = [mapping(thing) for id, thing, _ in things if not is_of_run(place, id, thing, self._is_own)]
        for name in sorted(names):
            having = (thing.get(name) for thing in others)
            self._count((tool, kind), name, Counter(value for value in having if isinstance(value, bool | str)))

    def _count(self, kind: tuple[str, str], name: str, counts: Counter[bool | str]) -> None:
        """Note what one thing alone has for a member, by how many have each value."""
        top = next(filter(_may_be_of_one, counts), None)
        if top is None:
            return
        known = self._of_one.setdefault(kind, {})
        rest = [value for value, _ in counts.most_common() if value != top]
        if counts[top] > 1:
            self._of_several.add((*kind, name))
            known.pop(name, None)
        elif rest and counts.total() >= _ENOUGH - is_held_by_one(name):
            known[name] = top, rest[0]

    def taken(self, tool: str, collection: str, body: Json) -> Iterator[tuple[str, Json]]:
        """The members at the top of a body by which a thing would get what another one of its kind has alone, each with
        what the others have instead."""
        known = self._of_one.get((tool, noun_of(collection)), {})
        for name, value in mapping(body).items():
            held, rest = known.get(name, (None, None))
            # A text in the place of a flag may be taken for true.
            if (value == held) if isinstance(held, str) else (held and value not in (False, None)):
                yield name, rest


def _names_of_one(things: Iterable[tuple[Json, Json, frozenset[str]]]) -> set[str]:
    """The members of listed things that have what may be of one thing alone."""
    members = (member for _, thing, _ in things for member in mapping(thing).items())
    return {name for name, value in members if _may_be_of_one(value)}


def _may_be_of_one(value: Json) -> bool:
    """Whether a value may be what one thing alone has: a flag that is set, or a state of the kind."""
    return value is True or is_held_by_one(value)
