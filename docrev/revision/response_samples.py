"""What the calls of one operation show, as the writer needs it: lists and their items, fields, order.

Every statement here holds for all the calls that it was drawn from; what one call contradicts is not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from docrev.language.words import words
from docrev.records import Call, Json

LISTS = ("data", "items", "results", "records", "rows", "entries", "hits", "content", "objects", "values", "list")
NEXTS = ("next", "next_page", "nextPage", "next_cursor", "nextCursor", "next_page_token", "nextPageToken")
TOTALS = frozenset({"total", "count", "total_count", "totalCount", "total_results", "totalResults", "total_items"})
SIZES = frozenset({"limit", "size", "count", "per", "page size", "max", "top", "take", "rows", "first"})
_SIZE_WORDS = frozenset({"limit", "size", "per", "take", "top"})
_SORT_WORDS = frozenset({"sort", "order", "orderby", "ordering", "direction", "dir"})
MIN_ORDERED = 8


def items(body: Json) -> tuple[str, list[Json]] | None:
    """The list that a response is about, with its key ("" for the body itself); None where it is no list."""
    if isinstance(body, list):
        return "", body
    if not isinstance(body, dict):
        return None
    named = next((name for name in LISTS if isinstance(body.get(name), list)), None)
    if named is not None:
        return named, body[named]
    rows = [name for name, value in body.items() if isinstance(value, list) and value and isinstance(value[0], dict)]
    scalar_only = all(not isinstance(value, dict) for value in body.values())
    lists = [name for name, value in body.items() if isinstance(value, list)]
    paged = any(name in TOTALS or is_size(name) or name in ("page", "offset", "next") for name in body)
    if len(rows) == 1 and (paged or len(body) <= 3) and scalar_only:
        return rows[0], body[rows[0]]
    if len(lists) == 1 and (paged or len(body) == 1):
        return lists[0], body[lists[0]]
    return None


def good(calls: Iterable[Call]) -> list[Call]:
    return [call for call in calls if call.ok]


def lists(calls: Iterable[Call]) -> list[tuple[Call, list[Json]]]:
    """The calls whose response is a list, with it; empty unless all of them are."""
    found = [(call, items(call.body)) for call in good(calls)]
    if not found or any(part is None for _, part in found):
        return []
    return [(call, part[1]) for call, part in found if part is not None]


def fields(calls: Iterable[Call], *, always: bool = True) -> list[str]:
    """Field names that every item (or every object) of the 2xx responses has, or any of them, in the order seen."""
    calls = list(calls)
    rows = lists(calls)
    objects = [item for _, part in rows for item in part[:20]] if rows else [call.body for call in good(calls)]
    return shared(objects, always=always)


def shared(objects: Iterable[Json], *, always: bool = True) -> list[str]:
    """The names that all of these objects have, or any of them; other values are passed over."""
    known = [found for found in objects if isinstance(found, dict)]
    names = dict.fromkeys(name for found in known for name in found)
    return [name for name in names if not always or all(name in found for found in known)]


def inner(objects: Sequence[Json], name: str) -> tuple[list[str], bool]:
    """(names that are always within a field, whether it is a list): the second level of `data` or `responses`."""
    values = [found[name] for found in objects if isinstance(found, dict) and name in found]
    many = bool(values) and all(isinstance(value, list) for value in values)
    parts = [item for value in values for item in value] if many else values
    return (shared(parts) if all(isinstance(part, dict) for part in parts) else []), many


def is_size(name: str) -> bool:
    """Whether a parameter's name says how many items a page holds."""
    return name in SIZES or bool(_SIZE_WORDS & set(words(name)))


def tells_size(name: str) -> bool:
    """Whether a field beside a list says how long it may be: `per_page`, `limit`; a `count` may count anything."""
    return bool({"limit", "per", "size"} & set(words(name)))


def is_sort(name: str) -> bool:
    return bool(_SORT_WORDS & set(words(name)))


def carries(body: Json) -> bool:
    """Whether a request body carries other requests: a list of objects that each have a method and a path."""
    lists = [value for value in body.values() if isinstance(value, list)] if isinstance(body, dict) else [body]
    return any(
        isinstance(part, list)
        and part
        and all(isinstance(one, dict) and {"method", "path"} <= set(one) for one in part)
        for part in lists
    )


def order(calls: Iterable[Call]) -> tuple[str, bool] | None:
    """(field, descending) by which every long enough list without a sort argument is sorted; None if unclear."""
    long = [
        part
        for call, part in lists(calls)
        if len(part) >= MIN_ORDERED
        and not any(is_sort(name.partition(":")[2]) for name in call.arguments)
        and not any(name.startswith("query:") and _is_text(name) for name in call.arguments)
    ]
    if not long:
        return None
    for name in fields(calls):
        for descending in (True, False):
            if all(_sorted(part, name, descending) for part in long):
                return name, descending
    return None


def _is_text(location: str) -> bool:
    return location.partition(":")[2] in ("q", "query", "search", "text")


def _sorted(part: Sequence[Json], name: str, descending: bool) -> bool:
    values = [item.get(name) if isinstance(item, dict) else None for item in part]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    texts = all(isinstance(value, str) for value in values)
    if not (numbers or (texts and not descending)) or len(set(values)) < MIN_ORDERED - 2:
        return False
    keys: list[Any] = [str(value).casefold() for value in values] if texts else list(values)
    return keys == sorted(keys, reverse=descending)
