"""How many items a list has in all, and how its next page is asked for, by the conventions of APIs.

Read from the objects around the list, from what they have for paging (`meta`, `pagination`, `_links`) and from
headers (`Link`, RFC 8288; `X-Total-Count`; `Content-Range`, RFC 9110 §14.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from docrev.conventions.envelopes import (
    COUNTS,
    CURSORS,
    LAST,
    MORE,
    NEXTS,
    OFFSETS,
    PAGE_COUNTS,
    PAGE_NUMBERS,
    PAGE_SIZES,
    PAGING_OBJECTS,
    TOTALS,
    plain_name,
)
from docrev.conventions.lists import ListFound, main_list
from docrev.json_values.pointer import escape, split
from docrev.records import Json

Headers = Mapping[str, str]
"""Response headers, their names in small letters."""

_NO_HEADERS: Headers = {}
_TOTAL_HEADERS = (
    *("x-total-count", "x-total", "total-count", "total-objects", "total-records", "x-total-results", "x-wp-total"),
    *(
        "x-pagination-total-count",
        "x-pagination-total",
        "x-result-count",
        "x-total-items",
        "x-count",
        "pagination-count",
    ),
)
_PAGE_HEADERS = ("x-next-page", "x-pagination-next-page", "x-next-cursor", "x-next-token", "x-continuation-token")
_OTHER_COUNTS = PAGE_COUNTS | PAGE_SIZES | {"remainingitemcount", "remainingcount", "facetcount", "pincount"}
_ZERO_BASED = frozenset({"number", "nbpages"})
"""Spring counts `number` from 0, Algolia the page beside `nbPages`."""
_CUSTOMARY_SIZES = frozenset({10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000})
_INNER_NEXT = ("after", "cursor", "offset", "token", "page", "href", "url", "uri", "link", "path")
_LINK = re.compile(r'<([^>]*)>[^,]*?;\s*rel="?(?:[^",;]*\s)?next(?:\s[^",;]*)?"?(?=\s*[,;]|\s*$)', re.IGNORECASE)
_RANGE = re.compile(r"\S+ \d+-\d+/(\d+)")

NextBy = Literal["link", "cursor", "page", "offset", "unknown"]


class NextPage(NamedTuple):
    """How the next page is asked for: by a URL, a cursor, a page number or an offset.

    `pointer` is where the response gives `value`: a JSON pointer in the body, `header:NAME`, or "" if the value was
    computed from the page's number, size and total. `by` is unknown if there is a next page and nothing says how.
    """

    by: NextBy
    value: Json = None
    pointer: str = ""


def find_total(body: Json, headers: Headers = _NO_HEADERS, path: str = "") -> int | None:
    """The number of items that a list has in all, as its response says; None where it does not, or has no list."""
    found = main_list(body, path)
    if found is None:
        return None
    for name in _TOTAL_HEADERS:
        if headers.get(name, "").isdecimal():
            return int(headers[name])
    if ranged := _RANGE.fullmatch(headers.get("content-range", "")):
        return int(ranged[1])
    around = list(_around(body, found))
    total = _total(around, TOTALS, found)
    if total is not None:
        return total
    count = _total(around, COUNTS, found)
    # As many as are here is no total where there are more to come.
    return None if count == len(found.items) and find_next(body, headers, path) is not None else count


def find_next(body: Json, headers: Headers = _NO_HEADERS, path: str = "") -> NextPage | None:
    """How the next page of a list is asked for; None where the list ends here, as far as its response says."""
    found = main_list(body, path)
    linked = _next_in_headers(headers)
    if found is None or linked is not None:
        return linked
    around = [(pointer, name, value) for pointer, part in _around(body, found) for name, value in part.items()]
    if _says_end(around):
        return None
    named = _next_in(around, NEXTS) or _next_in(around, CURSORS) or _textual_offset(around)
    return named or _counted(around, found) or (NextPage("unknown") if _says_more(around) else None)


def may_go_on(body: Json, headers: Headers, count: int, path: str = "") -> bool:
    """Whether a listing of `count` items may be a part of a longer one.

    True also where only a total anywhere at its top is larger, where a cursor is there, or where the number of items is
    one that pages customarily have: what this denies is safe to take for all that there is.
    """
    if count in _CUSTOMARY_SIZES or find_next(body, headers, path) is not None:
        return True
    if any(int(text) > count for name in _TOTAL_HEADERS if (text := headers.get(name, "")).isdecimal()):
        return True
    if "next-page" in headers or "rel=next" in headers.get("link", "").replace('"', ""):
        return True
    return isinstance(body, dict) and any(_hints_at_more(name, value, count) for name, value in body.items())


def _hints_at_more(name: str, value: Json, count: int) -> bool:
    plain = plain_name(name)
    if isinstance(value, dict):
        return any(_hints_at_more(inner, part, count) for inner, part in value.items())
    if plain in NEXTS or plain in CURSORS or plain in MORE:
        return bool(value)
    whole = _whole(value)
    return plain in TOTALS | COUNTS and whole is not None and whole > count


# What stands around a list


def _around(body: Json, found: ListFound) -> Iterator[tuple[str, dict[str, Json]]]:
    """(pointer, object) for the objects that contain a list, the nearest first, and for what they have for paging."""
    holders: list[tuple[str, Json]] = [("", body)]
    for step in split(found.pointer):
        pointer, holder = holders[-1]
        holders.append((f"{pointer}/{escape(step)}", holder[int(step)] if isinstance(holder, list) else holder[step]))
    for pointer, holder in reversed(holders[:-1]):
        if isinstance(holder, list):
            pointer, holder = f"{pointer}/0", holder[0]
        if isinstance(holder, dict):
            yield pointer, holder
            yield from _paging_objects(pointer, holder)


def _paging_objects(pointer: str, holder: dict[str, Json], depth: int = 3) -> Iterator[tuple[str, dict[str, Json]]]:
    for name, value in holder.items() if depth else ():
        if isinstance(value, dict) and plain_name(name) in PAGING_OBJECTS | {"attr"}:
            yield f"{pointer}/{escape(name)}", value
            yield from _paging_objects(f"{pointer}/{escape(name)}", value, depth - 1)


def _total(around: list[tuple[str, dict[str, Json]]], names: frozenset[str], found: ListFound) -> int | None:
    for _, part in around:
        for name, value in part.items():
            number = _whole(value.get("value") if isinstance(value, dict) else value)
            if number is not None and number >= len(found.items) and _is_total(name, names):
                return number
    return None


def _is_total(name: str, names: frozenset[str]) -> bool:
    plain = plain_name(name)
    if plain in names:
        return plain != "size"
    return names is COUNTS and plain.endswith("count") and plain not in _OTHER_COUNTS


def _whole(value: Json) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# The next page

_Fields = list[tuple[str, str, Json]]


def _next_in_headers(headers: Headers) -> NextPage | None:
    if link := _LINK.search(headers.get("link", "")):
        return NextPage("link", link[1], "header:link")
    if headers.get("next-page"):
        return NextPage("link", headers["next-page"], "header:next-page")
    name = next((name for name in _PAGE_HEADERS if headers.get(name)), None)
    if name is None:
        return None
    value = headers[name]
    return NextPage(
        "page" if value.isdecimal() else "cursor", int(value) if value.isdecimal() else value, f"header:{name}"
    )


def _says_end(fields: _Fields) -> bool:
    """Whether a field says that this is the last page, whatever cursor stands beside it."""
    return any(
        (value is False and plain_name(name) in MORE) or (value is True and plain_name(name) in LAST)
        for _, name, value in fields
    )


def _says_more(fields: _Fields) -> bool:
    return any(
        (value is True and plain_name(name) in MORE) or (value is False and plain_name(name) in LAST)
        for _, name, value in fields
    )


def _next_in(fields: _Fields, names: frozenset[str]) -> NextPage | None:
    for pointer, name, value in fields:
        at = f"{pointer}/{escape(name)}"
        if plain_name(name) in names and (found := _next_of(at, value)) is not None:
            return found
        if plain_name(name) in ("links", "link") and isinstance(value, list):
            for index, link in enumerate(value):
                if isinstance(link, dict) and "next" in (link.get("rel"), link.get("relation")):
                    return _next_of(f"{at}/{index}", {key: link[key] for key in ("href", "url") if key in link})
    return None


def _next_of(pointer: str, value: Json) -> NextPage | None:
    """The next page by what a field named so has: a URL, a number, a cursor, or an object with one of these."""
    if isinstance(value, dict):
        names = [*(name for name in _INNER_NEXT if name in value), *value]
        inner = ((name, value[name]) for name in names if not isinstance(value[name], list | dict))
        return next((found for name, part in inner if (found := _next_of(f"{pointer}/{escape(name)}", part))), None)
    if isinstance(value, bool) or value is None or value in ("", 0) or isinstance(value, list):
        return None
    plain = plain_name(pointer.rpartition("/")[2])
    if isinstance(value, str) and ("://" in value or value[:1] in "/?"):
        return NextPage("link", value, pointer)
    if isinstance(value, int):
        by: NextBy = "offset" if "offset" in plain or "start" in plain else "page"
        return NextPage(by if plain in NEXTS | PAGE_NUMBERS or by == "offset" else "cursor", value, pointer)
    return NextPage("cursor", value, pointer)


def _textual_offset(fields: _Fields) -> NextPage | None:
    """An `offset` that is no number is the cursor of the next page."""
    for pointer, name, value in fields:
        if plain_name(name) == "offset" and isinstance(value, str) and value and not value.isdecimal():
            return NextPage("cursor", value, f"{pointer}/{escape(name)}")
    return None


def _counted(fields: _Fields, found: ListFound) -> NextPage | None:
    """The next page by arithmetic: of page numbers, or of an offset and a total."""
    numbers = {plain_name(name): whole for _, name, value in reversed(fields) if (whole := _whole(value)) is not None}

    def first(names: frozenset[str]) -> int | None:
        return next((value for name, value in numbers.items() if name in names), None)

    page, pages, size = first(PAGE_NUMBERS), first(PAGE_COUNTS), first(PAGE_SIZES)
    total = _total([("", {name: value for _, name, value in reversed(fields)})], TOTALS | {"count"}, found)
    if page is not None and pages is not None:
        behind = pages - 1 if page == 0 or _ZERO_BASED & numbers.keys() else pages
        return NextPage("page", page + 1) if page < behind else None
    if page is not None and size and total is not None:
        return NextPage("page", page + 1) if max(page, 1) * size < total else None
    offset = first(OFFSETS)
    if offset is not None and total is not None and found.items and offset + len(found.items) < total:
        return NextPage("offset", offset + len(found.items))
    return None
