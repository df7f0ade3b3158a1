"""The hard suite's truths, told from the records alone, and where each silent task misleads who does as documented."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from suite_truths import (
    AIRPORTS,
    CITIES,
    COUNTRIES,
    about,
    away,
    by,
    city,
    daylight,
    densities,
    near,
    one,
    where,
)

from docrev.records import Json
from docrev.sandbox.tables import Row, fold, load

PRODUCTS, CUSTOMERS, SHIPMENTS = load("depot", "products"), load("depot", "customers"), load("depot", "shipments")
PRICES = {row["sku"]: row["price"] for row in PRODUCTS}
ORDERS = tuple(
    {**row, "total": sum(PRICES[sku] * quantity for sku, quantity in row["lines"])} for row in load("depot", "orders")
)
SOLD = where(PRODUCTS, active=True)
OPEN = where(ORDERS, status="open")


def sold(category: str) -> list[Row]:
    return where(SOLD, category=category)


def over(rows: Sequence[Row], name: str, least: float) -> list[Row]:
    return [row for row in rows if row[name] >= least]


def tagged(rows: Sequence[Row], *tags: str) -> list[Row]:
    return [row for row in rows if set(tags) & set(row["tags"])]


def named(rows: Sequence[Row], text: str) -> list[Row]:
    return [row for row in rows if text in fold(row["name"])]


def placed(first: str, last: str, rows: Sequence[Row] = ORDERS) -> list[Row]:
    return [row for row in rows if first <= row["placed_at"][:10] <= last]


def orders_of(name: str) -> list[Row]:
    rows = where(ORDERS, customer_id=one(CUSTOMERS, name=name)["id"])
    return sorted(rows, key=lambda row: row["placed_at"])


def skus(rows: Sequence[Row]) -> Json:
    return {"set": sorted(row["sku"] for row in rows)}


def left_on(day: str, hub: str) -> int:
    return sum(row["sent_local"].startswith(day) for row in where(SHIPMENTS, hub=hub))


def free(sku: str) -> int:
    row = one(PRODUCTS, sku=sku)
    return int(row["on_hand"] - row["reserved"])


def lines_of(key: int) -> list[list[Json]]:
    return list(one(ORDERS, id=key)["lines"])


def customer_of_number(number: int) -> str:
    return str(one(CUSTOMERS, id=one(ORDERS, number=number)["customer_id"])["name"])


def time_zone_of(customer: str) -> str:
    return str(city(one(CUSTOMERS, name=customer)["city"])["timezone"])


def population_of(customer: str) -> int:
    return int(city(one(CUSTOMERS, name=customer)["city"])["population"])


def daylight_in(name: str, day: str) -> Json:
    return daylight(name, date.fromisoformat(day))


TRUTHS: dict[str, Callable[[], Json]] = {
    # Depot: units
    "dear-bearings": lambda: len(over(sold("bearings"), "price", 3000)),
    "dear-gears": lambda: skus(over(sold("gears"), "price", 7000)),
    "heavy-motors": lambda: len(over(sold("motors"), "weight", 7000)),
    "big-open-orders": lambda: len(over(OPEN, "total", 100_000)),
    "cancelled-big": lambda: len(over(where(ORDERS, status="cancelled"), "total", 150_000)),
    "week-revenue": lambda: about(sum(row["total"] for row in placed("2026-02-02", "2026-02-08")) / 100, 0.01),
    # Depot: order
    "cheapest-chain": lambda: by(sold("chains"), "price")[0]["sku"],
    "dearest-sensor": lambda: by(sold("sensors"), "price", last=True)[0]["name"],
    "heaviest-motor": lambda: by(sold("motors"), "weight", last=True)[0]["sku"],
    "latest-order": lambda: orders_of("Moreau Antriebe GmbH")[-1]["number"],
    "first-order": lambda: orders_of("Jansen Conveyors LLC")[0]["number"],
    # Depot: what a filter finds
    "motor-names": lambda: len(named(SOLD, "motor")),
    "rings": lambda: len(named(sold("seals"), "ring")),
    "tensioners": lambda: len(named(SOLD, "tensioner")),
    "either-tag": lambda: len(tagged(sold("bearings"), "quiet", "stainless")),
    "either-tag-gears": lambda: skus(tagged(sold("gears"), "atex", "food-grade")),
    "urgent-open": lambda: len(where(OPEN, priority=1)),
    "low-open": lambda: {"set": sorted(row["id"] for row in where(OPEN, priority=4))},
    "on-the-way": lambda: len(where(ORDERS, status="shipped")),
    "delivered": lambda: len(where(ORDERS, status="delivered")),
    "customer-open": lambda: len(where(orders_of("Berger Drives Ltd"), status="open")),
    "customer-cancelled": lambda: len(where(orders_of("Grant Engineering Ltd"), status="cancelled")),
    "german-customers": lambda: len(where(CUSTOMERS, country="DE")),
    "trade-customers": lambda: len(where(CUSTOMERS, group="trade")),
    "since-2020": lambda: len([row for row in CUSTOMERS if row["since"] >= "2020"]),
    # Depot: what is left out
    "sensors-on-file": lambda: len(where(PRODUCTS, category="sensors")),
    "gears-on-file": lambda: len(where(PRODUCTS, category="gears")),
    "range-size": lambda: len(SOLD),
    "january-orders": lambda: len(placed("2026-01-01", "2026-01-31")),
    "last-days-open": lambda: len(placed("2026-03-21", "2026-03-25", OPEN)),
    "cancelled-november": lambda: len(placed("2025-11-22", "2025-11-26", where(ORDERS, status="cancelled"))),
    "december-kept": lambda: len([row for row in placed("2025-12-01", "2025-12-31") if row["status"] != "cancelled"]),
    "pieces-of-order": lambda: sum(quantity for _, quantity in lines_of(2005)),
    "articles-of-order": lambda: len(lines_of(2003)),
    "velox": lambda: len(where(SHIPMENTS, carrier="Velox")),
    # Depot: look-alikes and ids
    "can-be-sold": lambda: free("BE-1042"),
    "can-be-sold-gear": lambda: free("GE-1144"),
    "set-aside": lambda: one(PRODUCTS, sku="SE-1261")["reserved"],
    "who-placed": lambda: customer_of_number(2150),
    "status-of-number": lambda: one(ORDERS, number=2205)["status"],
    "city-of-ref": lambda: one(CUSTOMERS, ref=1014)["city"],
    # Depot: time zones
    "osaka-day": lambda: left_on("2025-10-15", "OSA"),
    "denver-day": lambda: left_on("2026-03-27", "DEN"),
    "tallinn-day": lambda: left_on("2025-10-16", "TLL"),
    # Depot with the others
    "customer-zone": lambda: time_zone_of("Jansen Conveyors LLC"),
    "customer-city": lambda: population_of("Hansen Engineering Ltd"),
    # Atlas and Airfield
    "four-hundred-thousand": lambda: len(over(CITIES, "population", 400_000)),
    "five-million-china": lambda: len(over(where(CITIES, country_code="CN"), "population", 5_000_000)),
    "emptiest": lambda: densities("South America")[-1][1],
    "within-miles-fra": lambda: len(near("FRA", 250 / 0.621371192)),
    "within-kilometres-mad": lambda: len(near("MAD", 500)),
    "airports-of-vietnam": lambda: len(where(AIRPORTS, country="VN")),
    "pound": lambda: len(where(COUNTRIES, currency_code="GBP")),
    "lima-daylight": lambda: daylight_in("Lima", "2026-12-24"),
    "sao-paulo": lambda: {"set": sorted(row["iata"] for row in where(AIRPORTS, city="São Paulo"))},
    "apart": lambda: about(away("HAM", "MUC"), 0.6),
    "place-35": lambda: by(AIRPORTS, "name")[34]["iata"],
}
"""By task. What is asked to be written is not here: it stands in the task's text."""


