"""Types of values that several kinds of facts share; a value that only one kind has is defined beside that kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from docrev.records import Json


@dataclass(frozen=True)
class Holds:
    """The value of a fact that has nothing more to say: JSON's true."""

    @classmethod
    def from_json(cls, value: Json) -> Self:
        if value is not True:
            raise ValueError(f"expected true, found {value!r}")
        return cls()

    def to_json(self) -> Json:
        return True


@dataclass(frozen=True)
class Text:
    """A word or a text: a JSON type, a format, a pattern, the name of a property."""

    text: str

    @classmethod
    def from_json(cls, value: Json) -> Self:
        if not isinstance(value, str):
            raise ValueError(f"expected a text, found {value!r}")
        return cls(value)

    def to_json(self) -> Json:
        return self.text


class Location(Text):
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
    def from_json(cls, value: Json) -> Self:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, found {value!r}")
        return cls(tuple(value))

    def to_json(self) -> Json:
        return list(self.values)


class Record:
    """A value that is a JSON object; a frozen dataclass whose fields are the members. None is left out."""

    @classmethod
    def from_json(cls, value: Json) -> Self:
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
class Literal:
    """Any JSON value: a default."""

    value: Json

    @classmethod
    def from_json(cls, value: Json) -> Self:
        return cls(value)

    def to_json(self) -> Json:
        return self.value
