"""What the built-in writer works from, an operation, a parameter or a response property with its facts and calls, and
what it returns: a purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from docrev.prompts.questions import Brief
from docrev.records import Call, Fact


@dataclass(frozen=True, slots=True)
class OperationInput:
    """An operation with what was shown of it; `original` is the text that stands there."""

    operation: Brief
    facts: tuple[Fact, ...] = ()
    calls: tuple[Call, ...] = ()
    original: str = ""


@dataclass(frozen=True, slots=True)
class ParameterInput(OperationInput):
    """A parameter at a `location` (`query:region`); `noun` is what it belongs to."""

    location: str = ""
    noun: str = ""


@dataclass(frozen=True, slots=True)
class PropertyInput(OperationInput):
    """A response property at a `location` (`200:/items/0/id`); `noun` is what the response is of."""

    location: str = ""
    noun: str = ""


class Purpose(NamedTuple):
    """What something is for; `of_lists`: what a property of this name is beside any list, as a predicate."""

    text: str
    of_lists: str = ""
