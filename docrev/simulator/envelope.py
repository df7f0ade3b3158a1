"""What surrounds a page of a list: its number, its size, the total, the link to the next page."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from docrev.language.words import words
from docrev.records import Json
from docrev.simulator.lists import Lens, ListPage
from docrev.spec import Schema
from docrev.spec.meaning import MISSING, Absent

TOTAL = frozenset({"total", "totalresults", "totalcount", "totalitems", "totalhits", "found", "totalelements"})
PAGES = frozenset({"totalpages", "pages", "pagecount", "lastpage", "numpages"})
NUMBER = frozenset({"page", "currentpage", "pagenumber"})
SIZE = frozenset({"limit", "perpage", "pagesize", "size"})
START = frozenset({"offset", "skip", "start", "startindex"})
COUNT = frozenset({"count", "resultcount", "numresults", "returned"})
MORE = frozenset({"hasmore", "hasnext", "hasnextpage", "more"})
TOKENS = frozenset({"nextcursor", "nextpagetoken", "nexttoken", "cursor", "endcursor", "after"})
EMPTY = frozenset({"before", "prevcursor", "previouscursor"})


class PageEnvelope:
    """The fields beside the items of one page, by their names."""

    def __init__(self, page: ListPage, lens: Lens, url: str, arguments: Mapping[str, Json]) -> None:
        self.page, self.lens, self.url = page, lens, url
        self._sent = {name.partition(":")[2]: value for name, value in arguments.items() if name.startswith("query:")}

    def value(self, name: str, schema: Schema, siblings: Mapping[str, Schema]) -> Json | Absent:
        """The value of a field of the envelope; MISSING if it says nothing about paging."""
        flat, page = "".join(words(name)), self.page
        numbers: tuple[tuple[frozenset[str], int], ...] = (
            (TOTAL, page.total),
            (PAGES, page.pages),
            (NUMBER, page.number),
            (SIZE, page.size),
            (START, page.offset),
            (COUNT, len(page.items) if self._has_total(siblings) else page.total),
        )
        if schema.type in ("integer", "number", None):
            found = next((value for known, value in numbers if flat in known), MISSING)
            if found is not MISSING:
                return found
        if flat in MORE:
            return page.more
        if flat in TOKENS:
            return self._or_nothing(str(page.items[-1].id) if page.more and page.items else None, schema)
        if flat in EMPTY:
            return self._or_nothing(None, schema)
        return self._link(flat, schema)

    def _has_total(self, siblings: Mapping[str, Schema]) -> bool:
        return any("".join(words(name)) in TOTAL for name in siblings)

    def _link(self, flat: str, schema: Schema) -> Json | Absent:
        if flat in ("href", "self"):
            return self._at({})
        if flat in ("next", "nextpage", "nexturl"):
            return self._or_nothing(self._step(1, schema) if self.page.more else None, schema)
        if flat in ("previous", "prev", "previouspage", "prevpage", "previousurl"):
            return self._or_nothing(self._step(-1, schema) if self.page.offset else None, schema)
        return MISSING

    def _step(self, by: int, schema: Schema) -> Json:
        page, lens = self.page, self.lens
        if schema.type in ("integer", "number"):
            return page.number + by
        if (name := lens.named("offset")) is not None:
            return self._at({name: max(0, page.offset + by * page.size)})
        if (name := lens.named("page")) is not None:
            return self._at({name: page.number + by})
        name = lens.named("cursor")
        return self._at({name: page.items[-1].id}) if name and page.items else self._at({})

    def _at(self, changed: Mapping[str, object]) -> str:
        query = urlencode({**self._sent, **changed}, doseq=True)
        return f"{self.url}?{query}" if query else self.url

    def _or_nothing(self, value: object, schema: Schema) -> Json | Absent:
        if value is not None or schema.nullable:
            return value
        return {"string": "", "integer": 0, "number": 0}.get(schema.type or "")
