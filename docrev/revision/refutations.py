"""What calls refute of a text by a person, in a sentence that names it: another type, another date format, no UUID."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from docrev.conventions.described_values import listed_values
from docrev.conventions.parameters import Role, role_of
from docrev.facts.kinds.format import FORMATS
from docrev.facts.registry import BOUNDS
from docrev.language.phrases import humanise
from docrev.language.words import article, words
from docrev.records import Fact, Json
from docrev.revision.labels import field_name
from docrev.revision.taken_fields import TakenField
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
_INCODE = re.compile(r"`[^`]*`|<[^<>]*>")
"""What a text quotes as code, or as a place in a pattern: `tag:<uuid>` calls no value a UUID."""
_UUID = re.compile(r"(?<!not a )\b(?:UUID(?:v\d)?|GUID)\b", re.IGNORECASE)
_ID = re.compile(rf"{_UUID.pattern}|\bID\b", re.IGNORECASE)
_TURN = re.compile(
    r"[.,;:]\s|\b(?:and|by|for|from|has|if|its|of|than|that|to|when|which|whose|with|(?<=\w )or)\b", re.IGNORECASE
)
"""Behind this a text speaks of something else than what the value is."""
_FIELDS: dict[str, Callable[[Fact], str]] = {
    "filters": lambda fact: str(fact.value),
    "comes-from": lambda fact: str(fact.value["field"]),
}
"""Where a response has the values of a parameter, by the facts that say so."""
_NAME = re.compile(r"\bname\b", re.IGNORECASE)
CODE = re.compile(r"[A-Z]{2,4}")
_LEAST_VALUES = 2
_PAGE_NUMBER = re.compile(r"\bpage (?:number|index)\b|\boffset\b", re.IGNORECASE)
ASIDE = re.compile(r"\(not [^()]*\)|, not [^.]*")
"""What a mended text says is not so."""
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
_ALWAYS = re.compile(
    r"(?<!default it is )(?<!default )\b(?:always|set to|equals|fixed to)\s+"
    r"[\"'`“‘](?P<value>[^\"'`”’]{1,40})[\"'`”’]",
    re.IGNORECASE,
)

_CONDITION = re.compile(r"\b(?:if|when|unless|whether|can|may|could)\b[^.;]*$", re.IGNORECASE)
"""What stands before a part of a text that is no claim."""
_FOR_INSTANCE = re.compile(
    r"\b(?:e\.g\.|i\.e\.|for (?:example|instance)\b|such as\b|like\b|(?:the )?type of\b).*", re.IGNORECASE
)
"""A part of a text that names types, of which none need be that of the value."""


class Shown(NamedTuple):
    """What calls show of one location: facts, the `values` that found something or were returned, all values `tried`.

    `name` is what it is called; `identified` is the field of things that has these values, "" if none is known.
    `beside` are texts on the same part of other paths; `taken` is the field of listed things that is taken; `is_sent`
    says that it is a part of requests.
    """

    facts: Sequence[Fact]
    values: Sequence[Json]
    tried: Sequence[Json] = ()
    name: str = ""
    identified: str = ""
    beside: Collection[str] = ()
    taken: TakenField | None = None
    is_sent: bool = False


class RefutedClause(NamedTuple):
    """A part of a text that calls refute: where it stands, what holds in its place, and what is not so."""

    start: int
    end: int
    instead: str
    refuted: str

    def mended(self, text: str) -> str:
        """The text with what holds; what does not stands at the end of a short one, and in brackets in a longer one."""
        is_short = count_words(text) < MUCH
        aside = f" ({self.refuted})" if self.refuted and not is_short else ""
        whole = f"{text[: self.start]}{self.instead}{aside}{text[self.end :]}"
        whole = f"{whole[:1].upper()}{whole[1:]}"
        if not is_short:
            return whole
        return f"{whole.strip().rstrip('.')}{f', {self.refuted}' if self.refuted else ''}."


def refutation(text: str, shown: Shown) -> str:
    """What holds in place of what a text says, as a sentence; "" if calls refute nothing."""
    clause = _refuted_clause(text, shown)
    if clause is not None:
        return clause.mended(text)
    checks = (_refuted_type(text, shown.facts), _refuted_choices(text, shown), _refuted_date(text, shown.values))
    # What a text says that is to be sent is not refuted by what is accepted beside it.
    return next(filter(None, checks), "") or ("" if shown.is_sent else _refuted_constant(text, shown.values))


def mended_clause(text: str, shown: Shown) -> str:
    """A longer text with the clause mended that calls refute; "" if there is none."""
    clause = _refuted_clause(text, shown) if count_words(text) >= MUCH else None
    return clause.mended(text) if clause is not None else ""


def is_aside(text: str, found: re.Match[str]) -> bool:
    """Whether what was found in a text is what it says is not so."""
    return any(aside.start() <= found.start() < aside.end() for aside in ASIDE.finditer(text))


def _refuted_clause(text: str, shown: Shown) -> RefutedClause | None:
    # What a text says is not so is no claim.
    said = ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    return next((clause for check in _CLAUSES if (clause := check(said, shown)) is not None), None)


def _refuted_unit(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text has another unit than the name, of the same kind."""
    last = words(shown.name)[-1:]
    for units in _UNITS:
        found = [(unit, match) for unit, pattern in units.items() if (match := _search_unit(pattern, text))]
        if last and last[0] in units and len(found) == 1 and found[0][0] != last[0]:
            unit, match = found[0]
            return RefutedClause(match.start(), match.end(), last[0], f"not in {unit}")
    return None


