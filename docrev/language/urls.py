"""URLs from elsewhere: split whatever they are, and shown without what may be a secret."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

_URL = re.compile(r"([a-z][a-z0-9+.-]*://)(?:[^\s/?#]*@)?([^\s?#;,)\"'`]*)(?:[?#][^\s;,)\"'`]*)?", re.IGNORECASE)
_THIS_MACHINE = re.compile(r"^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?=:|$)")


def without_url_secrets(text: str) -> str:
    """A text whose URLs have neither userinfo nor query nor fragment (RFC 3986 §3)."""
    return _URL.sub(r"\1\2", text) if "://" in text else text


def split_url(text: str) -> SplitResult:
    """The parts of a URL (RFC 3986), as `urlsplit` gives them; all empty for a text that is none, as `//[`."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


def host_of(text: str) -> str:
    """The host and port of an absolute URL, in small letters; "" for any other text. All names of this machine are one.

    It may have links to itself under another of its names than the one by which it was asked.
    """
    host = split_url(text).netloc.rpartition("@")[2].lower() if "://" in text else ""
    return _THIS_MACHINE.sub("localhost", host)
