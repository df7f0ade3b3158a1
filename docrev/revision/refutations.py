"""What calls refute of a text by a person, in a sentence that names it: another type, another date format, no UUID."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from docrev.conventions.parameters import Role, role_of
from docrev.facts.kinds.format import FORMATS
from docrev.facts.registry import BOUNDS
from docrev.language.phrases import spliced
from docrev.language.words import article, words
from docrev.records import Fact, Json
from docrev.revision.labels import field_name
from docrev.spec.texts import count_words

MUCH = 6
"""Words from which on a text says more than what calls refute of it: it is kept, with a correction."""
_TYPES = {
    "integer": r"\b(?:an?\s+)?(?<![\w-])(?:integer|int)(?![\w-])",
    "number": r"\b(?:a\s+)?(?:float|decimal number)\b",
    "string": r"\b(?:a\s+)?string\b(?![\s-]+(?:keys?|values?|pairs?|maps?|mapp?ings?|lists?|arrays?|valued|keyed)\b)",
    "boolean": r"\b(?:a\s+)?(?:boolean|bool)\b",
    "array": r"\b(?:an?\s+)?array of\b",
}
_DATES = re.compile(r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy)(?:([-./])(?:DD|MM|YYYY|YY|dd|mm|yyyy)){1,2}\b")
_MULTIPLES = re.compile(r"\bin (?:hundreds|thousands|millions|billions)\b", re.IGNORECASE)
_IN_CODE = re.compile(r"`[^`]*`|<[^<>]*>")
"""What a text quotes as code, or as a place in a pattern: `tag:<uuid>` calls no value a UUID."""
_UUID = re.compile(r"(?<!not a )\b(?:UUID(?:v\d)?|GUID)\b", re.IGNORECASE)
_ID = re.compile(rf"{_UUID.pattern}|\bID\b", re.IGNORECASE)
_FIELDS: dict[str, Callable[[Fact], str]] = {
    "filters": lambda fact: str(fact.value),
    "comes-from": lambda fact: str(fact.value["field"]),
}
"""Where a response has the values of a parameter, by the facts that say so."""
_NAME = re.compile(r"\bname\b", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{2,4}")
_LEAST_VALUES = 2
_CHOICES = re.compile(r"[\w-]+(?:,\s*[\w-]+)*\s+or\s+[\w-]+")
_UNITS = (
    {"km": "km|kilomet(?:er|re)s?", "miles": "mi|miles?", "m": "met(?:er|re)s?", "ft": "ft|feet"},
    {"kg": "kg|kilograms?|kilos?", "g": "g|grams?|grammes?", "lb": "lbs?|pounds?"},
    {
        "ms": "ms|milliseconds?",
        "seconds": "secs?|seconds?",
        "minutes": "mins?|minutes?",
        "hours": "hours?",
        "days": "days?",
    },
    {"cents": "cents?", "euros": "euros?", "dollars": "dollars?"},
)
"""Units of the same kind, by what names end in, as texts write them."""
_ALWAYS = re.compile(r"\b(?:always|set to|equals|fixed to)\s+[\"'`“‘](?P<value>[^\"'`”’]{1,40})[\"'`”’]", re.IGNORECASE)


class Shown(NamedTuple):
    """What calls show of one location: facts, the `values` that found something or were returned, all values `tried`.

    `name` is what it is called; `identified` is the field of things that has these values, "" if none is known.
    `beside` are texts on the same part of other paths.
    """

    facts: Sequence[Fact]
    values: Sequence[Json]
    tried: Sequence[Json] = ()
    name: str = ""
    identified: str = ""
    beside: Collection[str] = ()


def refutation(text: str, shown: Shown) -> str:
    """What holds in place of what a text says, as a sentence; "" if calls refute nothing."""
    facts, values = shown.facts, shown.values
    checks = (
        _refuted_type(text, facts),
        _refuted_unit(text, shown.name),
        _refuted_choices(text, shown),
        _refuted_name(text, facts, values),
        _refuted_year(text, facts),
        _refuted_date(text, values),
        _refuted_uuid(text, shown),
        _refuted_multiple(text, facts),
    )
    return next(filter(None, checks), "") or _refuted_constant(text, values)


def _refuted_unit(text: str, name: str) -> str:
    """Where a text has another unit than the name, of the same kind."""
    last = words(name)[-1:]
    for units in _UNITS:
        named = [unit for unit, pattern in units.items() if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)]
        if last and last[0] in units and len(named) == 1 and named[0] != last[0]:
            mended = re.sub(rf"\b(?:{units[named[0]]})\b", last[0], text, flags=re.IGNORECASE)
            return _instead(text, mended, f"In {last[0]}", f"not in {named[0]}")
    return ""


def _refuted_choices(text: str, shown: Shown) -> str:
    """Where a text is a list of values that find nothing, and others do."""
    if not _CHOICES.fullmatch(text.strip().rstrip(".")):
        return ""
    listed = {*re.split(r",\s*|\s+or\s+", text.strip().rstrip("."))}
    found = sorted({value for value in shown.values if isinstance(value, str)})
    tried = listed & {value for value in shown.tried if isinstance(value, str)}
    # One value shows as much as several if every one that is listed was tried.
    if not found or not tried or listed & {*found} or (len(found) < _LEAST_VALUES and tried != listed):
        return ""
    return f"{', '.join(f'`{value}`' for value in found)}, not {text.strip().rstrip('.')}."


def _refuted_type(text: str, facts: Sequence[Fact]) -> str:
    """Where a text names one type and a replayed fact another."""
    shown = {str(fact.value) for fact in facts if fact.kind == "type"}
    named = {kind for kind, pattern in _TYPES.items() if re.search(pattern, text, re.IGNORECASE)}
    if "number" in shown:
        named.discard("integer")
    compatible = shown | ({"number"} if "integer" in shown else set())
    if len(named) != 1 or len(shown) != 1 or named & compatible:
        return ""
    true, false = shown.pop(), named.pop()
    return f"{article(true).capitalize()} {true}, not {article(false)} {false}."


def _refuted_date(text: str, values: Sequence[Json]) -> str:
    """Where a text names a date format that no accepted value has."""
    form = _DATES.search(text)
    dates = [value for value in values if isinstance(value, str) and value]
    if form is None or not dates:
        return ""
    pattern = re.compile(re.sub(r"[A-Za-z]", r"\\d", re.escape(form.group())))
    if any(pattern.match(value) for value in dates):
        return ""
    if all(FORMATS["date"].match(value) for value in dates):
        return f"Dates are written as `YYYY-MM-DD`, not `{form.group()}`."
    return f"Not in the format `{form.group()}`."


def _refuted_name(text: str, facts: Sequence[Fact], values: Sequence[Json]) -> str:
    """Where a text calls something a name, and all values that found something are codes, of a field for codes."""
    named = _NAME.search(text)
    if not _is_of_codes(facts) or re.search(r"\bcodes?\b", text, re.IGNORECASE):
        return ""
    least = 1 if any(fact.kind == "comes-from" for fact in facts) else _LEAST_VALUES
    if named is None or len(values) < least or not all(_CODE.fullmatch(str(value)) for value in values):
        return ""
    mended = spliced(text, named, "Code" if named[0][0].isupper() else "code")
    return _instead(text, mended, "A code", "not a name")


def _is_of_codes(facts: Sequence[Fact]) -> bool:
    """Whether one of the fields that facts name is no name."""
    fields = [field_name(_FIELDS[fact.kind](fact)) for fact in facts if fact.kind in _FIELDS]
    return any(role_of(field.rpartition(".")[2]) is not Role.NAME for field in fields)


def _instead(text: str, mended: str, alone: str, refuted: str) -> str:
    """A short text with what holds in place of what is refuted; behind a long one, that alone."""
    return f"{mended.strip().rstrip('.') if count_words(text) < MUCH else alone}, {refuted}."


def _refuted_year(text: str, facts: Sequence[Fact]) -> str:
    """Where a text speaks of a year, and a whole date is needed."""
    is_date = any(fact.kind == "format" and fact.value == "date" for fact in facts)
    if not is_date or not re.search(r"\byears?\b", text, re.IGNORECASE) or re.search("date|day", text, re.IGNORECASE):
        return ""
    date = "date (`YYYY-MM-DD`)"
    return _instead(text, re.sub(r"\byears?\b", date, text, flags=re.IGNORECASE), f"A {date}", "not a year")


def _refuted_uuid(text: str, shown: Shown) -> str:
    """Where a text calls something a UUID, or an ID that other texts call a UUID, and no accepted value is one."""
    is_uuid = any(fact.kind == "format" and fact.value == "uuid" for fact in shown.facts)
    texts = [value for value in shown.values if isinstance(value, str) and value]
    called = _ID if any(map(_UUID.search, shown.beside)) else _UUID
    # What is quoted, and what further lines go into, is not what the value is called.
    prose = _IN_CODE.sub(lambda code: " " * len(code[0]), text.strip())
    name = called.search(prose.partition("\n")[0])
    if name is None:
        return ""
    if is_uuid or not texts or any(map(FORMATS["uuid"].fullmatch, texts)):
        return ""
    identified = shown.identified or "identifier"
    said = spliced(text.strip().rstrip("."), name, identified)
    if count_words(text) < MUCH:
        return f"{said[0].upper()}{said[1:]}, not a UUID."
    return "Not a UUID." if identified == "identifier" else f"A {identified}, not a UUID."


def _refuted_multiple(text: str, facts: Sequence[Fact]) -> str:
    """Where a text claims thousands of something, and values are compared with a field as it is."""
    multiple = _MULTIPLES.search(text)
    field = next((str(fact.value) for fact in facts if fact.kind in BOUNDS), "")
    if multiple is None or not field:
        return ""
    name = field_name(field)
    mended = f"{text[: multiple.start()].strip()}, as in `{name}`"
    return _instead(text, mended, f"Compared with `{name}` as it is", f"not {multiple.group().lower()}")


def _refuted_constant(text: str, values: Sequence[Json]) -> str:
    """Where a text says that a field always has one value, and no response had it."""
    stated = stated_constant(text)
    found = {value.casefold() for value in values if isinstance(value, str)}
    if not stated or not found or stated.casefold() in found:
        return ""
    return f"Not always `{stated}`."


def stated_constant(text: str) -> str:
    """The one value that a text says something always has; "" if it says none."""
    stated = _ALWAYS.search(text)
    return stated.group("value") if stated is not None else ""
