"""What a search or an agent may ask of the world: generators yield steps, the driver performs them.

A step is an `Ask`, an `Invoke`, a `Tell`, a generator of steps, or a list of steps to be done concurrently; what is
sent back is an answer, a `Call`, None, the generator's return value, or a list of these in the same order. Generators
do no I/O, so a test can send canned answers and a run can be replayed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from docrev.events import Event
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Arguments, OperationKey, Purpose

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask(Generic[AnswerT]):
    """Ask the model; the prompt's typed answer is sent back."""

    prompt: Prompt[AnswerT]


@dataclass(frozen=True, slots=True)
class Invoke:
    """Call an operation; a `Call` is sent back, also where it failed or was denied.

    `repeat` > 0 asks for a fresh request where an identical one was made before (replay); it is part of the identity
    of the call, so the second repetition of a request is `repeat=2`.
    """

    key: OperationKey
    arguments: Arguments
    purpose: Purpose = "scenario"
    scenario: str | None = None
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Tell:
    """Say what happened: the driver keeps a node that was added, and hands the event to the handlers."""

    event: Event


Step: TypeAlias = "Ask[Any] | Invoke | Tell | Generator[Any, Any, Any] | list[Any]"
Steps: TypeAlias = Generator[Any, Any, T]
"""A generator of steps that returns a T."""
