"""A kind of fact: the type of its value, how it is inferred, what shows it, what refutes it and how it is replayed.

Each kind has a module of its own in `docrev.facts.kinds`; `docrev.facts.registry` holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from docrev.facts.evidence_view import EvidenceView
from docrev.facts.parameter_trials import ParameterTrials
from docrev.records import Call, Fact, Json, OperationKey

Place = Literal["parameter", "property", "response", "operation"]
"""What a fact may be about: a parameter, a property of the request body, a part of a response, the operation itself."""

PARAMETER: frozenset[Place] = frozenset(["parameter"])
PROPERTY: frozenset[Place] = frozenset(["property"])
RESPONSE: frozenset[Place] = frozenset(["response"])
OPERATION: frozenset[Place] = frozenset(["operation"])
ARGUMENT, VALUE = PARAMETER | PROPERTY, PARAMETER | PROPERTY | RESPONSE

Effect = Literal["", "choose", "sort", "window", "project", "cut", "default"]
"""What a query parameter does to a list: it chooses, sorts or pages the items, projects their fields, is cut to a
maximum, or falls back to a default; "" for kinds that state no effect. A parameter has one effect of each sort: that of
the first kind that is found."""

Predicate = Callable[[Fact, Call], bool]
TrialAnalysis = Callable[[ParameterTrials], Iterator[Fact]]
"""Infers facts from the trials of one parameter. Kinds may share an analysis, which yields facts of all of them."""

CallAnalysis = Callable[[EvidenceView], Iterator[Fact]]
"""Infers facts from the calls of a run."""


class FactValue(Protocol):
    """The value of a fact, typed. `Fact.value` holds its JSON form."""

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """The value that a fact stores. Raises ValueError for what is not of this type."""

    def to_json(self) -> Json:
        """The form in which a fact stores the value."""


V = TypeVar("V", bound=FactValue)


def never(fact: Fact, call: Call) -> bool:
    """The predicate of kinds that no single call shows, or refutes."""
    return False


@dataclass(frozen=True)
class Pair:
    """How two calls together show a fact: one to the operation `source` names, one to the fact's own operation."""

    source: Callable[[Fact], str]
    shows: Callable[[Fact, Call, Call], bool]


@dataclass(frozen=True)
class Replay:
    """How facts of a kind are shown once more.

    `weight` is what a call is worth that shows one: a refusal is shown by no other call, while a further value of a
    parameter says little. `trials` is how many of the calls behind a fact from trials are made again (None: all of
    them). A fact with `pair` needs two calls. A `steady` one does not hold where the values differ from call to call.
    `weaker` gives a fact that may still hold where this one was not shown again.
    """

    weight: int = 1
    trials: int | None = None
    pair: Pair | None = None
    steady: bool = False
    weaker: Callable[[Fact], Fact | None] = lambda fact: None

    @property
    def calls(self) -> int:
        """How many calls show a fact together."""
        return 1 if self.pair is None else 2


@dataclass(frozen=True)
class Kind(Generic[V]):
    """A kind of fact. `shows` and `refutes` judge a call of the fact's operation that got a response.

    A call refutes a fact if it could not have been answered so were the fact true. A kind that only several calls
    together show has no `shows`: its calls, the contrast among them, are made again, and the fact must follow from the
    new answers. `proves_read` is set if a fact of the kind shows that the API reads a request property.
    """

    name: str
    value: type[V]
    about: frozenset[Place]
    effect: Effect = ""
    from_trials: TrialAnalysis | None = None
    from_calls: CallAnalysis | None = None
    shows: Predicate = never
    refutes: Predicate = never
    replay: Replay = Replay()
    proves_read: bool = False

    def fact(self, key: OperationKey, location: str, value: V, calls: Iterable[str]) -> Fact:
        """A fact of this kind; `calls` are the ids of the calls that show it."""
        return Fact(key, self.name, location, value.to_json(), tuple(calls))

    def value_of(self, fact: Fact) -> V:
        """The typed value of a fact of this kind."""
        return self.value.from_json(fact.value)


AnyKind = Kind[Any]
