"""Small judgements of the offline agent: whether an experience fits, and what of a response is worth keeping."""

from __future__ import annotations

import json

from docrev.agent.observations import empty
from docrev.agent.tasks import clauses
from docrev.agent.vocabulary import alike
from docrev.language.stems import stem
from docrev.language.words import words
from docrev.models.observations import body
from docrev.prompts.agents import Lesson
from docrev.records import Json

SAME = 0.6
"""Share of the words of an experience's scenario that the task must have."""
EXTRACT = 3600
"""Characters of an extract."""
_KEPT = frozenset("id ids uri code name title slug key number next page pages total date type".split())  # noqa: SIM905


def fits(task: str, lesson: Lesson) -> bool:
    """Whether an experience is of a task like this one: what its scenario asks for is asked for here."""
    asked = {word for clause in clauses(task) for word in clause.stems}
    said = [word for clause in clauses(lesson.scenario) for word in clause.stems]
    if not said:
        return False
    wanted = [word for clause in clauses(lesson.scenario)[-1:] for word, weight in clause.want if weight == 1.0]
    if wanted and not all(word in asked for word in wanted):
        return False
    return sum(word in asked for word in said) / len(said) >= SAME


def extract(task: str, response: str) -> str:
    """What of a response serves a task: its items with ids, names and the fields that the task speaks of."""
    value = body(response)
    if value is None or empty(value):
        return response[:EXTRACT]
    asked = [word for clause in clauses(task) for word in clause.stems]
    named = [str(one.value).casefold() for clause in clauses(task) for one in clause.values]
    text = json.dumps(_kept(value, asked, named), ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= EXTRACT else f"{text[: EXTRACT - 1]}…"


def _kept(value: Json, asked: list[str], named: list[str]) -> Json:
    if isinstance(value, list):
        return [_kept(part, asked, named) for part in value]
    if not isinstance(value, dict):
        return value
    return {name: _kept(part, asked, named) for name, part in value.items() if _worth(name, part, asked, named)}


def _worth(name: str, part: Json, asked: list[str], named: list[str]) -> bool:
    if isinstance(part, dict | list) and part:
        return True
    said = words(name)
    if set(said) & _KEPT or any(alike(stem(word), other) for word in said for other in asked):
        return True
    return str(part).casefold() in named
