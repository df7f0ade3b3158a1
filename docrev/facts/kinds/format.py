"""`format`: the form that all texts of a parameter, a request property or a part of a response have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docrev.facts.call_values import call_values, is_response
from docrev.facts.fact_values import Text
from docrev.facts.kind import VALUE, Kind
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.shape import format_of
from docrev.records import Call, Fact, Json

# JSON Schema's formats (RFC 3339 for times): stricter than what `shape` guesses from.
FORMATS: Mapping[str, re.Pattern[str]] = {
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"),
    "uuid": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE),
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "uri": re.compile(r"[a-z][a-z0-9+.-]*://[^\s<>\"]+", re.IGNORECASE),
}
# Formats by the words of messages.
_STATED = {"date": "date", "date-time": "date-time", "uuid": "uuid", "email": "email", "url": "uri"}


def _holds(fact: Fact, value: Json) -> bool:
    return isinstance(value, str) and FORMATS[fact.value].fullmatch(value) is not None


def _values(fact: Fact, call: Call) -> list[Json]:
    return [value for value in call_values(call, fact.location) if value is not None]


def _shows(fact: Fact, call: Call) -> bool:
    values = _values(fact, call)
    return is_response(fact.location) and bool(values) and all(_holds(fact, value) for value in values)


def _refutes(fact: Fact, call: Call) -> bool:
    return is_response(fact.location) and any(not _holds(fact, value) for value in _values(fact, call))


def _from_trials(trials: ParameterTrials) -> Iterator[Fact]:
    """Rejections state a format that all accepted texts have."""
    for (name, *_), rejected in trials.statements("type"):
        format = _STATED.get(name, "")
        having = [call for value, call in trials.accepted if format_of([value]) == format]
        others = [value for value, _ in trials.accepted if isinstance(value, str) and format_of([value]) != format]
        if format and having and not others:
            yield KIND.fact(trials.key, trials.location, Text(format), (rejected[0].call.id, having[0]))
            return


KIND = Kind(
    "format",
    Text,
    about=VALUE,
    shows=_shows,
    refutes=_refutes,
    proves_read=True,
    from_trials=_from_trials,
)
