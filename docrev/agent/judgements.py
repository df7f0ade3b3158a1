"""A small judgement of the built-in agent: what of a response is worth keeping."""

from __future__ import annotations

import json
from dataclasses import dataclass

from docrev.agent.clauses import read_clauses
from docrev.agent.responses import SeenResponse
from docrev.agent.vocabulary import alike
from docrev.language.stems import stem
from docrev.language.words import words
from docrev.models.observations import read_observation
from docrev.records import Json

MAX_EXTRACT = 3600
"""Characters of an extract."""
_KEPT = frozenset("id ids uri code name title slug key number next page pages total date type".split())  # noqa: SIM905


def _words(task: str) -> frozenset[str]:
    return frozenset(word for clause in read_clauses(task) for word in clause.stems)


@dataclass(frozen=True, slots=True)
class _Relevant:
    """What a task is about: its words, and the values that it names."""

    words: frozenset[str]
    values: frozenset[str]

    def keeps(self, name: str, value: Json) -> bool:
        """Whether a member is kept: an object or a list, an id or a name, or something that the task mentions."""
        if isinstance(value, dict | list) and value:
            return True
        parts = words(name)
        if _KEPT.intersection(parts) or str(value).casefold() in self.values:
            return True
        return any(alike(stem(word), other) for word in parts for other in self.words)

    def of(self, value: Json) -> Json:
        """What of a value is kept."""
        if isinstance(value, list):
            return [self.of(part) for part in value]
        if not isinstance(value, dict):
            return value
        return {name: self.of(part) for name, part in value.items() if self.keeps(name, part)}


def extract(task: str, response: str) -> str:
    """What of a response serves a task: its items with ids, names and the fields that the task mentions."""
    value = read_observation(response)
    if value is None or SeenResponse(value).is_empty:
        return response[:MAX_EXTRACT]
    named = frozenset(str(one.value).casefold() for clause in read_clauses(task) for one in clause.values)
    relevant = _Relevant(_words(task), named).of(value)
    text = json.dumps(relevant, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= MAX_EXTRACT else f"{text[: MAX_EXTRACT - 1]}…"
