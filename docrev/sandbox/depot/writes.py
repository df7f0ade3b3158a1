"""What can be written in Depot: products, customers and orders. It lives as long as the process."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docrev.records import Json
from docrev.sandbox.depot.records import Records
from docrev.sandbox.tables import Row
from docrev.sandbox.web import InvalidRequest, NotFound, Param, ParameterFault, answer, encode, read_body

CATEGORIES = ("bearings", "belts", "chains", "couplings", "gears", "motors", "seals", "sensors")
GROUPS = ("public", "retail", "trade")
PRODUCT = (
    Param("name", required=True, length=(1, 80)),
    Param("category", required=True, choices=CATEGORIES),
    Param("price", "integer", required=True, minimum=0),
    Param("weight", "integer", default=0, minimum=0),
)
CUSTOMER = (
    Param("name", required=True, length=(1, 200)),
    Param("city", nullable=True),
    Param("country", length=(2, 2), nullable=True),
    Param("group", default="retail", choices=GROUPS),
    Param("delivery", default="standard", choices=("standard", "express")),
    Param("since", "date", nullable=True),
)
ORDER = (Param("customer_id", "integer", required=True), Param("priority", "integer", default=3, minimum=1, maximum=4))
ORDER_CHANGE = (Param("priority", "integer", minimum=1, maximum=4), Param("note", length=(0, 500), nullable=True))
LONGEST_NAME = 30
TODAY = "2026-04-01T09:00:00Z"
"""When everything that is new was placed: the service's clock stands still, so that its answers are always the same."""


