"""What errors taught of a name: a rule for `name` in one request body is tried in the next one of the same tool."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.error_claims import VALUE_KINDS, Hint
from docrev.conventions.hint_values import value_for
from docrev.exploration.mending import values_for
from docrev.json_values.pointer import last
from docrev.records import Json
from docrev.spec import Schema

_MAX_RULES = 8
_OF_ONE_OPERATION = frozenset({"allowed-values", "type"})
"""What another operation's value of the same name has no part in."""


class Lessons:
    """Rules on values by tool, place and name: all that was said of it, the newest last."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str, str], dict[tuple[str, tuple[str, ...]], Hint]] = {}

    def note(self, tool: str, location: str, hints: Sequence[Hint]) -> None:
        """Take in what an error said of the value at a location."""
        kept = self._rules.setdefault(_key(tool, location), {})
        for hint in hints:
            if hint.kind in VALUE_KINDS - _OF_ONE_OPERATION and len(kept) < _MAX_RULES:
                kept[hint.kind, hint.values] = hint

    def rules(self, tool: str, location: str) -> list[Hint]:
        """What is known of values at a location, or of that name elsewhere in the tool."""
        return list(self._rules.get(_key(tool, location), {}).values())

    def fitting(self, tool: str, location: str, value: Json, schema: Schema | None) -> Json:
        """The value as the rules want it; as it is if there are none, or nothing can satisfy them."""
        rules = self.rules(tool, location)
        return next(iter(values_for(rules, value, (), schema)), value) if rules else value

    def fits(self, tool: str, location: str, value: Json) -> bool:
        """Whether a value is as errors wanted it."""
        rules = self.rules(tool, location)
        return not rules or value_for(rules, value) == value


def _key(tool: str, location: str) -> tuple[str, str, str]:
    place, _, name = location.partition(":")
    return tool, place, last(name) if place == "body" else name
