"""What a text says, as statements: of a revised spec, of one that people wrote, of one that a model wrote.

The patterns are few and plain, so that who reads them knows what is counted. A sentence speaks of the parameter whose
description it stands in, or else of the one parameter of the operation that it names. Read are

- a default: `default is 20`, `defaults to 20`, `default value of 1`, `(default: name)`, `20 by default`;
- required and optional: `required`, `must be given`, `mandatory`; said of all that the sentence names;
- ranges: `minimum 1`, `at least 1`, `maximum 100`, `at most 100`, `up to 100`, `between 1 and 100`, `from 1 to 100`;
- allowed values: `one of a, b or c`, `allowed values: a, b`, `valid values are a and b`, `can be 'a', 'b' or 'c'`.

A maximum in words does not say whether more is refused or cut: it is held against both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.eval.statements import Statement
from docrev.eval.truth import truth_of
from docrev.records import Json, OperationKey
from docrev.spec import Catalog
from docrev.spec.operation import Operation

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_WORD = r"[`'\"“‘]?(-?[A-Za-z0-9_][\w.+-]*)[`'\"”’]?"
_DEFAULT = (
    re.compile(rf"\bdefaults? (?:value )?(?:is |of |to |value )*{_WORD}", re.I),
    re.compile(rf"\bdefaults?:\s*{_WORD}", re.I),
    re.compile(rf"{_WORD} (?:is the default|by default)\b", re.I),
)
_BETWEEN = re.compile(rf"\b(?:between|from|range(?: of)?:?) {_NUMBER} (?:and|to|-|–) {_NUMBER}", re.I)
_MINIMUM = re.compile(rf"\b(?:minimum(?: value)?(?: is| of|:)?|at least|not less than) {_NUMBER}", re.I)
_MAXIMUM = re.compile(
    rf"\b(?:maximum(?: value)?(?: is| of|:)?|at most|up to|not more than|no more than) {_NUMBER}", re.I
)
_REQUIRED = re.compile(
    r"\b(?:is|are) (?:a )?(?:required|mandatory)\b|\bmust be (?:given|provided|set|specified)\b", re.I
)
_BARE_REQUIRED = re.compile(r"^\s*(?:required|mandatory)\b", re.I)
_ONE_OF = re.compile(
    r"\b(?:one of|(?:allowed|valid|possible|supported|accepted|available) (?:values|options|choices)(?: are| include)?"
    r"|can be(?: either)?|is either|values:)\s*:?\s*(.+)",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_ITEM = re.compile(r"[`'\"“‘]([\w.+ -]{1,40})[`'\"”’]")
_NO_VALUES = frozenset(["none", "null", "empty", "not", "set", "zero", "the", "a", "an", "to", "by", "value", "is"])
MAX_VALUES = 40


def stated(catalog: Catalog) -> list[Statement]:
    """What the specs of a catalog say, by keywords and extensions and by sentences; each thing once."""
    found = dict(truth_of(catalog).statements)
    for operation in catalog.operations:
        for statement in sentences(operation):
            found.setdefault(statement.place, statement)
    return list(found.values())


def sentences(operation: Operation) -> Iterator[Statement]:
    """What the texts of an operation and of its parameters say."""
    yield from _operation_text(operation, f"{operation.summary}\n{operation.description}")
    for parameter in operation.parameters:
        yield from parameter_text(operation.key, parameter.key, parameter.description)
    if operation.body is not None and operation.body.schema is not None:
        for pointer, schema in operation.body.schema.walk():
            if pointer:
                yield from parameter_text(operation.key, f"body:{pointer}", schema.description)


def parameter_text(key: OperationKey, location: str, text: str) -> Iterator[Statement]:
    """What the description of one parameter says of it."""
    for sentence in _SENTENCE.split(text):
        if _BARE_REQUIRED.search(sentence):
            yield Statement(key, "required", location, "", True)
        yield from _said(key, location, sentence)


def _operation_text(operation: Operation, text: str) -> Iterator[Statement]:
    names = {parameter.name: parameter.key for parameter in operation.parameters}
    for sentence in _SENTENCE.split(text):
        named = [key for name, key in names.items() if _names(sentence, name)]
        if len(named) == 1:
            yield from _said(operation.key, named[0], sentence)
        elif _REQUIRED.search(sentence):
            yield from (Statement(operation.key, "required", key, "", True) for key in named)


def operation_text(operation: Operation, text: str) -> list[Statement]:
    """What a text on a whole operation, from wherever, says of its parameters."""
    return list(_operation_text(operation, text))


def _names(sentence: str, name: str) -> bool:
    """Quoted, or written like a name, or followed by the word: `page` alone is a word of any text."""
    quoted = re.search(rf"[`'\"“‘]{re.escape(name)}[`'\"”’]", sentence)
    plain = re.search(rf"\b{re.escape(name)}\b(?: parameter\b)?", sentence)
    return bool(quoted or (plain and ("_" in name or "." in name or plain.group().endswith("parameter"))))


def _said(key: OperationKey, location: str, sentence: str) -> Iterator[Statement]:
    if _REQUIRED.search(sentence) and not re.search(r"\bnot (?:required|mandatory)\b", sentence, re.I):
        yield Statement(key, "required", location, "", True)
    default = next((found.group(1) for found in (one.search(sentence) for one in _DEFAULT) if found), None)
    if default is not None and default.lower() not in _NO_VALUES:
        yield Statement(key, "default", location, "", _value(default.rstrip(".")))
    for end, value in _ends(sentence):
        yield Statement(key, "range", location, end, value)
    values = _values(sentence)
    if len(values) >= 2:
        yield Statement(key, "allowed-values", location, "", values)


def _ends(sentence: str) -> Iterator[tuple[str, Json]]:
    between = _BETWEEN.search(sentence)
    if between:
        yield "minimum", _value(between.group(1))
        yield "maximum", _value(between.group(2))
        return
    for end, pattern in (("minimum", _MINIMUM), ("maximum", _MAXIMUM)):
        found = pattern.search(sentence)
        if found:
            yield end, _value(found.group(1))


def _values(sentence: str) -> list[Json]:
    found = _ONE_OF.search(sentence)
    if not found:
        return []
    listed = found.group(1).partition(". ")[0]
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
