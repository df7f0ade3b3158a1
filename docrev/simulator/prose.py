"""Bounds and choices that only the text of a description states.

`Must be a value from 0 to 100 inclusive`, `Minimum: 1. Maximum: 50.`, `Maximum: 20 IDs`, `Valid values: `a`, `b``,
`**track**, **context** or **off**.` A world enforces them as it enforces keywords.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from docrev.spec import Parameter

_NUMBER = r"(-?\d{1,3}(?:[.,]\d{3})+(?!\d)|-?\d+)"
_BETWEEN = re.compile(rf"\b(?:from|between)\s+{_NUMBER}\s+(?:to|and)\s+{_NUMBER}", re.IGNORECASE)
_LOWEST = re.compile(rf"\bminimum(?: \w+)?\s*(?::|is|of)\s*{_NUMBER}", re.IGNORECASE)
_HIGHEST = re.compile(
    rf"\bmaximum(?: \w+)?\s*(?::|is|of)\s*{_NUMBER}(?!\s*(?:ids|items|values|characters))", re.IGNORECASE
)
_MOST = re.compile(
    rf"\b(?:maximum\s*(?::|is|of)|up to|at most)\s*{_NUMBER}(?:\s+[\w-]+)?\s+(?:ids|items|values)\b", re.IGNORECASE
)
_MARKED = re.compile(r"`([\w.-]+)`|\*\*([\w.-]+)\*\*")
_OFFERED = re.compile(
    r"\b(?:valid|allowed|possible|accepted|available|supported)\s+(?:values|types|options|choices)(?:\s+are)?\s*:?",
    re.IGNORECASE,
)
_END = re.compile(r"\n\s*\n|\bfor example\b|\bnote\b|\.\s", re.IGNORECASE)
_ENUMERATED = re.compile(r"\s*(?:`[\w.-]+`|\*\*[\w.-]+\*\*)(?:\s*(?:,|or|,\s*or)\s*(?:`[\w.-]+`|\*\*[\w.-]+\*\*))+")
_BRACKETS = re.compile(r"\([^()]*\)")


class ProseRules(NamedTuple):
    """What a description tells: bounds of a number, how many items a list may have, the only values."""

    low: int | None = None
    high: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


def read_prose(parameter: Parameter) -> ProseRules:
    """What the description of a parameter tells that its schema does not."""
    schema = parameter.schema
    found = _read(parameter.description)
    numeric = schema.type in ("integer", "number")
    bounded = schema.get("minimum") is not None or schema.get("maximum") is not None
    chosen = schema.enum is not None or ((items := schema.items()) is not None and items.enum is not None)
    free = schema.type in ("string", "array", None) and not chosen
    return ProseRules(
        found.low if numeric and not bounded else None,
        found.high if numeric and not bounded else None,
        found.most if free else None,
        found.choices if free else (),
    )


def listed(parameter: Parameter) -> bool:
    """Whether a text stands for several values: `a comma-separated list of …`."""
    return re.search(r"comma[- ]separated|separated by commas", parameter.description, re.IGNORECASE) is not None


def fault(parameter: Parameter, value: object) -> str:
    """Why a value is not what the description asks for, in words; "" if it is."""
    rules = read_prose(parameter)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_fault(rules, value)
    texts = _texts(parameter, value)
    if rules.most is not None and len(texts) > rules.most:
        return f"must have at most {rules.most} items"
    if rules.choices and any(text not in rules.choices for text in texts):
        return f"must be one of {', '.join(rules.choices)}"
    return ""


def _number_fault(rules: ProseRules, value: float) -> str:
    too_low = rules.low is not None and value < rules.low
    too_high = rules.high is not None and value > rules.high
    if not too_low and not too_high:
        return ""
    if rules.low is not None and rules.high is not None:
        return f"must be between {rules.low} and {rules.high}"
    return f"must be at least {rules.low}" if too_low else f"must be at most {rules.high}"


def _texts(parameter: Parameter, value: object) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in value]
    return [part.strip() for part in str(value).split(",")] if listed(parameter) else [str(value)]


@lru_cache(maxsize=4096)
def _read(text: str) -> ProseRules:
    between, low, high, most = _BETWEEN.search(text), _LOWEST.search(text), _HIGHEST.search(text), _MOST.search(text)
    return ProseRules(
        _whole(between[1] if between else low[1] if low else None),
        _whole(between[2] if between else high[1] if high else None),
        _whole(most[1] if most else None),
        _choices(text),
    )


def _whole(text: str | None) -> int | None:
    return None if text is None else int(re.sub(r"[.,]", "", text))


def _choices(text: str) -> tuple[str, ...]:
    """The marked words after `valid values:`, or with which the description begins; none if there is but one."""
    offered = _OFFERED.search(text)
    if offered is not None:
        rest = _BRACKETS.sub("", text[offered.end() :])
        rest = rest[: end.start()] if (end := _END.search(rest)) else rest
    else:
        start = _ENUMERATED.match(text)
        rest = start[0] if start else ""
    marked = tuple(dict.fromkeys(one or other for one, other in _MARKED.findall(rest)))
    return marked if len(marked) > 1 else ()