class Writes:
    """The handlers that write."""

    def __init__(self, records: Records) -> None:
        self.records = records

    def routes(self) -> list[Route]:
        """Creating, changing and removing products and customers; placing, changing and cancelling orders."""
        return [
            Route("/products", self.create_product, methods=["POST"]),
            Route("/products/{sku}", self.update_product, methods=["PATCH"]),
            Route("/products/{sku}", self.delete_product, methods=["DELETE"]),
            Route("/customers", self.create_customer, methods=["POST"]),
            Route("/customers/{id}", self.replace_customer, methods=["PUT"]),
            Route("/customers/{id}", self.delete_customer, methods=["DELETE"]),
            Route("/orders", self.place_order, methods=["POST"]),
            Route("/orders/{id}", self.update_order, methods=["PATCH"]),
            Route("/orders/{id}", self.delete_order, methods=["DELETE"]),
            Route("/orders/{id}/cancel", self.cancel_order, methods=["POST"]),
        ]

    async def create_product(self, request: Request) -> Response:
        fields = await read_body(request, PRODUCT)
        number = max(int(sku.rpartition("-")[2]) for sku in self.records.products) + 1
        sku = f"{fields['category'][:2].upper()}-{number}"
        new = {"on_hand": 0, "reserved": 0, "active": True, "tags": [], "introduced": TODAY[:10]}
        self.records.products[sku] = {"sku": sku, **fields, **new}
        return answer(encode({"sku": sku}), 201, {"location": f"/products/{sku}"})

    async def update_product(self, request: Request) -> Response:
        row = self._of(request, "sku", self.records.products, "product")
        fields = await read_body(request, PRODUCT, partial=True)
        row.update(fields | await _special(request))
        return answer(encode({"sku": row["sku"], "updated": True}))

    async def delete_product(self, request: Request) -> Response:
        row = self._of(request, "sku", self.records.products, "product")
        if any(line["sku"] == row["sku"] for order in self.records.orders.values() for line in order["lines"]):
            raise HTTPException(409, "The product stands in orders")
        del self.records.products[row["sku"]]
        return Response(status_code=204)

    async def create_customer(self, request: Request) -> Response:
        fields = await read_body(request, CUSTOMER)
        key = max(self.records.customers) + 1
        since = fields["since"] or TODAY[:10]
        ref = max(row["ref"] for row in self.records.customers.values()) + 1
        self.records.customers[key] = {"id": key, "ref": ref, **_cut(fields), "since": since}
        return answer(encode({"id": key}), 201, {"location": f"/customers/{key}"})

    async def replace_customer(self, request: Request) -> Response:
        row = self._of(request, "id", self.records.customers, "customer")
        row.update(_cut(await read_body(request, CUSTOMER)))
        return answer(encode({"id": row["id"], "name": row["name"]}))

    async def delete_customer(self, request: Request) -> Response:
        row = self._of(request, "id", self.records.customers, "customer")
        if self.records.of_customer(row["id"]):
            raise HTTPException(409, "The customer has orders")
        del self.records.customers[row["id"]]
        return Response(status_code=204)

    async def place_order(self, request: Request) -> Response:
        fields = await read_body(request, ORDER)
        if fields["customer_id"] not in self.records.customers:
            raise InvalidRequest([ParameterFault("body", "customer_id", "unknown", ORDER[0])])
        lines = self._lines((await request.json()).get("lines"))
        key = max(self.records.orders) + 1
        row = {"id": key, "number": key + 37, **fields, "status": "open", "placed_at": TODAY, "lines": lines}
        self.records.orders[key] = self.records.order(row)
        return answer(encode({"id": key, "number": key + 37, "status": "open"}), 201, {"location": f"/orders/{key}"})

    def _lines(self, lines: Json) -> list[tuple[str, int]]:
        """Lines of an order; of what is short as much as there is."""
        fault = InvalidRequest([ParameterFault("body", "lines", "type", Param("lines"))])
        if not isinstance(lines, list) or not lines:
            raise fault
        found = []
        for line in lines:
            product = self.records.products.get(line.get("sku")) if isinstance(line, dict) else None
            quantity = line.get("quantity", 1) if isinstance(line, dict) else 0
            if product is None or not isinstance(quantity, int) or quantity < 1:
                raise fault
            taken = min(quantity, product["on_hand"] - product["reserved"])
            product["reserved"] += taken
            found.append((product["sku"], taken))
        return found

    async def update_order(self, request: Request) -> Response:
        row = self._open_order(request)
        row.update(await read_body(request, ORDER_CHANGE, partial=True))
        return answer(encode({"id": row["id"], "updated": True}))

    async def cancel_order(self, request: Request) -> Response:
        row = self._open_order(request)
        self._release(row)
        row["status"] = "cancelled"
        return answer(encode({"id": row["id"], "status": "cancelled"}))

    async def delete_order(self, request: Request) -> Response:
        row = self._open_order(request)
        self._release(row)
        del self.records.orders[row["id"]]
        return Response(status_code=204)

    def _release(self, order: Row) -> None:
        for line in order["lines"]:
            product = self.records.products[line["sku"]]
            product["reserved"] = max(0, product["reserved"] - line["quantity"])

    def _open_order(self, request: Request) -> Row:
        row = self._of(request, "id", self.records.orders, "order")
        if row["status"] != "open":
            raise HTTPException(409, f"The order is {row['status']}")
        return row

    def _of(self, request: Request, name: str, rows: dict[Json, Row], noun: str) -> Row:
        text = request.path_params[name]
        row = rows.get(text if name == "sku" else int(text) if text.isdigit() else None)
        if row is None:
            raise NotFound(noun)
        return row


async def _special(request: Request) -> Row:
    """What a product has besides its plain properties: `active`, and `tags`, which are replaced as a whole."""
    body = await request.json()
    found = {name: body[name] for name in ("active", "tags") if name in body}
    if not isinstance(found.get("active", True), bool):
        raise InvalidRequest([ParameterFault("body", "active", "type", Param("active"))])
    tags = found.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InvalidRequest([ParameterFault("body", "tags", "type", Param("tags"))])
    return found


def _cut(fields: Row) -> Row:
    """A customer's properties; long names are cut, for the labels have no more room."""
    return {**fields, "name": fields["name"][:LONGEST_NAME]}
