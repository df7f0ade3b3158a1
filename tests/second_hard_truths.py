"""The truths of the hard suite's second half, told from the records alone, and the calls by which the text misleads."""

from __future__ import annotations

from collections.abc import Callable

from hard_truths import (
    CUSTOMERS,
    OPEN,
    ORDERS,
    PRICES,
    SHIPMENTS,
    SOLD,
    Misled,
    daylight_in,
    left_on,
    lines_of,
    listing,
    number_of,
    of_one,
    orders_of,
    over,
    placed,
    skus,
    sold,
    tagged,
    wrote,
)
from suite_truths import (
    AIRPORTS,
    CITIES,
    COUNTRIES,
    NAUTICAL_MILE,
    about,
    away,
    by,
    city,
    country,
    near,
    one,
    point,
    where,
)

from docrev.records import Json
from docrev.sandbox.geometry import distance_km
from docrev.sandbox.tables import load

MILLION = 1_000_000
HUBS = load("depot", "hubs")
BY_TIME = by(OPEN, "placed_at")


def pieces(order: int, sku: str) -> int:
    return sum(quantity for name, quantity in lines_of(order) if name == sku)


def millions(code: str) -> int:
    return len(over(where(CITIES, country_code=code), "population", MILLION))


def busiest_hub() -> Json:
    sent = {hub["name"]: len(where(SHIPMENTS, hub=hub["code"])) for hub in HUBS}
    return {"list": list(max(sent.items(), key=lambda item: item[1]))}


def kept_on(day: str) -> Json:
    return about(sum(row["total"] for row in placed(day, day) if row["status"] != "cancelled") / 100, 0.001)


def first_out(hub: str, day: str) -> str:
    rows = [row for row in where(SHIPMENTS, hub=hub) if row["sent_local"].startswith(day)]
    return str(by(rows, "sent_at")[0]["id"])


def order_of_shipment(key: str) -> Json:
    return one(ORDERS, id=one(SHIPMENTS, id=key)["order_id"])


def most_waited_for(code: str) -> str:
    def waiting(row: Json) -> int:
        return len(where(OPEN, customer_id=row["id"]))

    return str(max(where(CUSTOMERS, country=code), key=waiting)["name"])


def neighbours(name: str) -> list[Json]:
    return [row for row in COUNTRIES if row["code"] in country(name)["neighbours"]]


TRUTHS: dict[str, Callable[[], Json]] = {
    "position-in-euros": lambda: about(PRICES["BE-1001"] * pieces(2092, "BE-1001") / 100, 0.001),
    "cheap-belts": lambda: skus([row for row in sold("belts") if row["price"] <= 800]),
    "more-millions": lambda: {"list": ["South Africa", millions("ZA") - millions("CI")]},
    "one-day-net": lambda: kept_on("2026-02-10"),
    "last-open-order": lambda: BY_TIME[-1]["id"],
    "first-of-the-day": lambda: first_out("OSA", "2025-10-26"),
    "spare-articles": lambda: len(tagged(SOLD, "spare")),
    "cities-around": lambda: sum(distance_km((52.0, 4.9), point(row)) <= 200 for row in CITIES),
    "shanghai-time": lambda: len(where(AIRPORTS, timezone="Asia/Shanghai")),
    "busiest-hub": busiest_hub,
    "large-countries": lambda: sum(row["area_km2"] > MILLION for row in COUNTRIES),
    "pieces-of-article": lambda: pieces(2085, "GE-1179"),
    "denver-november": lambda: left_on("2025-11-07", "DEN"),
    "quarter-of-one": lambda: len(placed("2025-10-01", "2025-12-31", orders_of("Doyle Maquinaria SA"))),
    "number-of-order": lambda: order_of_shipment("S0104")["number"],
    "next-to-keflavik": lambda: near("KEF", 1000)[0],
    "aarhus": lambda: city("Århus")["population"],
    "waiting-in-sweden": lambda: most_waited_for("SE"),
    "midsummer-hub": lambda: daylight_in("Tallinn", "2026-06-24"),
    "flown-to-customer": lambda: about(away("LIS", "FOR", NAUTICAL_MILE), 0.6),
    "where-it-went": lambda: one(CUSTOMERS, id=order_of_shipment("S0123")["customer_id"])["city"],
    "around-paraguay": lambda: sum(row["population"] for row in neighbours("Paraguay")),
    "oldest-servo": lambda: by([row for row in SOLD if row["name"].startswith("Servo motor")], "introduced")[0]["sku"],
}
"""By task. What is asked to be written is not here: it stands in the task's text."""

