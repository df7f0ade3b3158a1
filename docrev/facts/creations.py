"""What a run created: the calls that did, and where their responses have the new ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

from docrev.calls.path_texts import encoded, kind_at
from docrev.calls.routes import Routes
from docrev.facts.observations import Observations
from docrev.grouping import grouped
from docrev.json_values.pointer import escape
from docrev.language.path_templates import FORMAT, PARAMETER, shape_of
from docrev.records import Call, JournalItem, OperationKey

Place = tuple[str, str]
"""A tool, and the path of a thing."""


@dataclass(frozen=True)
class Created:
    """Something that the run created: its item, the call that made it, and the location of its id in the response.

    `shape` is the path of its kind with the parameters' names forgotten: `/buckets/{}`.
    """

    item: JournalItem
    call: Call
    field: str
    shape: str

    @property
    def place(self) -> Place:
        return self.item.tool, self.item.path

    @property
    def id(self) -> str:
        return str(next(reversed(self.item.arguments.values())))


def creations(
    seen: Mapping[OperationKey, Observations], journal: Iterable[JournalItem], routes: Routes
) -> list[Created]:
    """What the journal says was created by a call that was answered, in the order of the journal."""
    calls = {call.id: call for one in seen.values() for call in one.good}
    found = []
    for item in journal:
        call, shape = calls.get(item.call), _shape_of(item, routes)
        if call is not None and shape is not None and item.confirmed and item.arguments and _makes(call, shape):
            location, id = next(reversed(item.arguments.items()))
            place = place_of(call.body, str(id), called=location.rpartition(":")[2])
            found.append(Created(item, call, f"{call.status}:{place}" if place else "", shape))
    return found


def _makes(call: Call, shape: str) -> bool:
    """Whether a call itself creates things of this path: what a batch created was created by what it carried.

    What is made below something may have a path of its own: `/crews/{}/boats` makes `/boats/{}`.
    """
    path, shape = (FORMAT.sub("", one).rstrip("/") for one in (call.key.path, shape))
    below = shape.count("/") - path.count("/")
    is_below = below in (0, 1) or kind_at(path) == kind_at(shape) != ""
    return call.key.method in ("POST", "PUT") and is_below


def _shape_of(item: JournalItem, routes: Routes) -> str | None:
    """The path of an item's kind, as whatever operation on it has it."""
    found = routes.address(item.tool, item.path)
    return shape_of(found[0].path) if found is not None else None


def place_of(body: object, id: str, pointer: str = "", depth: int = 3, *, called: str = "") -> str:
    """Where a response has an id: nearest to the top, a field `called` like the parameter that takes it first, then one
    called like an id; "" if it has none."""
    if not isinstance(body, dict) or not depth:
        return ""
    here = [name for name, value in body.items() if not isinstance(value, bool) and str(value) == id]
    if here:
        return f"{pointer}/{escape(min(here, key=lambda name: (name != called, 'id' not in name.lower())))}"
    inner = (place_of(value, id, f"{pointer}/{escape(name)}", depth - 1, called=called) for name, value in body.items())
    return next(filter(None, inner), "")


class ReadingsByPlace:
    """The GETs among calls, by their place. `order` says when each call was made."""

    def __init__(self, calls: Iterable[Call], order: Mapping[str, int]) -> None:
        self._order = order
        read = (call for call in calls if call.key.method == "GET")
        self._at = grouped((place_called(call), call) for call in read)

    def when(self, call: Call) -> int:
        return self._order[call.id]

    def at(self, place: Place) -> list[Call]:
        """All readings of a place."""
        return self._at.get(place, [])

    def before(self, place: Place, moment: int) -> list[Call]:
        """Those before a moment."""
        return [call for call in self.at(place) if self._order[call.id] < moment]

    def after(self, place: Place, moment: int, until: float = inf) -> Call | None:
        """The first one after a moment, and before another one."""
        return next((call for call in self.at(place) if moment < self._order[call.id] < until), None)


def place_called(call: Call) -> Place:
    """The tool, and the path with its arguments, that a call goes to."""
    return call.key.tool, call.read(concrete_path)


def concrete_path(call: Call, end: int | None = None) -> str:
    """The path of a call with its arguments, or its beginning up to a place in the template; as the journal has paths,
    without a slash at its end."""
    path = PARAMETER.sub(lambda match: encoded(call.arguments.get(f"path:{match.group(1)}", "")), call.key.path[:end])
    return path.rstrip("/")
