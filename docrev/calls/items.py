"""Finding the thing, or the things, and their ids in a response body."""

from __future__ import annotations

from collections.abc import Mapping

from docrev.records import Json

_ENVELOPES = ("data", "item", "items", "result", "results", "records", "entries", "values", "content", "objects")
_IDS = ("id", "uuid", "_id", "guid")


def unwrapped(body: Json) -> Json:
    """The object that a body is about: itself, or what its envelope holds (`data`, `item`, or its only member)."""
    if not isinstance(body, dict):
        return body
    for name in ("data", "item", "result"):
        if isinstance(body.get(name), dict):
            return body[name]
    values = list(body.values())
    return values[0] if len(values) == 1 and isinstance(values[0], dict) else body


def listed(body: Json) -> list[Json]:
    """The items of a listing: the body, or the first list in it that a known envelope or the only list holds."""
    if isinstance(body, list):
        return body
    if not isinstance(body, dict):
        return []
    for name in _ENVELOPES:
        if isinstance(body.get(name), list):
            return body[name]  # type: ignore[no-any-return]
    for name in ("data", "result", "_embedded"):
        if isinstance(body.get(name), dict):
            return listed(body[name])
    lists = [value for value in body.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else []


def id_of(item: Json, name: str, noun: str = "") -> str | int | None:
    """The id of an object: the field called as the path parameter, `id` and its like, or `NOUN_id`; None without one.

    A guess would be worse than nothing: what is taken for our own may be deleted, and a `code` or the id of
    something else is not its name.
    """
    if not isinstance(item, dict):
        return None
    for candidate in (name, *_IDS, f"{noun}_id", f"{noun}Id", f"{noun}_uuid"):
        value = item.get(candidate)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return value
    return None


_NEXT = frozenset({"next", "nextpage", "nextpagetoken", "nexttoken", "nextcursor", "hasmore", "hasnext", "cursor"})
_TOTALS = frozenset({"total", "totalcount", "count", "totalitems", "totalresults"})
_TOTAL_HEADERS = ("x-total-count", "x-total", "total-objects", "total-records")
_PAGE_SIZES = frozenset({10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000})


def goes_on(body: Json, headers: Mapping[str, str], count: int) -> bool:
    """Whether a listing of `count` items says that there are more, or has the size of a page and may hide it."""
    link = headers.get("link", "").replace('"', "")
    if "next-page" in headers or "rel=next" in link or count in _PAGE_SIZES:
        return True
    if any(int(text) > count for name in _TOTAL_HEADERS if (text := headers.get(name, "")).isdecimal()):
        return True
    return isinstance(body, dict) and any(_tells_more(name, value, count) for name, value in body.items())


def _tells_more(name: str, value: Json, count: int) -> bool:
    plain = name.lower().replace("_", "").replace("-", "")
    if plain in ("links", "paging", "pagination", "meta", "page") and isinstance(value, dict):
        return any(_tells_more(inner, item, count) for inner, item in value.items())
    if plain in _NEXT:
        return bool(value)
    return plain in _TOTALS and isinstance(value, int) and value > count
