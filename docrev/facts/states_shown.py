"""Whether a call shows a fact on a state, a response or an operation; see `shown` for all other kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from docrev.json_values.leaves import values_at
from docrev.records import Call, Fact, Json

Predicate = Callable[[Fact, Call], bool]

# JSON Schema's formats (RFC 3339 for times): stricter than what `shape` guesses from.
FORMATS: Mapping[str, re.Pattern[str]] = {
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"),
    "uuid": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE),
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "uri": re.compile(r"[a-z][a-z0-9+.-]*://[^\s<>\"]+", re.IGNORECASE),
}
LINK = "link"
_NEXT_LINK = re.compile(r"<([^<>]*)>[^,]*;\s*rel=\"?next\"?", re.IGNORECASE)
_NEXT_HEADERS = ("next-page", "x-next-page")


def predicate(fact: Fact) -> Predicate | None:
    """The predicate for the facts that `states` infers; None for the others."""
    if fact.kind == "format":
        return _shows_format if fact.location[:1].isdecimal() else None
    if fact.kind == "pages":
        return _shows_next if ":header:" in fact.location else None
    if fact.kind == "required":
        return _never if fact.location.startswith("body:") else None
    return _PREDICATES.get(fact.kind)


def body_values(call: Call, location: str) -> list[Json]:
    """The values of a response at `STATUS:/ptr`; none where the call has another status."""
    status, _, pointer = location.partition(":")
    return values_at(call.body, pointer) if status == str(call.status) else []


def next_url(call: Call) -> tuple[str, str] | None:
    """The header by which a response leads to the next page, and the URL or token that it gives; None without one."""
    for name in _NEXT_HEADERS:
        if call.headers.get(name):
            return name, call.headers[name]
    found = _NEXT_LINK.search(call.headers.get(LINK, ""))
    return (LINK, found.group(1)) if found else None


def _shows_null(fact: Fact, call: Call) -> bool:
    return any(value is None for value in body_values(call, fact.location))


def _shows_format(fact: Fact, call: Call) -> bool:
    values = [value for value in body_values(call, fact.location) if value is not None]
    pattern = FORMATS[fact.value]
    return bool(values) and all(isinstance(value, str) and pattern.fullmatch(value) for value in values)


def _shows_empty(fact: Fact, call: Call) -> bool:
    return any(value == [] for value in body_values(call, fact.location))


def _shows_next(fact: Fact, call: Call) -> bool:
    found = next_url(call)
    return found is not None and fact.location == f"{call.status}:header:{found[0]}"


def _shows_status(fact: Fact, call: Call) -> bool:
    return bool(call.status == fact.value["status"])


def _never(fact: Fact, call: Call) -> bool:
    """What only several calls together show: these facts stand on independent ones."""
    return False


_PREDICATES: Mapping[str, Predicate] = {
    "nullable": _shows_null,
    "empty": _shows_empty,
    "broken": _shows_status,
    "needs-credentials": _shows_status,
    "needs-first": _shows_status,
    "creates": _never,
    "wrapped-in": _never,
}
