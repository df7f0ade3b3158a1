"""Postman collections (v2.x): their requests as OpenAPI, and the examples that are saved with them."""
