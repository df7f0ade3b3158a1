"""The service Atlas as a starlette app: countries, cities, currencies, languages, a report, and notes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.records import Json
from docrev.sandbox.atlas import KEY, errors
from docrev.sandbox.atlas.notes import Notes
from docrev.sandbox.geometry import PlaceIndex, daylight_hours
from docrev.sandbox.tables import Row, fold, load, ordered
from docrev.sandbox.web import (
    Counted,
    InvalidRequest,
    NotFound,
    Param,
    ParameterFault,
    answer,
    array,
    counted_app,
    encode,
    pick,
    read_query,
)

REGIONS = ("Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America")
COUNTRY_SORTS = ("name", "-name", "population", "-population", "area_km2", "-area_km2")
COUNTRY_FIELDS = ("code", "name", "region", "population", "area_km2")
CITY_FIELDS = ("id", "name", "country_code", "population")
CITY_SORTS = ("name", "-name", "population", "-population")
PAGE = (
    Param("page", "integer", default=1, minimum=1),
    Param("per_page", "integer", default=20, minimum=1, maximum=100, clamps=True),
)
COUNTRIES = (Param("region", choices=REGIONS), Param("currency"), Param("sort", default="name", choices=COUNTRY_SORTS))
SEARCH = (
    Param("q", required=True, length=(2, 80)),
    Param("limit", "integer", default=10, minimum=1, maximum=50, clamps=True),
)
CITIES = (
    Param("country", length=(2, 2)),
    Param("q", length=(2, 80)),
    Param("min_population", "integer", minimum=0),
    Param("sort", default="-population", choices=CITY_SORTS),
)
COUNTRY_CITIES = (Param("sort", default="-population", choices=CITY_SORTS),)
NEAREST = (
    Param("lat", "number", required=True, minimum=-90, maximum=90),
    Param("lon", "number", required=True, minimum=-180, maximum=180),
    Param("limit", "integer", default=5, minimum=1, maximum=20, clamps=True),
)
DAYLIGHT = (Param("date", "date", required=True),)
DENSITY = (Param("region", choices=REGIONS), Param("limit", "integer", default=10, minimum=1, maximum=50, clamps=True))


def slug(region: str) -> str:
    """A region as it stands in a path: "North America" → "north-america"."""
    return region.lower().replace(" ", "-")


class Atlas:
    """The handlers over the tables; every answer that does not depend on parameters is encoded once."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        countries, cities = load("atlas", "countries"), load("atlas", "cities")
        self.countries = {row["code"]: row for row in countries}
        self.cities = {row["id"]: row for row in cities}
        self.places = PlaceIndex({row["id"]: (row["latitude"], row["longitude"]) for row in cities})
        self.country_orders = {sort: ordered(countries, sort) for sort in COUNTRY_SORTS}
        self.city_orders = {sort: ordered(cities, sort) for sort in CITY_SORTS}
        self.country_full = {code: encode(row) for code, row in self.countries.items()}
        self.city_full = {key: encode(row) for key, row in self.cities.items()}
        self.country_brief = {code: pick(row, *COUNTRY_FIELDS) for code, row in self.countries.items()}
        self.country_names = {code: pick(row, "code", "name") for code, row in self.countries.items()}
        self.city_brief = {key: pick(row, *CITY_FIELDS) for key, row in self.cities.items()}
        self.currencies = _with_countries("currencies", lambda row: [row["currency_code"]])
        self.languages = _with_countries("languages", lambda row: row["languages"])
        self.density = [
            {"code": row["code"], "name": row["name"], "region": row["region"], "density": _density(row)}
            for row in countries
        ]
        self.density.sort(key=lambda row: -row["density"])

    async def status(self, request: Request) -> Response:
        now = datetime.now(UTC)
        state = {
            "service": "atlas",
            "version": "1.4.0",
            "server_time": now.isoformat(timespec="milliseconds"),
            "uptime_seconds": round(time.monotonic() - self.started, 3),
            "requests_served": request.app.state.counted.requests,
            "records": {"countries": len(self.countries), "cities": len(self.cities)},
        }
        return answer(encode(state), headers={"cache-control": "no-store"})

    async def list_regions(self, request: Request) -> Response:
        members = [row["region"] for row in self.countries.values()]
        items = [{"slug": slug(name), "name": name, "country_count": members.count(name)} for name in REGIONS]
        return answer(encode({"data": items}))

    async def list_region_countries(self, request: Request) -> Response:
        names = [name for name in REGIONS if slug(name) == request.path_params["region"]]
        if not names:
            raise NotFound("Region")
        rows = [row for row in self.country_orders["name"] if row["region"] == names[0]]
        items = array(self.country_names[row["code"]] for row in rows)
        return answer(b'{"region":%b,"data":%b}' % (encode(names[0]), items))

    async def list_countries(self, request: Request) -> Response:
        values = read_query(request, (*COUNTRIES, *PAGE))
        rows = self.country_orders[values["sort"]]
        region, currency = values["region"], values["currency"]
        chosen = [
            self.country_brief[row["code"]]
            for row in rows
            if (not region or row["region"] == region) and (not currency or row["currency_code"] == currency)
        ]
        return _page(chosen, values)

    async def search_countries(self, request: Request) -> Response:
        values = read_query(request, SEARCH)
        text = fold(values["q"])
        found = [row["code"] for row in self.country_orders["name"] if text in fold(row["name"])]
        items = array(self.country_names[code] for code in found[: values["limit"]])
        return answer(b'{"results":%b,"count":%d}' % (items, len(found)))

    async def get_country(self, request: Request) -> Response:
        return answer(self.country_full[self._country(request)])

    async def list_country_cities(self, request: Request) -> Response:
        code = self._country(request)
        values = read_query(request, (*COUNTRY_CITIES, *PAGE))
        rows = self.city_orders[values["sort"]]
        return _page([pick(row, "id", "name") for row in rows if row["country_code"] == code], values)

    async def list_cities(self, request: Request) -> Response:
        values = read_query(request, (*CITIES, *PAGE))
        country, least = values["country"], values["min_population"] or 0
        text = fold(values["q"] or "")
        chosen = [
            self.city_brief[row["id"]]
            for row in self.city_orders[values["sort"]]
            if (not country or row["country_code"] == country)
            and row["population"] >= least
            and text in fold(row["name"])
        ]
        return _page(chosen, values)

    async def list_nearest_cities(self, request: Request) -> Response:
        values = read_query(request, NEAREST)
        found = self.places.nearest((values["lat"], values["lon"]), values["limit"])
        items = [
            {key: self.cities[city][key] for key in ("id", "name", "country_code")} | {"distance_km": round(away, 1)}
            for away, city in found
        ]
        return answer(encode({"results": items}))

    async def get_city(self, request: Request) -> Response:
        return answer(self.city_full[self._city(request)["id"]])

    async def get_daylight(self, request: Request) -> Response:
        city = self._city(request)
        day = read_query(request, DAYLIGHT)["date"]
        try:
            hours = daylight_hours(city["latitude"], date.fromisoformat(day))
        except ValueError:
            raise InvalidRequest([ParameterFault("query", "date", "type", DAYLIGHT[0])]) from None
        found = {"city_id": city["id"], "city": city["name"], "date": day, "daylight_hours": round(hours, 2)}
        return answer(encode(found))

    async def get_currency(self, request: Request) -> Response:
        return answer(_entry(self.currencies, request.path_params["code"], "Currency"))

    async def get_language(self, request: Request) -> Response:
        return answer(_entry(self.languages, request.path_params["code"], "Language"))

    async def report_density(self, request: Request) -> Response:
        if request.headers.get("x-api-key") != KEY:
            raise HTTPException(401, "Invalid or missing API key")
        values = read_query(request, DENSITY)
        rows = [row for row in self.density if values["region"] in (None, row["region"])]
        return answer(encode({"data": rows[: values["limit"]]}))

    def _country(self, request: Request) -> str:
        code: str = request.path_params["code"]
        if code not in self.countries:
            raise NotFound("Country")
        return code

    def _city(self, request: Request) -> Row:
        try:
            key = int(request.path_params["id"])
        except ValueError:
            raise InvalidRequest([ParameterFault("path", "id", "type", Param("id", "integer"))]) from None
        if key not in self.cities:
            raise NotFound("City")
        return self.cities[key]


