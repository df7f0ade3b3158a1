"""Paths of pages about a service itself: its health, its version, its maintainers."""

from __future__ import annotations

import re
from typing import Any

from docrev.language.words import word_set, words

_ABOUT_THE_SERVICE = word_set(
    """
    alive health healthcheck healthz heartbeat lbheartbeat live liveness livez ping ready readiness readyz version
    """
)
_WELL_KNOWN = re.compile(r"/(?:contribute|humans|robots|security|manifest)\.(?:json|txt)$|/\.well-known/")
"""Files that have the same name and meaning at any service."""
_DIALECTS = frozenset({"openapi", "swagger"})


def is_service_page(path: str) -> bool:
    """Whether what is at a path is about the service as a whole and identifies nothing in it: `/`, `/healthz`."""
    if "{" in path:
        return False
    last = words(path.rstrip("/").rpartition("/")[2])
    return not path.strip("/") or _WELL_KNOWN.search(path) is not None or ({*last} <= _ABOUT_THE_SERVICE and last != ())


def has_known_form(path: str, body: Any) -> bool:
    """Whether the form of what is at a path is defined elsewhere: a file of the same meaning at any service, or an
    OpenAPI document."""
    is_document = (
        isinstance(body, dict) and isinstance(body.get("paths"), dict) and not body.keys().isdisjoint(_DIALECTS)
    )
    return _WELL_KNOWN.search(path) is not None or is_document
