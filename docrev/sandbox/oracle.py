"""The true answers to questions about the bundled services, from their records alone.

A goal's givens choose rows of tables; the wanted table's rows that they lead to, by the shortest way over natural keys
(country code, city name, IATA code), hold the answer. Where several ways are equally short, each answer is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrev.records import Given, Goal, Json
from docrev.sandbox.tables import Row, ordered
from docrev.sandbox.world import RELATIONS, Relation, Table, equal, tables
from docrev.sandbox.writes import FIELDS as WRITTEN
from docrev.sandbox.writes import KEYS, written

LONGEST = 3
"""Relations on the way from what is given to what is wanted, at most."""
SHOWS = {"limit", "per_page", "page_size", "page", "cursor", "lang"}
NOUNS = {"summary": "airport", "report": "density", "neighbour": "country"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answers that are right, the likeliest first. `in_order`: lists are right in this order only."""

    accepted: tuple[Json, ...]
    in_order: bool = True

    def accepts(self, said: Json) -> bool:
        """Whether an answer is one of them; 7 and "7" are the same, and so are "Paris" and "paris"."""
        return any(self._same(right, said) for right in self.accepted)

    def _same(self, right: Json, said: Json) -> bool:
        if not isinstance(right, list) or not isinstance(said, list):
            return not isinstance(right, list | dict) and not isinstance(said, list | dict) and equal(right, said)
        if not self.in_order:
            right, said = (sorted(items, key=lambda item: str(item).casefold()) for items in (right, said))
        return len(right) == len(said) and all(map(equal, right, said))


@dataclass(frozen=True, slots=True)
class Unknown:
    """The records do not hold an answer, and why."""

    why: str


_Way = tuple[tuple[str, ...], tuple[Row, ...]]
"""The nouns on a way, and the rows at its end."""


class _Stuck(Exception):
    """No answer, with the reason."""


def answer(goal: Goal) -> Answer | Unknown:
    """The true answer to a goal, computed from the records of both services."""
    try:
        if goal.noun in WRITTEN or (not goal.noun and any(map(_sent, goal.givens))):
            return Answer((written(goal, resolve),))
        goal = replace(goal, givens=tuple(given for one in goal.givens if (given := _naming(one))))
        held = ([row for row in rows if _holds(row, goal.want)] for rows in _wanted_rows(goal))
        found = [rows for rows in held if rows]
        if not found:
            return Unknown("the givens lead to no record")
        return Answer(tuple(_take(goal, rows) for rows in found), _ordered(goal))
    except (_Stuck, LookupError) as stuck:
        return Unknown(str(stuck))


def resolve(goal: Goal) -> Json:
    """The likeliest answer; raises LookupError where there is none."""
    found = answer(goal)
    if isinstance(found, Unknown):
        raise LookupError(found.why)
    return found.accepted[0]


def _sent(given: Given) -> bool:
    return given.location.startswith("body:")


def _naming(given: Given) -> Given | None:
    """A given as it says what is read: what was sent only counts where it is the key of a record."""
    name = _name(given)
    if not _sent(given):
        return given
    return Given(KEYS[name][1], given.value, KEYS[name][0]) if name in KEYS else None


def _ordered(goal: Goal) -> bool:
    return any(_name(given) == "sort" for given in goal.givens)


def _take(goal: Goal, rows: Sequence[Row]) -> Json:
    values = [_value(row, goal.want) for row in rows]
    return values if goal.many else values[0]


def _value(row: Row, want: str) -> Json:
    if want in row:
        return row[want]
    ending = [name for name in row if name.endswith(f"/{want}")]
    if len(ending) != 1:
        raise _Stuck(f"no field {want}")
    return row[ending[0]]


def _wanted_rows(goal: Goal) -> Iterator[Sequence[Row]]:
    """The rows that the goal may mean, one sequence for each reading of it."""
    target = _target(goal)
    anchors = _anchors(goal, target)
    arguments = {_name(given): given.value for given in goal.givens if given.location}
    if target.derive is not None:
        yield _derived(target, anchors, arguments)
        return
    sets = [_led(table, givens, target) for table, givens in anchors if table.noun != target.noun]
    own = [given for table, givens in anchors if table.noun == target.noun for given in givens]
    for led in _intersections(sets) if sets else [target.rows]:
        yield _chosen(target, led, own)


def _target(goal: Goal) -> Table:
    noun = NOUNS.get(goal.noun, goal.noun)
    for table in tables().values():
        if (table.noun == noun or not noun) and any(_is_field(name, goal.want) for name in table.fields):
            return table
    raise _Stuck(f"no {goal.noun or 'table'} with a field {goal.want}")


def _holds(row: Row, want: str) -> bool:
    return any(_is_field(name, want) for name in row)


def _is_field(name: str, want: str) -> bool:
    return name == want or name.endswith(f"/{want}")


def _anchors(goal: Goal, target: Table) -> list[tuple[Table, list[Given]]]:
    """The givens by the table that each is about; two airports named are two anchors of the same table."""
    found: list[tuple[Table, list[Given]]] = []
    for given in goal.givens:
        table = _table_of(given, target)
        if table is None:
            continue
        mine = [givens for known, givens in found if known is table]
        if mine and (given.location or not any(one.label == given.label and not one.location for one in mine[-1])):
            mine[-1].append(given)
        else:
            found.append((table, [given]))
    return found


def _table_of(given: Given, target: Table) -> Table | None:
    """The table that a given chooses rows of; None where it is an argument of what is derived."""
    if given.location and target.derive is not None and not _known(tables()[target.parent], given):
        return None
    named = tables().get(NOUNS.get(given.noun, given.noun))
    if named is not None and named.derive is None and _known(named, given):
        return named
    for table in (target, *tables().values()):
        if table.derive is None and _known(table, given):
            return table
    raise _Stuck(f"no table has {given.label}")


