"""Items of lists that are not the things themselves: what GraphQL, Elasticsearch, FHIR and others put around each."""

from __future__ import annotations

from collections.abc import Callable

from docrev.records import Json


def _with(name: str, beside: set[str]) -> Callable[[Json], bool]:
    return lambda item: isinstance(item.get(name), dict) and item.keys() <= {name, *beside}


_WRAPPED: tuple[tuple[str, Callable[[Json], bool]], ...] = (
    ("node", _with("node", {"cursor", "__typename"})),
    ("_source", lambda item: isinstance(item.get("_source"), dict) and "_id" in item),
    ("resource", lambda item: isinstance(item.get("resource"), dict) and "resourceType" in item["resource"]),
    (
        "document",
        _with("document", {"highlight", "highlights", "text_match", "text_match_info", "geo_distance_meters"}),
    ),
    ("data", _with("data", {"kind"})),
    ("doc", _with("doc", {"id", "key", "value"})),
)


def object_in(items: list[Json]) -> str:
    """The pointer of the object itself within each item, if the API wraps it."""
    if not items or not all(isinstance(item, dict) for item in items):
        return ""
    return next((f"/{name}" for name, wraps in _WRAPPED if all(map(wraps, items))), "")
