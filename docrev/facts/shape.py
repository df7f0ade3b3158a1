"""What responses look like: one `Field` a place, with its types, presence, nulls, values, formats and lengths.

The observer is bounded, so that one pass over an operation costs some milliseconds: at most 20 calls, 50 items of an
array (10 of one inside an item), 12 distinct values of a field, 400 places, 8 levels. Objects with more than 60 names
of their own, or whose names are data (ids, paths, headers, the names of what they hold), are maps, and so are JSON
Schemas: they are not taken apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from docrev.conventions.json_schemas import is_json_schema
from docrev.conventions.run_names import is_made_up
from docrev.grouping import only
from docrev.json_values.leaves import MAX_INNER_ITEMS, MAX_ITEMS
from docrev.json_values.pointer import escape
from docrev.records import Call, Json

MAX_CALLS = 20
MAX_VALUES = 12
MAX_PLACES = 400
MAX_DEPTH = 8
MAX_NAMES = 60
MAX_LENGTH = 200

TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}

# An id as the name of a member: a number, a UUID, a long hexadecimal digest.
_ID_NAME = re.compile(r"-?\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}", re.IGNORECASE)
_NO_NAME = re.compile(r"^[/#@$.{]|[\s/.]")
"""What the name of a member begins with, or has in it, only if it is a path, a tag, a template, a title or dotted."""
_MIN_ALIKE = 3
"""Members of one form that have names of no form."""
_HEADER_NAME = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)*")
_MIN_HEADERS = 2

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
EMAIL = re.compile(r"[^@\s]+@[\w.-]+\.[A-Za-z]{2,}")
_FORMATS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\d{4}-\d\d-\d\d")),
    ("date-time", re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?")),
    ("time", re.compile(r"\d\d:\d\d(:\d\d)?")),
    ("uuid", UUID),
    ("email", EMAIL),
    ("uri", re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)),
)


@dataclass(slots=True)
class Field:
    """One place of a response: `present` times among `parents` objects (or items) it could have been in.

    `types` counts JSON types other than null; `values` are distinct scalars in the order seen, each counted, complete
    unless `more`. `shortest` and `longest` are array lengths. `calls` are the ids of the calls that had it,
    `valued` of those that had it with another value than null.
    """

    present: int = 0
    parents: int = 0
    nulls: int = 0
    types: Counter[str] = field(default_factory=Counter)
    counts: dict[tuple[type, Json], int] = field(default_factory=dict)
    more: bool = False
    shortest: int | None = None
    longest: int = 0
    calls: list[str] = field(default_factory=list)
    valued: list[str] = field(default_factory=list)
    children: dict[str, Field] = field(default_factory=dict)
    is_map: bool = False

    @property
    def always(self) -> bool:
        """In every object that could have had it."""
        return self.present == self.parents > 0

    @property
    def samples(self) -> int:
        """How many values other than null were seen."""
        return self.present - self.nulls

    @property
    def type(self) -> str | None:
        """The one JSON type of all values; number where integers mix with it; None where they disagree."""
        return one_type(self.types)

    @property
    def values(self) -> list[Json]:
        """Distinct scalars in the order seen, at most 12."""
        return [value for _, value in self.counts]

    @property
    def format(self) -> str:
        """date, date-time, time, uuid, email or uri, where every string seen is one; otherwise ""."""
        return format_of(self.values)


Shape = dict[str, Field]
"""Fields by pointer: "" the whole body, `/results/0/id` (`/0` stands for the items of an array)."""


def format_of(values: Iterable[object]) -> str:
    """The format that all of these strings have, or "": also where there is none, or a value that is no string."""
    texts = list(values)
    for name, pattern in _FORMATS if texts else ():
        if all(isinstance(text, str) and pattern.fullmatch(text) for text in texts):
            return name
    return ""


def type_name(value: object) -> str:
    """The JSON type name of a value."""
    return TYPES[type(value)]


def one_type(names: Iterable[str]) -> str | None:
    """The one JSON type of values with these types: number if integers mix with it; None if they disagree."""
    known = set(names)
    return "number" if known == {"integer", "number"} else only(known)


def shape(calls: Iterable[Call]) -> Shape:
    """The shape of the bodies of these calls, which should be of one operation and status."""
    root = Field()
    # The first of many messages shows nothing of the others.
    for call in islice((call for call in calls if not call.is_cut), MAX_CALLS):
        if call.body is not None or call.media_type:
            root.parents += 1
            _see(root, call.body, call.id, MAX_DEPTH)
    return dict(islice(_places(root, ""), MAX_PLACES))


def _see(place: Field, value: object, call: str, depth: int) -> None:
    place.present += 1
    if not place.calls or place.calls[-1] != call:
        place.calls.append(call)
    if value is None:
        place.nulls += 1
        return
    if not place.valued or place.valued[-1] != call:
        place.valued.append(call)
    place.types[TYPES[type(value)]] += 1
    if isinstance(value, dict):
        _see_object(place, value, call, depth)
    elif isinstance(value, list):
        _see_array(place, value, call, depth)
    else:
        _see_scalar(place, value)


def _see_object(place: Field, value: dict[str, object], call: str, depth: int) -> None:
    if place.is_map or not depth or (value and (has_data_keys(value) or is_json_schema(value))):
        place.is_map = bool(depth)
        place.children.clear()
        return
    children = place.children
    objects = place.types["object"]
    for name, part in value.items():
        # A name that the run gave to something is data, beside whatever names it stands.
        if is_made_up(name):
            continue
        child = children.get(name)
        if child is None:
            child = children[name] = Field()
        _see(child, part, call, depth - 1)
    for child in children.values():
        child.parents = objects


def has_data_keys(value: dict[str, object]) -> bool:
    """Whether the names in an object are data: too many, ids, paths, tags, headers, or what each member is called."""
    if len(value) > MAX_NAMES or all(map(_is_data, value)):
        return True
    if all(_HEADER_NAME.fullmatch(name) for name in value) and sum("-" in name for name in value) >= _MIN_HEADERS:
        return True
    return _are_alike(value) or all(isinstance(part, dict) and name in _names_of(part) for name, part in value.items())


def _is_data(name: str) -> bool:
    return bool(_ID_NAME.fullmatch(name) or _NO_NAME.search(name)) or is_made_up(name)


def _are_alike(value: dict[str, object]) -> bool:
    """Whether members have names of no form, and are objects with the same names, several of these."""
    if len(value) < _MIN_ALIKE or all(map(str.isidentifier, value)):
        return False
    forms = {frozenset(part) if isinstance(part, dict) else frozenset[str]() for part in value.values()}
    return len(forms) == 1 and len(forms.pop()) > 1


def _names_of(member: dict[str, object]) -> set[Json]:
    return {member[name] for name in ("id", "name", "key", "slug", "code") if isinstance(member.get(name), str)}


def _see_array(place: Field, value: list[Json], call: str, depth: int) -> None:
    length = len(value)
    place.shortest = length if place.shortest is None else min(place.shortest, length)
    place.longest = max(place.longest, length)
    if not value or not depth or place.is_map:
        return
    child = place.children.setdefault("0", Field())
    limit = MAX_ITEMS if depth >= MAX_DEPTH - 1 else MAX_INNER_ITEMS
    for item in value[:limit]:
        child.parents += 1
        _see(child, item, call, depth - 1)


def _see_scalar(place: Field, value: object) -> None:
    if isinstance(value, str) and len(value) > MAX_LENGTH:
        place.more = True
        return
    key = (type(value), value)
    if key in place.counts:
        place.counts[key] += 1
    elif len(place.counts) < MAX_VALUES:
        place.counts[key] = 1
    else:
        place.more = True


def _places(place: Field, pointer: str) -> Iterator[tuple[str, Field]]:
    yield pointer, place
    for name, child in place.children.items():
        yield from _places(child, f"{pointer}/{escape(name)}")
