"""What a statement is worth to an agent before it is written.

A statement is worth nothing if the name, the schema or the present text says it, or if everybody expects it. What is
left counts by how surprising it is and how far an agent would act otherwise for knowing it: `WORTH`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from docrev.conventions.error_hints import read_hints
from docrev.conventions.examples import documented_values
from docrev.conventions.fields import FREE_TEXTS
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS
from docrev.conventions.parameters import ORDERING, STARTS, Role, role_of
from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import INVALID, NOT_FOUND
from docrev.facts.shape import format_of
from docrev.facts.wire_values import key_of
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.phrases import humanise
from docrev.language.words import singular, words
from docrev.records import ChangeClass
from docrev.revision.declared_facts import DECLARED, is_declared
from docrev.revision.effect_wording import ROLES
from docrev.revision.notes import Statement
from docrev.revision.places import Spot
from docrev.revision.undeclared_fields import is_expected_at
from docrev.revision.value_sources import ValueSource, collection_of, find_sources
from docrev.spec import MISSING, Schema
from docrev.spec.texts import is_restated

WORTH: dict[ChangeClass, float] = {
    "correction": 10,
    "trap": 25,
    "experience": 25,
    "bound": 6,
    "source": 5,
    "undeclared": 4,
    "wording": 3,
    "example": 2,
}
"""A false belief costs a wrong answer, a trap too, and takes more words; a bound costs a refused call; an example a
guess."""
FIELD_WORTH = 1.5
"""What each field that the schema lacks is worth: an agent that needs it would look elsewhere."""
_FORM = re.compile(
    r"(?=.*[A-Z])[A-Z0-9][A-Z0-9_+./-]+|(?=.*\d)[\d.,:/+TZ-]*[.,:/T-][\d.,:/+TZ-]*|[a-z]{2,3}|[A-Za-z_]+/[A-Za-z_/]+"
)
"""Codes in capitals or of two or three letters, numbers with signs between them, names with a slash: what one would not
write without having seen it."""
_SHORT = re.compile(r"[a-z]{2,3}")
"""In a path rather the name of a thing than a code."""
_FREE = frozenset({Role.NAME, Role.SEARCH})
"""Roles of what takes any text."""
_KIND_WORDS = frozenset(
    "status state type kind category level mode role order sort format class severity priority scope visibility action"
    " direction unit stage phase style theme genre method permission language region country continent currency".split()
)
"""Words at the end of the names of what is one of few values everywhere; other values are this instance's data."""
_HEADINGS = FREE_TEXTS - {"name", "label"}
"""Words in the names of texts that several things may have."""
_RANGES = frozenset({Role.DATE_FROM, Role.DATE_TO, Role.MINIMUM, Role.MAXIMUM})
"""Roles of ends of a range, of which people's text says whatever there is to say."""
_WORD = re.compile(r"[A-Z]?[a-z]+")
_SHOWN_FORM = re.compile(r"`[^`]+`|\b(?:e\.g\.|i\.e\.|such as|for example|format)", re.IGNORECASE)
"""How people show which form values have."""
_NAMED_SOURCE = re.compile(r"\b(?:returned|retrieved|obtained|listed|provided) (?:by|from|in|via)\b", re.IGNORECASE)
"""How people say where values come from."""
_RULES = "enum pattern minLength maxLength minimum maximum minItems maxItems format".split()
"""Members of a schema that say which values are valid."""
_UNINFORMATIVE = frozenset("invalid type not-found state exists credentials required unsupported".split())
"""Kinds of hints that do not say which values are valid."""
_MORE_THAN_NAMES = frozenset(
    """
    also-creates also-deletes becomes catch-all coded combines conditions deletes exists fills left-out less-than
    matches missing newest-first no-effect not-empty nulls on-request operators past-end referred repeated
    returns-deleted reveals rewrites scaled sent-back sets spelled starts-as stays-taken stored substitutes type-by
    unknown-properties unknown-references withheld
    """.split()
)
"""Kinds whose sentences say more than that there are the names that they quote."""
_PLAIN_FORMATS = frozenset("date date-time duration time uuid email uri".split())
"""Declared formats that need no example."""
_TOLD: dict[str, re.Pattern[str]] = {
    "missing": re.compile(
        r"(?:\bnot exist|n['’]t exist|\bno\b[^.]*\bexists?|\bnot found|\bunknown)\b[^.]*\bempty\b"
        r"|\bempty\b[^.]*(?:\bnot exist|n['’]t exist|\bnot found|\bunknown)\b"
        r"|\b(?:or|even) if\b[^.]*(?:\bnot|n['’]t) exist",
        re.IGNORECASE,
    ),
    "left-out kept": re.compile(
        r"\b(?:left|remains?|stays?|are|be) (?:untouched|unchanged|unmodified)\b"
        r"|\bnot (?:be )?(?:changed|modified|updated|removed)\b|\bkeeps? (?:its|their)\b|\bpartial(?:ly)? updat",
        re.IGNORECASE,
    ),
    "left-out removed": re.compile(
        r"\b(?:left out|omitted|missing|not (?:specified|given|provided))\b[^.]*\b(?:removed|deleted|reset|cleared)\b",
        re.IGNORECASE,
    ),
}
"""How people say what the facts of a kind, or those with one value, show: of what is missing, and what is left out."""
_EXPECTED = "returns only entries items with this these by default address code attributes"
_VERBS = {"PUT": "replaces", "PATCH": "updates", "POST": "creates adds", "DELETE": "removes", "GET": "reads"}


