"""Which field of an item a scenario asks for.

It does not change by itself, was not given, is not null where it was seen, and is asked for by few scenarios before.
"""

from __future__ import annotations

from docrev.conventions.fields import is_link, is_volatile_field
from docrev.conventions.ids import is_id_name
from docrev.json_values.scalars import same_scalar
from docrev.language.words import words
from docrev.planner.hop_calls import PartialPath
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_paths import OperationPath
from docrev.planner.operation_views import OperationView
from docrev.records import Json, OperationKey

MIN_SEEN = 5
"""How often a field must have been seen, never null, before it is asked for of an item that was not seen with it."""
_ABOUT_REQUEST = frozenset({"request", "requests", "session", "server", "host"})


class WantedFields:
    """Chooses the field to ask for, and counts the choices, so that the next question is another one."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._uses: dict[tuple[OperationKey, str], int] = {}

    def count(self, key: OperationKey, name: str) -> None:
        """Count a field of an operation as asked for."""
        self._uses[key, name] = self._uses.get((key, name), 0) + 1

    def choose(self, path: OperationPath, partial: PartialPath) -> str | None:
        """The field to ask for: one that no list before showed, no ID, and asked for as little as possible."""
        names = [name for name in partial.view.fields if self._can_ask(path, partial, name)]
        unlisted = [name for name in names if name not in partial.listed_fields]
        if not unlisted and path.hops and partial.listed_fields:
            return None
        names = unlisted or names
        names = [name for name in names if not is_id_name(name)] or names
        return min(names, key=lambda name: self._cost(partial.view, name), default=None)

    def _cost(self, view: OperationView, name: str) -> int:
        """What speaks against a field: it was asked for, other operations return it, it is true or false."""
        is_flag = set(view.fields[name].values) <= {"True", "False"}
        elsewhere = sum(other.returns_field(name) for other in self._knowledge.alike(view))
        return 2 * self._uses.get((view.key, name), 0) + elsewhere + 3 * is_flag

    def _can_ask(self, path: OperationPath, partial: PartialPath, name: str) -> bool:
        field = partial.view.fields[name]
        if not name or "/" in name or field.is_volatile or not field.values or _ABOUT_REQUEST.intersection(words(name)):
            return False
        if partial.many:
            return _differs(partial, name)
        selection = path.start.selection
        if selection is not None and name == selection.order and not path.hops:
            return False
        return self._has_answer(partial, name) and self._is_unambiguous(partial, name)

    def _has_answer(self, partial: PartialPath, name: str) -> bool:
        """Whether a field of the one item has a value that can be asked for, and that was not given."""
        field = partial.view.fields[name]
        if partial.item is None:
            if field.nulls or field.count < MIN_SEEN:
                return False
            value: Json = next(iter(field.values))
        else:
            value = partial.item.fields.get(name)
        if value in (None, "") or is_volatile_field(name, value) or is_link(value):
            return False
        return not any(same_scalar(other, value) for other in _known_values(partial))

    def _is_unambiguous(self, partial: PartialPath, name: str) -> bool:
        """If nothing is given, the noun and the field must say which operation is meant."""
        return bool(partial.givens) or not any(
            other.returns_field(name) for other in self._knowledge.alike(partial.view)
        )


def _known_values(partial: PartialPath) -> list[Json]:
    return [*partial.passed_on, *(given.value for given in partial.givens)]


def _differs(partial: PartialPath, name: str) -> bool:
    """Whether each of many items has a value of this field, and not all the same."""
    values = [item.fields.get(name) for item in partial.items]
    return None not in values and not any(map(is_link, values)) and len(set(map(str, values))) > 1
