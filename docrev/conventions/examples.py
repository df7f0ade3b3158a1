"""Example values for a schema: by its example, default, enum, format, name and type, in this order.

What is sent must be harmless and look like what it is: a test by docrev.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice

from docrev.conventions.described_values import described_values
from docrev.conventions.fields import PLAIN_IDS, is_free_text, is_name_field
from docrev.conventions.guessed_values import BY_WORD, FORMATS, INTEGERS
from docrev.conventions.run_names import (
    carries_made_up,
    is_made_up,
    run_base64,
    run_email,
    run_name,
    run_url,
    run_uuid,
)
from docrev.conventions.sql import own_query
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import find, last, replaced
from docrev.json_values.scalars import is_number
from docrev.language.patterns import matching
from docrev.language.words import singular, word_set, words
from docrev.records import Json
from docrev.spec import MISSING, Schema

_LATER = {"date": "2036-06-01", "date-time": "2036-06-01T12:00:00Z", "zoned-date-time": "2036-06-01T12:00:00Z"}
"""What is sent for the end of a period: after its beginning and, as many services want it, in the future."""
_ENDING = word_set("end ends ending until till expires expire expiry expiration deadline due to")
"""Words of names of the end of a period: `endsAt`, `valid_to`, `expires_on`."""

_MOST_ITEMS = 8
"""Items that are made for a list that must have so many."""
COMMONPLACE: tuple[Json, ...] = ("main", "default", "latest", "all", "en", "0", "US", "2024-06-01", "2.5", "true", "x")
"""Texts of several kinds, of which an operation that only reads may take one if nothing is known."""

_OF_RUN: dict[Json, Callable[[int], str]] = {
    "docrev": run_name,
    FORMATS["email"]: run_email,
    FORMATS["uri"]: run_url,
    FORMATS["uuid"]: run_uuid,
    FORMATS["byte"]: run_base64,
    FORMATS["hostname"]: lambda number: f"{run_name(number)}.{FORMATS['hostname']}",
}
"""What is guessed for anything, and what stands for it in a body: the same, named after the run."""
_IDENTIFIERS = frozenset(["id", "pk", "key", "slug", "identifier", "username", "login", "handle", "nickname"])
_SIMPLE_PATTERN = re.compile(r"[^()|\\]{1,100}")
_MAX_REPEATS = 6

_STRICT = {
    "uuid": re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*"),
}
"""Formats whose texts are told from all others."""

_DEEPEST = 6
Lookup = Callable[[str, Schema], list[Json]]
"""Pointer in the body and its schema → values known for it, best first."""


def documented_values(schema: Schema) -> list[Json]:
    """The values that the documentation itself gives: example, default, enum."""
    found: list[Json] = []
    for value in (schema.example, schema.default):
        if value is not MISSING and value is not None and not isinstance(value, (dict, list)):
            found.append(value)
    found.extend(schema.enum or [value for part in schema.alternatives() for value in part.enum or ()])
    return unique(found)


def guess_values(name: str, schema: Schema) -> list[Json]:
    """Values that fit the type and the name, if nothing is stated or seen."""
    return unique([*values_of_name(name, schema), *_by_type(name, schema)])


def values_of_name(name: str, schema: Schema) -> list[Json]:
    """Values for what words say that something is: the name of a parameter, or what an error calls it."""
    kind, known = schema.type, []
    if {"status", "code"} <= {singular(word) for word in words(name)}:
        known.append(200)
    form = schema.format or schema.get("contentEncoding")
    if isinstance(form, str) and form in FORMATS and kind in (None, "string"):
        known.append(FORMATS[form])
    for word in reversed(words(name)):
        if word in BY_WORD:
            known.append(BY_WORD[word])
        if word == "day":
            # The number of a day stands beside those of its month and its year.
            known.append(1)
    return [coerced for value in known if (coerced := fit_type(value, kind)) is not None]


def _by_type(name: str, schema: Schema) -> list[Json]:
    if schema.type in ("integer", "number"):
        return _numbers(schema)
    if schema.type == "boolean":
        return [True]
    if schema.type == "array":
        return []
    if schema.pattern:
        texts = (matching(schema.pattern, draw) for draw in (lambda most: min(1, most - 1), lambda most: 0))
        return [text for text in texts if text] or ["docrev"]
    return ["a", "1"] if words(name)[-1:] in (("q",), ("query",), ("search",), ("term",)) else ["docrev", "1"]


def _numbers(schema: Schema) -> list[Json]:
    low = schema.get("minimum")
    if schema.type == "integer":
        return [int(low), int(low) + 1] if isinstance(low, (int, float)) else [1, 2]
    return [low] if isinstance(low, (int, float)) else [1, 10]


def named_after_run(value: object, number: int) -> Json:
    """A guessed value as it is sent to create something: a text that says whose it is, for one that says nothing."""
    maker = _OF_RUN.get(value) if isinstance(value, str) else None
    return value if maker is None else maker(number)


def own_name(name: str, schema: Schema, number: int) -> str | None:
    """What the run calls its own thing in a property by which things are called; None for any other property.

    Where the schema states characters or a length, a form of the name that fits is chosen.
    """
    if not (is_name_field(name) or name.lower() in _IDENTIFIERS) or not _is_free(schema):
        return None
    plain = run_name(number)
    forms = (plain, plain.replace("-", "_"), plain.replace("-", ""), plain.upper(), plain.replace("-", "").upper())
    return next((form for form in forms if _fits(form, schema)), plain)


def own_identity(pointer: str, schema: Schema, number: int) -> str | int | None:
    """The name or the number by which the run identifies its own thing in a body; None for other members."""
    return own_name(last(pointer), schema, number) or _own_number(pointer, schema, number)


def _own_number(pointer: str, schema: Schema, number: int) -> int | str | None:
    """A number that nobody has, for a member that identifies; None for other members."""
    identifies = pointer.count("/") == 1 and last(pointer).lower() in _IDENTIFIERS
    own = 900_000_000 + number if identifies and not schema.enum else None
    return own if schema.type == "integer" or own is None else str(own) if is_number_text(schema) else None


def is_number_text(schema: Schema) -> bool:
    """Whether a schema is of a whole number that is written as a text."""
    return schema.type == "string" and schema.format in INTEGERS


def with_own_name(body: object, schema: Schema, number: int) -> Json:
    """The body with a name of the run in place of an example of the documentation, unless one is in it already.

    Only a free text is replaced: what comes of the creation can then be recognised.
    """
    if carries_made_up(body) or not isinstance(body, dict):
        return body
    for pointer, part in schema.walk(max_depth=2):
        value = find(body, pointer)[1]
        if isinstance(value, str) and value in documented_values(part) and _takes_name(last(pointer), part, number):
            return replaced(body, pointer, run_name(number))
    return body


def _takes_name(name: str, schema: Schema, number: int) -> bool:
    return _is_free(schema) and (is_name_field(name) or is_free_text(name)) and _fits(run_name(number), schema)


def _is_free(schema: Schema) -> bool:
    """Whether a schema is of texts that nothing limits to some values, in words either, or to a format."""
    plain = schema.type in (None, "string") and schema.enum is None and schema.format is None
    return plain and not described_values(schema.description)


def _fits(text: str, schema: Schema) -> bool:
    """Whether a text has the length and the characters that a schema states, as far as that is easily known."""
    longest, pattern = schema.get("maxLength"), schema.pattern
    if isinstance(longest, int) and len(text) > longest:
        return False
    # A pattern is what somebody else wrote: only one that cannot take long is tried.
    if pattern is None or not _SIMPLE_PATTERN.fullmatch(pattern) or sum(map(pattern.count, "*+{")) > _MAX_REPEATS:
        return True
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def values_of_type(name: str) -> list[Json]:
    """Values of a JSON type or a format that an error message names: both truth values, one of anything else."""
    if name == "boolean":
        return [True, False]
    return [1] if name in ("integer", "number") else [FORMATS[name]] if name in FORMATS else []


def fit_type(value: object, kind: str | None) -> Json:
    """`value` as the JSON type `kind`, or None if it cannot be one: any number is a text, not every text a number."""
    if kind in (None, "array", "object"):
        return value
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if isinstance(value, bool | dict | list):
        return None
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    return _as_number(value, whole=kind == "integer") if kind in ("integer", "number") else None


def fit(value: object, schema: Schema) -> Json:
    """`value` as a schema's type, or None if it cannot be one, or is certainly not of the schema's format.

    If there are alternatives, as the first that it can be of: a number, or else the text `latest`.
    """
    kind = schema.type
    options = schema.alternatives() if kind is None else []
    if options and all(part.type or part.enum for part in options):
        return next((found for part in options if (found := _fit_choice(value, part)) is not None), None)
    fitting = fit_type(value, kind)
    form = _STRICT.get(schema.format or "")
    return None if form is not None and isinstance(fitting, str) and form.fullmatch(fitting) is None else fitting


def fitting_values(values: Iterable[Json], schema: Schema) -> list[Json]:
    """The values that can be of a schema's type and format, as that type."""
    return [fitting for value in values if (fitting := fit(value, schema)) is not None]