def worth(statement: Statement, spot: Spot, text: str, *, closed: bool = False) -> float:
    """What a statement is worth at a spot whose present text, with its summary, is `text`; 0 if nothing.

    `closed`: the reader does not get the schema's `enum`, so the allowed values must stand in the text.
    """
    is_declared = _is_declared(statement, spot) and not (closed and statement.kind == "allowed-values")
    if not statement.text or is_invented(statement.text) or is_declared or _is_expected(statement, spot, text):
        return 0.0
    if statement.category == "correction":
        return WORTH["correction"]
    if _is_named(statement, spot, text) or is_said(statement, text):
        return 0.0
    if statement.kind == "field":
        is_expected = all(is_expected_at(fact.location) for fact in statement.facts)
        return 0.0 if is_expected else FIELD_WORTH * len(statement.facts)
    return WORTH[statement.category]


def _is_named(statement: Statement, spot: Spot, text: str) -> bool:
    """Whether a purpose or a format says what names and the text of a spot say; an end of a range needs no other."""
    if statement.category != "wording" and statement.kind != "format":
        return False
    is_range = text != "" and role_of(spot.name, spot.schema) in _RANGES
    return (is_range and statement.category == "wording") or is_restated(statement.text, text, _EXPECTED, *_names(spot))


def is_stated(statement: Statement, spot: Spot, text: str) -> bool:
    """Whether the `text` at a spot makes a statement, or the schema; a purpose must stand there word by word."""
    if not statement.text or statement.text in text:
        return statement.text != ""
    return statement.kind != "" and (_is_declared(statement, spot) or is_said(statement, text))


