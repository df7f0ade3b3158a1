"""Depot: the back office of a supplier of machine parts: products, stock, customers, orders and shipments."""
