"""Which values are valid: choices, bounds, forms and companions, and what other values return."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from docrev.conventions.error_hints import hints_of
from docrev.conventions.parameters import PAGING, Role, role_of
from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import INVALID
from docrev.evidence.queries import arguments
from docrev.facts.kinds import characters as characters_kind
from docrev.facts.parameter_trials import HUGE
from docrev.facts.registry import PROVES_READ
from docrev.facts.stated import keeps
from docrev.facts.status_causes import FAILS_FOR, Cause, message
from docrev.facts.wire_values import number
from docrev.language import documentation_phrases as phrases
from docrev.language.patterns import is_pattern
from docrev.language.phrases import joined, joined_names
from docrev.records import Json
from docrev.revision import trap_notes
from docrev.revision.documented_values import DocumentedValue, correction, status_facts
from docrev.revision.places import Spot
from docrev.revision.quotations import is_quotable, quote, quote_message
from docrev.revision.uses import Use
from docrev.spec import Schema

CHECKED = PROVES_READ - {"required"}
"""Kinds that state which values are valid."""
_TELLS_DEFAULT = re.compile(r"\bdefaults? (?:is|to) (?:the|its|their|that)\b", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FORMATS = {
    "date": "Format: `YYYY-MM-DD`.",
    "date-time": "Format: `YYYY-MM-DDThh:mm:ss` with a time zone.",
    "uuid": "A UUID.",
    "email": "An email address.",
    "uri": "A URL.",
    "ip": "Must be an IP address.",
    "base64": "Must be encoded in base64.",
}


def allowed_values(value: DocumentedValue) -> str:
    """The values that are allowed."""
    return one_of(map(quote, value.allowed)) if value.allowed else ""


def one_of(quoted: Iterable[str]) -> str:
    """The sentence that a value must be one of those quoted."""
    return phrases.CHOICE.write(values=", ".join(quoted))


def default(value: DocumentedValue) -> str:
    """What the API takes where nothing is sent, unless the text says that it depends on something else."""
    # What depends on something else is no value: "defaults to the duration of its type".
    depends = _TELLS_DEFAULT.search(value.spot.text) is not None
    if depends or trap_notes.left_out(value.spot) or "default" not in value.known:
        return ""
    return phrases.DEFAULT.write(value=quote(value.known.value("default")))


def _is_repeated(value: DocumentedValue, seen: Json) -> bool:
    """Whether a word is returned where an answer repeats what was asked for, and finds no data."""
    return _is_word(seen) and "filters" not in value.known and value.observations.is_value_of(value.spot.name, seen)


def _is_checked(value: DocumentedValue) -> bool:
    """Whether invalid values are refused: by facts, or by errors on nothing else, which may not have been repeated."""
    use = value.spot.first
    refused = (call for call in use.observed.bad if call.status in INVALID and use.location in call.arguments)
    return any(cause.cause.endswith(" not valid") for _, cause in status_facts(use)) or any(
        {hint.name for hint in hints_of(call)} == {value.spot.name} for call in refused
    )


def _is_word(value: Json) -> bool:
    return isinstance(value, str) and value.isalpha() and not is_invented(value)


def accepted_words(value: DocumentedValue) -> str:
    """The words that were accepted where others are refused and nothing lists them; none that is this instance's.

    Any words can be searched for: what is refused there is too short, or too long. What lists are sorted
    by is told elsewhere.
    """
    role = role_of(value.spot.name)
    is_listed = bool(value.allowed or value.observed)
    if not value.is_parameter or is_listed or role in (Role.SEARCH, Role.SORT) or not _is_checked(value):
        return ""
    own = frozenset[str]() if role is Role.FORMAT else value.observations.returned
    words = {seen for seen, _ in value.spot.values if _is_word(seen)} - own
    words = words if "default" not in value.known else _beside_default(value)
    return f"Accepts {joined([quote(word) for word in sorted(words)])}, among others." if words else ""


def _beside_default(value: DocumentedValue) -> set[str]:
    """The words that were accepted beside the default: those that show it, and those that an answer repeats."""
    use, stated = value.spot.first, value.known.value("default")
    others = use.observed.other_than_default.get(use.location, ())
    if not others or not all(map(_is_word, others)) or trap_notes.left_out(value.spot):
        return set()
    return {str(seen) for seen in others} | {seen for seen, _ in value.spot.values if _is_repeated(value, seen)} - {
        stated
    }


def type_name(value: DocumentedValue) -> str:
    """The type of a parameter; of a number with bounds, these say it."""
    if value.number:
        return "" if _bounds(value.known.value("range")) != (None, None) else f"Must be {value.number}."
    boolean = value.known.value("type") == "boolean" and value.is_parameter and not value.is_in_path
    return "Either `true` or `false`." if boolean and "allowed-values" not in value.known else ""


def number_range(value: DocumentedValue) -> str:
    """The least and the greatest number that are allowed."""
    low, high = _bounds(value.known.value("range"))
    number = value.number
    if low is not None and high is not None:
        text = phrases.RANGE.write(low=json.dumps(low), number=json.dumps(high))
        return text.replace("Must be", f"Must be {number}", 1) if number else text
    if low is None and high is None:
        return ""
    text = f"Must be {json.dumps(low)} or greater." if high is None else phrases.MOST.write(number=json.dumps(high))
    return text.replace("Must be", f"Must be {number},", 1) if number else text


def clamps(value: DocumentedValue) -> str:
    """What larger or smaller values are taken as, instead of being refused."""
    low, high = _bounds(value.known.value("clamps"))
    pieces = []
    if low is not None:
        pieces.append(f"Smaller values are treated as {json.dumps(low)}.")
    if high is not None and not trap_notes.has_true_bound(value.spot, high):
        pieces.append(phrases.CLAMP.write(number=json.dumps(high)))
    return " ".join(pieces)


def length(value: DocumentedValue) -> str:
    """How short and how long a text may be."""
    low, high = _bounds(value.known.value("length"))
    if low is not None and high is not None:
        return f"Must be {low if low == high else f'{low} to {high}'} characters long."
    if low is not None:
        return "Must not be empty." if low == 1 else f"Must be {low} characters or more."
    return f"Must be {high} characters or fewer." if high is not None else ""


def _bounds(found: Json) -> tuple[Json, Json]:
    return (found.get("minimum"), found.get("maximum")) if isinstance(found, dict) else (None, None)


def pattern(value: DocumentedValue) -> str:
    """The pattern that a text must match."""
    return f"Must match {quote(value.known.value('pattern'))}." if "pattern" in value.known else ""


def characters(value: DocumentedValue) -> str:
    """Which characters a text may have, and what it must begin and end with."""
    facts = value.known.all("characters")
    rules = characters_kind.KIND.value_of(facts[0]) if facts else None
    if rules is None or _says_pattern(value.spot.schema, rules):
        return ""
    ends = {"begin": rules.prefix or rules.first, "end": rules.suffix or rules.last}
    stated = [f"contain only characters from {quote(rules.allowed)}"] if rules.allowed else []
    stated += [f"not contain {quote(rules.forbidden)}"] if rules.forbidden else []
    if ends["begin"] == ends["end"] and ends["begin"]:
        stated.append(f"begin and end with {_sign(ends['begin'])}")
    else:
        stated += [f"{verb} with {_sign(text)}" for verb, text in ends.items() if text]
    return f"Must {joined(stated)}."


def _says_pattern(schema: Schema | None, rules: characters_kind.Characters) -> bool:
    """Whether the pattern of a schema refuses what the rules refuse, as far as some signs show."""
    pattern = schema.pattern if schema is not None else None
    if not pattern or not is_pattern(pattern):
        return False
    matches = re.compile(pattern).search
    base = next((text for text in _PLAIN if _keeps(rules, text) and matches(text)), "")
    texts = (text for sign in _SIGNS_TRIED for text in (f"{base}{sign}{base}", f"{sign}{base}", f"{base}{sign}"))
    return bool(base) and not any(matches(text) for text in texts if not _keeps(rules, text))


def _keeps(rules: characters_kind.Characters, text: str) -> bool:
    return all(keeps(rule, text) for rule in rules.rules)


_PLAIN = ("aa", "AA", "77")
_SIGNS_TRIED = " ./@#,:*_-7Aaé"
"""What is put into a plain text to see whether it may be there."""


def _sign(text: str) -> str:
    """A sign with its name, if a reader may overlook it: a dot (`.`)."""
    name = _SIGN_NAMES.get(text)
    return f"{name} ({quote(text)})" if name else quote(text)


_SIGN_NAMES = {".": "a dot", "/": "a slash", ",": "a comma", ":": "a colon"}


def states_end(text: str, rule: str) -> bool:
    """Whether a text of people says by a word what a `rule` on characters says: "MUST have a trailing dot"."""
    found = re.fullmatch(r"Must (begin|end) with (?:[a-z ]+\()?`(.)`\)?\.", rule)
    names = _SIGNS.get(found[2], found[2]) if found is not None else ""
    place = _PLACES.get(found[1], "") if found is not None else ""
    return bool(names and re.search(rf"\b(?:{place})\b.{{0,20}}(?:{names})", text, re.IGNORECASE))


_SIGNS = {
    ".": r"dot|period|full stop|\.[`'\"]",
    "/": r"slash|/[`'\"]",
    "-": "dash|hyphen",
    "_": "underscore",
    "#": "hash",
}
_PLACES = {"begin": "leading|begins?|starts?|starting|first", "end": "trailing|ends?|ending|final|last"}


def partners(value: DocumentedValue) -> str:
    """What an argument must, or must not, be sent with."""
    facts = value.known.all("partners")
    together = {"needs": "Only together with", "excluded-by": "Not together with"}
    return " ".join(f"{together[fact.value['rule']]} {joined_names(fact.value['names'])}." for fact in facts)


def text_format(value: DocumentedValue) -> str:
    """The format of a text; of a property, an example shows as much."""
    stated = value.known.value("format")
    if stated is None and value.is_parameter and value.spot.values:
        stated = "date" if all(_DATE.fullmatch(str(seen)) for seen, _ in value.spot.values) else None
    if _is_stated(stated, value.spot):
        return ""
    said = f"{value.purpose} {correction(value)}"
    if not isinstance(stated, str) or (not value.is_parameter and value.example) or "YYYY" in said:
        return ""
    return _FORMATS.get(stated, f"Format: {quote(stated)}.")


def stated_format(value: DocumentedValue) -> str:
    """The format of a text as what it must be, if it can be said so."""
    stated = value.known.value("format")
    text = "" if _is_stated(stated, value.spot) else _FORMATS.get(str(stated), "")
    if text.startswith(("A ", "An ")):
        return f"Must be {text[0].lower()}{text[1:]}"
    return text if text.startswith("Must ") else ""


def _is_stated(form: Json, spot: Spot) -> bool:
    """Whether the text or the schema states a format; one of times leaves open how their zone is written."""
    declared = spot.schema.format if spot.schema is not None else None
    return (form == "uuid" and "uuid" in spot.text.lower()) or (form == declared and form != "date-time")


class StatedRefusal(NamedTuple):
    """Which invalid values are refused, with which status, and the API's own words on it, quoted; "" if none."""

    which: str
    status: int
    message: str = ""


