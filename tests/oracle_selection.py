"""Choosing rows of a table as a question's givens say, and following relations from table to table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from oracle_tables import RELATIONS, Relation, Table

from docrev.json_values.scalars import same_scalar
from docrev.records import Given, Json
from docrev.sandbox.geometry import distance_km
from docrev.sandbox.tables import Row, ordered

Tables = Mapping[str, Table]
Rows = tuple[Row, ...]
LONGEST = 3
"""Relations on the way from what is given to what is wanted, at most."""
SHOWS = {"limit": 100, "per_page": 100, "page": 0, "cursor": 0, "lang": 0}
"""Arguments that say how much is shown, with the most that they show; 0 if they are no size."""
NEAR = {"lat", "lon"}
NEAREST, MOST_NEAREST = 5, 20
ADDRESSES = {"country": ("code", "country"), "region": ("slug",), "watchlist_id": ("id", "watchlist_id")}
"""Path parameters whose name is not that of the field they address by."""


def name_of(given: Given) -> str:
    """The parameter, the property or the field that a given is for."""
    return given.location.partition(":")[2].lstrip("/") if given.location else given.label


def takes(table: Table, given: Given) -> bool:
    """Whether a given can choose rows of a table."""
    name = name_of(given)
    if not given.location:
        return given.label in table.fields
    if table.noun == "city" and name in NEAR:
        return True
    return name in table.selects or name in table.fields or name in ("sort", *SHOWS) or _address(table, given) != ""


def choose(table: Table, rows: Iterable[Row], givens: Sequence[Given]) -> Rows:
    """The rows that the givens choose, in the order that they ask for, as many as they ask for."""
    found, asked = tuple(rows), {name_of(given): given.value for given in givens if given.location}
    for given in givens:
        name = name_of(given)
        if not given.location or name not in ("sort", *SHOWS, *NEAR):
            found = tuple(row for row in found if _fits(table, row, given))
    if "sort" in asked:
        found = ordered(found, str(asked["sort"]))
    if asked.keys() >= NEAR:
        return _nearest(found, asked)
    return found[_window(table, asked)]


def _address(table: Table, given: Given) -> str:
    """The field that a path parameter addresses rows by."""
    if not given.location.startswith("path:"):
        return ""
    keys = ADDRESSES.get(name_of(given), (name_of(given),))
    return next((key for key in keys if key in table.fields), "")


def _fits(table: Table, row: Row, given: Given) -> bool:
    name = name_of(given)
    if given.location and name in table.selects:
        return table.selects[name](row, given.value)
    held = row.get(_address(table, given) or name)
    values = held if isinstance(held, list) else [held]
    return any(same_scalar(value, given.value) for value in values)


def _window(table: Table, asked: Mapping[str, Json]) -> slice:
    """The part of a list that page and size ask for; all of it if nothing is asked."""
    size = next((min(int(asked[name]), most) for name, most in SHOWS.items() if most and name in asked), None)
    if size is None:
        size = table.page if "page" in asked else None
    start = (int(asked.get("page", 1)) - 1) * (size or 0)
    return slice(start, start + size if size is not None else None)


def _nearest(cities: Rows, asked: Mapping[str, Json]) -> Rows:
    here = (float(asked["lat"]), float(asked["lon"]))
    far = [{**row, "distance_km": distance_km(here, (row["latitude"], row["longitude"]))} for row in cities]
    far.sort(key=lambda row: row["distance_km"])
    size = min(int(asked.get("limit", NEAREST)), MOST_NEAREST)
    return tuple({**row, "distance_km": round(row["distance_km"], 1)} for row in far[:size])


def lead(tables: Tables, table: Table, rows: Rows, target: Table, *, many: bool = False) -> list[Rows]:
    """The rows of `target` that the first of some rows leads to: one set for each of the shortest ways.

    Where `many` are asked for and the shortest ways lead to one row each, those that next lead to more count too.
    """
    level: list[_Route] = [((table.noun,), rows[:1])]
    arrived: list[Rows] = []
    for _ in range(LONGEST):
        found, level = _next_level(tables, level, target)
        # Who asks for the cities of a country does not mean its capital.
        several = [rows for rows in found if len(rows) > 1] if many and not arrived else []
        arrived += several or found
        if any(len(rows) > 1 for rows in arrived) or (arrived and not many):
            break
    return distinct(arrived)


_Route = tuple[tuple[str, ...], Rows]
"""The nouns of the tables on a way, and the rows at its end."""


def _next_level(tables: Tables, level: list[_Route], target: Table) -> tuple[list[Rows], list[_Route]]:
    """One step on from some ways: the rows of `target` that they reach, and the ways that go on elsewhere."""
    found: list[Rows] = []
    further: list[_Route] = []
    for nouns, here in level:
        for noun, rows in _steps(tables, nouns[-1], here):
            if noun == target.noun:
                found.append(rows)
            elif noun not in nouns:
                further.append(((*nouns, noun), rows[:1]))
    return found, further


def _steps(tables: Tables, noun: str, rows: Rows) -> Iterator[tuple[str, Rows]]:
    """The tables next to some rows, with their rows that belong to them: by unique relations first."""
    forward = [relation for relation in RELATIONS if relation.source == noun and relation.target in tables]
    backward = [relation for relation in RELATIONS if relation.target == noun and relation.source in tables]
    for relation in sorted(forward, key=lambda one: not one.unique):
        if next_rows := _forward(tables, relation, rows):
            yield relation.target, next_rows
    for relation in backward:
        if relation.source != noun and (next_rows := _backward(tables, relation, rows)):
            yield relation.source, next_rows


def _forward(tables: Tables, relation: Relation, rows: Rows) -> Rows:
    values = [value for row in rows for value in _listed(row[relation.field])]
    known = tables[relation.target].rows
    return tuple(row for value in values for row in known if row[relation.key] == value)


def _backward(tables: Tables, relation: Relation, rows: Rows) -> Rows:
    keys = [row[relation.key] for row in rows]
    known = tables[relation.source].rows
    return tuple(row for row in known if any(key in keys for key in _listed(row[relation.field])))


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def distinct(sets: Iterable[Rows]) -> list[Rows]:
    """Sets of rows without repetition, in the order given."""
    found: list[Rows] = []
    for rows in sets:
        if rows not in found:
            found.append(rows)
    return found


def common(sets: Sequence[Sequence[Rows]]) -> list[Rows]:
    """The rows that all lead to, for each combination of their ways."""
    found = list(sets[0])
    for other in sets[1:]:
        found = [tuple(row for row in one if row in two) for one in found for two in other]
    return distinct(found)
