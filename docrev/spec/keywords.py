"""Keys of OpenAPI and keywords of JSON Schema, which are read by meaning: "5" is 5."""

from __future__ import annotations

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""Keys of a path item that are operations."""
COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
EXCLUSIVE = ("exclusiveMinimum", "exclusiveMaximum")
"""Booleans up to OpenAPI 3.0, numbers from 3.1 on."""
FLAGS = ("deprecated", "readOnly", "writeOnly", "uniqueItems")