class Misled(NamedTuple):
    """What the original text has a reader do, each call answered 2xx, and what the responses then seem to say.

    `read` is None where something is written: what is there afterwards is not what was asked for.
    """

    calls: Sequence[tuple[str, Mapping[str, Json]]]
    read: Callable[[Sequence[Any]], Json] | None = None


def listing(count: Callable[[Any], Json], operation: str, **query: Json) -> Misled:
    calls = [(operation, {f"query:{name.rstrip('_')}": value for name, value in query.items()})]
    return Misled(calls, lambda bodies: count(bodies[0]))


def products(read: Callable[[Any], Json] = lambda body: body["count"], **query: Json) -> Misled:
    return listing(read, "depot GET /products", limit=500, **query)


def orders(read: Callable[[Any], Json] = lambda body: len(body["orders"]), **query: Json) -> Misled:
    return listing(read, "depot GET /orders", limit=50, **query)


def of_one(read: Callable[[Any], Json], operation: str, name: str, value: Json, **query: Json) -> Misled:
    arguments = {f"path:{name}": value} | {f"query:{key}": one for key, one in query.items()}
    return Misled([(operation, arguments)], lambda bodies: read(bodies[0]))


def wrote(*calls: tuple[str, Mapping[str, Json]]) -> Misled:
    return Misled(calls)


