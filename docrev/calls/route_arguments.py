"""Where a call names the things that its route addresses: in its path, in an address, in its body or its query."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from docrev.calls.path_texts import plain
from docrev.json_values.containers import mapping
from docrev.records import Arguments, Json
from docrev.spec.addresses import OPEN
from docrev.spec.route_places import ArgumentPlace, place_of


def argument(arguments: Arguments, name: str) -> Json:
    """What arguments have for a parameter of a route, wherever it lies; None without it, and for several in one."""
    at = place_of(name)
    if at.address:
        found = _address(at.address).fullmatch(plain(arguments.get(f"path:{at.name}")))
        return found[at.segment + 1] if found is not None and found[at.segment + 1] != OPEN else None
    if at.place == "path":
        return arguments["path:" + name]
    body = holder_in(arguments.get("body:"), at)
    in_body = body.get(at.name) if isinstance(body, dict) else None
    value = arguments.get(f"query:{at.name}") if at.place == "query" else in_body
    return (value[0] if len(value) == 1 else None) if at.is_listed and isinstance(value, list) else value


def holder_in(body: Json, at: ArgumentPlace) -> Json:
    """What has the member of a body that names a thing: the body, or the one item of it."""
    if not at.in_item:
        return body
    return body[0] if isinstance(body, list) and len(body) == 1 else None


@lru_cache(maxsize=4096)
def _address(address: str) -> re.Pattern[str]:
    """What an address looks like, each segment that it leaves open in a group."""
    return re.compile("([^/?#]+)".join(map(re.escape, address.split(OPEN))))


def _with_segment(value: Json, at: ArgumentPlace, segment: Json) -> str:
    """An argument that is an address, with a segment that it leaves open; the others as they were.

    What is such an address already stays as it is.
    """
    if _address(at.address).fullmatch(plain(segment)):
        return plain(segment)
    found = _address(at.address).fullmatch(plain(value))
    segments = [OPEN] * at.address.count(OPEN) if found is None else [*found.groups()]
    segments[at.segment] = plain(segment)
    beginning, *rest = at.address.split(OPEN)
    return beginning + "".join(chain.from_iterable(zip(segments, rest, strict=True)))


def addressed(arguments: Arguments, names: Mapping[str, Json]) -> dict[str, Json]:
    """The arguments with those for parameters of a route (`path:id`, `body:name`, `body:names[]`) in their places."""
    found = dict(arguments)
    for key, value in names.items():
        at = place_of(key)
        if at.place == "path":
            place = f"path:{at.name}" if at.address else key
            found[place] = _with_segment(found.get(place), at, value) if at.address else value
            continue
        one = int(value) if at.is_number and isinstance(value, str) and value.isdecimal() else value
        sent: Json = [one] if at.is_listed else one
        if at.place == "query":
            found[f"query:{at.name}"] = sent
        else:
            found["body:"] = _with_member(found.get("body:"), at, sent)
    return found


def _with_member(body: Json, at: ArgumentPlace, sent: Json) -> Json:
    """A body with the member that names a thing, in itself or in its one item."""
    if not at.in_item:
        return {**mapping(body), at.name: sent}
    first = body[0] if isinstance(body, list) and body else None
    return [{**mapping(first), at.name: sent}]


def key_of(name: str) -> str:
    """The key under which `addressed` takes a parameter of a route: `path:id`, `body:name`."""
    at = place_of(name)
    return f"path:{name}" if at.place == "path" and not at.address else name