def _page(items: Sequence[bytes], values: dict[str, Json]) -> Response:
    page, size = values["page"], values["per_page"]
    start = (page - 1) * size
    shown = array(items[start : start + size])
    meta = b'{"page":%d,"per_page":%d,"total":%d}' % (page, size, len(items))
    return answer(b'{"data":%b,"meta":%b}' % (shown, meta))


def _density(row: Row) -> float:
    return round(row["population"] / row["area_km2"], 2) if row["area_km2"] else 0.0


def _entry(table: dict[str, bytes], code: str, noun: str) -> bytes:
    if code not in table:
        raise NotFound(noun)
    return table[code]


def _with_countries(table: str, codes: Callable[[Row], list[str]]) -> dict[str, bytes]:
    countries = load("atlas", "countries")
    return {
        row["code"]: encode(row | {"countries": [one["code"] for one in countries if row["code"] in codes(one)]})
        for row in load("atlas", table)
    }


def app() -> Counted:
    """A fresh service: no notes, no requests counted."""
    atlas, notes = Atlas(), Notes()
    routes = [
        Route("/status", atlas.status),
        Route("/regions", atlas.list_regions),
        Route("/regions/{region}/countries", atlas.list_region_countries),
        Route("/countries", atlas.list_countries),
        Route("/countries/search", atlas.search_countries),
        Route("/countries/{code}", atlas.get_country),
        Route("/countries/{code}/cities", atlas.list_country_cities),
        Route("/cities", atlas.list_cities),
        Route("/cities/nearest", atlas.list_nearest_cities),
        Route("/cities/{id}", atlas.get_city),
        Route("/cities/{id}/daylight", atlas.get_daylight),
        Route("/currencies/{code}", atlas.get_currency),
        Route("/languages/{code}", atlas.get_language),
        Route("/reports/density", atlas.report_density),
        *notes.routes(),
    ]
    return counted_app(routes, errors)
