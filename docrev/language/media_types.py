"""Media types as texts: `application/json; charset=utf-8`."""

from __future__ import annotations


def essence(media_type: str) -> str:
    """A media type without its parameters, in lower case (WHATWG MIME Sniffing §4): `application/json`."""
    return media_type.partition(";")[0].strip().lower()
