"""Statements: single things said of a place of an operation, that can be right or wrong.

A `Fact` says one or more of them: a range of both ends says two, so that a right minimum beside a wrong maximum counts
as what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from docrev.facts.registry import ENDS
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json, OperationKey

Hide = Literal[
    "descriptions", "parameters", "required", "types", "enums", "defaults", "bounds", "examples", "responses"
]
"""What a recovery takes out of a spec; `all` on the command line is all of these but `parameters`."""

_HIDDEN_BY: dict[str, Hide] = {
    "required": "required",
    "needs-credentials": "required",
    "type": "types",
    "format": "types",
    "allowed-values": "enums",
    "default": "defaults",
    "range": "bounds",
    "clamps": "bounds",
    "length": "bounds",
    "pattern": "bounds",
}


@dataclass(frozen=True, slots=True)
class TextStatement:
    """`value` is said of `part` of `location`: an end of a range, the value that sorts, a status; "" for the whole."""

    key: OperationKey
    kind: str
    location: str
    part: str
    value: Json

    @property
    def place(self) -> tuple[OperationKey, str, str, str]:
        """What it is about: two statements of one place agree or differ."""
        return self.key, self.kind, self.location, self.part

    @property
    def hidden_by(self) -> Hide:
        """The kind of documentation that says it."""
        if self.location[:1].isdecimal() or self.kind == "status":
            return "responses"
        return _HIDDEN_BY.get(self.kind, "descriptions")

    def to_json(self) -> dict[str, Json]:
        """As `--json` tells it."""
        return {
            "tool": self.key.tool,
            "operation": self.key.operation,
            "kind": self.kind,
            "location": self.location,
            "part": self.part,
            "value": self.value,
        }

    def __str__(self) -> str:
        part = f" {self.part}" if self.part else ""
        return f"{self.key}  {self.kind} {self.location or '-'}{part} = {canonical(self.value)}"


def statements_of(facts: Iterable[Fact]) -> list[TextStatement]:
    """What facts say, each thing once, sorted."""
    by_text = {canonical(one.to_json()): one for fact in facts for one in _of(fact)}
    return [by_text[name] for name in sorted(by_text)]


def _of(fact: Fact) -> Iterator[TextStatement]:
    value = fact.value
    if fact.kind in ENDS and isinstance(value, Mapping):
        for end in sorted(value):
            yield TextStatement(fact.key, fact.kind, fact.location, end, value[end])
    elif fact.kind == "sorts" and isinstance(value, Mapping):
        order = {name: value.get(name) for name in ("field", "order")}
        yield TextStatement(fact.key, fact.kind, fact.location, str(value.get("value")), order)
    elif fact.kind == "status" and isinstance(value, Mapping):
        yield TextStatement(fact.key, fact.kind, fact.location, str(value.get("status")), True)
    else:
        yield TextStatement(fact.key, fact.kind, fact.location, "", value)