def _fit_choice(value: object, schema: Schema) -> Json:
    """`value` as a schema's type, if it is one of those that the schema allows; None if not."""
    fitting = fit(value, schema)
    return fitting if schema.enum is None or fitting in schema.enum else None


def _as_number(value: Json, *, whole: bool) -> float | int | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if number.is_integer():
        # As 1 and not 1.0, which is another ID in a path.
        return int(number)
    return None if whole else number


def example_body(schema: Schema, lookup: Lookup, *, full: bool = False, number: int = 0) -> Json:
    """A request body: the required properties, with `full` also the others; `lookup` knows better values.

    What is guessed is named after the run, with `number`.
    """
    return with_own_name(_bodies(lookup, number, full=full).value("", schema, 0), schema, number)


def part_of_body(schema: Schema, lookup: Lookup, number: int) -> Json:
    """The same of a part of a body, which may refer to what is there."""
    return _bodies(lookup, number, full=False).value("", schema, 1)


def _bodies(lookup: Lookup, number: int, *, full: bool) -> _ExampleBodies:
    def better(pointer: str, part: Schema) -> list[Json]:
        own = own_identity(pointer, part, number)
        return lookup(pointer, part) or ([] if own is None else [own])

    def guessed(name: str, part: Schema) -> list[Json]:
        query = own_query(name, part, run_name(number))
        if query != run_name(number):
            return [query]
        ends = [_LATER[part.format]] if part.format in _LATER and not _ENDING.isdisjoint(words(name)) else []
        return [*ends, *(named_after_run(value, number) for value in (*guess_values(name, part), "docrev"))]

    return _ExampleBodies(better, lookup, guessed, number, full)


