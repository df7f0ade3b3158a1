"""What the calls of one operation show, as the writer needs it: lists and their items, fields, pages, order, filters.

Every statement here holds for all the calls that it was drawn from; what one call contradicts is not said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from docrev.records import Call, Json
from docrev.wording import words

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


def page_size(calls: Iterable[Call]) -> int | None:
    """How many items a page holds where none is asked for: shown by a full page that is not all there is."""
    sizes: Counter[int] = Counter()
    for call, part in lists(calls):
        body = envelope(call.body)
        if not part or any(is_size(name.partition(":")[2]) for name in call.arguments):
            continue
        total = next((body[name] for name in body if name in TOTALS and _is_int(body[name])), None)
        told = next((body[name] for name in body if tells_size(name) and _is_int(body[name])), None)
        if told is not None and told > 1 and len(part) <= told:
            sizes[told] += 1
        elif len(part) > 1 and not _later(call) and ((total or 0) > len(part) or goes_on(body)):
            sizes[len(part)] += 1
    return next(iter(sizes)) if len(sizes) == 1 else None


def envelope(body: Json) -> dict[str, Json]:
    """The scalars around a list: those beside it, and those of objects beside it (`meta`, `pagination`)."""
    if not isinstance(body, dict):
        return {}
    inner = [value for value in body.values() if isinstance(value, dict)]
    return {
        name: value for part in (*inner, body) for name, value in part.items() if not isinstance(value, dict | list)
    }


def goes_on(around: dict[str, Json]) -> bool:
    """Whether a page tells of a next one."""
    return any(around.get(name) for name in NEXTS)


def _later(call: Call) -> bool:
    return any(set(words(name.partition(":")[2])) & {"page", "offset", "skip", "cursor"} for name in call.arguments)


def _is_int(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


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


def filtered_by(calls: Iterable[Call], name: str, location: str) -> str | None:
    """The item field that equals the argument `name` in every answer, and does not without it; None if none does."""
    rows = lists(calls)
    with_it = [(call.arguments[location], part) for call, part in rows if location in call.arguments and part]
    if not with_it:
        return None
    for field in _candidates(name, with_it[0][1]):
        if all(_all_are(part, field, value) for value, part in with_it):
            given = {str(value).casefold() for value, _ in with_it}
            others = (part for call, part in rows if location not in call.arguments)
            if len(given) > 1 or any(not _all_are(part, field, value) for part in others for value, _ in with_it):
                return field
    return None


def _candidates(name: str, part: list[Json]) -> list[str]:
    """The item's fields, those named like the parameter first."""
    if not part or not isinstance(part[0], dict):
        return []
    wanted = set(words(name))
    return sorted(part[0], key=lambda field: (field != name, -len(wanted & set(words(field)))))


def _all_are(part: list[Json], field: str, value: Json) -> bool:
    texts = [str(item.get(field)).casefold() if isinstance(item, dict) else "" for item in part]
    return bool(texts) and all(text == str(value).casefold() for text in texts)


def bounded_by(calls: Iterable[Call], name: str, location: str, *, least: bool) -> str | None:
    """The numeric item field that is never below (`least`) or above the argument, and is without it; None if none."""
    rows = lists(calls)
    asked = [(float(bound), part) for call, part in rows if part and (bound := _number(call.arguments.get(location)))]
    others = [part for call, part in rows if location not in call.arguments]
    if not asked:
        return None
    wanted = set(words(name)) - {"min", "max", "minimum", "maximum", "from", "to", "gte", "lte", "gt", "lt"}
    for field in _candidates(name, asked[0][1]):
        if not wanted & set(words(field)):
            continue
        holds = all(_on_side(item, field, bound, least) for bound, part in asked for item in part)
        free = [(item, bound) for part in others for item in part for bound, _ in asked]
        if holds and any(not _on_side(item, field, bound, least) for item, bound in free):
            return field
    return None


def _number(value: Json) -> float | None:
    try:
        return None if value is None or isinstance(value, bool | list | dict) else float(value)
    except ValueError:
        return None


def _on_side(item: Json, field: str, bound: float, least: bool) -> bool:
    value = _number(item.get(field)) if isinstance(item, dict) else None
    return value is not None and (value >= bound if least else value <= bound)
