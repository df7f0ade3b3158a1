"""Values worth trying for a parameter: few, chosen from what the answers have, and what messages and names say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise

from docrev.conventions import examples
from docrev.conventions.fields import NAMES
from docrev.conventions.ids import is_id_name, names_owner
from docrev.conventions.parameters import ORDERING, PAGING, Role, role_of
from docrev.facts.bounds import BOUNDING, SINCE, bounds_fit
from docrev.facts.kinds.clamps import echoes
from docrev.facts.kinds.excludes import members, negates
from docrev.facts.kinds.in_year import dated
from docrev.facts.kinds.sorts import sortable_fields
from docrev.facts.parameter_trials import HUGE, SAME, names_fit, scalars
from docrev.facts.wire_values import key_of, measure
from docrev.language.characters import fold
from docrev.language.words import singular, words
from docrev.records import Json
from docrev.spec import MISSING, Operation, Parameter

PROBED = frozenset({*PAGING, *ORDERING, Role.FIELDS, Role.EXPAND, Role.SEARCH, Role.NAME})
"""Roles that a parameter is probed for in a way of their own."""
_DAY = "2026-01-31"
_MOST_DAYS = 3
_DAYS = frozenset(["date", "day", "on"])
_TIMES = frozenset(["at", "time", "date", "timestamp", "local", "utc", "on"])
_LONG_WORD = 4
_MOST_UNDECLARED = 2
DIRECTIONS: tuple[Json, ...] = ("asc", "desc")
_DIRECTED = ("{0}:{1}", "{1}:{0}", "{0},{1}", "{0} {1}", "{0}.{1}")
"""How values of sort parameters say in which direction, the commonest form first."""
_TABLE: dict[str, tuple[Json, ...]] = {
    "unit": ("km", "mi", "nmi", "m", "metric", "imperial"),
    "units": ("metric", "imperial", "km", "mi", "nmi"),
    "visibility": ("public", "private", "shared"),
    "lang": ("en", "fr", "de"),
    "language": ("en", "fr", "de"),
    "locale": ("en", "fr", "de"),
    "status": ("active", "published", "open", "draft"),
    "state": ("open", "closed", "active"),
    "format": ("json", "xml", "csv"),
}


def documented(parameter: Parameter) -> list[Json]:
    """What the documentation gives: example, default, enum."""
    given = [] if parameter.example in (None, MISSING) else [parameter.example]
    return [*given, *examples.documented_values(parameter.schema)]


def sort_values(parameter: Parameter, items: list[Json]) -> list[Json]:
    """Fields of the items that can show an order, upwards and downwards, and the words for the directions."""
    directs = role_of(parameter.name, parameter.schema) is Role.DIRECTION or words(parameter.name) == ("order",)
    found: list[Json] = [*DIRECTIONS] if directs else []
    for field in sortable_fields(items):
        found += [field, f"-{field}"]
    return found


def directed(field: str) -> list[tuple[Json, Json]]:
    """How a field is named with the words for the directions, where a minus sign says nothing: downwards, upwards."""
    return [(form.format(field, "desc"), form.format(field, "asc")) for form in _DIRECTED]


def filter_values(location: str, items: list[Json], body: Json) -> list[Json]:
    """Values of the fields that the parameter's name names: rare ones, so that what they choose differs."""
    columns = scalars(items)
    fitting = sorted((field for field in columns if names_fit(location, field)), key=lambda f: -names_fit(location, f))
    found: list[Json] = [value for _, value in echoes(location, body)]
    same = [field for field in fitting if names_fit(location, field) == SAME]
    for field in (same or fitting)[:2]:
        found += _rarest([value for value in columns[field] if value is not None and value != ""])
    return found


