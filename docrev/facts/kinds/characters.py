"""`characters`: which characters a text may have, and how it begins and ends; others are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.error_claims import Hint
from docrev.facts.call_values import call_values
from docrev.facts.kind import Record
from docrev.facts.stated import keeps
from docrev.facts.stated_facts import stated_kind
from docrev.language.patterns import is_pattern
from docrev.records import Call, Fact

_MEMBERS = {
    "characters": "allowed",
    "forbidden-characters": "forbidden",
    "first-character": "first",
    "last-character": "last",
    "prefix": "prefix",
    "suffix": "suffix",
}
"""The members of the value by the kind of hint."""


@dataclass(frozen=True)
class Characters(Record):
    """Classes such as `[a-z0-9]` of all characters, of the first and of the last; a text to begin or end with."""

    allowed: str | None = None
    forbidden: str | None = None
    first: str | None = None
    last: str | None = None
    prefix: str | None = None
    suffix: str | None = None

    @property
    def rules(self) -> list[Hint]:
        """The value as hints."""
        pairs = ((kind, getattr(self, member)) for kind, member in _MEMBERS.items())
        return [Hint(kind, "", "", (text,), "") for kind, text in pairs if text is not None]


def _read(hints: Sequence[Hint]) -> Characters | None:
    members = {_MEMBERS[hint.kind]: hint.values[0] for hint in hints if hint.kind in _MEMBERS and hint.values}
    classes = (text for member, text in members.items() if member not in ("prefix", "suffix"))
    return Characters(**members) if members and all(map(_is_class, classes)) else None


def _is_class(text: str) -> bool:
    return text.startswith("[") and is_pattern(text)


def _refutes(fact: Fact, call: Call) -> bool:
    texts = [value for value in call_values(call, fact.location) if isinstance(value, str)]
    return any(not keeps(rule, text) for rule in KIND.value_of(fact).rules for text in texts)


KIND = stated_kind("characters", Characters, _read, refutes=_refutes)
