"""The trials of one parameter, or request property, as the kinds of facts look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from docrev.conventions.ids import names_no_kind
from docrev.conventions.run_names import run_name
from docrev.facts.call_values import argument
from docrev.facts.trials import OperationTrials, TrialCalls, items_at, list_in
from docrev.facts.wire_values import key_of
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import split
from docrev.language.words import singular, words
from docrev.records import Call, Fact, Json, OperationKey

NONSENSE = (run_name(0, "z"), f"zz-{run_name(9)}")
"""Texts that mean nothing to any API: what is created under such a name is the run's own too."""
EVERYTHING = ("all", "any")
"""Words that filters take for all of their values."""
HUGE = 1_000_000
"""A number that no limit allows."""
_HITS = 2
"""How often a message must state something to count; a bound counts once, since what lies beyond it is tried too."""

Accepted = list[tuple[Json, str]]
"""Values that were accepted, each with its call."""


@dataclass
class ListTrial:
    """A trial that returned 2xx, with the items of its list and those of its base; `pointer` is where the list is."""

    trial: TrialCalls
    pointer: str
    items: list[Json]
    before: list[Json]
    changed: bool
    """Whether the response differs from that of the base."""

    @property
    def location(self) -> str:
        return f"{self.trial.call.status}:{self.pointer}"

    @property
    def value(self) -> Json:
        return self.trial.value

    @property
    def key(self) -> str:
        """The value as it went over the wire."""
        return key_of(self.trial.value)

    @property
    def id(self) -> str:
        return self.trial.call.id

    @property
    def fields(self) -> dict[str, list[Json]]:
        return self.trial.call.read(_fields_at, self.pointer)

    @property
    def fields_before(self) -> dict[str, list[Json]]:
        return self.trial.base.read(_fields_at, self.pointer)


@dataclass
class ParameterTrials:
    """The trials at one location of an operation; `found` and `effects` are the facts so far, by kind and effect.

    A body's properties are written `body:/ptr`; trials of undeclared query parameters have the location `query:*`.
    """

    operation: OperationTrials
    location: str
    found: dict[str, list[Fact]] = field(default_factory=dict)
    effects: dict[str, list[Fact]] = field(default_factory=dict)

    def add(self, fact: Fact, effect: str) -> None:
        """Take in a fact on this location; `effect` is that of its kind."""
        self.found.setdefault(fact.kind, []).append(fact)
        if effect:
            self.effects.setdefault(effect, []).append(fact)

    @property
    def key(self) -> OperationKey:
        return self.operation.key

    @property
    def in_body(self) -> bool:
        return self.location.startswith("body:")

    @cached_property
    def comparable(self) -> bool:
        """Whether what a query parameter does can be read off responses: they differ only because of it."""
        return self.location.startswith("query:") and self.operation.steady

    @property
    def all(self) -> list[TrialCalls]:
        return self.operation.tried.get(self.location, [])

    @cached_property
    def sent(self) -> list[TrialCalls]:
        """The trials that sent something."""
        return self.operation.values(self.location)

    def same(self, trial: TrialCalls, other: TrialCalls | None = None) -> bool:
        """Whether a trial returned what its base did, or another trial."""
        return self.operation.same(trial, trial.base if other is None else other.call)

    @cached_property
    def accepted(self) -> Accepted:
        """Each accepted value once: those tried, and what the base calls had there."""
        found: dict[str, tuple[Json, str]] = {}
        for one in self.sent:
            if one.ok:
                found.setdefault(key_of(one.value), (one.value, one.call.id))
        for one in self.sent:
            held, value = argument(one.base.arguments, self.location)
            if held:
                found.setdefault(key_of(value), (value, one.base.id))
        return list(found.values())

    @cached_property
    def _stated(self) -> dict[tuple[str, tuple[str, ...]], list[TrialCalls]]:
        """What rejections state, as (kind, values), each with the trials that led to it."""
        found: dict[tuple[str, tuple[str, ...]], list[TrialCalls]] = {}
        for one in self.sent:
            for statement in one.stated if one.rejected else ():
                trials = found.setdefault((statement.kind, statement.values), [])
                if one not in trials:
                    trials.append(one)
        return found

    def states(self, *kinds: str) -> bool:
        """Whether any rejection states something of these kinds."""
        return any(kind in kinds for kind, _ in self._stated)

    def statements(self, kind: str) -> Iterator[tuple[tuple[str, ...], list[TrialCalls]]]:
        """What rejections state often enough of a kind, each with the trials that led to it."""
        least = 1 if kind.startswith(("min", "max")) else _HITS
        for (name, values), trials in self._stated.items():
            if name == kind and len({one.call.id for one in trials}) >= least:
                yield values, trials

    @cached_property
    def lists(self) -> list[ListTrial]:
        """The trials of single values whose response has the list that their base has."""
        return [one for one in self._lists if one not in self.several and one not in self.everything]

    @cached_property
    def everything(self) -> list[ListTrial]:
        """Those of a word for all values, where it changes what is returned."""
        return [one for one in self._lists if one.key in EVERYTHING and one.changed and one.items]

    @cached_property
    def several(self) -> list[ListTrial]:
        """Those of several values with commas between them, each of which was tried alone, too."""
        alone = {one.key for one in self._lists}
        return [one for one in self._lists if "," in one.key and {*one.key.split(",")} <= alone]

    @cached_property
    def _lists(self) -> list[ListTrial]:
        """The trials whose response has the list that their base has; none if responses cannot be compared."""
        found = []
        for trial in self.sent if self.comparable else ():
            base = list_in(trial.base)
            items = items_at(trial.call, base.pointer) if base is not None and trial.ok else None
            if base is not None and items is not None and trial.call.status == trial.base.status:
                found.append(ListTrial(trial, base.pointer, items, base.items, not self.same(trial)))
        return found

    @property
    def changed_lists(self) -> list[ListTrial]:
        """The lists that have items and differ from those of their bases."""
        return [one for one in self.lists if one.items and one.changed]

    def contrast(self, one: ListTrial, lists: Iterable[ListTrial]) -> ListTrial | None:
        """A trial with another value that returned something else."""
        others = (other for other in lists if other.key != one.key)
        return next((other for other in others if not self.same(other.trial, one.trial)), None)


def _fields_at(call: Call, pointer: str) -> dict[str, list[Json]]:
    """The scalar fields of the list at a pointer of a response."""
    return scalars(items_at(call, pointer) or ())


def scalars(items: Iterable[object], depth: int = 2) -> dict[str, list[Json]]:
    """The scalar fields of items by pointer below the item (`/name`, `/owner/id`): a value for each item, or None."""
    rows = [_scalar_row(item, depth) for item in items]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _scalar_row(item: object, depth: int) -> dict[str, Json]:
    if isinstance(item, dict):
        return dict(scalar_members(item, depth=depth))
    return {} if isinstance(item, list) else {"": item}


SAME = 3
"""How well a parameter fits a field of the same name."""


def names_fit(parameter: str, field: str) -> int:
    """How well the name of a parameter names a field: 3 the same, 2 part of it, 0 not at all.

    What only says that it is an ID or a name is of the kind of thing that it stands in: `/status/id` is a status's.
    """
    *above, name = split(field) or [""]
    if above and names_no_kind(name):
        name = f"{above[-1]} {name}"
    one = [singular(word) for word in words(parameter.partition(":")[2])]
    two = [singular(word) for word in words(name)]
    if not one or not two:
        return 0
    return 3 if "".join(one) == "".join(two) else 2 if set(one) <= set(two) or set(two) <= set(one) else 0
