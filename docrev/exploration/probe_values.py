"""Values worth trying for a parameter: few, chosen from what the answers have, and what messages and names say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from docrev.conventions import examples
from docrev.facts.effects_lists import BOUNDING, MIN_SORTED, bounds_fit, measure, names_fit
from docrev.facts.effects_members import dated, members, negates
from docrev.facts.effects_paging import HUGE, echoes
from docrev.facts.effects_trials import fold, key_of, scalars
from docrev.language.words import singular, words
from docrev.records import Json
from docrev.spec import MISSING, Parameter

_LIMITS = frozenset(
    ["limit", "size", "count", "perpage", "pagesize", "maxresults", "top", "take", "rows", "max", "first"]
)
_PAGES = frozenset(["page", "pagenumber", "pageno", "pageindex", "p"])
_OFFSETS = frozenset(["offset", "skip", "start", "startindex", "from"])
_CURSORS = frozenset(["cursor", "token", "pagetoken", "nexttoken", "continuation", "after", "startingafter"])
_SORTS = frozenset(["sort", "sortby", "order", "orderby", "ordering", "sorting"])
_DIRECTIONS = frozenset(["order", "direction", "dir", "sortorder", "sortdir", "sortdirection", "orderdirection"])
_SEARCHES = frozenset(["q", "query", "search", "term", "text", "keyword", "keywords", "name", "title", "s"])
_FIELDS = frozenset(["fields", "field", "select", "only", "include", "columns", "attributes", "properties"])
_TABLE: dict[str, tuple[Json, ...]] = {
    "unit": ("km", "mi", "m", "metric", "imperial"),
    "units": ("metric", "imperial", "km", "mi"),
    "visibility": ("public", "private", "shared"),
    "lang": ("en", "fr", "de"),
    "language": ("en", "fr", "de"),
    "locale": ("en", "fr", "de"),
    "status": ("active", "published", "open", "draft"),
    "state": ("open", "closed", "active"),
    "format": ("json", "xml", "csv"),
}


def role(name: str) -> str:
    """limit, page, offset, cursor, sort, fields, search, or "": what the name of a parameter suggests."""
    joined = "".join(words(name))
    for known, names in (
        ("limit", _LIMITS),
        ("page", _PAGES),
        ("offset", _OFFSETS),
        ("cursor", _CURSORS),
        ("sort", _SORTS | _DIRECTIONS),
        ("fields", _FIELDS),
        ("search", _SEARCHES),
    ):
        if joined in names:
            return known
    return ""


def documented(parameter: Parameter) -> list[Json]:
    """What the documentation gives: example, default, enum."""
    given = [] if parameter.example in (None, MISSING) else [parameter.example]
    return [*given, *examples.documented_values(parameter.schema)]


def sorting(name: str, items: list[Json]) -> list[Json]:
    """Fields of the items that can show an order, upwards and downwards, and the words for the directions."""
    found: list[Json] = []
    if "".join(words(name)) in _DIRECTIONS:
        found += ["asc", "desc"]
    columns = scalars(items, depth=1)
    fields = [field for field, values in columns.items() if len({key_of(value) for value in values}) >= MIN_SORTED]
    fields.sort(key=lambda field: not any(isinstance(value, int | float) for value in columns[field]))
    for field in fields[:4]:
        found += [field[1:], f"-{field[1:]}"]
    return found


def filtering(location: str, items: list[Json], body: Json) -> list[Json]:
    """Values of the fields that the parameter's name names: rare ones, so that what they choose differs."""
    columns = scalars(items)
    fitting = sorted((field for field in columns if names_fit(location, field)), key=lambda f: -names_fit(location, f))
    found: list[Json] = [value for _, value in echoes(location, body)]
    for field in fitting[:2]:
        counts = Counter(key_of(value) for value in columns[field] if value is not None)
        known = {key_of(value): value for value in columns[field] if value is not None and value != ""}
        found += [known[key] for key, _ in sorted(counts.items(), key=lambda pair: pair[1]) if key in known][:2]
    return found


def middle(location: str, items: list[Json]) -> list[Json]:
    """Values from the middle of the field that the parameter may bound: some items are on either side."""
    for field, values in scalars(items).items():
        known = {m: value for value in values if (m := measure(value)) is not None}
        if bounds_fit(location, field) and len(known) >= 3 and len({type(m) for m in known}) == 1:
            ordered = [value for _, value in sorted(known.items())]
            return [ordered[len(ordered) // 2], ordered[len(ordered) * 3 // 4]]
    return []


def years(name: str, items: list[Json]) -> list[Json]:
    """For a parameter that is called a year: two years of dates in the items, the rarest first."""
    if "year" not in map(singular, words(name)):
        return []
    counts = Counter(str(value)[:4] for values in dated(items).values() for value in values)
    return [int(year) for year, _ in sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))[:2]]


def held(location: str, items: list[Json]) -> list[Json]:
    """Values that lists in the items have: rare ones, or, to leave something out, the commonest."""
    for rows in members(location, items).values():
        counts = Counter(value for row in rows for value in row)
        least = 1 if not negates(location) else -1
        return [value for value, _ in sorted(counts.items(), key=lambda pair: (least * pair[1], pair[0]))[:2]]
    return []


def beyond_all(location: str) -> list[Json]:
    """For a parameter that bounds something: numbers and dates that everything lies below, or above."""
    return [HUGE, -HUGE, "1900-01-01", "2999-12-31"] if BOUNDING & {*words(location.partition(":")[2])} else []


def searching(items: list[Json], needed: bool) -> list[Json]:
    """A word of a name, and part of another; where a search is `needed`, letters that many names have, too."""
    columns = scalars(items)
    named = [f for f in columns if f.rpartition("/")[2].lower() in ("name", "title", "label")]
    texts = [value for field in named or columns for value in columns[field] if isinstance(value, str)]
    longest = [max(text.split(), key=len, default="") for text in texts]
    known = list(dict.fromkeys(word for word in longest if len(word) >= 4 and word.isalpha()))
    found: list[Json] = [*known[:1], *(word[1:-1] for word in known[1:2])]
    if needed or len(found) < 2:
        found += [*common(texts)[:1], "an"]
    return [value for value in found if value]


def common(texts: Iterable[str]) -> list[str]:
    """The pairs of letters that most texts have, the commonest first."""
    counts = Counter(pair for text in texts for pair in set(_pairs(fold(text))))
    return [pair for pair, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]]


def _pairs(text: str) -> Iterator[str]:
    for a, b in pairwise(text):
        if a.isalpha() and b.isalpha():
            yield a + b


def naming(items: list[Json]) -> list[Json]:
    """Field names of the items, to be selected one at a time."""
    return list({name: None for item in items if isinstance(item, dict) for name in item})[1:4]


def by_name(name: str) -> list[Json]:
    """What the name alone suggests."""
    return [value for word in words(name) for value in _TABLE.get(word, ())]


def of_format(name: str) -> list[Json]:
    """A value of a format that a message names."""
    if name == "boolean":
        return [True, False]
    known = {"date": "2024-06-01", "date-time": "2024-06-01T12:00:00Z", "email": "docrev@example.org"}
    return [known[name]] if name in known else []


def numbers(name: str, known: bool) -> list[Json]:
    """Numbers that tell a bound, or that there is none; small ones unless such are `known`."""
    kind = role(name)
    if kind in ("page", "offset"):
        return [1, 2, -HUGE]
    return [HUGE, -HUGE] if known and not kind else [1, 2, HUGE, -HUGE]
