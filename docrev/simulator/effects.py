"""What each query parameter of a list does, read from its name, description, enum, default and bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from docrev.language.words import singular, words
from docrev.simulator.kinds import Kinds
from docrev.simulator.names import each
from docrev.simulator.roles import role
from docrev.spec import Operation, Parameter, Schema

PAGE = frozenset({"page", "pagenumber", "pageno", "pageindex", "p"})
LIMIT = frozenset(
    each("limit perpage pagesize size maxresults pagelimit count take top first rows numresults resultsperpage n")
)
OFFSET = frozenset({"offset", "skip", "start", "startindex", "from", "startat"})
CURSOR = frozenset({"after", "cursor", "pagetoken", "nexttoken", "startingafter", "continuation", "continuationtoken"})
SORT = frozenset({"sort", "sortby", "orderby", "ordering", "sortfield", "sortkey"})
ORDER = frozenset({"order", "direction", "sortorder", "sortdirection", "sortdir", "orderdirection"})
SEARCH = frozenset({"q", "query", "search", "term", "searchterm", "searchquery", "keyword", "keywords", "text", "s"})
SELECT = frozenset({"fields", "select", "include", "expand", "exclude", "embed"})
LOW = frozenset({"gte", "min", "minimum", "from", "since", "start", "ge", "after"})
HIGH = frozenset({"lte", "max", "maximum", "to", "until", "end", "le", "before"})
STRICT = {"gt": "gt", "lt": "lt"}
WITHOUT = frozenset({"without", "exclude", "not", "excluding"})
FILLER = frozenset({"with", "filter", "by", "is", "has", "only", "in"})


_LABEL = re.compile(r"([A-Z][A-Za-z -]*):\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a parameter does: `role` is page, limit, offset, cursor, sort, order, search, filter, relation, include,
    select-kind or ignored. Of a filter, `field` and how it compares; of a relation, the kind and its slot."""

    role: str
    field: str = ""
    compare: str = "eq"
    kind: str = ""
    slot: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    """Of a filter by number: what each number stands for, where the description says `Ended: 3`."""


IGNORED = Effect("ignored")


def effects(operation: Operation, kinds: Kinds, kind: str | None, fields: Mapping[str, Schema]) -> dict[str, Effect]:
    """Query parameter → what it does to a list of `kind`, whose items have `fields`."""
    found = {}
    for parameter in operation.parameters:
        if parameter.location == "query":
            found[parameter.name] = _effect(parameter, operation, kinds, kind, fields)
    return found


def _effect(
    parameter: Parameter, operation: Operation, kinds: Kinds, kind: str | None, fields: Mapping[str, Schema]
) -> Effect:
    flat = "".join(words(parameter.name))
    plain = _paging(parameter, flat)
    if plain is not None:
        return plain
    values = parameter.schema.enum or (items.enum if (items := parameter.schema.items()) else None) or []
    if parameter.schema.type in ("array", "string") and any(kinds.named(words(str(value))) for value in values):
        return Effect("select-kind")
    if flat in SEARCH or (parameter.schema.type in ("string", None) and _searches(parameter, operation)):
        return Effect("search")
    if flat in SELECT:
        return IGNORED
    return _filter(parameter, kinds, kind, fields) or IGNORED


def _paging(parameter: Parameter, flat: str) -> Effect | None:
    schema = parameter.schema
    numeric = schema.type in ("integer", "number", None)
    if flat in PAGE and numeric:
        return Effect("page")
    if flat in LIMIT and numeric:
        return Effect("limit")
    if flat in OFFSET and numeric:
        return Effect("offset")
    if flat in CURSOR and schema.type in ("string", None):
        return Effect("cursor")
    if flat in SORT:
        return Effect("sort")
    if flat in ORDER:
        directions = {str(value).lower()[:3] for value in schema.enum or ("asc",)} - {""}
        return Effect("order") if directions <= {"asc", "des"} else Effect("sort")
    return None


def _searches(parameter: Parameter, operation: Operation) -> bool:
    text = parameter.description.lower()
    return parameter.required and "search" in text and "search" in operation.path.lower()