def first(name: str) -> Callable[[Any], Json]:
    return lambda body: body["items"][0][name]


def all_skus(body: Any) -> Json:
    return [item["sku"] for item in body["items"]]


def number_of(name: str) -> int:
    return int(one(CUSTOMERS, name=name)["id"])


LIST_ORDERS = "depot GET /customers/{id}/orders"
MISLED: dict[str, Misled] = {
    "dear-bearings": products(category="bearings", min_price=30),
    "dear-gears": products(all_skus, category="gears", min_price=70),
    "heavy-motors": products(category="motors", min_weight=7),
    "big-open-orders": orders(status="open", min_total=1000),
    "cancelled-big": orders(status="cancelled", min_total=1500),
    "week-revenue": listing(
        lambda body: body["revenue"], "depot GET /reports/sales", from_="2026-02-02", to="2026-02-09"
    ),
    "cheapest-chain": products(first("sku"), category="chains", sort="price_asc"),
    "dearest-sensor": products(first("name"), category="sensors", sort="price_desc"),
    "heaviest-motor": products(first("sku"), category="motors", sort="weight_desc"),
    "latest-order": of_one(
        lambda body: body["orders"][0]["number"], LIST_ORDERS, "id", number_of("Moreau Antriebe GmbH")
    ),
    "first-order": of_one(
        lambda body: body["orders"][-1]["number"], LIST_ORDERS, "id", number_of("Jansen Conveyors LLC")
    ),
    "motor-names": products(q="motor"),
    "rings": products(category="seals", q="ring"),
    "either-tag": products(category="bearings", tags="quiet,stainless"),
    "either-tag-gears": products(all_skus, category="gears", tags="atex,food-grade"),
    "urgent-open": orders(status="open", priority=4),
    "low-open": orders(lambda body: [row["id"] for row in body["orders"]], status="open", priority=1),
    "on-the-way": orders(status="sent"),
    "delivered": orders(status="done"),
    "customer-open": orders(customer=number_of("Berger Drives Ltd"), status="open"),
    "customer-cancelled": orders(customer=number_of("Grant Engineering Ltd"), status="cancelled"),
    "sensors-on-file": products(category="sensors"),
    "gears-on-file": products(category="gears"),
    "range-size": products(),
    "january-orders": orders(from_="2026-01-01", to="2026-01-31"),
    "last-days-open": orders(status="open", from_="2026-03-21", to="2026-03-25"),
    "cancelled-november": orders(status="cancelled", from_="2025-11-22", to="2025-11-26"),
    "december-kept": listing(
        lambda body: body["orders"], "depot GET /reports/sales", from_="2025-12-01", to="2026-01-01"
    ),
    "pieces-of-order": of_one(
        lambda body: sum(line["quantity"] for line in body["lines"]), "depot GET /orders/{id}", "id", 2005
    ),
    "articles-of-order": of_one(lambda body: len(body["lines"]), "depot GET /orders/{id}", "id", 2003),
    "velox": listing(lambda body: body["count"], "depot GET /shipments", carrier="Velox", limit=200),
    "can-be-sold": of_one(lambda body: body["units"], "depot GET /products/{sku}/stock", "sku", "BE-1042"),
    "can-be-sold-gear": of_one(lambda body: body["units"], "depot GET /products/{sku}/stock", "sku", "GE-1144"),
    "status-of-number": of_one(lambda body: body["status"], "depot GET /orders/{id}", "id", 2205),
    "city-of-ref": of_one(lambda body: body["city"], "depot GET /customers/{id}", "id", 1014),
    "osaka-day": listing(lambda body: body["count"], "depot GET /shipments", hub="OSA", date="2025-10-15"),
    "denver-day": listing(lambda body: body["count"], "depot GET /shipments", hub="DEN", date="2026-03-27"),
    "tallinn-day": listing(lambda body: body["count"], "depot GET /shipments", hub="TLL", date="2025-10-16"),
    "four-hundred-thousand": listing(lambda body: body["meta"]["total"], "atlas GET /cities", min_population=400),
    "five-million-china": listing(
        lambda body: body["meta"]["total"], "atlas GET /cities", country="CN", min_population=5000
    ),
    "emptiest": listing(lambda body: body["data"][-1]["name"], "atlas GET /reports/density", region="South America"),
    "within-miles-fra": of_one(
        lambda body: len(body["items"]), "airfield GET /airports/{iata}/nearby", "iata", "FRA", radius_km=250
    ),
    "within-kilometres-mad": of_one(
        lambda body: len(body["items"]), "airfield GET /airports/{iata}/nearby", "iata", "MAD", radius_km=311
    ),
    "add-tag": wrote(("depot PATCH /products/{sku}", {"path:sku": "BE-1036", "body:": {"tags": ["spare"]}})),
    "new-price": wrote(("depot PATCH /products/{sku}", {"path:sku": "BE-1004", "body:": {"price": 45}})),
    "new-product": wrote(
        (
            "depot POST /products",
            {"body:": {"name": "Chain guide 40", "category": "chains", "price": 12, "weight": 300}},
        )
    ),
    "moved": wrote(
        (
            "depot PUT /customers/{id}",
            {"path:id": 1023, "body:": {"name": "Jansen Industri AB", "city": "Malmö", "country": "SE"}},
        )
    ),
    "new-public": wrote(
        ("depot POST /customers", {"body:": {"name": "City of Ulm", "city": "Ulm", "country": "DE", "type": "public"}})
    ),
    "only-if-enough": wrote(
        ("depot POST /orders", {"body:": {"customer_id": 1052, "lines": [{"sku": "BE-1048", "quantity": 150}]}})
    ),
    "keep-cancelled": wrote(("depot DELETE /orders/{id}", {"path:id": 2294})),
    "make-urgent": wrote(("depot PATCH /orders/{id}", {"path:id": 2313, "body:": {"priority": 4}})),
    "urgent-order": wrote(
        (
            "depot POST /orders",
            {"body:": {"customer_id": 1027, "priority": 4, "lines": [{"sku": "CH-1099", "quantity": 3}]}},
        )
    ),
    "rename-list": wrote(
        ("airfield POST /watchlists", {"body:": {"name": "Alps", "visibility": "public", "review_on": "2026-05-01"}}),
        ("airfield PUT /watchlists/{watchlist_id}", {"path:watchlist_id": "wl_0001", "body:": {"name": "Dolomites"}}),
    ),
}
"""By task of the group `silent`."""
