"""How a list is asked for what was deleted: by the parameters that it took before, as far as they may choose items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.conventions.parameters import Role, role_of
from docrev.facts.parameter_trials import EVERYTHING
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import scalar_members
from docrev.json_values.scalars import is_whole
from docrev.records import Call, Json
from docrev.spec import Operation, Schema

MAX_ASKED = 5
_CHOOSING = frozenset({Role.DATE, Role.DATE_FROM, Role.DATE_TO, Role.MINIMUM, Role.MAXIMUM, Role.FILTER, Role.OTHER})
"""Roles of parameters that may say whether what was deleted is wanted."""


def bringing_back(operation: Operation, good: Iterable[Call], deletion: Call) -> list[dict[str, Json]]:
    """One query argument each: the least and the greatest value that a parameter took, and, of numbers that grow with
    time, one more than the deletion returned; parameters whose names tell of deletions first."""
    sent = (pair for call in good for pair in call.arguments.items())
    taken = grouped((at, value) for at, value in sent if at.startswith("query:") and isinstance(value, str | int))
    now = max((value for value in _numbers(deletion.body)), default=None)
    asked: list[dict[str, Json]] = []
    for one in sorted(operation.parameters, key=lambda one: not _tells(one.name)):
        if one.location == "query" and role_of(one.name, one.schema) in _CHOOSING:
            asked += [{one.key: value} for value in _values(one.schema, taken.get(one.key, []), now)]
    return asked[:MAX_ASKED]


def _tells(name: str) -> bool:
    return any(part in name.lower() for part in ("delet", "archiv", "remov", "since", "after"))


def _numbers(body: Json) -> Iterator[int]:
    """The whole numbers in a response."""
    for _, value in scalar_members(body):
        if is_whole(value):
            yield value


def _values(schema: Schema, taken: list[Json], now: int | None) -> list[Json]:
    """What to send for a parameter; of a choice, what names everything, or what is gone."""
    if schema.enum:
        return [word for word in schema.enum if word in EVERYTHING or _tells(str(word))]
    return [True] if schema.type == "boolean" else _ends(taken, now)


def _ends(taken: list[Json], now: int | None) -> list[Json]:
    known = list({canonical(value): value for value in taken}.values())
    numbers = sorted(int(str(value)) for value in known if str(value).lstrip("-").isdecimal())
    if numbers and len(numbers) == len(known):
        return [numbers[0], *([now + 1] if now is not None and now > numbers[0] else [])]
    texts = sorted(map(str, known))
    return [*dict.fromkeys([*texts[:1], *texts[-1:]])]