def _filter(parameter: Parameter, kinds: Kinds, kind: str | None, fields: Mapping[str, Schema]) -> Effect | None:
    parts = [singular(word) for word in words(parameter.name)]
    compare, rest = _comparison(parts)
    if parts[:1] == ["include"] and parameter.schema.type == "boolean":
        name = field_for(rest[1:], fields)
        return Effect("include", name) if name and fields[name].type == "boolean" else None
    exact = any([singular(word) for word in words(field)] == rest for field in fields)
    if rest[-1:] == ["year"] and not exact and (name := _dated(rest[:-1], fields)):
        return Effect("filter", name, "year" if compare == "eq" else f"year-{compare}")
    name = field_for(rest, fields)
    relation = _relation(rest, parameter, kinds, kind, fields)
    if relation is not None and compare in ("eq", "without") and (name is None or fields[name].type == "array"):
        return Effect("relation", compare=compare, kind=relation[0], slot=relation[1])
    if name is None:
        return None
    loose = re.search(r"\b(contain|partial|substring|matching|search|start)", parameter.description, re.IGNORECASE)
    if compare == "eq" and loose and fields[name].type == "string" and not fields[name].enum:
        compare = "contains"
    if fields[name].type == "string" and not fields[name].format:
        labels = tuple((number, label.strip()) for label, number in _LABEL.findall(parameter.description))
        if labels or parameter.schema.type in ("integer", "boolean"):
            return Effect("filter", name, compare, labels=labels) if labels else None
    return Effect("filter", name, compare)


def _comparison(parts: list[str]) -> tuple[str, list[str]]:
    compare, rest = "eq", list(parts)
    for place in (-1, 0):
        if len(rest) < 2:
            break
        word = rest[place]
        found = (
            "gte"
            if word in LOW
            else "lte"
            if word in HIGH
            else STRICT.get(word) or ("without" if word in WITHOUT else "")
        )
        if found:
            compare = found
            rest.pop(place)
    while len(rest) > 1 and rest[0] in FILLER:
        rest.pop(0)
    return compare, rest


def _relation(
    parts: list[str], parameter: Parameter, kinds: Kinds, kind: str | None, fields: Mapping[str, Schema]
) -> tuple[str, str] | None:
    """The kind and the slot of a parameter that takes ids of others: `with_genres`, `artist_id`, `with_cast`."""
    nouns = [part for part in parts if part not in ("id", "uuid", "code", "slug")]
    other = kinds.named(nouns)
    if other is None:
        said = re.search(r"([\w ]+?)\s+ids?\b", parameter.description.replace("'", ""), re.IGNORECASE)
        other = kinds.named(words(said[1])) if said else None
    if other is None or other == kind:
        return None
    for name, schema in fields.items():
        if kinds.referred(name) == other or ((inside := schema.items() or schema) and kinds.of(inside, name) == other):
            return other, role(name, other)
    return other, role("-".join(nouns), other)


def field_for(parts: list[str], fields: Mapping[str, Schema]) -> str | None:
    """The field that these words name: by all of them, by their end, or by its own end."""
    if not parts:
        return None
    named = [(name, [singular(word) for word in words(name)]) for name in fields]
    plain = [(name, own) for name, own in named if own and _comparable(fields[name])]
    for name, own in plain:
        if own == parts:
            return name
    for name, own in plain:
        if len(own) > 1 and parts[-len(own) :] == own:
            return name
    for name, own in plain:
        if own[-len(parts) :] == parts:
            return name
    # `runtime` names `episode_run_time`.
    joined = "".join(parts)
    return next((name for name, own in plain if len(joined) > 4 and "".join(own[1:]) == joined), None)


def _comparable(schema: Schema) -> bool:
    if schema.type == "array":
        items = schema.items()
        return items is not None and items.type not in ("object", "array")
    return schema.type != "object" and not schema.properties()


def _dated(parts: list[str], fields: Mapping[str, Schema]) -> str | None:
    dates = [name for name, schema in fields.items() if schema.format in ("date", "date-time") or "date" in words(name)]
    own = {word for word in parts if word not in FILLER}
    dates = [name for name in dates if fields[name].type == "string"]
    return max(dates, key=lambda name: len(own & set(words(name))), default=None)