def _refusal(value: DocumentedValue) -> StatedRefusal | None:
    """What invalid values return; in the API's own words if nothing else says which values are invalid."""
    causes = _causes(value)
    if causes and value.known.any_of(CHECKED):
        is_stated = not value.is_in_path and _states_valid(value)
        return StatedRefusal(_ANY_OTHER, causes[0][1].status) if is_stated else None
    for use, cause in _told_nowhere_else(value, causes):
        which = _refused(use, cause)
        text = cause.message or ""
        if is_quotable(text) and not _is_plainly_invalid(which, value) and not _is_one_of_many(which, value):
            return StatedRefusal(which, cause.status, quote_message(text))
    return None


def _causes(value: DocumentedValue) -> list[tuple[Use, Cause]]:
    """The refusals of invalid values, each with the use that shows it; none where no example may be shown."""
    uses = value.spot.uses if value.examples != "none" else ()
    return [(use, cause) for use in uses for _, cause in status_facts(use) if cause.cause.endswith("not valid")]


def _is_one_of_many(which: str, value: DocumentedValue) -> bool:
    """Whether a message is what a parser says of one of many texts that the declared form does not allow."""
    schema = value.spot.schema
    if which != _INVALID or schema is None:
        return False
    parts = [schema, *(part for part, _ in schema.parts())]
    return any(part.format is not None and part.type in (None, "string") for part in parts)


