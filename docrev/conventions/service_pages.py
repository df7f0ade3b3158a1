"""Paths of pages about a service itself: its health, its version, its maintainers."""

from __future__ import annotations

import re

from docrev.language.words import word_set, words

_ABOUT_THE_SERVICE = word_set(
    """
    alive health healthcheck healthz heartbeat lbheartbeat live liveness livez ping ready readiness readyz version
    """
)
_WELL_KNOWN = re.compile(r"/(?:contribute|humans|robots|security|manifest)\.(?:json|txt)$|/\.well-known/")
"""Files that have the same name and meaning at any service."""


def is_service_page(path: str) -> bool:
    """Whether what is at a path is about the service as a whole and identifies nothing in it: `/`, `/healthz`."""
    if "{" in path:
        return False
    last = words(path.rstrip("/").rpartition("/")[2])
    return not path.strip("/") or _WELL_KNOWN.search(path) is not None or ({*last} <= _ABOUT_THE_SERVICE and last != ())