CANCEL = "depot POST /orders/{id}/cancel"
MISLED: dict[str, Misled] = {
    "position-in-euros": of_one(
        lambda body: one(body["lines"], sku="BE-1001")["amount"], "depot GET /orders/{id}/lines", "id", 2092
    ),
    "cheap-belts": listing(
        lambda body: [item["sku"] for item in body["items"]], "depot GET /products", category="belts", max_price=8
    ),
    "more-millions": Misled(
        [
            ("atlas GET /cities", {"query:country": code, "query:min_population": MILLION // 1000})
            for code in ("CI", "ZA")
        ],
        lambda bodies: ["Ivory Coast", bodies[0]["meta"]["total"] - bodies[1]["meta"]["total"]],
    ),
    "one-day-net": listing(
        lambda body: body["revenue"], "depot GET /reports/sales", from_="2026-02-10", to="2026-02-11"
    ),
    "last-open-order": listing(lambda body: body["orders"][-1]["id"], "depot GET /orders", status="open"),
    "first-of-the-day": listing(
        lambda body: body["shipments"][0]["id"], "depot GET /shipments", hub="OSA", date="2025-10-26"
    ),
    "order-cheapest": wrote(
        ("depot GET /products", {"query:category": "couplings", "query:sort": "price_asc", "query:limit": 1}),
        ("depot POST /orders", {"body:": {"customer_id": 1040, "lines": [{"sku": "CO-1113", "quantity": 2}]}}),
    ),
    "spare-articles": listing(lambda body: body["count"], "depot GET /products", tags="spare"),
    "cities-around": listing(
        lambda body: sum(row["distance_km"] <= 200 for row in body["results"]),
        "atlas GET /cities/nearest",
        lat=52.0,
        lon=4.9,
    ),
    "shanghai-time": listing(lambda body: len(body["items"]), "airfield GET /airports", timezone="Asia/Shanghai"),
    "busiest-hub": listing(lambda body: ["Tallinn", body["count"]], "depot GET /shipments", hub="TLL", limit=200),
    "large-countries": listing(
        lambda body: sum(row["area_km2"] > MILLION for row in body["data"]), "atlas GET /countries", per_page=500
    ),
    "pieces-of-article": of_one(
        lambda body: sum(line["quantity"] for line in body["lines"] if line["sku"] == "GE-1179"),
        "depot GET /orders/{id}",
        "id",
        2085,
    ),
    "denver-november": listing(lambda body: body["count"], "depot GET /shipments", hub="Denver", date="2025-11-07"),
    "quarter-of-one": listing(
        lambda body: len(body["orders"]),
        "depot GET /orders",
        customer=number_of("Doyle Maquinaria SA"),
        from_="2025-10-01",
        to="2025-12-31",
    ),
    "cancel-all-of-one": wrote(
        ("depot GET /orders", {"query:customer": number_of("Okafor Indústria SA"), "query:status": "open"}),
        *((CANCEL, {"path:id": row["id"]}) for row in BY_TIME[:25]),
    ),
    "number-of-order": of_one(lambda body: body["order_id"], "depot GET /shipments/{id}", "id", "S0104"),
    "cancel-by-number": wrote((CANCEL, {"path:id": 2191})),
    "as-many-as-there-are": Misled(
        [("depot POST /orders", {"body:": {"customer_id": 1072, "lines": [{"sku": "MO-1208", "quantity": 40}]}})],
        lambda bodies: 40,
    ),
    "second-note": wrote(
        ("depot PATCH /orders/{id}", {"path:id": 2318, "body:": {"note": "Ring before delivery."}}),
        ("depot PATCH /orders/{id}", {"path:id": 2318, "body:": {"note": "Gate 4."}}),
    ),
    "review-later": wrote(
        (
            "airfield POST /watchlists",
            {"body:": {"name": "Island fields", "visibility": "shared", "review_on": "2026-05-04"}},
        ),
        (
            "airfield PUT /watchlists/{watchlist_id}",
            {"path:watchlist_id": "wl_0001", "body:": {"name": "Island fields", "review_on": "2026-06-01"}},
        ),
    ),
    "express-from-now": wrote(
        (
            "depot PUT /customers/{id}",
            {
                "path:id": 1066,
                "body:": {
                    "name": "Takeda Seiki KK",
                    "city": "Nagoya",
                    "country": "JP",
                    "type": "trade",
                    "delivery": "express",
                },
            },
        )
    ),
}
"""By task of the group `silent`."""
