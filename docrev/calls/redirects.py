"""Redirects: which are followed, and where they ended."""

from __future__ import annotations

from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from docrev.calls.bases import Base, origin
from docrev.calls.http import Reply
from docrev.calls.paths import DENIED_WORDS
from docrev.calls.request import Request
from docrev.language.words import words

_STATUSES = frozenset({301, 302, 303, 307, 308})


def followed(request: Request, reply: Reply, url: str, base: Base, hops: int, most: int) -> str | None:
    """The URL that a reply from `url` redirects to, if it may be followed; otherwise the reply gets the error.

    `hops` is how many were followed, of `most`.
    """
    if reply.status not in _STATUSES or "location" not in reply.headers:
        return None
    try:
        parts = urlsplit(urljoin(url, reply.headers["location"]))
        there = origin(parts.scheme, parts.hostname or "", parts.port)
    except ValueError:
        there, parts = "", urlsplit("")
    if (trouble := _trouble(request, parts, there, base, hops, most)) is not None:
        reply.error, reply.detail = "redirect", trouble
        return None
    return f"{base.origin}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


def _trouble(request: Request, parts: SplitResult, there: str, base: Base, hops: int, most: int) -> str | None:
    """Why a redirect to `parts`, on the host `there`, is not followed; None if it may be."""
    if request.method not in ("GET", "HEAD"):
        return f"{request.method} is not sent again elsewhere"
    if there != base.origin or parts.username or parts.password:
        shown = "".join(filter(str.isprintable, there))
        return f"to {shown or 'no URL'}, off the base URL"
    if hops >= most:
        return f"more than {most} redirects"
    denied = DENIED_WORDS.intersection(words(unquote(parts.path)))
    return "to a path on the deny list" if denied else None


def ended_at(begun: str, ended: str) -> str:
    """Where redirects ended; "" where they began, but for a slash at the end, which many servers add so."""
    paths = {urlsplit(url).path.rstrip("/") for url in (begun, ended)} if begun != ended else ()
    return ended if len(paths) > 1 else ""
