"""HTTP methods by what a request with them may do (RFC 9110 §9.2)."""

from __future__ import annotations

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""They only read."""
UNSAFE_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""They may change something."""
