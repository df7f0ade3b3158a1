"""Keywords of JSON Schema, by the type of their values; numbers and booleans are read by meaning ("5" is 5)."""

from __future__ import annotations

COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
EXCLUSIVE = ("exclusiveMinimum", "exclusiveMaximum")
"""Booleans up to OpenAPI 3.0, numbers from 3.1 on."""
FLAGS = ("deprecated", "readOnly", "writeOnly", "uniqueItems")
