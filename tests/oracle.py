"""The true answers to questions about the bundled services, from their records alone.

A goal's givens choose rows of tables; the wanted table's rows that they lead to, by the shortest way over natural keys
(country code, city name, IATA code), hold the answer. Where several ways are equally short, each answer is right.
What was written is a record too: it is rebuilt from the writes that a run made, as it was after each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from oracle_selection import Rows, Tables, choose, common, lead, name_of, takes
from oracle_tables import Table, tables
from oracle_writes import FIELDS as WRITTEN
from oracle_writes import KEYS, History, done, is_sent, sent_properties, written

from docrev.json_values.scalars import same_scalar
from docrev.records import Call, Given, Goal, Json
from docrev.sandbox.tables import Row

NOUNS = {"summary": "airport", "report": "density", "neighbour": "country"}
IGNORED = {"date", "unit", "radius_km"}
"""Arguments of what is derived: they choose nothing if something else is wanted."""


@dataclass(frozen=True, slots=True)
class OracleAnswer:
    """The answers that are right, the likeliest first. `in_order`: lists are right in this order only."""

    accepted: tuple[Json, ...]
    in_order: bool = True

    def accepts(self, said: Json) -> bool:
        """Whether an answer is one of them; 7 and "7" are the same, and so are "Paris" and "paris"."""
        return any(self._same(right, said) for right in self.accepted)

    def _same(self, right: Json, said: Json) -> bool:
        if not isinstance(right, list) or not isinstance(said, list):
            return not isinstance(right, list | dict) and not isinstance(said, list | dict) and same_scalar(right, said)
        if not self.in_order:
            right, said = (sorted(items, key=lambda item: str(item).casefold()) for items in (right, said))
        return len(right) == len(said) and all(map(same_scalar, right, said))


@dataclass(frozen=True, slots=True)
class NotAnswerable:
    """The records do not hold an answer, and why."""

    why: str


class Stuck(LookupError):
    """No answer, with the reason."""


class Oracle:
    """Answers goals from the records of both services, and from what `calls`, in the order made, wrote to them."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._history = History(calls)

    def answer(self, goal: Goal) -> OracleAnswer | NotAnswerable:
        """The true answer to a goal."""
        try:
            return OracleAnswer(tuple(self._accepted(goal)), any(_orders(given, goal) for given in goal.givens))
        except LookupError as stuck:
            return NotAnswerable(str(stuck.args[0]))

    def _accepted(self, goal: Goal) -> list[Json]:
        if goal.deeds:
            return [done(goal)]
        if any(map(is_sent, goal.givens)) and (not goal.noun or goal.noun in WRITTEN):
            return self._written(goal)
        goal = replace(goal, givens=tuple(given for one in goal.givens if (given := _naming(one))))
        if goal.noun in WRITTEN or any(given.noun in WRITTEN for given in goal.givens):
            return self._remembered(goal)
        return _read(tables(), goal)

    def _written(self, goal: Goal) -> list[Json]:
        """What is read back of what the goal says to write; an id only as the run was told it."""
        try:
            return [written(goal, lambda other: self._accepted(other)[0])]
        except LookupError:
            noun, sent = sent_properties(goal)
            found = self._history.values(noun, goal.want, sent)
            if not found:
                raise
            return found

    def _remembered(self, goal: Goal) -> list[Json]:
        """What was read at any moment of the run."""
        found: list[Json] = []
        for moment in self._history.moments():
            try:
                found += [value for value in _read({**tables(), **moment}, goal) if value not in found]
            except LookupError:
                continue
        if not found:
            raise Stuck("nothing like this was written")
        return found


def answer(goal: Goal, calls: Iterable[Call] = ()) -> OracleAnswer | NotAnswerable:
    """The true answer to one goal; see Oracle."""
    return Oracle(calls).answer(goal)


def _orders(given: Given, goal: Goal) -> bool:
    """Whether a given asks for an order of what is wanted, and not of what leads there."""
    return name_of(given) == "sort" and given.noun in ("", goal.noun)


def _naming(given: Given) -> Given | None:
    """A given as it says what is read: what was sent only counts if it is the key of a record."""
    name = name_of(given)
    if not is_sent(given):
        return given
    return Given(KEYS[name][1], given.value, KEYS[name][0]) if name in KEYS else None


