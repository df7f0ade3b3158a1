"""A kind of fact: the type of its value, how it is inferred, what shows it, what refutes it and how it is replayed.

Each kind has a module of its own in `docrev.facts.kinds`; `docrev.facts.registry` holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from docrev.facts.evidence_view import EvidenceView
from docrev.facts.parameter_trials import ParameterTrials
from docrev.json_values.canonical import canonical
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
Facts = Iterator[Fact]
TrialAnalysis = Callable[[ParameterTrials], Facts]
"""Infers facts from the trials of one parameter. Kinds may share an analysis, which yields facts of all of them."""

CallAnalysis = Callable[[EvidenceView], Facts]
"""Infers facts from the calls of a run."""


class FactValue(Protocol):
    """The value of a fact, typed. `Fact.value` holds its JSON form."""

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The value that a fact stores. Raises ValueError for what is not of this type."""

    def to_json(self) -> Json:
        """The form in which a fact stores the value."""


@dataclass(frozen=True)
class Holds:
    """The value of a fact that has nothing more to say: JSON's true."""

    @classmethod
    def from_json(cls, value: object) -> Self:
        if value is not True:
            raise ValueError(f"expected true, found {value!r}")
        return cls()

    def to_json(self) -> Json:
        return True


@dataclass(frozen=True)
class TextValue:
    """A word or a text: a JSON type, a format, a pattern, the name of a property."""

    text: str

    @classmethod
    def from_json(cls, value: object) -> Self:
        if not isinstance(value, str):
            raise ValueError(f"expected a text, found {value!r}")
        return cls(value)

    def to_json(self) -> Json:
        return self.text


class Location(TextValue):
    """The location of a list in a response, such as `200:/data`."""


class ItemField(Location):
    """The location of a field of the listed items, such as `200:/data/0/region`."""

    @property
    def name(self) -> str:
        """The last name of the field: a list of plain values goes by the name of the list."""
        return self.text.removesuffix("/0").rpartition("/")[2]


class BoundField(ItemField):
    """The field of the listed items that a parameter bounds."""


@dataclass(frozen=True)
class Sequence:
    """Values in order: allowed ones, observed ones, the locations of the fields that are searched."""

    values: tuple[Json, ...]

    @classmethod
    def from_json(cls, value: object) -> Self:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, found {value!r}")
        return cls(tuple(value))

    def to_json(self) -> Json:
        return list(self.values)


class Record:
    """A value that is a JSON object; a frozen dataclass whose fields are the members. None is left out."""

    @classmethod
    def from_json(cls, value: object) -> Self:
        if not isinstance(value, Mapping):
            raise ValueError(f"expected an object, found {value!r}")
        names = {field.name for field in fields(cls)}  # type: ignore[arg-type]  # subclasses are dataclasses
        try:
            return cls(**{name: part for name, part in value.items() if name in names})
        except TypeError as error:
            raise ValueError(f"{value!r} lacks a member of {cls.__name__}") from error

    def to_json(self) -> Json:
        members = ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return {name: part for name, part in members if part is not None}


@dataclass(frozen=True)
class Ends(Record):
    """A minimum, a maximum, or both."""

    minimum: int | None = None
    maximum: int | None = None

    def excludes(self, number: float) -> bool:
        """Whether a number lies beyond an end."""
        below = self.minimum is not None and number < self.minimum
        return below or (self.maximum is not None and number > self.maximum)


@dataclass(frozen=True)
class StatusCode(Record):
    """The status that requests are answered with."""

    status: int


@dataclass(frozen=True)
class AnyValue:
    """Any JSON value: a default."""

    value: Json

    @classmethod
    def from_json(cls, value: object) -> Self:
        return cls(value)

    def to_json(self) -> Json:
        return self.value


V = TypeVar("V", bound=FactValue)


def never(fact: Fact, call: Call) -> bool:
    """The predicate of kinds that no single call shows, or refutes."""
    return False


def shows_status(fact: Fact, call: Call) -> bool:
    """Whether a call returned the status that is a member of the fact's value."""
    return bool(call.status == fact.value["status"])


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


Name = tuple[OperationKey, str, str, str]
"""What a fact says, whatever shows it."""


def name_of(fact: Fact) -> Name:
    """The name of a fact: two that say the same have the same."""
    return fact.key, fact.kind, fact.location, canonical(fact.value)
