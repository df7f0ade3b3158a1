"""What each query parameter of a list does, read from its name, description, enum, default and bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from docrev.language.words import singular, words
from docrev.simulator.kinds import EntityKinds
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
COMPARISONS = {
    **dict.fromkeys(each("gte min minimum from since start ge after"), "gte"),
    **dict.fromkeys(each("lte max maximum to until end le before"), "lte"),
    **dict.fromkeys(each("without exclude not excluding"), "without"),
    "gt": "gt",
    "lt": "lt",
}
FILLER = frozenset({"with", "filter", "by", "is", "has", "only", "in"})


_PARTIAL = re.compile(r"\b(contain|partial|substring|matching|search|start)", re.IGNORECASE)
_LABEL = re.compile(r"([A-Z][A-Za-z -]*):\s*(\d+)")


@dataclass(frozen=True, slots=True)
class ListEffect:
    """What a parameter does: `role` is page, limit, offset, cursor, sort, order, search, filter, relation, include,
    select-kind or ignored. Of a filter, `field` and how it compares; of a relation, the kind and its slot."""

    role: str
    field: str = ""
    compare: str = "eq"
    kind: str = ""
    slot: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    """Of a filter by number: what each number stands for, if the description says `Ended: 3`."""


IGNORED = ListEffect("ignored")


def effects(
    operation: Operation, kinds: EntityKinds, kind: str | None, fields: Mapping[str, Schema]
) -> dict[str, ListEffect]:
    """Query parameter → what it does to a list of `kind`, whose items have `fields`."""
    found = {}
    for parameter in operation.parameters:
        if parameter.location == "query":
            found[parameter.name] = _effect(parameter, operation, kinds, kind, fields)
    return found


def _effect(
    parameter: Parameter, operation: Operation, kinds: EntityKinds, kind: str | None, fields: Mapping[str, Schema]
) -> ListEffect:
    flat = "".join(words(parameter.name))
    plain = _paging(parameter, flat)
    if plain is not None:
        return plain
    if _selects_kind(parameter.schema, kinds):
        return ListEffect("select-kind")
    if flat in SEARCH or (parameter.schema.type in ("string", None) and _searches(parameter, operation)):
        return ListEffect("search")
    if flat in SELECT:
        return IGNORED
    return _filter(parameter, kinds, kind, fields) or IGNORED


def _selects_kind(schema: Schema, kinds: EntityKinds) -> bool:
    """Whether the allowed values are kinds of entities: `type=album,track`."""
    items = schema.items()
    values = schema.enum or (items.enum if items is not None else None) or []
    return schema.type in ("array", "string") and any(kinds.named(words(str(value))) for value in values)


def _paging(parameter: Parameter, flat: str) -> ListEffect | None:
    schema = parameter.schema
    if schema.type in ("integer", "number", None):
        for role, names in (("page", PAGE), ("limit", LIMIT), ("offset", OFFSET)):
            if flat in names:
                return ListEffect(role)
    if flat in CURSOR and schema.type in ("string", None):
        return ListEffect("cursor")
    if flat in SORT:
        return ListEffect("sort")
    if flat in ORDER:
        directions = {str(value).lower()[:3] for value in schema.enum or ("asc",)} - {""}
        return ListEffect("order") if directions <= {"asc", "des"} else ListEffect("sort")
    return None


def _searches(parameter: Parameter, operation: Operation) -> bool:
    text = parameter.description.lower()
    return parameter.required and "search" in text and "search" in operation.path.lower()


def _filter(
    parameter: Parameter, kinds: EntityKinds, kind: str | None, fields: Mapping[str, Schema]
) -> ListEffect | None:
    parts = _singulars(parameter.name)
    compare, rest = _comparison(parts)
    if parts[:1] == ["include"] and parameter.schema.type == "boolean":
        name = field_for(rest[1:], fields)
        return ListEffect("include", name) if name and fields[name].type == "boolean" else None
    if (dated := _year(rest, fields)) is not None:
        return ListEffect("filter", dated, "year" if compare == "eq" else f"year-{compare}")
    name = field_for(rest, fields)
    relation = _relation(rest, parameter, kinds, kind, fields)
    if relation is not None and compare in ("eq", "without") and (name is None or fields[name].type == "array"):
        return ListEffect("relation", compare=compare, kind=relation[0], slot=relation[1])
    return None if name is None else _field_filter(parameter, name, fields[name], compare)


def _year(rest: list[str], fields: Mapping[str, Schema]) -> str | None:
    """The date whose year these words choose by, if no field is called exactly so."""
    if rest[-1:] != ["year"] or any(_singulars(field) == rest for field in fields):
        return None
    return _dated(rest[:-1], fields)


def _field_filter(parameter: Parameter, name: str, field: Schema, compare: str) -> ListEffect | None:
    """A filter by one field: by equality, or as a bound; by a part of a text if the description says so."""
    if field.type == "string":
        if compare == "eq" and not field.enum and _PARTIAL.search(parameter.description):
            compare = "contains"
        labels = tuple((number, label.strip()) for label, number in _LABEL.findall(parameter.description))
        if not field.format and (labels or parameter.schema.type in ("integer", "boolean")):
            return ListEffect("filter", name, compare, labels=labels) if labels else None
    return ListEffect("filter", name, compare)


def _singulars(name: str) -> list[str]:
    return [singular(word) for word in words(name)]


def _comparison(parts: list[str]) -> tuple[str, list[str]]:
    compare, rest = "eq", list(parts)
    for place in (-1, 0):
        if len(rest) < 2:
            break
        if found := COMPARISONS.get(rest[place]):
            compare = found
            rest.pop(place)
    while len(rest) > 1 and rest[0] in FILLER:
        rest.pop(0)
    return compare, rest


def _relation(
    parts: list[str], parameter: Parameter, kinds: EntityKinds, kind: str | None, fields: Mapping[str, Schema]
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
    named = {name: _singulars(name) for name in fields if words(name) and _comparable(fields[name])}
    joined = "".join(parts)
    ways: tuple[Callable[[list[str]], bool], ...] = (
        lambda own: own == parts,
        lambda own: len(own) > 1 and parts[-len(own) :] == own,
        lambda own: own[-len(parts) :] == parts,
        # `runtime` names `episode_run_time`.
        lambda own: len(joined) > 4 and "".join(own[1:]) == joined,
    )
    return next((name for matches in ways for name, own in named.items() if matches(own)), None)


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