@dataclass(frozen=True, slots=True)
class _ExampleBodies:
    """Builds a body: `better` gives values that are known for a place, or names of the run, `known` the former alone,
    `guessed` those for a name and a type."""

    better: Lookup
    known: Lookup
    guessed: Callable[[str, Schema], list[Json]]
    number: int
    full: bool

    def value(self, pointer: str, schema: Schema, depth: int) -> Json:
        """The value at a pointer of the body."""
        kind = schema.type
        if depth < _DEEPEST and kind in (None, "object") and schema.properties() and not (depth and is_single(schema)):
            return self._object(pointer, schema, depth)
        if kind == "object":
            return self._free_object(schema, depth)
        if kind == "array":
            return self._list(pointer, schema, depth)
        described = fitting_values(described_values(schema.description), schema)
        known = (self.better(pointer, schema), documented_values(schema), described)
        return next(value for values in (*known, self.guessed(last(pointer), schema)) for value in values)

    def _list(self, pointer: str, schema: Schema, depth: int) -> list[Json]:
        """As many items as there must be; of numbers, which name nothing, those that are documented."""
        item = schema.items() if depth < _DEEPEST else None
        if item is None:
            return []
        shown = next(filter(_is_of_numbers, (schema.example, schema.default)), None)
        if isinstance(shown, list):
            return shown
        least = schema.get("minItems")
        count = least if type(least) is int and 1 < least <= _MOST_ITEMS else 1
        shown, guessed = _formed_texts(last(pointer), schema, item) if count == 1 else ([], [])
        formed = shown or ([] if guessed and self.better(f"{pointer}/0", item) else guessed)
        if formed:
            return [named_after_run(formed[0], self.number)]
        return [self.value(f"{pointer}/0", item, depth + 1) for _ in range(count)]

    def _free_object(self, schema: Schema, depth: int) -> Json:
        """What takes any properties is of little use empty: one shows that, and how, they come back."""
        return {"title": run_name(self.number)} if self.full and depth and _takes_any(schema) else {}

    def _object(self, pointer: str, schema: Schema, depth: int) -> dict[str, Json]:
        full = self.full and depth < 3
        below = replace(self, full=full)
        reference = self._reference(pointer, schema) if depth else {}
        # What is known by its ID is not described by what is made up.
        return reference | {
            name: below.value(f"{pointer}/{name}", part, depth + 1)
            for name, part in schema.properties().items()
            if (name in schema.required or (self.full and not reference)) and not part.get("readOnly")
            if name not in reference
        }

    def _reference(self, pointer: str, schema: Schema) -> dict[str, Json]:
        """The known ID of the thing to which an object inside a body refers by it; nothing if none is known."""
        for name, part in schema.properties().items():
            if name.lower() in PLAIN_IDS and not part.get("readOnly"):
                values = (value for value in self.known(f"{pointer}/{name}", part) if not is_made_up(value))
                return dict(islice(((name, value) for value in values), 1))
        return {}


def _formed_texts(name: str, schema: Schema, item: Schema) -> tuple[list[Json], list[Json]]:
    """Texts for a list of what must have a form, by its name: those of an example, and those that the name says.

    `countries` and `languages` name nothing of anybody's, and take no name of the run.
    """
    guessed: list[Json] = [value for value in values_of_name(singular(name), item) if isinstance(value, str)]
    if not guessed or item.type not in (None, "string") or documented_values(item):
        return [], []
    shown = next((value for value in (schema.example, schema.default) if isinstance(value, list) and value), [])
    return fitting_values((text for text in shown if isinstance(text, str)), item), guessed


def _is_of_numbers(value: object) -> bool:
    """Whether a value is a list of numbers, or of such lists, as coordinates are."""
    return isinstance(value, list) and bool(value) and all(is_number(item) or _is_of_numbers(item) for item in value)


def is_single(schema: Schema) -> bool:
    """Whether a text or a number may stand for an object, as the ID of what is there may for the thing itself."""
    return any(part.type in ("string", "integer") for part in schema.alternatives())


def _takes_any(schema: Schema) -> bool:
    return schema.get("additionalProperties") is not False