def _told_nowhere_else(value: DocumentedValue, causes: Iterable[tuple[Use, Cause]]) -> list[tuple[Use, Cause]]:
    """The causes at operations that do not say themselves which values of a shared parameter or property they take."""
    is_shared = len(value.spot.uses) > 1
    return [
        (use, cause) for use, cause in causes if not is_shared or all(fact.kind not in _TOLD_HERE for fact in use.facts)
    ]


def refusal(value: DocumentedValue) -> str:
    """That invalid values are refused, as a sentence."""
    found = _refusal(value)
    return f"{found.which} returns {found.status}{found.message and f': {found.message}'}." if found else ""


def refusal_messages(value: DocumentedValue) -> list[str]:
    """The message that `refusal` quotes, if it does."""
    found = _refusal(value)
    return [found.message] if found else []


def failure(value: DocumentedValue) -> str:
    """That numbers make the API fail that it should refuse: for a text that nothing is called, everybody expects an
    error, and one that is a crash is to be mended and not documented."""
    for use in value.spot.uses:
        for _, cause in status_facts(use):
            if cause.cause.startswith(FAILS_FOR):
                which, told = _refused(use, cause), _refusal(value)
                is_told = told is not None and told.which in (_ANY_OTHER, which)
                is_news = which != _INVALID and not is_told and not _is_plainly_invalid(which, value)
                return f"{which} returns {cause.status}." if is_news else ""
    return ""