def _read(known: Tables, goal: Goal) -> list[Json]:
    held = ([row for row in rows if _holds(row, goal.want)] for rows in _wanted_rows(known, goal))
    found = [rows for rows in held if rows]
    if not found:
        raise Stuck("the givens lead to no record")
    return [_take(goal, rows) for rows in found]


def _take(goal: Goal, rows: Sequence[Row]) -> Json:
    values = [_value(row, goal.want) for row in rows]
    return values if goal.many else values[0]


def _value(row: Row, want: str) -> Json:
    names = [want] if want in row else [name for name in row if name.endswith(f"/{want}")]
    if len(names) != 1:
        raise Stuck(f"no field {want}")
    return row[names[0]]


def _holds(row: Row, want: str) -> bool:
    return any(_is_field(name, want) for name in row)


def _is_field(name: str, want: str) -> bool:
    return name == want or name.endswith(f"/{want}")


def _wanted_rows(known: Tables, goal: Goal) -> Iterator[Sequence[Row]]:
    """The rows that the goal may mean, one sequence for each reading of it."""
    target = _target(known, goal)
    anchors = _anchors(known, goal, target)
    if target.derive is not None:
        yield _derived(known, goal, target, anchors)
        return
    sets = [_led(known, one, target, many=goal.many) for one in anchors if one[0].noun != target.noun]
    own = [given for table, givens in anchors if table.noun == target.noun for given in givens]
    for led in common(sets) if sets else [target.rows]:
        yield choose(target, led, own)


def _target(known: Tables, goal: Goal) -> Table:
    noun = NOUNS.get(goal.noun, goal.noun)
    for table in known.values():
        if (table.noun == noun or not noun) and any(_is_field(name, goal.want) for name in table.fields):
            return table
    raise Stuck(f"no {goal.noun or 'table'} with a field {goal.want}")


Anchor = tuple[Table, list[Given]]
"""A table, and the givens that choose rows of it."""


def _anchors(known: Tables, goal: Goal, target: Table) -> list[Anchor]:
    """The givens by the table that each is about; two airports named are two anchors of the same table."""
    found: list[Anchor] = []
    for given in goal.givens:
        table = _table_of(known, given, target)
        if table is None:
            continue
        mine = [givens for one, givens in found if one is table]
        if mine and (given.location or not any(one.label == given.label and not one.location for one in mine[-1])):
            mine[-1].append(given)
        else:
            found.append((table, [given]))
    return found


def _table_of(known: Tables, given: Given, target: Table) -> Table | None:
    """The table that a given chooses rows of; None if it is an argument of what is derived."""
    named = known.get(NOUNS.get(given.noun, given.noun))
    if named is not None and named.derive is not None:
        named = known[named.parent]
    if target.derive is not None and given.location and not takes(known[target.parent], given):
        return None
    for table in (named, target, *known.values()):
        if table is not None and table.derive is None and takes(table, given):
            return table
    if name_of(given) in IGNORED:
        return None
    raise Stuck(f"no table has {given.label}")


def _led(known: Tables, anchor: Anchor, target: Table, *, many: bool = False) -> list[Rows]:
    table, givens = anchor
    rows = choose(table, table.rows, givens)
    if not rows:
        raise Stuck(f"no {table.noun} is so")
    found = lead(known, table, rows, target, many=many)
    if not found:
        raise Stuck(f"nothing leads from {table.noun} to {target.noun}")
    return found


def _ends(parent: Table, arguments: Mapping[str, Json]) -> list[Row]:
    """The rows that a distance is between."""
    codes = [arguments[name] for name in ("from", "to") if name in arguments]
    return [row for code in codes for row in parent.rows if same_scalar(row["iata"], code)]


def _derived(known: Tables, goal: Goal, target: Table, anchors: Sequence[Anchor]) -> Sequence[Row]:
    """What a rule makes of the rows that the givens lead to."""
    assert target.derive is not None
    parent, arguments = known[target.parent], {name_of(given): given.value for given in goal.givens if given.location}
    rows = _ends(parent, arguments) if target.noun == "distance" else []
    for table, givens in anchors:
        here = choose(parent, parent.rows, givens) if table is parent else _led(known, (table, givens), parent)[0]
        rows += here[:1]
    if len(rows) < target.count:
        raise Stuck(f"{target.noun} is of {target.count} {target.parent}, {len(rows)} are given")
    found = target.derive(rows[: target.count], arguments)
    return found[: int(arguments.get("limit", target.page or len(found)))]
