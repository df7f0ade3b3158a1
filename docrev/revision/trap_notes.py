"""What misleads who reads a parameter or property by its name or text: scales, codes, ends, defaults that leave out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from docrev.conventions.described_values import listed_values
from docrev.facts.kinds.combines import ALL
from docrev.facts.kinds.matches import BEGINNING, WHOLE
from docrev.facts.kinds.rewrites import ADDS, REPLACED
from docrev.facts.kinds.spelled import COMMAS, JSON
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.language.words import plural
from docrev.records import ChangeClass, Fact, Json
from docrev.revision.labels import field_name
from docrev.revision.operator_notes import conditions
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import Spot
from docrev.revision.quotations import quote
from docrev.revision.refutations import RefutedClause, is_aside

_PARTS = {10: "tenths", 100: "hundredths", 1000: "thousandths", 1_000_000: "millionths"}
_UNIT = re.compile(
    r"(?<!\s)\s*+,?\s*+\bin (?:whole |full )?(euros?|dollars?|pounds?|francs?|yen|[A-Z]{3}|kg|km|kilograms?|"
    r"kilomet(?:er|re)s?|met(?:er|re)s?|lit(?:er|re)s?|seconds?|percent)\b"
)
_PAIR = re.compile(r"\b(\d+)\s*[(=:]\s*[\"'`]?([A-Za-z]+)")
_LOCAL = re.compile(r"(?:in (?:the )?)?\blocal time\b(?: of the \w+)?", re.IGNORECASE)
STRICT_BOUNDS = ("less-than", "more-than")
"""Kinds of facts on a bound that is itself outside of the range."""
_OUTSIDE = re.compile(r"\b(?:exceeds?|less than|more than|exclu\w+|left out)\b", re.IGNORECASE)
_NOT_COUNTED = re.compile(
    r"(?<!\s)\s*+,?\s*+(?:which |that |and )?(?:is |are )?"
    r"(?:not (?:counted|included|contained)|excluded|exclusive(?:ly)?)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\bany(?: of (?:them|these))?\b", re.IGNORECASE)
_EVERY = re.compile(r"\ball(?: of (?:them|these))?\b", re.IGNORECASE)


def _facts_by_kind(spot: Spot) -> FactsByKind:
    return FactsByKind.of(spot.common)


def _alike(spot: Spot, kind: str) -> list[Fact]:
    """The facts of a kind on the fields that a place is about, of all operations of the tool, if they say the same."""
    facts = [fact for fact in (*_facts_by_kind(spot).facts, *spot.related) if fact.kind == kind]
    member = {"scaled": "factor", "coded": "names"}[kind]
    return facts if len({str(fact.value[member]) for fact in facts}) == 1 else []


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def scale_correction(spot: Spot) -> str:
    """Where a text names the unit of a number that is a part of it."""
    found, facts = _UNIT.search(spot.text), _alike(spot, "scaled")
    if found is None or not facts or is_aside(spot.text, found):
        return ""
    gap = " " if found[0][:1] in (" ", ",") else ""
    instead = f"{gap}{_scale(facts[0], found[1])}"
    return RefutedClause(*found.span(), instead, f"not {found[0].strip(' ,')}").mended(spot.text)


def scale(spot: Spot) -> str:
    """Of which unit a number is a part, as a text beside it shows."""
    facts = _alike(spot, "scaled")
    if not facts or _is_beside(spot, "scaled") or scale_correction(spot):
        return ""
    return f"{_capital(_scale(facts[0]))}."


def _scale(fact: Fact, unit: str = "") -> str:
    """In which parts of a unit a number is: of the one that the same amount has as a text, or else of `unit`."""
    written = re.sub(r"[\d.,\s]+", "", str(fact.value["text"])) or unit
    example = f" ({quote(fact.value['number'])} is {quote(fact.value['text'])})"
    return f"in {_PARTS[fact.value['factor']]}{f' of {written}' if written else example}"


def code_correction(spot: Spot) -> str:
    """Where a text gives other names to numbers."""
    facts, text = _alike(spot, "coded"), spot.text.strip().rstrip(".")
    names = facts[0].value["names"] if facts else {}
    false = [word for number, word in _PAIR.findall(text) if names.get(number, word).casefold() != word.casefold()]
    if not false:
        return ""
    return f"{_codes(names)}, not {text[0].lower()}{text[1:]}."


def codes(spot: Spot) -> str:
    """What the numbers of a field stand for."""
    facts = _alike(spot, "coded")
    is_named = facts and all(word.casefold() in spot.text.casefold() for word in facts[0].value["names"].values())
    if not facts or is_named or _is_beside(spot, "coded") or code_correction(spot):
        return ""
    return f"{_codes(facts[0].value['names'])}."


def _is_beside(spot: Spot, kind: str) -> bool:
    """Whether the response that shows a number shows beside it what it means."""
    return spot.first.location[:1].isdecimal() and kind in _facts_by_kind(spot)


def _codes(names: dict[str, str]) -> str:
    (number, first), *others = names.items()
    return ", ".join([f"`{number}` is `{first}`", *(f"`{other}` `{name}`" for other, name in others)])


def _true_values(spot: Spot) -> list[str]:
    """The values by which a parameter sorts, or those that fields of its name have."""
    if orders := [str(fact.value["value"]) for fact in _facts_by_kind(spot).all("sorts")]:
        return orders
    seen = [one for fact in spot.related if fact.kind == "observed-values" for one in fact.value]
    return [one for one in seen if isinstance(one, str)]


def choice_correction(spot: Spot) -> str:
    """Where a text is a list of values some of which are ignored; with those that are not."""
    found: Json = _facts_by_kind(spot).value("unrecognised") or {"ignored": [], "others": []}
    listed, false = listed_values(spot.text), {*found["ignored"]}
    is_empty = bool(found.get("empty"))
    # What finds nothing today may be there tomorrow; not if nothing that is listed is.
    if not false & {*listed} or (is_empty and not {*listed} <= false):
        return ""
    others = sorted({*found["others"], *_true_values(spot)}, key=lambda one: (one.startswith("-"), one))
    true = dict.fromkeys([*(one for one in listed if one not in false), *others])
    without = joined([quote(one) for one in listed if one in false])
    is_one = len(false & {*listed}) == 1
    fate = ("finds nothing" if is_one else "find nothing") if is_empty else f"{'is' if is_one else 'are'} ignored"
    return f"{', '.join(map(quote, true))}; {without} {fate}."


def has_true_choices(spot: Spot) -> bool:
    """Whether a text that is a list of values is corrected, or was."""
    return choice_correction(spot) != "" or re.search(r"`; `[^;.]*(?: ignored| nothing)\.", spot.text) is not None


def matching(spot: Spot) -> str:
    """How much of a text a search must have."""
    found: Json = _facts_by_kind(spot).value("matches")
    if found is None:
        return ""
    field = f"`{field_name(found['field']).rpartition('.')[2]}`"
    return {
        BEGINNING: f"Finds only what {field} begins with, not words within it.",
        WHOLE: f"Must be the whole {field}.",
    }.get(found["mode"], f"Finds whole words of {field} only.")


def combination_correction(spot: Spot) -> str:
    """Where a text says that several values mean any, and they mean all, or the other way round."""
    mode, text = _facts_by_kind(spot).value("combines"), spot.text
    pattern, instead, false = (_ANY, "all", "any") if mode == ALL else (_EVERY, "any", "all")
    if mode is None or not pattern.search(text):
        return ""
    return f"{pattern.sub(f'{instead} of them', text.strip().rstrip('.'), count=1)}, not {false}."


def combination(spot: Spot) -> str:
    """Whether several values with commas between them mean any, or all of them."""
    mode = _facts_by_kind(spot).value("combines")
    if mode is None or combination_correction(spot):
        return ""
    verb = "all of them must match" if mode == ALL else "any of them may match"
    return f"Several values are separated by commas; {verb}."


def excluded_end(spot: Spot) -> str:
    """That what is sent is itself outside of the range, unless a text says it; without a text the purpose does."""
    if not spot.text.strip() or _OUTSIDE.search(spot.text):
        return ""
    if not _facts_by_kind(spot).any_of(STRICT_BOUNDS):
        return ""
    bound = "day" if _facts_by_kind(spot).value("format") == "date" else "value"
    return f"The {bound} itself is left out."


def local_time_correction(spot: Spot) -> str:
    """Where a text speaks of local time, and the times are in UTC."""
    found = _LOCAL.search(spot.text)
    if found is None or not spot.in_utc:
        return ""
    before, after = spot.text[: found.start()], spot.text[found.end() :].rstrip(".")
    for fact in _facts_by_kind(spot).all("in-day"):
        field = field_name(str(fact.value)).rpartition(".")[2]
        return f"{before.strip().rstrip(',')} in UTC, as in `{field}`, not in local time."
    return f"{before}UTC time{after}, not local time."


def rewriting_correction(spot: Spot) -> str:
    """Where a text says that something is added, and a change replaces what is there."""
    if not _replaces(spot) or not ADDS.search(spot.text):
        return ""
    is_text = spot.schema is not None and spot.schema.type == "string"
    return f"Replaces the whole {'text' if is_text else 'list'}, adds nothing to it."


def rewriting(spot: Spot) -> str:
    """That a list that is sent in a change replaces the one that is there."""
    return "Replaces the whole list." if _replaces(spot) and not ADDS.search(spot.text) else ""


def _replaces(spot: Spot) -> bool:
    return _facts_by_kind(spot).value("rewrites") == REPLACED and spot.first.observed.key.method == "PATCH"


def bound_correction(spot: Spot) -> str:
    """Where a text states a larger bound than the one that larger values are treated as."""
    most, stated = _facts_by_kind(spot).value("clamps", {}).get("maximum"), phrases.MOST.read(spot.text)
    if most is None or stated is None or int(stated["number"].replace(",", "")) <= most:
        return ""
    start = spot.text.index(stated["number"])
    return RefutedClause(start, start + len(stated["number"]), str(most), f"not {stated['number']}").mended(spot.text)


def has_true_bound(spot: Spot, most: float) -> bool:
    """Whether a text that states a bound is corrected, or was."""
    return bound_correction(spot) != "" or re.search(rf"\b{most}(?:, | \()not \d", spot.text) is not None


def ignored_words(spot: Spot) -> str:
    """The words that a text quotes and the API ignores."""
    found: Json = _facts_by_kind(spot).value("unrecognised") or {"ignored": []}
    words = [] if found.get("empty") else found["ignored"]
    quoted = [word for word in words if re.search(rf"[`'\"]{re.escape(word)}[`'\"]", spot.text)]
    verb = "is" if len(quoted) == 1 else "are"
    return f"{joined([quote(word) for word in quoted])} {verb} ignored." if quoted else ""


def last_day(spot: Spot) -> str:
    """That a range contains its last day."""
    return "The last day is included." if "whole-days" in _facts_by_kind(spot) and not end_correction(spot) else ""


_SPELLINGS = {
    JSON: ("Must be a list in JSON, with brackets.", "json"),
    COMMAS: ("Must be one text, with commas between the values.", "comma"),
}
"""What is said of a list in a query that must be written otherwise than its document says, unless its text has the
word."""


def spelling(spot: Spot) -> str:
    """How a list is written that is refused as it is declared."""
    sentence, word = _SPELLINGS.get(_facts_by_kind(spot).value("spelled", ""), ("", ""))
    return "" if word in spot.text.lower() else sentence


def left_out(spot: Spot) -> str:
    """That a list leaves out what has another value, if nothing is sent."""
    if "filters" not in _facts_by_kind(spot) or "default" not in _facts_by_kind(spot):
        return ""
    things = plural(subject(spot.first.observed.key.path).noun or "item")
    return f"Defaults to {quote(_facts_by_kind(spot).value('default'))}: leaves out other {things}."


def everything(spot: Spot) -> str:
    """The word for which a filter leaves nothing out."""
    word = _facts_by_kind(spot).value("catch-all")
    return f"{quote(word)} leaves out none." if word else ""


def revealed(spot: Spot) -> str:
    """The value without which a list does not have everything."""
    facts, things = _facts_by_kind(spot), subject(spot.first.observed.key.path).many or "items"
    is_told = left_out(spot) or everything(spot) or "includes" in facts or "default" in facts
    if is_told or "reveals" not in facts:
        return ""
    value, called = facts.value("reveals")["value"], facts.value("reveals").get("called")
    return f"Without it, leaves out {things} that {quote(value)}{f' ({quote(called)})' if called else ''} returns."


def filled(spot: Spot) -> str:
    """The value without which some fields are null, or left out."""
    facts = _facts_by_kind(spot).all("fills")
    if not facts or len({str(fact.value["value"]) for fact in facts}) > 1:
        return ""
    found = facts[0].value
    verb, state = ("is" if len(found["fields"]) == 1 else "are"), ("null" if found["null"] else "left out")
    fields = joined([quote(name) for name in found["fields"]]) + (" of each item" if found["listed"] else "")
    return f"{fields} {verb} {state} unless this is {quote(found['value'])}."


def passed_over(spot: Spot) -> str:
    """That a property of a body is not stored, and which one is instead; of a shared schema one user shows it."""
    others = [str(fact.value) for use in spot.uses for fact in use.facts if fact.kind == "no-effect"]
    other = next((other for other in others if other.startswith("/")), "")
    return f"Ignored: `{other[1:]}` is what is stored." if other else ""


def end_correction(spot: Spot) -> str:
    """Where a text says that the last day of a range is left out, and it is not."""
    found = _NOT_COUNTED.search(spot.text) if "whole-days" in _facts_by_kind(spot) else None
    return f"{spot.text[: found.start()].strip().rstrip(',.')}, included." if found is not None else ""


_REPLACEMENTS: Sequence[Callable[[Spot], str]] = (
    code_correction,
    choice_correction,
    combination_correction,
    local_time_correction,
    end_correction,
)
"""Corrections that say again what is true of the text, however long it is."""
CORRECTIONS = (*_REPLACEMENTS, scale_correction, rewriting_correction, bound_correction)


def deleted_items(spot: Spot) -> str:
    """That a list has what was deleted, too, and what tells it from the rest."""
    for fact in _facts_by_kind(spot).all("returns-deleted"):
        things = subject(spot.first.observed.key.path).many
        return f"Also returns deleted {things}, marked by `{fact.value['field']}`."
    return ""


SENTENCES: Sequence[tuple[str, ChangeClass, Callable[[Spot], str]]] = (
    ("scaled", "trap", scale),
    ("coded", "trap", codes),
    ("matches", "trap", matching),
    ("combines", "trap", combination),
    ("operators", "trap", conditions),
    ("less-than", "trap", excluded_end),
    ("rewrites", "trap", rewriting),
    ("unrecognised", "trap", ignored_words),
    ("whole-days", "bound", last_day),
    ("spelled", "trap", spelling),
    ("default", "trap", left_out),
    ("catch-all", "trap", everything),
    ("reveals", "trap", revealed),
    ("fills", "trap", filled),
    ("no-effect", "trap", passed_over),
    ("returns-deleted", "trap", deleted_items),
)
"""The kind of fact that each sentence rests on, and its class."""


def corrected(spot: Spot) -> str:
    """What these facts refute of a text, as a sentence that takes its place or stands behind it; "" if nothing."""
    return next(filter(None, (correct(spot) for correct in CORRECTIONS)), "")


def is_replaced(spot: Spot) -> bool:
    """Whether a correction takes the place of the whole text at a parameter or property."""
    return any(correct(spot) for correct in _REPLACEMENTS)
