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
from docrev.conventions.lists import ListFound, lists_of, longest, main_list
from docrev.json_values.pointer import escape, split
from docrev.json_values.scalars import is_whole
from docrev.records import Call, Json

Headers = Mapping[str, str]
"""Response headers, their names in small letters."""

_NO_HEADERS: Headers = {}
TOTAL_HEADERS = (
    *("x-total-count", "x-total", "total-count", "total-objects", "total-records", "x-total-results", "x-wp-total"),
    *"x-pagination-total-count x-pagination-total x-result-count x-total-items x-count pagination-count".split(),
)
_PAGE_HEADERS = ("x-next-page", "x-pagination-next-page", "x-next-cursor", "x-next-token", "x-continuation-token")
_OTHER_COUNTS = PAGE_COUNTS | PAGE_SIZES | {"remainingitemcount", "remainingcount", "facetcount", "pincount"}
_ZERO_BASED = frozenset({"number", "nbpages"})
"""Spring counts `number` from 0, Algolia the page beside `nbPages`."""
_CUSTOMARY_SIZES = frozenset({10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000})
_RELATIONS = ("rel", "relation", "prompt", "title", "type", "method")
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


def find_total(body: object, headers: Headers = _NO_HEADERS, path: str = "") -> int | None:
    """The number of items that a list has in all, as its response says; None if it does not, or has no list."""
    return _total_of(body, headers, main_list(body, path))


def total_of(call: Call) -> int | None:
    """As `find_total` for the response of a call, looked for once."""
    return call.read(_total_in_response)


def _total_in_response(call: Call) -> int | None:
    return _total_of(call.body, call.headers, longest(lists_of(call)))


def _total_of(body: object, headers: Headers, found: ListFound | None) -> int | None:
    if found is None:
        return None
    for name in TOTAL_HEADERS:
        if headers.get(name, "").isdecimal():
            return int(headers[name])
    if ranged := _RANGE.fullmatch(headers.get("content-range", "")):
        return int(ranged[1])
    around = list(_around(body, found))
    total = _total(around, TOTALS, found)
    if total is not None:
        return total
    count = _total(around, COUNTS, found)
    # A count of the items on this page is no total if there are more.
    return None if count == len(found.items) and _next_of_list(body, headers, found) is not None else count


def find_next(body: object, headers: Headers = _NO_HEADERS, path: str = "") -> NextPage | None:
    """How the next page of a list is asked for; None if the list ends here, as far as its response says."""
    return _next_of_list(body, headers, main_list(body, path))


def next_of(call: Call) -> NextPage | None:
    """As `find_next` for the response of a call, looked for once."""
    return call.read(_next_in_response)


def _next_in_response(call: Call) -> NextPage | None:
    return _next_of_list(call.body, call.headers, longest(lists_of(call)))


def _next_of_list(body: object, headers: Headers, found: ListFound | None) -> NextPage | None:
    linked = _next_in_headers(headers)
    if found is None or linked is not None:
        return linked
    around = [(pointer, name, value) for pointer, part in _around(body, found) for name, value in part.items()]
    if _says_end(around):
        return None
    named = _next_in(around, NEXTS) or _next_in(around, CURSORS) or _textual_offset(around)
    return named or _counted(around, found) or (NextPage("unknown") if _says_more(around) else None)


def _beside(call: Call) -> Iterator[tuple[str, Json]]:
    """The members of a body, and in the place of a map of things those of what it lies in."""
    found = longest(lists_of(call))
    if found is None or not found.keys:
        return iter(call.body.items())
    *_, inmost = ["", *split(found.pointer)]
    return ((name, value) for _, part in _around(call.body, found) for name, value in part.items() if name != inmost)


def says_whole(call: Call) -> bool:
    """Whether a first page says that there is no other: by a total, or by a field for the next page that is empty."""
    found = longest(lists_of(call))
    if found is None or next_of(call) is not None:
        return False
    around = [(pointer, name, value) for pointer, part in _around(call.body, found) for name, value in part.items()]
    empty = any(not value and plain_name(name) in NEXTS | CURSORS for _, name, value in around)
    return empty or _says_end(around) or total_of(call) == len(found.items)