def undeclared_filters(operation: Operation, items: list[Json]) -> list[tuple[str, list[Json]]]:
    """Fields that refer to other things, or have a few words, and that no parameter is called: each with two values."""
    declared = [parameter.key for parameter in operation.parameters]
    found = []
    for field, column in scalars(items, depth=1).items():
        held = [value for value in column if value not in (None, "") and not isinstance(value, bool | float)]
        is_declared = any(names_fit(location, field) == SAME for location in declared)
        if held and not is_declared and (_refers(field[1:]) or _are_choices(held)):
            found.append((field[1:], _rarest(held)))
    return sorted(found, key=lambda one: not is_id_name(one[0]))[:_MOST_UNDECLARED]


def within_owners(
    operation: Operation, location: str, items: Iterable[Json], sent: Iterable[str]
) -> Iterator[tuple[dict[str, Json], Json]]:
    """A parameter that names what an item is of (`project_id`), with the item's, and what the item has in the field
    that `location` is called as."""
    queried = [one for one in operation.parameters if one.location == "query" and one.key not in {*sent, location}]
    owners = [one.key for one in queried if names_owner(one.name)]
    for item in items:
        held = {field: one[0] for field, one in scalars([item]).items() if one[0] not in (None, "")}
        chosen = _named(location, held)
        if chosen is not None:
            yield from (({owner: _named(owner, held)}, chosen) for owner in owners if _named(owner, held) is not None)


def _named(location: str, held: Mapping[str, Json]) -> Json:
    """What an item has in the field that a parameter is called as; None without one."""
    return next((value for field, value in held.items() if names_fit(location, field) == SAME), None)


def _refers(name: str) -> bool:
    """Whether a field is called as one that refers to another thing."""
    return is_id_name(name) and name.lower() != "id"


def _are_choices(held: list[Json]) -> bool:
    """Whether the values of a field are few words, most of them more than once."""
    return len({*map(key_of, held)}) * 2 <= len(held) and all(isinstance(value, str) for value in held)


def _rarest(column: list[Json]) -> list[Json]:
    """The two rarest values of a column."""
    counts = Counter(key_of(value) for value in column)
    known = {key_of(value): value for value in column}
    return [known[key] for key, _ in sorted(counts.items(), key=lambda pair: pair[1])][:2]


def middle_values(location: str, items: list[Json]) -> list[Json]:
    """Values from the middle of the field that the parameter may bound: some items are on either side.

    What refers to another thing bounds nothing, if no word says so: `since_id`.
    """
    for known in _bounded_columns(location, items):
        ordered = [value for _, value in sorted(known.items())]
        chosen = [ordered[len(ordered) // 2], ordered[len(ordered) * 3 // 4]]
        days = dict.fromkeys(value[:10] for value in chosen if isinstance(value, str) and len(value) > len(_DAY))
        return [*days, *chosen[: len(chosen) - len(days)]]
    return []


def _bounded_columns(location: str, items: list[Json]) -> Iterator[dict[float | str, Json]]:
    """The different values, by their size, of each field that the parameter may bound."""
    for field, values in ({} if _only_refers(location) else scalars(items)).items():
        known = {m: value for value in values if (m := measure(value)) is not None}
        if bounds_fit(location, field) and len(known) >= 3 and len({type(m) for m in known}) == 1:
            yield known


def _only_refers(location: str) -> bool:
    named = words(location.partition(":")[2])
    return len(named) > 1 and is_id_name(named[-1]) and (BOUNDING | SINCE).isdisjoint(named)


def year_values(name: str, items: list[Json]) -> list[Json]:
    """For a parameter that is called a year: two years of dates in the items, the rarest first."""
    if "year" not in map(singular, words(name)):
        return []
    counts = Counter(str(value)[:4] for values in dated(items).values() for value in values)
    return [int(year) for year, _ in sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))[:2]]


def may_be_day(location: str, field: str) -> bool:
    """Whether a parameter is called a day, and a field a time."""
    return bool(_DAYS & {*words(location.partition(":")[2])}) and bool(_TIMES & {*words(field)})


