"""What a text says, as statements: of a revised spec, of one that people wrote, of one that a model wrote.

The patterns are few and plain, so that who reads them knows what is counted. A sentence speaks of the parameter whose
description it stands in, or else of the parameters that it names, each up to the next. Read are

- a default: `default is 20`, `defaults to 20`, `default value of 1`, `(default: name)`, `20 by default`;
- required: `is required`, `must be given`, `as required parameters`, `mandatory`;
- ranges: `minimum 1`, `at least 1`, `maximum 100`, `at most 100`, `up to 100`, `between 1 and 100`, `from 1 to 100`;
- allowed values: `one of a, b or c`, `allowed values: a, b`, `valid values are a and b`, `can be 'a', 'b' or 'c'`.

A maximum in words does not say whether more is refused or cut: it is held against both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.eval.statements import TextStatement
from docrev.eval.truth import truth_of
from docrev.language.phrases import claims
from docrev.records import Json, OperationKey
from docrev.spec import Catalog
from docrev.spec.operation import Operation

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_QUOTE, _UNQUOTE = "[`'\"“‘]", "[`'\"”’]"
_WORD = r"(-?[A-Za-z0-9_][\w.+-]*)"
# Unquoted, only a number or a truth value: "defaults to excluding adults" names no value.
_VALUE = rf"(?:{_QUOTE}{_WORD}{_UNQUOTE}|{_NUMBER}|(true|false)\b)"
_DEFAULT = (
    re.compile(rf"\bdefaults? (?:value )?(?:is |of |to |value )*{_VALUE}", re.I),
    re.compile(rf"\bdefaults?:\s*(?:{_QUOTE}{_WORD}{_UNQUOTE}|{_WORD})", re.I),
    re.compile(rf"{_VALUE} (?:is the default|by default)\b", re.I),
)
_BETWEEN = re.compile(rf"\b(?:between|from|range(?: of)?:?) {_NUMBER} (?:and|to|-|–) {_NUMBER}", re.I)
_MINIMUM = re.compile(rf"\b(?:minimum(?: value)?(?: is| of|:)?|at least|not less than) {_NUMBER}", re.I)
_MAXIMUM = re.compile(
    rf"\b(?:maximum(?: value)?(?: is| of|:)?|at most|up to|not more than|no more than) {_NUMBER}", re.I
)
_REQUIRED = re.compile(
    r"\b(?:is|are)(?: also)? (?:a )?(?:required|mandatory)\b|\bmust be (?:given|provided|set|specified)\b"
    r"|\bas (?:a )?required parameters?\b",
    re.I,
)
_NOT_REQUIRED = re.compile(r"\b(?:not|no)\b[^.]{0,40}\b(?:required|mandatory)\b", re.I)
_BARE_REQUIRED = re.compile(r"^\s*(?:required|mandatory)\b", re.I)
_ONE_OF = re.compile(
    r"\b(?:one of|(?:allowed|valid|possible|supported|accepted|available) (?:values|options|choices)(?: are| include)?"
    r"|can be(?: set to)?(?: either)?|is either|as either|values:)\s*:?\s*(.+)",
    re.I,
)
_ITEM = re.compile(r"[`'\"“‘]([\w.+ -]{1,40})[`'\"”’]")
_NO_VALUES = frozenset(
    ["none", "null", "empty", "not", "set", "zero", "the", "a", "an", "to", "by", "value", "is", "being"]
)
MAX_VALUES = 40


def stated(catalog: Catalog) -> list[TextStatement]:
    """What the specs of a catalog say, by keywords and extensions and by sentences; each thing once."""
    by_place = dict(truth_of(catalog).statements)
    for operation in catalog.operations:
        for statement in sentences(operation):
            by_place.setdefault(statement.place, statement)
    return list(by_place.values())


def sentences(operation: Operation) -> Iterator[TextStatement]:
    """What the texts of an operation and of its parameters say."""
    yield from operation_text(operation, f"{operation.summary}\n{operation.description}")
    for parameter in operation.parameters:
        yield from parameter_text(operation.key, parameter.key, parameter.description)
    if operation.body_schema is not None:
        for pointer, schema in operation.body_schema.walk():
            if pointer:
                yield from parameter_text(operation.key, f"body:{pointer}", schema.description)


def parameter_text(key: OperationKey, location: str, text: str) -> Iterator[TextStatement]:
    """What the description of one parameter says of it."""
    for sentence in claims(text):
        if _BARE_REQUIRED.search(sentence):
            yield TextStatement(key, "required", location, "", True)
        yield from _statements_in(key, location, sentence)


def operation_text(operation: Operation, text: str) -> Iterator[TextStatement]:
    """What a text on a whole operation, from wherever, says of its parameters."""
    for sentence in claims(text):
        places = ((_mention(sentence, parameter.name), parameter.key) for parameter in operation.parameters)
        yield from _of_parameters(operation.key, sentence, sorted((at, key) for at, key in places if at is not None))


def _of_parameters(key: OperationKey, sentence: str, mentions: list[tuple[int, str]]) -> Iterator[TextStatement]:
    """A sentence that names several parameters is cut where it names the next; "are required" holds for all before."""
    if len(mentions) == 1:
        yield from _statements_in(key, mentions[0][1], sentence)
        return
    required_at = _required_at(sentence)
    yield from (TextStatement(key, "required", location, "", True) for at, location in mentions if at < required_at)
    cuts = [0, *(at for at, _ in mentions[1:]), len(sentence)]
    for (_, location), start, end in zip(mentions, cuts, cuts[1:], strict=False):
        yield from (one for one in _statements_in(key, location, sentence[start:end]) if one.kind != "required")


def _required_at(sentence: str) -> int:
    """Where a sentence says last that something is required; -1 if it does not."""
    places = [found.start() for found in _REQUIRED.finditer(sentence)]
    return max(places, default=-1) if not _NOT_REQUIRED.search(sentence) else -1


def _mention(sentence: str, name: str) -> int | None:
    """Where a sentence names a parameter: quoted, written like a name, or before the word: `page` is in any text."""
    quoted = re.search(rf"{_QUOTE}{re.escape(name)}{_UNQUOTE}", sentence, re.I)
    plain = re.search(rf"\b{re.escape(name)}\b(?: parameter\b)?", sentence)
    if plain is not None and not ("_" in name or "." in name or plain.group().endswith("parameter")):
        plain = None
    mention = quoted or plain
    return mention.start() if mention else None


def _statements_in(key: OperationKey, location: str, sentence: str) -> Iterator[TextStatement]:
    if _required_at(sentence) >= 0:
        yield TextStatement(key, "required", location, "", True)
    tried = (one.search(sentence) for one in _DEFAULT)
    default = next((next(filter(None, found.groups())) for found in tried if found), None)
    if default is not None and default.lower() not in _NO_VALUES:
        yield TextStatement(key, "default", location, "", _value(default.rstrip(".")))
    for end, value in _ends(sentence):
        yield TextStatement(key, "range", location, end, value)
    values = _values(sentence)
    if len(values) >= 2:
        yield TextStatement(key, "allowed-values", location, "", values)


def _ends(sentence: str) -> Iterator[tuple[str, Json]]:
    between = _BETWEEN.search(sentence)
    if between:
        yield "minimum", _value(between.group(1))
        yield "maximum", _value(between.group(2))
        return
    for end, pattern in (("minimum", _MINIMUM), ("maximum", _MAXIMUM)):
        match = pattern.search(sentence)
        if match:
            yield end, _value(match.group(1))


def _values(sentence: str) -> list[Json]:
    match = _ONE_OF.search(sentence)
    if not match:
        return []
    listed = match.group(1).partition(". ")[0]
    if "…" in listed:
        return []
    quoted = _ITEM.findall(listed)
    if len(quoted) < 2:
        parts = [part.strip(" .()[]`'\"") for part in re.split(r",|\bor\b|\band\b|\|", listed)]
        quoted = (
            parts if len(parts) >= 2 and all(re.fullmatch(r"-?[\w.+-]{1,40}", part) for part in parts if part) else []
        )
    return [_value(value) for value in dict.fromkeys(quoted[:MAX_VALUES]) if value]


def _value(text: str) -> Json:
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    return {"true": True, "false": False}.get(text.lower(), text)
