"""What happens while docrev works, as one stream of typed events. Nothing below `cli/` prints: handlers do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docrev.records import Call, Experience, Fact, Node, OperationKey, Scenario, Solution, Trajectory


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """One line that the user should read: a host that is not loopback, a default that was taken."""

    text: str


@dataclass(frozen=True, slots=True)
class PhaseStarted(Event):
    """A phase of the run begins: survey, scenarios, probes, replay, check or clean-up; `total` is None if not known.

    `budget` is how many requests the run may send in all; None says nothing new.
    """

    phase: str
    total: int | None = None
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class StepTaken(Event):
    """Work without calls begins (`done` is 0) or goes on: `what`, with `done` of `total` `units`, None if not known."""

    what: str
    done: int = 0
    total: int | None = None
    units: str = ""


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    """A call ended: with a response, an error or a denial. `wire`: it was sent now, not taken from memory or disk."""

    call: Call
    wire: bool


@dataclass(frozen=True, slots=True)
class UnitsStarted(Event):
    """A cluster begins to explore as many units."""

    units: int


@dataclass(frozen=True, slots=True)
class UnitAdvanced(Event):
    """Workers made more calls, of which some were answered with 2xx, or finished more units."""

    calls: int
    good: int
    units: int


@dataclass(frozen=True, slots=True)
class ScenarioStarted(Event):
    """The search for an answer to a scenario begins."""

    scenario: Scenario


@dataclass(frozen=True, slots=True)
class NodeAdded(Event):
    """A node was added to the search tree of a scenario."""

    node: Node


@dataclass(frozen=True, slots=True)
class ScenarioFinished(Event):
    """`solution` is None if no correct answer was found; `calls` counts the calls its search asked for."""

    scenario: Scenario
    strategy: str
    solution: Solution | None
    calls: int


@dataclass(frozen=True, slots=True)
class ExperienceGained(Event):
    """A finished search showed which operation is the better choice."""

    experience: Experience


@dataclass(frozen=True, slots=True)
class FactShown(Event):
    """A fact was replayed: it was kept, or dropped because the replay did not confirm it."""

    fact: Fact
    kept: bool


@dataclass(frozen=True, slots=True)
class OperationMissed(Event):
    """An operation never returned 2xx; `why` is its last response, or what was missing to call it."""

    key: OperationKey
    why: str


@dataclass(frozen=True, slots=True)
class ModelAsked(Event):
    """A model answered a prompt, or could not: `error` says why, and `fallback` that the offline engine did instead.

    `prompt` is the name of the prompt's class, `key` the operation it is about if it is about one; tokens are
    those of the server's usage fields, summed over `attempts`, and `tokens_cached` those of `tokens_in` that the server
    had cached. `cached`: answered from docrev's cache or a record.
    """

    model: str
    prompt: str
    role: str
    key: OperationKey | None
    tokens_in: int = 0
    tokens_out: int = 0
    attempts: int = 1
    seconds: float = 0.0
    cached: bool = False
    fallback: bool = False
    error: str = ""
    tokens_cached: int = 0


@dataclass(frozen=True, slots=True)
class CellStarted(Event):
    """In a benchmark, one runner begins on one set of documents; of `total` tasks some may have been done before."""

    docs: str
    runner: str
    total: int


@dataclass(frozen=True, slots=True)
class TaskDone(Event):
    """A task of a benchmark was done, or could not be: its trajectory says."""

    trajectory: Trajectory


Handler = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The handler that handles nothing."""
