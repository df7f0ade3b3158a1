"""`pattern`: a text that does not match this regular expression is refused."""

from __future__ import annotations

import re

from docrev.facts.call_values import call_values
from docrev.facts.fact_values import Text
from docrev.facts.kind import Kind
from docrev.records import Call, Fact

MAX_PATTERN = 200


def compiled(text: str) -> re.Pattern[str] | None:
    """A pattern that a server stated, if it may be run: it is short, and nothing in it can take for ever."""
    if len(text) > MAX_PATTERN or re.search(r"[+*}]\)?[+*{]", text):
        return None
    try:
        return re.compile(text)
    except re.error:
        return None


def _refutes(fact: Fact, call: Call) -> bool:
    pattern = compiled(fact.value)
    texts = [value for value in call_values(call, fact.location) if isinstance(value, str)]
    return pattern is not None and any(pattern.search(text) is None for text in texts)


KIND = Kind("pattern", Text, about=frozenset(["parameter", "property"]), refutes=_refutes, proves_read=True)
