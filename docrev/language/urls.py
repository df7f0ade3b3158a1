"""URLs from elsewhere: split whatever they are, and shown without what may be a secret."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

_URL = re.compile(r"([a-z][a-z0-9+.-]*://)(?:[^\s/?#]*@)?([^\s?#;,)\"'`]*)(?:[?#][^\s;,)\"'`]*)?", re.IGNORECASE)


def without_url_secrets(text: str) -> str:
    """A text whose URLs have neither userinfo nor query nor fragment (RFC 3986 §3)."""
    return _URL.sub(r"\1\2", text) if "://" in text else text


def split_url(text: str) -> SplitResult:
    """The parts of a URL (RFC 3986), as `urlsplit` gives them; all empty for a text that is none, as `//[`."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")