def goes_on(call: Call, count: int) -> bool:
    """Whether a listing of `count` items may be a part of a longer one.

    True also if only a total anywhere at its top is larger, if a cursor is there, if the number of items is one that
    pages customarily have, or if not all of it was kept: what this denies is safe to take for all that there is.
    """
    body, headers = call.body, call.headers
    if call.sampled or count in _CUSTOMARY_SIZES or next_of(call) is not None:
        return True
    if any(int(text) > count for name in TOTAL_HEADERS if (text := headers.get(name, "")).isdecimal()):
        return True
    if "next-page" in headers or "rel=next" in headers.get("link", "").replace('"', ""):
        return True
    return isinstance(body, dict) and any(_hints_at_more(name, value, count) for name, value in _beside(call))


def _hints_at_more(name: str, value: object, count: int) -> bool:
    plain = plain_name(name)
    if plain in NEXTS or plain in CURSORS or plain in MORE:
        return bool(value)
    if isinstance(value, dict):
        return any(_hints_at_more(inner, part, count) for inner, part in value.items())
    total = _whole(value) if plain in TOTALS or plain in COUNTS else None
    return total is not None and total > count


# What stands around a list


def _around(body: object, found: ListFound) -> Iterator[tuple[str, dict[str, Json]]]:
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


def _paging_objects(pointer: str, holder: dict[str, object], depth: int = 3) -> Iterator[tuple[str, dict[str, Json]]]:
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


def _whole(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if is_whole(value) else None


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
    """The next page by the first field that is called so, or by a link of a list of links."""
    for pointer, name, value in fields:
        at = f"{pointer}/{escape(name)}"
        if plain_name(name) in names and (found := _next_of(at, value)) is not None:
            return found
        if plain_name(name) in ("links", "link") and isinstance(value, list):
            return next((_next_of(f"{at}/{index}", link) for index, link in enumerate(value) if _leads_on(link)), None)
    return None


def _leads_on(link: object) -> bool:
    return isinstance(link, dict) and "next" in (link.get("rel"), link.get("relation"))


def _next_of(pointer: str, value: object) -> NextPage | None:
    """The next page by what a field named so contains: a URL, a number, a cursor, or an object with one of these."""
    if isinstance(value, dict):
        names = [*(name for name in _INNER_NEXT if name in value), *(name for name in value if name not in _RELATIONS)]
        found = (_next_of_scalar(f"{pointer}/{escape(name)}", value[name]) for name in names)
        return next((one for one in found if one is not None), None)
    return _next_of_scalar(pointer, value)


def _next_of_scalar(pointer: str, value: object) -> NextPage | None:
    plain = plain_name(pointer.rpartition("/")[2])
    if isinstance(value, str) and value:
        return NextPage("link" if "://" in value or value[0] in "/?" else "cursor", value, pointer)
    if isinstance(value, bool) or not isinstance(value, int) or not value:
        return None
    if "offset" in plain or "start" in plain:
        return NextPage("offset", value, pointer)
    return NextPage("page" if plain in NEXTS | PAGE_NUMBERS else "cursor", value, pointer)


def _textual_offset(fields: _Fields) -> NextPage | None:
    """An `offset` that is no number is the cursor of the next page."""
    for pointer, name, value in fields:
        if plain_name(name) == "offset" and isinstance(value, str) and value and not value.isdecimal():
            return NextPage("cursor", value, f"{pointer}/{escape(name)}")
    return None


def _counted(fields: _Fields, found: ListFound) -> NextPage | None:
    """The next page by arithmetic: of page numbers, or of an offset and a total."""
    numbers = {plain_name(name): whole for _, name, value in reversed(fields) if (whole := _whole(value)) is not None}
    total = _total([("", {name: value for _, name, value in reversed(fields)})], TOTALS | {"count"}, found)
    page = _first(numbers, PAGE_NUMBERS)
    if page is not None and (last := _last_page(numbers, page, total)) is not None:
        return NextPage("page", page + 1) if page < last else None
    end = (_first(numbers, OFFSETS) or 0) + len(found.items)
    starts = _first(numbers, OFFSETS) is not None
    return NextPage("offset", end) if starts and found.items and total is not None and end < total else None


def _last_page(numbers: Mapping[str, int], page: int, total: int | None) -> int | None:
    """The number of the last page, by how many pages there are, or how many items on each and in all."""
    zero_based = page == 0 or bool(_ZERO_BASED & numbers.keys())
    pages, size = _first(numbers, PAGE_COUNTS), _first(numbers, PAGE_SIZES)
    if pages is None and size and total is not None:
        pages = -(-total // size)
    return pages - 1 if pages is not None and zero_based else pages


def _first(numbers: Mapping[str, int], names: frozenset[str]) -> int | None:
    """The number of the first field that has one of these names."""
    return next((value for name, value in numbers.items() if name in names), None)
