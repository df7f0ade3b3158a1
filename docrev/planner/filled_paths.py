"""Paths with values in them: what a scenario gives, and what it asks for. Only values of the evidence are used.

The value that names an item names only one. Whether the chain of IDs exists is checked against the evidence, as far as
its calls were made.
"""

from __future__ import annotations

from dataclasses import dataclass

from docrev.conventions.fields import is_link, is_volatile_field
from docrev.conventions.ids import is_id_name
from docrev.json_values.scalars import same_scalar
from docrev.language.words import words
from docrev.planner.field_names import BESIDE
from docrev.planner.knowledge import LIKELY, Knowledge
from docrev.planner.operation_paths import NESTED, Hop, OperationPath, find_hop_call
from docrev.planner.operation_views import OperationView, SuccessfulCall
from docrev.planner.starting_items import PartialPath, StartingItems, is_complete, located_given
from docrev.records import Given, Goal, Json, OperationKey

MAX_FILLED = 3
"""Chains without a known answer that are made before giving up looking for one with an answer."""
MIN_SEEN = 3
"""How often a field must have been seen, never null, before it is asked for of an item that was not seen with it."""
_ABOUT_REQUEST = frozenset({"request", "requests", "session", "server", "host"})


@dataclass(frozen=True, slots=True)
class FilledPath:
    """A path and the goal that it leads to.

    `is_known`: the evidence has the whole chain, and so the answer. `call_givens` are the givens that each call is
    sent as they stand; `firsts` are the operations whose list the path goes on from by its first item.
    """

    path: OperationPath
    goal: Goal
    is_known: bool
    call_givens: tuple[tuple[OperationKey, tuple[Given, ...]], ...] = ()
    firsts: frozenset[OperationKey] = frozenset()

    def givens_of(self, key: OperationKey) -> tuple[Given, ...]:
        """The givens that a call of this operation is sent as they stand."""
        return next((givens for called, givens in self.call_givens if called == key), ())


class PathFiller:
    """Puts values into paths, and counts what was asked for."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._starts = StartingItems(knowledge, seed)
        self._wanted = WantedFields(knowledge)

    def fill(self, path: OperationPath, turn: int) -> list[FilledPath]:
        """The filled paths, at even turns those with a known answer first; `turn` rotates what they are about."""
        filled: list[FilledPath] = []
        for start in self._starts.of(path, turn):
            candidate = self._complete(path, start)
            if candidate is not None:
                filled.append(candidate)
                if candidate.is_known or turn % 2 or len(filled) >= MAX_FILLED:
                    break
        return sorted(filled, key=lambda candidate: not candidate.is_known and not turn % 2)

    def count(self, filled: FilledPath) -> None:
        """Count a filled path as used."""
        self._wanted.count(filled.path.last, filled.goal.want)

    def _complete(self, path: OperationPath, partial: PartialPath) -> FilledPath | None:
        for number, hop in enumerate(path.hops, 1):
            if not self._follow(partial, hop, is_last=number == len(path.hops)):
                return None
        want = self._wanted.choose(path, partial)
        if want is None:
            return None
        noun = self._knowledge.item_noun(partial.view.key, partial.item)
        goal = Goal(tuple(partial.givens), want, noun, partial.many)
        call_givens = tuple(partial.call_givens)
        return FilledPath(path, goal, partial.item is not None, call_givens, frozenset(partial.firsts))

    def _follow(self, partial: PartialPath, hop: Hop, *, is_last: bool) -> bool:
        """Take a hop from the item at hand; False if the path cannot go on so."""
        target = self._knowledge.views[hop.key]
        value = self._passed_on(partial, hop)
        if value is None:
            return False
        partial.passed_on.append(value)
        call = find_hop_call(target, hop, value, (partial.view.key.path, partial.arguments))
        givens = _hop_givens(target, hop, call)
        if givens is None:
            return False
        if givens:
            partial.givens += givens
            partial.call_givens.append((hop.key, tuple(givens)))
        if target.noun != partial.view.noun and partial.view.noun not in BESIDE:
            partial.listed_fields = set()
        partial.view, partial.arguments = target, call.arguments if call is not None else {}
        if call is not None:
            return self._arrive(partial, target, call, is_last=is_last)
        partial.item = None
        return is_last and _is_reliable(target)

    def _passed_on(self, partial: PartialPath, hop: Hop) -> Json:
        """The value that a hop passes on; None if there is none, or if the call that returned it was not needed."""
        value = partial.item.fields.get(hop.field) if partial.item is not None and not partial.many else None
        if value is None or (NESTED not in hop.field and self._is_ambiguous(partial, hop, value)):
            return None
        return None if str(value) in map(str, _known_values(partial)) else value

    def _arrive(self, partial: PartialPath, target: OperationView, call: SuccessfulCall, *, is_last: bool) -> bool:
        items = call.response.items
        if not items:
            return False
        partial.item, partial.items = items[0], items
        if call.response.is_list and len(items) > 1:
            partial.many = is_last and is_complete(self._knowledge, target, call)
            if not is_last:
                partial.firsts.add(target.key)
                partial.listed_fields = set(target.fields)
            return partial.many or not is_last
        return target.is_single or not call.response.is_list

    def _is_ambiguous(self, partial: PartialPath, hop: Hop, value: Json) -> bool:
        """Whether another field of the item leads to another item of the same kind: origin and destination."""
        target = self._knowledge.views[hop.key]
        if target.noun == partial.view.noun or partial.item is None:
            return False
        edges = [e for e in self._knowledge.best_edges(hop.key, hop.location) if e.source == partial.view.key]
        for edge in edges:
            other = partial.item.fields.get(edge.pointer.rpartition("/")[2])
            is_likely = edge.score >= max(LIKELY, edges[0].score - 0.3)
            if is_likely and other is not None and not same_scalar(other, value):
                return True
        return False


def _is_reliable(target: OperationView) -> bool:
    """Whether a call that was not made yet can be expected to return an item: others with one argument did."""
    return target.is_single and target.successes >= 2 and len(target.required_locations()) == 1


def _hop_givens(target: OperationView, hop: Hop, call: SuccessfulCall | None) -> list[Given] | None:
    """The givens for the hop's other arguments; None if one has no value that can be written."""
    givens = []
    for location in hop.given_locations:
        calls = [call] if call is not None else target.calls
        value = next((other.arguments[location] for other in calls if location in other.arguments), None)
        if value is None or isinstance(value, dict | list):
            return None
        givens.append(located_given(target, location, value))
    return givens


# What is asked for


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
