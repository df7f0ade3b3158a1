"""The bundled services' records as tables with relations: what a question about them can be answered from.

Nothing here knows of paths or of HTTP: a table has a noun, rows in their usual order, selections by name and, for
what is computed, a rule that derives rows from those of another table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import NamedTuple

from docrev.json_values.scalars import same_scalar
from docrev.records import Json
from docrev.sandbox.geometry import bearing, daylight_hours, distance_km
from docrev.sandbox.tables import Row, fold, load, ordered

Arguments = Mapping[str, Json]
Select = Callable[[Row, Json], bool]
Derive = Callable[[Sequence[Row], Arguments], list[Row]]
KM = {"km": 1.0, "mi": 0.621371192, "nmi": 0.539956803}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one noun. `selects` are the arguments that choose rows; `page` is how many are told of at once.

    A derived table has no rows of its own: `derive` makes them from `count` rows of the table `parent`.
    """

    noun: str
    fields: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    selects: Mapping[str, Select] = field(default_factory=dict)
    page: int | None = None
    parent: str = ""
    count: int = 1
    derive: Derive | None = None


class Relation(NamedTuple):
    """Rows of `source` whose `field` is, or holds, the `key` of rows of `target`. `unique`: at most one such row."""

    source: str
    field: str
    target: str
    key: str
    unique: bool = True


RELATIONS = (
    Relation("airport", "country", "country", "code"),
    Relation("airport", "city", "city", "name"),
    Relation("city", "country_code", "country", "code"),
    Relation("country", "capital", "city", "name"),
    Relation("country", "currency_code", "currency", "code"),
    Relation("country", "languages", "language", "code", unique=False),
    Relation("country", "neighbours", "country", "code", unique=False),
    Relation("country", "region", "region", "name"),
    Relation("density", "code", "country", "code"),
    Relation("overview", "country", "country", "code"),
    Relation("overview", "highest_airport", "airport", "iata"),
    Relation("overview", "northernmost_airport", "airport", "iata"),
    Relation("note", "country_code", "country", "code"),
    Relation("item", "iata", "airport", "iata"),
    Relation("item", "watchlist_id", "watchlist", "id"),
)


@cache
def tables() -> Mapping[str, Table]:
    """All tables by noun."""
    return {table.noun: table for table in (*_atlas(), *_airfield(), _status())}


def _is(name: str) -> Select:
    return lambda row, value: same_scalar(row[name], value)


def _contains(*names: str) -> Select:
    return lambda row, value: any(fold(str(value)) in fold(row[name]) for name in names)


def _table(noun: str, rows: Sequence[Row], page: int | None = None, **selects: Select) -> Table:
    return Table(noun, tuple(rows[0]), tuple(rows), selects, page)


def _atlas() -> list[Table]:
    plain, cities = ordered(load("atlas", "countries"), "name"), load("atlas", "cities")
    density = {row["code"]: row["density"] for row in _densities(plain)}
    countries = [{**row, "density": density[row["code"]]} for row in plain]
    return [
        _table("country", countries, 20, region=_is("region"), currency=_is("currency_code"), q=_contains("name")),
        replace(
            _table("city", cities, 20, country=_is("country_code"), q=_contains("name"), min_population=_at_least),
            fields=(*cities[0], "distance_km"),
        ),
        _table("currency", load("atlas", "currencies")),
        _table("language", load("atlas", "languages")),
        _table("region", _regions(countries)),
        _table("density", _densities(load("atlas", "countries")), 10, region=_is("region")),
        Table("daylight", ("city_id", "city", "date", "daylight_hours"), parent="city", derive=_daylight),
    ]


def _airfield() -> list[Table]:
    rows = load("airfield", "airports")
    airports = [{**row, "label": f"{row['city']} ({row['iata']})"} for row in rows]
    near, away = ("iata", "name", "distance_km"), ("from", "to", "distance", "unit", "initial_bearing")
    is_ = {name: _is(name) for name in ("country", "city", "timezone")}
    return [
        _table("airport", airports, 20, q=_contains("name", "city"), **is_),
        _table("overview", _overviews(rows)),
        Table("nearby", near, page=10, parent="airport", derive=_nearby),
        Table("distance", away, parent="airport", count=2, derive=_distance),
    ]


def _status() -> Table:
    atlas = {"countries": len(load("atlas", "countries")), "cities": len(load("atlas", "cities"))}
    rows = [
        {"service": "atlas", "version": "1.4.0", **{f"records/{name}": count for name, count in atlas.items()}},
        {"status": "ok", "airport_count": len(load("airfield", "airports"))},
    ]
    return Table("status", tuple(name for row in rows for name in row), tuple(rows))


def _at_least(row: Row, value: Json) -> bool:
    return bool(row["population"] >= int(value))


def _regions(countries: Sequence[Row]) -> list[Row]:
    names = sorted({row["region"] for row in countries})
    held = [row["region"] for row in countries]
    return [{"slug": name.lower().replace(" ", "-"), "name": name, "country_count": held.count(name)} for name in names]


def _densities(countries: Sequence[Row]) -> Sequence[Row]:
    rows = [
        {
            "code": row["code"],
            "name": row["name"],
            "region": row["region"],
            "density": round(row["population"] / row["area_km2"], 2) if row["area_km2"] else 0.0,
        }
        for row in countries
    ]
    return ordered(rows, "-density")


def _overviews(airports: Sequence[Row]) -> list[Row]:
    held: dict[str, list[Row]] = {}
    for row in airports:
        held.setdefault(row["country"], []).append(row)
    return [
        {
            "country": code,
            "airport_count": len(rows),
            "highest_airport": ordered(rows, "-elevation_ft")[0]["iata"],
            "northernmost_airport": ordered(rows, "-latitude")[0]["iata"],
            "timezones": sorted({row["timezone"] for row in rows}),
        }
        for code, rows in sorted(held.items())
    ]


def _daylight(cities: Sequence[Row], arguments: Arguments) -> list[Row]:
    [city] = cities
    if "date" not in arguments:
        return []
    hours = daylight_hours(city["latitude"], date.fromisoformat(arguments["date"]))
    return [{"city_id": city["id"], "city": city["name"], "date": arguments["date"], "daylight_hours": round(hours, 2)}]


def _nearby(airports: Sequence[Row], arguments: Arguments) -> list[Row]:
    [here] = airports
    radius = min(int(arguments.get("radius_km", 250)), 1000)
    rows = [
        {"iata": row["iata"], "name": row["name"], "distance_km": _between(here, row)}
        for row in load("airfield", "airports")
        if row["iata"] != here["iata"]
    ]
    rows.sort(key=lambda row: (row["distance_km"], row["iata"]))
    return [{**row, "distance_km": round(row["distance_km"], 1)} for row in rows if row["distance_km"] <= radius]


def _distance(airports: Sequence[Row], arguments: Arguments) -> list[Row]:
    start, end = airports
    unit = arguments.get("unit", "km")
    return [
        {
            "from": start["iata"],
            "to": end["iata"],
            "distance": round(_between(start, end) * KM[unit], 1),
            "unit": unit,
            "initial_bearing": round(bearing(_point(start), _point(end)), 1),
        }
    ]


def _point(row: Row) -> tuple[float, float]:
    return row["latitude"], row["longitude"]


def _between(start: Row, end: Row) -> float:
    return distance_km(_point(start), _point(end))
