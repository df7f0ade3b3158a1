"""`pages`: how the next part of a list is reached: by a page number, an offset, a cursor or a header's URL."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docrev.facts.fact_values import Record
from docrev.facts.kind import Kind, Replay
from docrev.records import Call, Fact

LINK = "link"
_NEXT_LINK = re.compile(r"<([^<>]*)>[^,]*;\s*rel=\"?next\"?", re.IGNORECASE)
_NEXT_HEADERS = ("next-page", "x-next-page")


@dataclass(frozen=True)
class Paging(Record):
    """`by` is page, offset or cursor; `list` the location of the list, `next` that of what leads to the next page."""

    by: str
    list: str
    next: str | None = None


def next_url(call: Call) -> tuple[str, str] | None:
    """The header by which a response leads to the next page, and its URL or token; None without one."""
    for name in _NEXT_HEADERS:
        if call.headers.get(name):
            return name, call.headers[name]
    found = _NEXT_LINK.search(call.headers.get(LINK, ""))
    return (LINK, found.group(1)) if found else None


def _shows(fact: Fact, call: Call) -> bool:
    found = next_url(call)
    return found is not None and fact.location == f"{call.status}:header:{found[0]}"


KIND = Kind(
    "pages",
    Paging,
    about=frozenset(["parameter", "response"]),
    effect="window",
    shows=_shows,
    replay=Replay(weight=6),
)
