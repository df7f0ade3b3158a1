"""Finding the thing, or the things, and their ids in a response body."""

from __future__ import annotations

from docrev.records import Json

_ENVELOPES = ("data", "item", "items", "result", "results", "records", "entries", "values", "content", "objects")
_IDS = ("id", "uuid", "_id", "guid", "key", "slug", "code", "name")


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


def id_of(item: Json, name: str) -> str | int | None:
    """The id of an object: the field called as the path parameter, `id` and its like, or the only `…_id`.

    For `name` "loan_id", `loan_id` comes before `id`.
    """
    if not isinstance(item, dict):
        return None
    for candidate in (name, *_IDS):
        value = item.get(candidate)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return value
    ends = [v for n, v in item.items() if n.lower().endswith(("_id", "id")) and isinstance(v, str | int)]
    return ends[0] if len(ends) == 1 and not isinstance(ends[0], bool) else None
