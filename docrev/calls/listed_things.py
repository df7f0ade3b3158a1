"""The things that answers list, with their IDs and codes: read once of answers that have the same body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.path_texts import item_path
from docrev.calls.routes import Routes
from docrev.calls.seen_codes import codes_of
from docrev.conventions.ids import own_id
from docrev.conventions.lists import all_lists
from docrev.conventions.run_names import carries_made_up
from docrev.records import Json
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_MOST, _LARGEST = 32, 16_384
"""How many bodies, of up to so many bytes, are remembered: the same lists are returned again and again."""


class ListedThing(NamedTuple):
    """A thing in a list or a map, with its ID and the codes in it."""

    id: Json
    thing: Json
    codes: frozenset[str]


def is_of_run(place: tuple[str, str], id: Json, thing: Json, is_own: Callable[[str, str], bool]) -> bool:
    """Whether the run made a thing that is listed in the collection of a tool at a path, or it carries a name of it."""
    tool, collection = place
    path = item_path(collection, id) if isinstance(id, str | int) else ""
    return is_own(tool, path) or carries_made_up([id, thing])


class ListedThings:
    """Reads what answers list."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._latest: dict[tuple[int, str, str, str], tuple[Json, list[ListedThing]]] = {}

    def of(self, answer: CreationAnswer, item: Operation | None, noun: str) -> list[ListedThing]:
        """Each thing in the lists and the maps of an answer."""
        # What lists by its name alone may list what no other operation is understood to name.
        name = called(self._routes.path(item.key).names[-1]) if item is not None else "id"
        place = id(answer.body), answer.operation.route.path, name, noun
        body, found = self._latest.pop(place, (None, []))
        if body is not answer.body:
            found = [*_read(answer, name, noun)]
        if answer.source is not None and answer.source.size <= _LARGEST:
            # The body stays with it: an ID is only one as long as its object lives.
            self._latest[place] = answer.body, found
            if len(self._latest) > _MOST:
                del self._latest[next(iter(self._latest))]
        return found


def _read(answer: CreationAnswer, name: str, noun: str) -> Iterator[ListedThing]:
    maps = (found for found in answer.lists if found.keys)
    for found in (*all_lists(answer.body), *maps):
        for number, thing in enumerate(found.items):
            own = thing if isinstance(thing, str) else own_id(thing, name, noun)
            yield ListedThing(found.keys[number] if found.keys else own, thing, codes_of(thing))