def days_of(location: str, items: list[Json]) -> list[Json]:
    """For a parameter that is called a day: days of times in the items, those first on which the times differ."""
    times = {field: values for field, values in dated(items).items() if may_be_day(location, field)}
    rows = zip(*times.values(), strict=False)
    days = Counter(
        str(value)[: len(_DAY)] for row in rows if len({str(one)[: len(_DAY)] for one in row}) > 1 for value in row
    )
    common = Counter(str(value)[: len(_DAY)] for values in times.values() for value in values)
    return [day for day, _ in [*days.most_common(2), *common.most_common(2)]][:_MOST_DAYS]


def member_values(location: str, items: list[Json]) -> list[Json]:
    """Values that lists in the items have: rare ones, or, to leave something out, the commonest."""
    for rows in members(location, items).values():
        counts = Counter(value for row in rows for value in row)
        least = 1 if not negates(location) else -1
        if (pair := _pair_of(rows)) and not negates(location):
            return [*pair, ",".join(pair)]
        return [value for value, _ in sorted(counts.items(), key=lambda pair: (least * pair[1], pair[0]))[:2]]
    return []


def _pair_of(rows: list[set[str]]) -> list[Json]:
    """Two values that one row has, one of which another row has without the other: what both together find tells."""
    for row in rows:
        for one, other in combinations(sorted(row), 2):
            if any((one in held) != (other in held) for held in rows) and "," not in one + other:
                return [one, other]
    return []


def search_parts(items: list[Json]) -> list[Json]:
    """Of the names of items: how two begin, a later word, and a part of one; how much is found says what is searched.

    They are of names that have several words.
    """
    found: list[Json] = []
    for text in dict.fromkeys(_names(items)):
        first, *later = [word for word in text.split() if len(word) >= _LONG_WORD and word.isalpha()] or [""]
        if later and text.startswith(first):
            found += [first, later[0], later[0][1:]]
            break
    return found


def values_beyond_all(location: str) -> list[Json]:
    """For a parameter that bounds something: numbers and dates that everything lies below, or above."""
    return [HUGE, -HUGE, "1900-01-01", "2999-12-31"] if BOUNDING & {*words(location.partition(":")[2])} else []


def search_texts(items: list[Json], needed: bool) -> list[Json]:
    """A word of a name, and part of another; if a search is `needed`, letters that many names have, too."""
    texts = _names(items)
    longest = [max(text.split(), key=len, default="") for text in texts]
    known = list(dict.fromkeys(word for word in longest if len(word) >= 4 and word.isalpha()))
    found: list[Json] = [*known[:1], *(word[1:-1] for word in known[1:2])]
    if needed or len(found) < 2:
        found += [*common_pairs(texts)[:1], "an"]
    return [value for value in found if value]


def _names(items: list[Json]) -> list[str]:
    """The texts by which the items are known; all their texts if they have no names."""
    columns = scalars(items)
    named = [field for field in columns if field.rpartition("/")[2].lower() in NAMES]
    return [value for field in named or columns for value in columns[field] if isinstance(value, str)]


def common_pairs(texts: Iterable[str]) -> list[str]:
    """The three pairs of letters that most texts have, the commonest first."""
    counts = Counter(pair for text in texts for pair in set(_pairs(fold(text))))
    return [pair for pair, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]]


def _pairs(text: str) -> Iterator[str]:
    return (a + b for a, b in pairwise(text) if a.isalpha() and b.isalpha())


def field_names(items: list[Json]) -> list[Json]:
    """Field names of the items, to be selected one at a time."""
    return list({name: None for item in items if isinstance(item, dict) for name in item})[1:4]


def values_by_name(name: str) -> list[Json]:
    """What the name alone suggests."""
    return [value for word in words(name) for value in _TABLE.get(word, ())]


def far_numbers(role: Role, known: bool) -> list[Json]:
    """Numbers that show a bound, or that there is none; small ones unless such are `known`."""
    if role in (Role.PAGE, Role.OFFSET):
        return [1, 2, -HUGE]
    return [HUGE, -HUGE] if known and role not in PROBED else [1, 2, HUGE, -HUGE]
