"""What a setting is: a field whose description is its help, shared by Python, the command line and `docrev.toml`."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo

from docrev.errors import UsageError
from docrev.records import ChangeClass

_LARGEST = 2**63 - 1

SEED_HELP = "Seed of everything that is drawn at random."


@dataclass(frozen=True, slots=True)
class Flag:
    """How a field appears on the command line, if its name and type do not say it.

    `name` is the long option, which is also the key in the file; `unit` is what one of it stands for, as 2**20 for an
    option in MB of a field in bytes. What is not `on_command_line` is set in Python or in the file alone.
    """

    name: str = ""
    short: str = ""
    metavar: str = ""
    unit: int = 1
    on_command_line: bool = True
    in_file: bool = True

    def in_base_units(self, value: object) -> object:
        """The value of the field for what was given on the command line or in the file."""
        is_number = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
        if self.unit == 1 or not is_number or isinstance(value, bool):
            return value
        return round(value * self.unit)  # type: ignore[operator]


def _as_tuple(value: object) -> object:
    """One text where several may be given counts as a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]
"""Texts of which several may be given."""
Classes = Annotated[tuple[ChangeClass, ...], BeforeValidator(_as_tuple)]
"""Classes of changes of which several may be given."""
PathText = Annotated[
    str,
    BeforeValidator(lambda value: os.fspath(value) if isinstance(value, os.PathLike) else value),
    Field(min_length=1),
]
"""A path, as text: never empty, which would be the working directory."""


def setting(
    default: Any,
    help: str,
    *,
    name: str = "",
    short: str = "",
    metavar: str = "",
    unit: int = 1,
    on_command_line: bool = True,
    in_file: bool = True,
    **bounds: Any,
) -> Any:
    """A field of settings, required if its default is `...`: help, pydantic's bounds, and what `Flag` describes."""
    flag = Flag(name, short, metavar, unit, on_command_line, in_file)
    return Field(default, description=help, json_schema_extra={"flag": flag}, **bounds)  # type: ignore[dict-item]


class Settings(BaseModel):
    """A group of settings. Immutable; made by `build`, which raises UsageError, or by name in code of docrev's own."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, protected_namespaces=())
    help_order: ClassVar[int] = 0
    """Help shows the fields of groups with a higher number after the others."""

    @field_validator("*", mode="before")
    @classmethod
    def _check_countable(cls, value: object) -> object:
        """No number of digits that no counter has: neither SQLite nor a float holds it."""
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise ValueError(f"should be {_LARGEST:,} or less")
        return value

    @classmethod
    def build(cls, values: Mapping[str, object]) -> Self:
        """The settings of these values. Raises UsageError, one line that names the setting."""
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            name, what = first_problem(error)
            raise UsageError(what, where=name, fix="docrev COMMAND --help says what it takes") from None

    @classmethod
    def flags(cls) -> dict[str, Flag]:
        """How each field appears on the command line, in the order of help."""
        groups = [group for group in reversed(cls.__mro__) if issubclass(group, Settings)]
        order: dict[str, int] = {}
        for group in groups:
            for name in group.model_fields:
                order.setdefault(name, group.help_order if "help_order" in vars(group) else 0)
        return {name: _flag(name, cls.model_fields[name]) for name in sorted(cls.model_fields, key=order.__getitem__)}


SettingsT = TypeVar("SettingsT", bound=Settings)


def first_problem(error: ValidationError) -> tuple[str, str]:
    """The field that is wrong, and what is wrong with it, as one clause without a subject."""
    problem = error.errors(include_url=False, include_input=False)[0]
    name = str(problem["loc"][0]) if problem["loc"] else ""
    if problem["type"] in ("string_too_short", "too_short"):
        return name, "must not be empty"
    text = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return name, text[:1].lower() + text[1:]


def _flag(name: str, field: FieldInfo) -> Flag:
    extra = field.json_schema_extra
    flag = extra["flag"] if isinstance(extra, dict) else None
    assert isinstance(flag, Flag)
    return replace(flag, name=flag.name or name.replace("_", "-"))
