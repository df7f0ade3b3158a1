"""Depot's records as one process has them: loaded from the tables, then changed by requests."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.sandbox.tables import Row, load

PRIORITIES = {1: "urgent", 2: "high", 3: "normal", 4: "low"}
STATUSES = ("open", "packed", "shipped", "delivered", "cancelled")
SHOWN_LINES = 5
"""Lines of an order that stand in the order itself."""


class Records:
    """Tables by key. Ids count up, so the same requests get the same ids."""

    def __init__(self) -> None:
        self.products = {row["sku"]: dict(row) for row in load("depot", "products")}
        self.customers = {row["id"]: dict(row) for row in load("depot", "customers")}
        self.orders = {row["id"]: self.order(row) for row in load("depot", "orders")}
        self.shipments = {row["id"]: dict(row) for row in load("depot", "shipments")}
        self.hubs = load("depot", "hubs")

    def order(self, row: Row) -> Row:
        """An order with the prices that its products have now; a line of the table is [sku, quantity]."""
        lines = [self._line(sku, quantity) for sku, quantity in row["lines"]]
        return {**row, "lines": lines, "total": sum(line["amount"] for line in lines), "note": row.get("note")}

    def _line(self, sku: str, quantity: int) -> Row:
        price = self.products[sku]["price"]
        return {"sku": sku, "quantity": quantity, "unit_price": price, "amount": price * quantity}

    def of_customer(self, key: int) -> list[Row]:
        """A customer's orders, the oldest first."""
        return in_time(row for row in self.orders.values() if row["customer_id"] == key)


def in_time(orders: Iterable[Row]) -> list[Row]:
    """Orders from the oldest to the latest."""
    return sorted(orders, key=lambda row: (row["placed_at"], row["id"]))


def money(cents: int) -> str:
    """1250 → "12.50 EUR"."""
    return f"{cents // 100}.{cents % 100:02} EUR"


def shown_product(row: Row) -> Row:
    """A product as its own operation returns it; the stock has operations of its own."""
    kept = {name: value for name, value in row.items() if name not in ("on_hand", "reserved")}
    return {**kept, "price_text": money(row["price"])}


def shown_order(row: Row) -> Row:
    """An order as its own operation returns it: with its first lines."""
    return {
        **row,
        "priority_name": PRIORITIES[row["priority"]],
        "lines": row["lines"][:SHOWN_LINES],
        "line_count": len(row["lines"]),
        "total_text": money(row["total"]),
    }
