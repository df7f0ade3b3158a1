"""URLs from elsewhere: split whatever they are, and shown without what may be a secret."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from docrev.language.words import singular_words, word_set

_URL = re.compile(r"([a-z][a-z0-9+.-]*://)(?:[^\s/?#]*@)?([^\s?#;,)\"'`]*)(?:[?#][^\s;,)\"'`]*)?", re.IGNORECASE)
_HOST_WORDS = word_set("addr address broker endpoint fqdn host hostname ip peer proxy server upstream")
"""Last words of names of a machine that a service may connect to."""
_HOST = re.compile(
    r"(?:[a-z0-9_-]{1,63}\.){1,20}[a-z][a-z0-9-]{1,62}\.?(?::\d{1,5})?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[a-z0-9_-]{1,63}:\d{2,5}",
    re.IGNORECASE,
)
"""A domain name, an IPv4 address, or any name with a port."""
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


def named_host(name: str, text: str) -> str:
    """The host and port that a text is by its form, where its name says that it is one (`smtp_host`); "" otherwise."""
    is_host = singular_words(name)[-1:] and singular_words(name)[-1] in _HOST_WORDS and _HOST.fullmatch(text)
    return _THIS_MACHINE.sub("localhost", text.lower()) if is_host else ""
