"""What a search or an agent may ask of the world: generators yield steps, the driver performs them.

A step is an `Ask`, an `Invoke`, a `Tell`, a generator of steps, or a list of steps to be done concurrently; what is
sent back is an answer, a `Call`, None, the generator's return value, or a list of these in the same order. Generators
do no I/O, so a test can send canned answers and a run can be replayed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, TypeAlias, TypeVar

from docrev.events import Event
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Arguments, OperationKey, Purpose

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask(Generic[AnswerT]):
    """Ask the model; the prompt's typed answer is sent back."""

    prompt: Prompt[AnswerT]


class Repeat(IntEnum):
    """Why a request is sent again though an identical one was answered; each reason has an answer of its own."""

    NEVER = 0
    """It is not: the answer of the identical request stands for it."""
    TRIAL = 1
    """To show a parameter's facts again, as soon as they were inferred."""
    READ_ONCE = 10
    """To read everything at the end of an exploration."""
    READ_TWICE = 11
    """To read everything a second time, right after the first."""
    READ_THRICE = 12
    """To read a third time what was different the second: it may have been on its way, and be done now."""
    FINAL = 100
    """To show all other facts again; no earlier answer may stand for this one."""
    LOOK = 10_000
    """To see whether another call changed it: each look has this number and its own on top."""
    LATE = 900_000
    """To see at the end what a creation made of which nothing was shown before."""
    CHECK = 1_000_000
    """To see how an API answers now, outside an exploration."""


@dataclass(frozen=True, slots=True)
class Invoke:
    """Call an operation; a `Call` is sent back, also if it failed or was denied.

    `repeat` is part of the call's identity: with another reason, a request is sent again.
    """

    key: OperationKey
    arguments: Arguments
    purpose: Purpose = "scenario"
    scenario: str | None = None
    repeat: int = Repeat.NEVER


@dataclass(frozen=True, slots=True)
class Tell:
    """Say what happened: the driver keeps a node that was added, and hands the event to the handlers."""

    event: Event


Steps: TypeAlias = Generator[Any, Any, T]
"""A generator of steps that returns a T."""