def _known(table: Table, given: Given) -> bool:
    name = _name(given)
    if given.location:
        return name in table.selects or name in table.fields or name in ("sort", *SHOWS) or _key(table, given) != ""
    return given.label in table.fields


def _name(given: Given) -> str:
    return given.location.partition(":")[2].lstrip("/") if given.location else given.label


def _key(table: Table, given: Given) -> str:
    """The field that a path parameter addresses rows by."""
    if not given.location.startswith("path:"):
        return ""
    keys = {"country": ("code", "country"), "region": ("slug",)}.get(_name(given), (_name(given),))
    return next((key for key in keys if key in table.fields), "")


def _chosen(table: Table, rows: Iterable[Row], givens: Sequence[Given]) -> tuple[Row, ...]:
    """The rows that the givens choose, in the order that they ask for."""
    found = tuple(rows)
    sort = ""
    for given in givens:
        name = _name(given)
        if given.location and name == "sort":
            sort = str(given.value)
        elif name not in SHOWS or not given.location:
            found = tuple(row for row in found if _fits(table, row, given))
    if sort:
        found = ordered(found, sort)
    return found[_window(table, givens)]


def _window(table: Table, givens: Sequence[Given]) -> slice:
    """The part of a list that page and size ask for; all of it where nothing is asked."""
    asked = {_name(given): int(given.value) for given in givens if given.location and _name(given) in SHOWS - {"lang"}}
    size = asked.get("limit", asked.get("per_page", table.page if "page" in asked else None))
    start = (asked.get("page", 1) - 1) * (size or 0)
    return slice(start, start + min(size, 100) if size is not None else None)


def _fits(table: Table, row: Row, given: Given) -> bool:
    name = _name(given)
    if given.location and name in table.selects:
        return table.selects[name](row, given.value)
    value = row.get(_key(table, given) or name)
    return any(equal(one, given.value) for one in value) if isinstance(value, list) else equal(value, given.value)


def _derived(target: Table, anchors: list[tuple[Table, list[Given]]], arguments: dict[str, Json]) -> Sequence[Row]:
    """What a rule makes of the rows that the givens lead to."""
    assert target.derive is not None
    parent = tables()[target.parent]
    rows: list[Row] = []
    named = [arguments[name] for name in ("from", "to") if name in arguments]
    for code in named if target.noun == "distance" else ():
        rows += [row for row in parent.rows if equal(row["iata"], code)]
    for table, givens in anchors:
        first = _led(table, givens, parent)[0] if table is not parent else _chosen(parent, parent.rows, givens)
        rows += first[: 2 if target.count == 2 and _ordered_pair(givens) else 1]
    if len(rows) < target.count:
        raise _Stuck(f"{target.noun} is of {target.count} {target.parent}, {len(rows)} are given")
    found = target.derive(rows[: target.count], arguments)
    size = int(arguments.get("limit", target.page or len(found)))
    return found[:size]


def _ordered_pair(givens: Sequence[Given]) -> bool:
    return any(_name(given) == "sort" for given in givens)


def _led(table: Table, givens: Sequence[Given], target: Table) -> list[tuple[Row, ...]]:
    """The rows of `target` that the first row chosen in another table leads to, one for each of the shortest ways."""
    rows = _chosen(table, table.rows, givens)
    if not rows:
        raise _Stuck(f"no {table.noun} is so")
    level: list[_Way] = [((), rows[:1])]
    for _ in range(LONGEST):
        found: list[_Way] = []
        nearer: list[_Way] = []
        for way, here in level:
            for noun, next_rows in _steps(way[-1] if way else table.noun, here):
                if not next_rows or noun in (*way, table.noun):
                    continue
                (found if noun == target.noun else nearer).append(((*way, noun), next_rows))
        if found:
            return _distinct(rows for _, rows in found)
        level = [(way, rows[:1]) for way, rows in nearer]
    raise _Stuck(f"nothing leads from {table.noun} to {target.noun}")


def _steps(noun: str, rows: Sequence[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The tables next to some rows, with their rows that belong to them: by unique relations first."""
    forward = [relation for relation in RELATIONS if relation.source == noun and relation.target != noun]
    backward = [relation for relation in RELATIONS if relation.target == noun and relation.source != noun]
    for relation in sorted(forward, key=lambda one: not one.unique):
        yield relation.target, _forward(relation, rows)
    for relation in backward:
        yield relation.source, _backward(relation, rows)


def _forward(relation: Relation, rows: Sequence[Row]) -> tuple[Row, ...]:
    values = [value for row in rows for value in _many(row[relation.field])]
    known = tables()[relation.target].rows
    return tuple(row for value in values for row in known if row[relation.key] == value)


def _backward(relation: Relation, rows: Sequence[Row]) -> tuple[Row, ...]:
    keys = [row[relation.key] for row in rows]
    return tuple(
        row for row in tables()[relation.source].rows if any(key in keys for key in _many(row[relation.field]))
    )


def _many(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _distinct(sets: Iterable[tuple[Row, ...]]) -> list[tuple[Row, ...]]:
    found: list[tuple[Row, ...]] = []
    for rows in sets:
        if rows not in found:
            found.append(rows)
    return found


def _intersections(sets: Sequence[Sequence[Sequence[Row]]]) -> list[tuple[Row, ...]]:
    """The rows that all anchors lead to, for each combination of their ways."""
    found: list[tuple[Row, ...]] = [tuple(rows) for rows in sets[0]]
    for other in sets[1:]:
        found = [tuple(row for row in one if row in two) for one in found for two in other]
    return _distinct(found)
