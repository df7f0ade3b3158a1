"""What calls refute of a text by a person, in a sentence that names it: another type, another date format, no UUID."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.facts.kinds.format import FORMATS
from docrev.facts.registry import BOUNDS
from docrev.language.words import article
from docrev.records import Fact, Json
from docrev.revision.labels import field_name
from docrev.spec.texts import count_words

MUCH = 6
"""Words from which on a text says more than what calls refute of it: it is kept, with a correction."""
_TYPES = {
    "integer": r"\b(?:an?\s+)?(?:integer|int)\b",
    "number": r"\b(?:a\s+)?(?:float|decimal number)\b",
    "string": r"\b(?:a\s+)?string\b",
    "boolean": r"\b(?:a\s+)?(?:boolean|bool)\b",
    "array": r"\b(?:an?\s+)?array of\b",
}
_DATES = re.compile(r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy)(?:([-./])(?:DD|MM|YYYY|YY|dd|mm|yyyy)){1,2}\b")
_MULTIPLES = re.compile(r"\bin (?:hundreds|thousands|millions|billions)\b", re.IGNORECASE)
_UUID = re.compile(r"(?<!not a )\b(?:UUID(?:v\d)?|GUID)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\b(?:always|set to|equals|fixed to)\s+[\"'`“‘](?P<value>[^\"'`”’]{1,40})[\"'`”’]", re.IGNORECASE)


def refutation(text: str, facts: Sequence[Fact], values: Sequence[Json], identified: str = "") -> str:
    """What holds in place of what a text says, as a sentence; "" if calls refute nothing.

    `facts` and the `values` that were accepted, or returned, are those of the same location; `identified` is the field
    of things that has these values.
    """
    checks = (
        _refuted_type(text, facts),
        _refuted_date(text, values),
        _refuted_uuid(text, facts, values, identified or "identifier"),
        _refuted_multiple(text, facts),
    )
    return next(filter(None, checks), "") or _refuted_constant(text, values)


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


def _refuted_uuid(text: str, facts: Sequence[Fact], values: Sequence[Json], identified: str) -> str:
    """Where a text calls something a UUID, and no accepted value is one."""
    is_uuid = any(fact.kind == "format" and fact.value == "uuid" for fact in facts)
    texts = [value for value in values if isinstance(value, str) and value]
    if is_uuid or not texts or not _UUID.search(text) or any(map(FORMATS["uuid"].fullmatch, texts)):
        return ""
    said = _UUID.sub(identified, text.strip().rstrip("."), count=1)
    if count_words(text) < MUCH:
        return f"{said[0].upper()}{said[1:]}, not a UUID."
    return "Not a UUID." if identified == "identifier" else f"A {identified}, not a UUID."


def _refuted_multiple(text: str, facts: Sequence[Fact]) -> str:
    """Where a text claims thousands of something, and values are compared with a field as it is."""
    multiple = _MULTIPLES.search(text)
    field = next((str(fact.value) for fact in facts if fact.kind in BOUNDS), "")
    if multiple is None or not field:
        return ""
    return f"Compared with `{field_name(field)}` as it is, not {multiple.group().lower()}."


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