def _is_plainly_invalid(which: str, value: DocumentedValue) -> bool:
    """Whether nobody sends such a value there: a fraction of an item, or what is no count or size at all."""
    is_count = value.spot.schema is not None and value.spot.schema.type == "integer"
    is_count = is_count or role_of(value.spot.name) in PAGING
    return which in _PLAINLY_INVALID or (which == _FRACTION and is_count)


def _refused(use: Use, cause: Cause) -> str:
    """The values that were refused with a message, by the narrowest class that has them all: others may be taken."""
    sent = _refused_values(use, cause)
    numbers = [found for value in sent if (found := number(value)) is not None]
    if not sent or 0 < len(numbers) < len(sent):
        return _INVALID
    if not numbers:
        return _NO_NUMBER if _wants_number(use) else _INVALID
    return next((name for name, has in _NUMBERS if all(map(has, numbers))), _INVALID)


def _refused_values(use: Use, cause: Cause) -> list[Json]:
    alike = (
        call for call in use.observed.bad if (call.status, message(call.body)) == (cause.status, cause.message or "")
    )
    return [value for call in alike for at, value in arguments(call) if at == use.location]


def _wants_number(use: Use) -> bool:
    """Whether a value is declared as a number, or all that were accepted are numbers."""
    parameter = use.observed.operation.parameter(use.location)
    if parameter is not None and parameter.schema.type in ("integer", "number"):
        return True
    accepted = [number(value) for value, _ in use.observed.sent.get(use.location, ())]
    return bool(accepted) and None not in accepted


_ANY_OTHER, _INVALID = "Any other value", "An invalid value"
_NEGATIVE, _NO_NUMBER, _FRACTION = "A negative value", "A text that is not a number", "A fraction"
_PLAINLY_INVALID = (_NEGATIVE, _NO_NUMBER)
"""What nobody sends as a count or a size, whatever it returns."""
_NUMBERS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    (_NEGATIVE, lambda value: value < 0),
    ("A value of 0 or less", lambda value: value <= 0),
    (_FRACTION, lambda value: value % 1 != 0),
    ("Too large a value", lambda value: value >= HUGE),
)
"""Classes of numbers, the narrowest first."""


def _states_valid(value: DocumentedValue) -> bool:
    """Whether the other sentences say which values are valid."""
    return any(sentence(value) for sentence in _VALIDITY)


_TOLD_HERE = frozenset({"length", "characters", "pattern", "format"})
"""Kinds of facts that stand at an operation of several with the same parameter or property: see `shared_notes`."""
_VALIDITY = (allowed_values, number_range, clamps, length, pattern, characters, text_format)
"""What says which values are valid."""
