"""What happens while a benchmark runs, for whoever shows progress."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.events import Event
from docrev.records import Trajectory


@dataclass(frozen=True, slots=True)
class CellStarted(Event):
    """One runner begins on one set of documents; `total` tasks, of which some may have been done before."""

    docs: str
    runner: str
    total: int


@dataclass(frozen=True, slots=True)
class TaskDone(Event):
    """A task was done, or could not be: its trajectory says."""

    trajectory: Trajectory
