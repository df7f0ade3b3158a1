"""What the GET of a single item says beside what a list shows of it: a filter may be on a field that the list lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256

from docrev.calls.route_arguments import addressed, argument
from docrev.calls.route_arguments import key_of as place_key
from docrev.calls.routes import Routes, least_sent, template
from docrev.conventions.ids import created_object, own_id
from docrev.evidence import Evidence
from docrev.exploration import probe_values as values
from docrev.exploration.probe_bench import Bench
from docrev.facts.bounds import bounds_fit
from docrev.facts.kinds.sorts import MIN_SORTED
from docrev.facts.parameter_trials import names_fit, scalars
from docrev.facts.trials import list_in
from docrev.facts.wire_values import key_of
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import replaced
from docrev.json_values.scalars import is_number
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Arguments, Call, Json
from docrev.spec import Operation
from docrev.spec.route_places import called

_READ = 4
"""Items of a response that are read one by one."""
READ_IN_ORDER = 6
"""The same if they are to show an order."""
_MAX_READ = 30
"""Items of a list that are read altogether."""
_MAX_VALUES = 3
_MAX_ORDERS = 2
_WHOLE = "*"
"""The member in which a joined response has a digest of its whole list: what differs there is no equal response."""


class ItemDetails:
    """The items of one list as their own GETs return them, of those that were read."""

    def __init__(self, bench: Bench, item: Operation, evidence: Evidence) -> None:
        self._bench, self._item = bench, item
        *self._parents, self._last = template(item.route.path).names
        self._bodies: dict[str, dict[str, Json]] = {}
        # What was joined of the items that are known by now.
        self._joined: dict[str, Call] = {}
        self._count = 0
        calls = evidence.calls.select(key=bench.operation.key, ok=True)
        lists = (found.items for call in calls if (found := list_in(call)) is not None and found.items)
        self._seen_in_list = [item for item in next(lists, []) if isinstance(item, dict)]
        for call in evidence.calls.select(key=item.key, ok=True):
            if call.purpose == "survey":
                self._keep(call)

    @classmethod
    def of(cls, bench: Bench, routes: Routes, evidence: Evidence) -> ItemDetails | None:
        """The details of a bench's list; None if nothing reads a single one of its items."""
        under = routes.item_under(bench.operation.key)
        item = routes.twin(under.key, "GET") if under is not None else None
        return None if item is None else cls(bench, item, evidence)

    def read(self, calls: Iterable[Call], most: int = _READ) -> Steps[None]:
        """Read the first items and the last one of each response, unless they were read before."""
        for call in calls:
            first, rest = (ids := [*self._ids(call)])[: most - 1], ids[most - 1 :]
            fresh = [id for id in (*first, *rest[-1:]) if id not in self._bodies and self._has_room()]
            steps = [Invoke(self._item.key, arguments, "probe") for id in fresh if (arguments := self._address(id))]
            answers: list[Call] = (yield steps) if steps else []
            for answer in answers:
                self._bench.spent = self._bench.spent or answer.error == "budget"
                if answer.ok:
                    self._keep(answer)

    @property
    def shows_more(self) -> bool:
        """Whether single items have fields that the list does not show, as far as both were seen."""
        listed = {name for item in self._seen_in_list for name in item}
        return bool(listed) and any(not body.keys() <= listed for body in self._bodies.values())

    @property
    def items(self) -> list[Json]:
        """The items that were read."""
        return list(self._bodies.values())

    def is_listed(self, location: str) -> bool:
        """Whether a parameter is named after a field that the list shows."""
        return _any_fits(location, self._listed)

    def fits(self, location: str) -> bool:
        """Whether a parameter is named after a field that single items have and the list does not show."""
        return _any_fits(location, {name for body in self._bodies.values() for name in body} - self._listed)

    @property
    def _listed(self) -> set[str]:
        return {name for item in self._bench.items if isinstance(item, dict) for name in item}

    def values(self, location: str) -> list[Json]:
        """Values of that field, of items that were read: rare ones, or from the middle."""
        items = self.items
        found = values.member_values(location, items)
        found += values.middle_values(location, items) or values.filter_values(location, items, None)
        found = found or values.days_of(location, items)
        return list({key_of(value): value for value in found if value not in (None, "")}.values())[:_MAX_VALUES]

    def orders(self) -> list[Json]:
        """Names of numbers that single items have and the list does not show, each upwards and downwards."""
        items = [
            {name: value for name, value in body.items() if name not in self._listed} for body in self._bodies.values()
        ]
        numbers = [name for name, column in scalars(items, depth=1).items() if all(map(is_number, column))]
        varied = [name[1:] for name in numbers if len({key_of(item[name[1:]]) for item in items}) >= MIN_SORTED]
        return [f"{sign}{name}" for name in varied[:_MAX_ORDERS] for sign in ("", "-")]

    def joined(self, call: Call | None) -> Call | None:
        """A response whose list has, of the items that were read, all that is known of them, and no others."""
        if call is None or call.id in self._joined:
            return self._joined[call.id] if call is not None else None
        found = list_in(call) if call.ok else None
        if found is None or not isinstance(call.body, dict) or not found.pointer:
            return call
        known: list[Json] = [
            {**body, **item}
            for item, id in zip(found.items, self._ids(call), strict=True)
            if isinstance(item, dict) and (body := self._bodies.get(id)) is not None
        ]
        whole = sha256(canonical(found.items).encode()).hexdigest()
        joined: Json = replaced(call.body, found.pointer, known)
        self._joined[call.id] = replace(call, body={**joined, _WHOLE: whole})
        return self._joined[call.id]

    def _has_room(self) -> bool:
        self._count += 1
        return self._count <= _MAX_READ

    def _keep(self, call: Call) -> None:
        thing = created_object(call.body)
        if isinstance(thing, dict) and all(
            _value(call.arguments, name) == _value(self._bench.arguments, name) for name in self._parents
        ):
            self._bodies[key_of(_value(call.arguments, self._last))] = thing
            self._joined.clear()

    def _address(self, id: str) -> dict[str, Json] | None:
        given = {name: _value(self._bench.arguments, name) for name in self._parents}
        if not id or None in given.values():
            return None
        named = {place_key(name): value for name, value in {**given, self._last: id}.items()}
        return addressed(least_sent(self._item), named)

    def _ids(self, call: Call) -> Iterator[str]:
        """The id of each item of a response's list; "" for an item that has none."""
        found = list_in(call)
        for item in found.items if found is not None else ():
            id = own_id(item, called(self._last), "")
            yield "" if id is None else key_of(id)


def _value(arguments: Arguments, name: str) -> Json:
    """What arguments have for a parameter of a route, None if they lack it."""
    return argument({f"path:{name}": None, **arguments}, name)


def _any_fits(location: str, names: Iterable[str]) -> bool:
    return any(
        names_fit(location, f"/{name}") or bounds_fit(location, f"/{name}") or values.may_be_day(location, name)
        for name in names
    )