def _search_unit(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)


def _refuted_choices(text: str, shown: Shown) -> str:
    """Where a text is a list of values that find nothing, and others do."""
    listed = {*listed_values(text)}
    found = sorted({value for value in shown.values if isinstance(value, str)})
    tried = listed & {value for value in shown.tried if isinstance(value, str)}
    # One value shows as much as several if every one that is listed was tried.
    if not found or not tried or listed & {*found} or (len(found) < _LEAST_VALUES and tried != listed):
        return ""
    return f"{', '.join(f'`{value}`' for value in found)}, not {text.strip().rstrip('.')}."


_WRITTEN = re.compile(r"\b(?:(?:pre|suf)fix(?:ed)?|preceded|followed by|as (?:a |an )?(?:string|text)|encoded)\b", re.I)
"""What says how a number is written: "a decimal integer, optionally prefixed by `<`" is a text."""


def _refuted_type(text: str, facts: Sequence[Fact]) -> str:
    """Where a text names one type and a replayed fact another."""
    shown = {str(fact.value) for fact in facts if fact.kind == "type"}
    claimed = _FOR_INSTANCE.sub("", text)
    named = {kind for kind, pattern in _TYPES.items() if re.search(pattern, claimed, re.IGNORECASE)}
    if "number" in shown:
        named.discard("integer")
    compatible = shown | ({"number"} if "integer" in shown else set())
    is_written = shown == {"string"} and _WRITTEN.search(text) is not None
    if len(named) != 1 or len(shown) != 1 or named & compatible or is_written:
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


