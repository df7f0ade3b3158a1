"""URLs in texts for people: without what may be a secret in them."""

from __future__ import annotations

import re

_URL = re.compile(r"([a-z][a-z0-9+.-]*://)(?:[^\s/?#]*@)?([^\s?#;,)\"'`]*)(?:[?#][^\s;,)\"'`]*)?", re.IGNORECASE)


def without_url_secrets(text: str) -> str:
    """A text whose URLs have neither userinfo nor query nor fragment (RFC 3986 §3)."""
    return _URL.sub(r"\1\2", text) if "://" in text else text
