"""The service Airfield as a starlette app: airports, distances, an overview by country, and watch-lists."""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.sandbox.airfield import errors
from docrev.sandbox.airfield.watchlists import Watchlists
from docrev.sandbox.geometry import PlaceIndex, bearing, distance_km
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

SORTS = ("iata", "-iata", "name", "-name", "elevation_ft", "-elevation_ft")
UNITS = {"km": 1.0, "mi": 0.621371192, "nmi": 0.539956803}
LIMIT = Param("limit", "integer", default=20, minimum=1, maximum=100, clamps=True)
AIRPORTS = (
    Param("country"),
    Param("city"),
    Param("timezone"),
    Param("sort", default="iata", choices=SORTS),
    LIMIT,
    Param("cursor"),
)
SEARCH = (
    Param("q", required=True, length=(2, 80)),
    Param("limit", "integer", default=10, minimum=1, maximum=50, clamps=True),
)
NEARBY = (
    Param("radius_km", "integer", default=250, minimum=1, maximum=1000, clamps=True),
    Param("limit", "integer", default=10, minimum=1, maximum=50, clamps=True),
)
DISTANCE = (
    Param("from", required=True),
    Param("to", required=True),
    Param("unit", default="km", choices=tuple(UNITS)),
)


class Airfield:
    """The handlers over the table of airports."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        rows = load("airfield", "airports")
        self.airports = {row["iata"]: row for row in rows}
        self.places = PlaceIndex({row["iata"]: _point(row) for row in rows})
        self.orders = {sort: ordered(rows, sort) for sort in SORTS}
        self.full = {key: encode(row) for key, row in self.airports.items()}
        self.brief = {key: pick(row, "iata", "name", "city", "country") for key, row in self.airports.items()}
        self.summary = {key: encode(_summary(row)) for key, row in self.airports.items()}

    async def status(self, request: Request) -> Response:
        now = datetime.now(UTC)
        state = {
            "status": "ok",
            "time": now.isoformat(timespec="milliseconds"),
            "request_count": request.app.state.counted.requests,
            "airport_count": len(self.airports),
        }
        return answer(encode(state), headers={"cache-control": "no-store"})

    async def list_airports(self, request: Request) -> Response:
        values = read_query(request, AIRPORTS)
        start = _offset(values["cursor"])
        filters = [(name, values[name]) for name in ("country", "city", "timezone") if values[name]]
        chosen = [
            row["iata"] for row in self.orders[values["sort"]] if all(row[name] == value for name, value in filters)
        ]
        end = start + values["limit"]
        after = encode(_cursor(end) if end < len(chosen) else None)
        items = array(self.brief[iata] for iata in chosen[start:end])
        return answer(b'{"items":%b,"next":%b}' % (items, after), headers={"x-total-count": str(len(chosen))})

    async def search_airports(self, request: Request) -> Response:
        values = read_query(request, SEARCH)
        text = fold(values["q"])
        found = [key for key, row in self.airports.items() if any(text in fold(row[name]) for name in ("name", "city"))]
        return answer(b'{"results":%b}' % array(self.brief[iata] for iata in found[: values["limit"]]))

    async def get_airport(self, request: Request) -> Response:
        return answer(self.full[self._airport(request)["iata"]])

    async def get_summary(self, request: Request) -> Response:
        return answer(self.summary[self._airport(request)["iata"]])

    async def list_nearby(self, request: Request) -> Response:
        here = self._airport(request)
        values = read_query(request, NEARBY)
        found = self.places.nearest(_point(here), values["limit"] + 1)
        items = [
            {"iata": iata, "name": self.airports[iata]["name"], "distance_km": round(away, 1)}
            for away, iata in found
            if away <= values["radius_km"] and iata != here["iata"]
        ]
        items = items[: values["limit"]]
        return answer(encode({"items": items, "radius_km": values["radius_km"]}))

    async def get_weather(self, request: Request) -> Response:
        # The supplier of the weather is gone, and nobody has noticed.
        return Response("<h1>Server Error (500)</h1>", 500, media_type="text/html")

    async def get_distance(self, request: Request) -> Response:
        values = read_query(request, DISTANCE)
        unknown = [param for param in DISTANCE[:2] if values[param.name] not in self.airports]
        if unknown:
            raise InvalidRequest([ParameterFault("query", param.name, "unknown", param) for param in unknown])
        start, end = (self.airports[values[name]] for name in ("from", "to"))
        away = {
            "from": start["iata"],
            "to": end["iata"],
            "distance": round(_between(start, end) * UNITS[values["unit"]], 1),
            "unit": values["unit"],
            "initial_bearing": round(bearing(_point(start), _point(end)), 1),
        }
        return answer(encode(away))

    async def get_overview(self, request: Request) -> Response:
        rows = [row for row in self.airports.values() if row["country"] == request.path_params["country"]]
        if not rows:
            raise NotFound
        return answer(encode(overview(rows)))

    def _airport(self, request: Request) -> Row:
        iata = request.path_params["iata"]
        if iata not in self.airports:
            raise NotFound
        return self.airports[iata]


def overview(rows: list[Row]) -> Row:
    """What is said of the airports of one country."""
    return {
        "country": rows[0]["country"],
        "airport_count": len(rows),
        "highest_airport": max(rows, key=lambda row: row["elevation_ft"])["iata"],
        "northernmost_airport": max(rows, key=lambda row: row["latitude"])["iata"],
        "timezones": sorted({row["timezone"] for row in rows}),
    }


def _summary(row: Row) -> Row:
    return {"iata": row["iata"], "name": row["name"], "city": row["city"], "label": f"{row['city']} ({row['iata']})"}


def _point(row: Row) -> tuple[float, float]:
    return row["latitude"], row["longitude"]


def _between(start: Row, end: Row) -> float:
    return distance_km(_point(start), _point(end))


def _cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(b"o=%d" % offset).decode().rstrip("=")


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        name, _, offset = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).partition(b"=")
        if name != b"o" or not offset.isdigit():
            raise ValueError
        return int(offset)
    except ValueError:
        raise InvalidRequest([ParameterFault("query", "cursor", "choice", AIRPORTS[-1])]) from None


def app() -> Counted:
    """A fresh service: no watch-lists, no requests counted."""
    airfield, watchlists = Airfield(), Watchlists()
    routes = [
        Route("/status", airfield.status),
        Route("/airports", airfield.list_airports),
        Route("/airports/search", airfield.search_airports),
        Route("/airports/{iata}", airfield.get_airport),
        Route("/airports/{iata}/summary", airfield.get_summary),
        Route("/airports/{iata}/nearby", airfield.list_nearby),
        Route("/airports/{iata}/weather", airfield.get_weather),
        Route("/distance", airfield.get_distance),
        Route("/countries/{country}/overview", airfield.get_overview),
        *watchlists.routes(),
    ]
    return counted_app(routes, errors)