def _refuted_name(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text calls something a name, and all values that found something are codes, of a field for codes."""
    named, values = _NAME.search(text), shown.values
    if named is None or not _is_of_codes(shown.facts) or re.search(r"\bcodes?\b", text, re.IGNORECASE):
        return None
    least = 1 if any(fact.kind == "comes-from" for fact in shown.facts) else _LEAST_VALUES
    if len(values) < least or not all(CODE.fullmatch(str(value)) for value in values):
        return None
    return RefutedClause(*named.span(), "Code" if named[0][0].isupper() else "code", "not a name")


def _refuted_field(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text calls the value by a field of listed things that is refused, while another field is taken."""
    taken = shown.taken
    if taken is None or {*words(taken.field)} & {*words(text.lower())}:
        return None
    for name in sorted(map(humanise, taken.refused)):
        if found := _name_of_value(re.compile(rf"\b{re.escape(name)}\b(?! or\b)", re.IGNORECASE), text):
            instead = f"{taken.noun} `{taken.field}` (from `{taken.operation}`)".strip()
            return RefutedClause(*found.span(), instead, f"not {article(name)} {name}")
    return None


def _is_of_codes(facts: Sequence[Fact]) -> bool:
    """Whether one of the fields that facts name is no name."""
    fields = [field_name(_FIELDS[fact.kind](fact)) for fact in facts if fact.kind in _FIELDS]
    return any(role_of(field.rpartition(".")[2]) is not Role.NAME for field in fields)


def _refuted_year(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text speaks of a year, and a whole date is needed."""
    year = re.search(r"\byears?\b", text, re.IGNORECASE)
    is_date = any(fact.kind == "format" and fact.value == "date" for fact in shown.facts)
    if year is None or not is_date or re.search("date|day", text, re.IGNORECASE):
        return None
    return RefutedClause(*year.span(), "date (`YYYY-MM-DD`)", "not a year")


def is_refuted_uuid(text: str, shown: Shown, example: Json) -> bool:
    """Whether an example is a UUID, as a text says that values are, and none is one."""
    is_uuid = isinstance(example, str) and FORMATS["uuid"].fullmatch(example) is not None
    return is_uuid and _refuted_uuid(text, shown) is not None


def _refuted_uuid(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text calls something a UUID, or an ID that other texts call a UUID, and no accepted value is one."""
    called = _ID if any(map(_UUID.search, shown.beside)) else _UUID
    name = _name_of_value(called, text)
    if name is None or not _is_no_uuid(shown):
        return None
    # Where nothing that is known has a UUID, a UUID may be a name like any other.
    is_refused = shown.taken is not None or not shown.identified
    return RefutedClause(*name.span(), shown.identified or "identifier", "not a UUID" if is_refused else "")


def _is_no_uuid(shown: Shown) -> bool:
    """Whether values are texts of which none is a UUID."""
    is_uuid = any(fact.kind == "format" and fact.value == "uuid" for fact in shown.facts)
    texts = [value for value in shown.values if isinstance(value, str) and value]
    return bool(texts) and not is_uuid and not any(map(FORMATS["uuid"].fullmatch, texts))


def _name_of_value(called: re.Pattern[str], text: str) -> re.Match[str] | None:
    """What a text calls the value: not what it quotes, what further lines go into, nor what it speaks of besides."""
    prose = _INCODE.sub(lambda code: " " * len(code[0]), text)
    name = called.search(prose.rstrip().partition("\n")[0])
    return name if name is not None and not _TURN.search(prose[: name.start()]) else None


def _refuted_multiple(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text claims thousands of something, and values are compared with a field as it is."""
    multiple = _MULTIPLES.search(text)
    field = next((str(fact.value) for fact in shown.facts if fact.kind in BOUNDS), "")
    if multiple is None or not field:
        return None
    comma = "" if text[: multiple.start()].rstrip().endswith(",") else ","
    start = len(text[: multiple.start()].rstrip())
    return RefutedClause(
        start, multiple.end(), f"{comma} as in `{field_name(field)}`", f"not {multiple.group().lower()}"
    )


def _refuted_page(text: str, shown: Shown) -> RefutedClause | None:
    """Where a text calls the number of a page, or an offset, what is a cursor."""
    number = _PAGE_NUMBER.search(text)
    paging = [fact.value for fact in shown.facts if fact.kind == "pages" and fact.value.get("by") == "cursor"]
    if number is None or not paging or "cursor" in text.lower():
        return None
    place, false = str(paging[0].get("next") or ""), number[0].lower()
    source = f" (the `{field_name(place)}` of the previous page)" if place and ":header:" not in place else ""
    return RefutedClause(*number.span(), f"cursor{source}", f"not {article(false)} {false}")


_CLAUSES = (
    _refuted_unit,
    _refuted_field,
    _refuted_name,
    _refuted_year,
    _refuted_uuid,
    _refuted_multiple,
    _refuted_page,
)


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
    is_claim = stated is not None and not _CONDITION.search(text[: stated.start()])
    return stated.group("value") if stated is not None and is_claim else ""