def is_said(statement: Statement, text: str) -> bool:
    """Whether a text has all the names and values that a statement quotes, else all its numbers, else its words.

    That a larger value is cut is more than its number.
    """
    if _is_told(statement, text):
        return True
    if statement.kind in _MORE_THAN_NAMES:
        return is_restated(statement.text, text)
    quoted = re.findall(r"`([^`]+)`", statement.text)
    are_named = all(re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", text, re.IGNORECASE) for piece in quoted)
    if statement.kind == "required":
        return are_named and phrases.REQUIRED.read(text) is not None
    if quoted:
        return are_named
    numbers = set(re.findall(r"\d+", statement.text))
    if numbers and statement.kind != "clamps":
        return numbers <= set(re.findall(r"\d+", text))
    return is_restated(statement.text, text)


def _is_told(statement: Statement, text: str) -> bool:
    """Whether a text says in other words what all facts of a statement show."""
    kinds = {statement.kind, *(f"{statement.kind} {fact.value}" for fact in statement.facts)}
    patterns = [_TOLD[kind] for kind in sorted(kinds) if kind in _TOLD]
    return bool(patterns) and all(pattern.search(text) for pattern in patterns)


def _names(spot: Spot) -> list[str]:
    """What the names at a spot say: its own, those of its operation, and what parameters of such a name do."""
    operation = spot.first.observed.operation
    noun = subject(operation.path).noun
    names = [spot.name, humanise(spot.name), operation.path, operation.name, noun, _VERBS.get(operation.method, "")]
    if spot.kind == "parameter":
        names.append(ROLES.get(role_of(spot.name), ""))
        names += ["sort direction"] if role_of(spot.name) in ORDERING else []
    if spot.kind == "operation":
        searching = [each.name for each in operation.parameters if role_of(each.name) is Role.SEARCH]
        names += [*searching, *("searches for the text in" for _ in searching)]
    return names


def _is_declared(statement: Statement, spot: Spot) -> bool:
    """Whether the schema says what the facts of a statement say."""
    if statement.kind not in DECLARED or spot.schema is None:
        return False
    facts = [fact for fact in statement.facts if fact.kind == statement.kind]
    # Without a fact, allowed values are those of the schema.
    return is_declared(spot.schema, facts) if facts else statement.kind == "allowed-values"


def _is_expected(statement: Statement, spot: Spot, text: str) -> bool:
    """Whether everybody who reads the rest would expect what a statement says."""
    if statement.kind in ("status", "needs-first"):
        return _is_usual_status(statement, spot, text)
    if statement.kind == "creates":
        declared = spot.first.observed.operation.responses.get("201")
        replaces = any(fact.value.get("replaces") for fact in statement.facts)
        return replaces and declared is not None and "creat" in declared.description.lower()
    check = _EXPECTED_BY_KIND.get(statement.kind)
    if check is not None:
        # What a correction names beside a source is read with it, as it will stand there the next time.
        return check(statement, replace(spot, text=f"{spot.text} {text}") if statement.kind == "comes-from" else spot)
    if statement.category != "example":
        return False
    is_known = _is_declared_default(statement, spot) or _has_form(spot.schema) or _shows_form(text)
    return is_known or not _is_example_of_a_choice(statement, spot)


def _is_declared_default(statement: Statement, spot: Spot) -> bool:
    """Whether an example is the value that the schema says is taken anyway."""
    default = spot.schema.default if spot.schema is not None else MISSING
    return default is not MISSING and [key_of(default)] == [*statement.quotes]


def _has_form(schema: Schema | None) -> bool:
    """Whether a schema says which form values have, so that no example is needed."""
    if schema is None:
        return False
    return schema.format in _PLAIN_FORMATS or schema.enum is not None or schema.get("const") is not None


def _shows_form(text: str) -> bool:
    """Whether a text shows which form values have."""
    said = (phrases.EXAMPLE, phrases.DATE)
    return _SHOWN_FORM.search(text) is not None or any(phrase.read(text) is not None for phrase in said)


def _is_usual_status(statement: Statement, spot: Spot, text: str) -> bool:
    """404 for what is not there, 400 or 422 for an invalid value, unless a message says which values are valid, and
    neither the text nor the schema."""
    statuses = {fact.value["status"] for fact in statement.facts}
    if spot.kind == "operation":
        names_creator = statement.kind == "needs-first" and not statement.about
        return set() < statuses <= NOT_FOUND and not names_creator
    if not statement.quotes:
        return statuses <= INVALID
    schema = spot.schema
    said = " ".join([text, *(str(schema.get(name, "")) for name in _RULES)]) if schema is not None else text
    return all(value.lower() in said.lower() for value in _valid_by(statement.quotes[0]))


def _valid_by(message: str) -> Iterator[str]:
    """What a message says of the values that are valid."""
    for hint in read_hints(400, {}, {"message": message}):
        # That a whole body is invalid says nothing of one of its values.
        if hint.kind not in _UNINFORMATIVE and (hint.pointer or hint.place != "body"):
            yield from hint.values


def _is_natural_default(statement: Statement, spot: Spot) -> bool:
    value = statement.facts[0].value
    return value in (None, "", "{}", "[]") or key_of(value) == "false" or STARTS.get(role_of(spot.name)) == value


def _is_natural_start(statement: Statement, spot: Spot) -> bool:
    """Whether a bound only says that something is not negative, or that degrees are degrees."""
    ends = statement.facts[0].value
    is_place = role_of(spot.name) is Role.COORDINATE and set(map(abs, ends.values())) <= {90, 180}
    return is_place or (set(ends) == {"minimum"} and ends["minimum"] in (0, 1))


def _is_nearest_source(statement: Statement, spot: Spot) -> bool:
    """Whether values come from where a text or names say: fields called as the parameter is, or the list of the things
    that a path parameter identifies."""
    key, location = spot.first.observed.key, spot.first.location
    every = find_sources(key, location, statement.facts)
    if _NAMED_SOURCE.search(spot.text) or (every and _are_named(every, spot)):
        return True
    collection = collection_of(key, location)
    plain = {
        *words(location.partition(":")[2]),
        *words(subject(collection).noun),
        *words(spot.text),
        *_taken(spot),
        "id",
    }
    return collection != "" and any(
        found.operation.path.rstrip("/") == collection and {*map(singular, words(found.name))} <= plain
        for found in every
    )


def _taken(spot: Spot) -> tuple[str, ...]:
    """The words for the field that a parameter takes in place of what its text says: a correction names it."""
    return words(spot.taken.field) if spot.taken is not None else ()


def _are_named(sources: Sequence[ValueSource], spot: Spot) -> bool:
    """Whether all fields are called as a parameter is, or are what it says: `thing_id` is the `id` of a thing."""
    are_of_noun = all(found.name == "id" and _is_of_noun(found, spot.name) for found in sources)
    return are_of_noun or all(_is_named_alike(found.name, spot.name) for found in sources)


def _is_of_noun(source: ValueSource, name: str) -> bool:
    """Whether a parameter is called after the things that a source lists: `collection_id`, from `/collections`."""
    noun = {*map(singular, words(subject(source.operation.path).noun))}
    return noun != set() and {*map(singular, words(name))} == noun | {"id"}


def _is_named_alike(field: str, name: str) -> bool:
    """Whether a field is called as a parameter is, or its code: `currency_code` for `currency`."""
    own = {*map(singular, words(field.rpartition(".")[2]))}
    return own - {"code"} == {*map(singular, words(name))} - {"code"} != set()


def _is_spread(statement: Statement, spot: Spot) -> bool:
    """Whether a parameter stands for others: each member of the object is sent under its own name, and its name never
    is (OpenAPI 3.1 §4.8.12: style `form`, exploded)."""
    parameter = spot.first.observed.operation.parameter(spot.first.location)
    is_object = parameter is not None and parameter.schema.type == "object"
    return is_object and parameter is not None and parameter.style == "form" and parameter.explode


def _is_second_heading(statement: Statement, spot: Spot) -> bool:
    """Whether a statement says that two things may have one title or text, which nobody takes for unique."""
    values = [fact.value for fact in statement.facts]
    return all(
        one.get("second") is True and bool(_HEADINGS.intersection(words(one.get("by", ""))[-1:])) for one in values
    )


def _is_sent(spot: Spot) -> bool:
    return spot.kind == "parameter" or spot.first.location.startswith("body:")


def _is_example_of_a_choice(statement: Statement, spot: Spot) -> bool:
    """Whether an example shows a form that a caller must choose a value in: no field of a response, no ID, no count."""
    shown = next(iter(statement.quotes), None)
    if shown is None or not _is_sent(spot) or _is_known(shown, spot):
        return False
    # A moment is one of this instance; that a moment is wanted, names say.
    if format_of([shown]) == "date-time":
        return False
    if spot.first.location.startswith("path:") and _SHORT.fullmatch(shown):
        return False
    is_kind = not _KIND_WORDS.isdisjoint(map(singular, words(spot.name)))
    if statement.kind == "observed-values":
        return is_kind or all(map(_FORM.fullmatch, statement.quotes))
    if not _is_plain_text(spot) or role_of(spot.name) in _FREE:
        return False
    is_kind = is_kind and spot.first.location.startswith("query:")
    return _FORM.fullmatch(shown) is not None or (is_kind and _WORD.fullmatch(shown) is not None)


def _is_known(shown: str, spot: Spot) -> bool:
    """Whether a value is a method of HTTP, or the schema gives it itself, be it in one of its alternatives."""
    documented = documented_values(spot.schema) if spot.schema is not None else ()
    return shown in SAFE_METHODS | UNSAFE_METHODS or shown in map(str, documented)


def _is_plain_text(spot: Spot) -> bool:
    """Whether values are texts, and by their name no IDs."""
    is_text = spot.schema is None or spot.schema.type in (None, "string")
    return is_text and not spot.name.lower().endswith("id")


_EXPECTED_BY_KIND: dict[str, Callable[[Statement, Spot], bool]] = {
    "default": _is_natural_default,
    "range": _is_natural_start,
    "comes-from": _is_nearest_source,
    "ignored": _is_spread,
    "exists": _is_second_heading,
    "empty": lambda statement, spot: {fact.value["status"] for fact in statement.facts} <= {200},
    "unknown-parameters": lambda statement, spot: {fact.value for fact in statement.facts} <= {"ignored"},
    "unknown-properties": lambda statement, spot: {fact.value["effect"] for fact in statement.facts} <= {"ignored"},
    "needs-credentials": lambda statement, spot: bool(spot.first.observed.operation.security),
    **dict.fromkeys(("nullable", "format", "type"), lambda statement, spot: not _is_sent(spot)),
}
