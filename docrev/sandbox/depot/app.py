"""The service Depot as a starlette app: what can be read of products, customers, orders, shipments and sales."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.records import Json
from docrev.sandbox.depot import errors
from docrev.sandbox.depot.records import STATUSES, Records, in_time, shown_order, shown_product
from docrev.sandbox.depot.writes import Writes
from docrev.sandbox.tables import Row, fold, ordered
from docrev.sandbox.web import (
    Counted,
    InvalidRequest,
    NotFound,
    Param,
    ParameterFault,
    answer,
    counted_app,
    encode,
    read_query,
)

PRODUCT_SORTS = ("sku", "name", "price", "-price", "weight", "-weight")
LIMIT = Param("limit", "integer", default=25, minimum=1, maximum=50, clamps=True)
PRODUCTS = (
    Param("category"),
    Param("q", length=(2, 80)),
    Param("tags"),
    Param("min_price", "integer", minimum=0),
    Param("max_price", "integer", minimum=0),
    Param("min_weight", "integer", minimum=0),
    Param("active", default="true", choices=("true", "false")),
    Param("sort", default="sku"),
    LIMIT,
    Param("offset", "integer", default=0, minimum=0),
)
CUSTOMERS = (
    Param("country"),
    Param("group"),
    Param("q", length=(2, 80)),
    Param("since", "date"),
    Param("page", "integer", default=1, minimum=1),
    Param("per_page", "integer", default=20, minimum=1, maximum=30, clamps=True),
)
ORDERS = (
    Param("customer_id", "integer"),
    Param("status", default="open"),
    Param("number", "integer"),
    Param("priority", "integer", minimum=1, maximum=4),
    Param("from", "date"),
    Param("to", "date"),
    Param("min_total", "integer", minimum=0),
    LIMIT,
    Param("after", "integer"),
)
SHIPMENTS = (
    Param("hub"),
    Param("carrier"),
    Param("date", "date"),
    Param("limit", "integer", default=50, minimum=1, maximum=50, clamps=True),
    Param("offset", "integer", default=0, minimum=0),
)
SALES = (Param("from", "date", required=True), Param("to", "date", required=True))


class Depot:
    """The handlers that read."""

    def __init__(self, records: Records) -> None:
        self.records = records

    async def list_products(self, request: Request) -> Response:
        values = read_query(request, PRODUCTS)
        found = [row for row in self.records.products.values() if _is_chosen(row, values)]
        # A sort that nobody knows is passed over, as is a status below: old shops send such.
        sort = values["sort"] if values["sort"] in PRODUCT_SORTS else "sku"
        rows = ordered(found, sort)[values["offset"] :][: values["limit"]]
        return answer(encode({"items": _brief(rows, "sku", "name", "price"), "count": len(rows)}))

    async def get_product(self, request: Request) -> Response:
        return answer(encode(shown_product(self._product(request))))

    async def get_stock(self, request: Request) -> Response:
        row = self._product(request)
        return answer(encode({"sku": row["sku"], "units": row["on_hand"]}))

    async def get_availability(self, request: Request) -> Response:
        row = self._product(request)
        free = row["on_hand"] - row["reserved"]
        held = {"sku": row["sku"], "on_hand": row["on_hand"], "reserved": row["reserved"], "available": free}
        return answer(encode(held))

    async def list_customers(self, request: Request) -> Response:
        values = read_query(request, CUSTOMERS)
        text, size = fold(values["q"] or ""), values["per_page"]
        found = [
            row
            for row in self.records.customers.values()
            if _is(row, values, "country", "group")
            and text in fold(row["name"])
            and (row["since"] or "") >= (values["since"] or "")
        ]
        rows = found[(values["page"] - 1) * size :][:size]
        shown = _brief(rows, "id", "name", "country")
        return answer(encode({"data": shown, "page": values["page"], "pages": -(-len(found) // size)}))

    async def get_customer(self, request: Request) -> Response:
        row = self._customer(request)
        waiting = [order for order in self.records.of_customer(row["id"]) if order["status"] == "open"]
        return answer(encode({**row, "open_orders": len(waiting)}))

    async def list_customer_orders(self, request: Request) -> Response:
        rows = self.records.of_customer(self._customer(request)["id"])
        return answer(encode({"orders": _brief(rows, "id", "number")}))

    async def list_orders(self, request: Request) -> Response:
        values = read_query(request, ORDERS)
        wanted = values["status"] if values["status"] in (*STATUSES, "all") else "open"
        found = in_time(
            row
            for row in self.records.orders.values()
            if wanted in ("all", row["status"])
            and _is(row, values, "customer_id", "number", "priority")
            and row["total"] >= (values["min_total"] or 0)
            and (values["from"] or "") <= row["placed_at"] < (values["to"] or "~")
        )
        start = next((at for at, row in enumerate(found, 1) if row["id"] == values["after"]), 0)
        rows = found[start:][: values["limit"]]
        left = len(found) > start + len(rows)
        return answer(encode({"orders": _brief(rows, "id", "placed_at", "total"), "has_more": left}))

    async def get_order(self, request: Request) -> Response:
        return answer(encode(shown_order(self._order(request))))

    async def list_lines(self, request: Request) -> Response:
        return answer(encode({"lines": self._order(request)["lines"]}))

    async def list_hubs(self, request: Request) -> Response:
        return answer(encode({"hubs": list(self.records.hubs)}))

    async def list_shipments(self, request: Request) -> Response:
        values = read_query(request, SHIPMENTS)
        day = values["date"] or ""
        found = [
            row
            for row in self.records.shipments.values()
            if _is(row, values, "hub", "carrier") and row["sent_at"].startswith(day)
        ]
        rows = found[values["offset"] :][: values["limit"]]
        return answer(encode({"shipments": _brief(rows, "id", "order_id"), "count": len(rows)}))

    async def get_shipment(self, request: Request) -> Response:
        row = self.records.shipments.get(request.path_params["id"])
        if row is None:
            raise NotFound("shipment")
        return answer(encode(row))

    async def report_sales(self, request: Request) -> Response:
        values = read_query(request, SALES)
        # Both days belong to the report, unlike those of the list of orders.
        rows = [row for row in self.records.orders.values() if values["from"] <= row["placed_at"][:10] <= values["to"]]
        report = {
            "from": values["from"],
            "to": values["to"],
            "orders": len(rows),
            "revenue": sum(row["total"] for row in rows),
        }
        return answer(encode(report))

    def _product(self, request: Request) -> Row:
        row = self.records.products.get(request.path_params["sku"])
        if row is None:
            raise NotFound("product")
        return row

    def _customer(self, request: Request) -> Row:
        return _numbered(request, self.records.customers, "customer")

    def _order(self, request: Request) -> Row:
        return _numbered(request, self.records.orders, "order")


def _numbered(request: Request, rows: dict[int, Row], noun: str) -> Row:
    try:
        key = int(request.path_params["id"])
    except ValueError:
        raise InvalidRequest([ParameterFault("path", "id", "type", Param("id", "integer"))]) from None
    if key not in rows:
        raise NotFound(noun)
    return rows[key]


def _is_chosen(row: Row, values: dict[str, Json]) -> bool:
    wanted = [tag for tag in (values["tags"] or "").split(",") if tag]
    return (
        _is(row, values, "category")
        and row["active"] == (values["active"] == "true")
        and fold(row["name"]).startswith(fold(values["q"] or ""))
        and all(tag in row["tags"] for tag in wanted)
        and _is_affordable(row, values)
        and row["weight"] >= (values["min_weight"] or 0)
    )


def _is_affordable(row: Row, values: dict[str, Json]) -> bool:
    if values["max_price"] is not None and row["price"] > values["max_price"]:
        return False
    return bool(row["price"] >= (values["min_price"] or 0))


def _is(row: Row, values: dict[str, Json], *names: str) -> bool:
    return all(values[name] in (None, row[name]) for name in names)


def _brief(rows: Iterable[Row], *names: str) -> Sequence[Row]:
    return [{name: row[name] for name in names} for row in rows]


def app() -> Counted:
    """A fresh service: the records as they were loaded."""
    records = Records()
    depot, writes = Depot(records), Writes(records)
    routes = [
        Route("/products", depot.list_products),
        Route("/products/{sku}", depot.get_product),
        Route("/products/{sku}/stock", depot.get_stock),
        Route("/products/{sku}/availability", depot.get_availability),
        Route("/customers", depot.list_customers),
        Route("/customers/{id}", depot.get_customer),
        Route("/customers/{id}/orders", depot.list_customer_orders),
        Route("/orders", depot.list_orders),
        Route("/orders/{id}", depot.get_order),
        Route("/orders/{id}/lines", depot.list_lines),
        Route("/hubs", depot.list_hubs),
        Route("/shipments", depot.list_shipments),
        Route("/shipments/{id}", depot.get_shipment),
        Route("/reports/sales", depot.report_sales),
        *writes.routes(),
    ]
    return counted_app(routes, errors)
