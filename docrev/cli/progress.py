"""Shows the events of a run on standard error: one line that moves on a terminal, one line a phase elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

from docrev.cli.printing import echo
from docrev.events import (
    CallFinished,
    CellStarted,
    Event,
    ExperienceGained,
    FactShown,
    Notice,
    PhaseStarted,
    ScenarioStarted,
    TaskDone,
    UnitAdvanced,
    UnitsStarted,
)


class Progress:
    """A handler of events, in a block. It counts; on a terminal its line is there whenever a second goes by.

    `what` is what is waited for before the first phase.
    """

    def __init__(self, what: str = "reading the specs") -> None:
        self._moving = sys.stderr.isatty()
        self._what, self._phase = what, ""
        self._over = threading.Event()
        self._clock = threading.Thread(target=self._tick, daemon=True)
        # Lines of phases that found nothing yet: if it fails, nobody needs them.
        self._waiting: list[str] = []
        self._calls = self._good = self._scenarios = self._facts = self._experiences = self._tasks = 0
        self._units = self._units_done = 0
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            Notice: lambda event: self._write(event.text),
            PhaseStarted: lambda event: self._start(event.phase),
            CallFinished: self._take_call,
            ScenarioStarted: lambda event: self._count(scenarios=1),
            ExperienceGained: lambda event: self._count(experiences=1),
            FactShown: lambda event: self._count(facts=event.kept),
            CellStarted: self._take_cell,
            TaskDone: self._take_task,
            UnitsStarted: self._take_units,
            UnitAdvanced: self._take_advance,
        }

    def __call__(self, event: Event) -> None:
        handle = self._handlers.get(type(event))
        if handle is not None:
            handle(event)

    def _take_call(self, event: CallFinished) -> None:
        self._calls += event.wire
        self._good += event.wire and event.call.ok

    def _take_cell(self, event: CellStarted) -> None:
        self._start("")
        self._tasks = 0
        self._good = self._good or 1
        self._write(f"{event.docs}, {event.runner}: {event.total} tasks")

    def _take_task(self, event: TaskDone) -> None:
        self._tasks += 1

    def _take_units(self, event: UnitsStarted) -> None:
        self._start("units")
        self._units = event.units

    def _take_advance(self, event: UnitAdvanced) -> None:
        self._calls += event.calls
        self._good += event.good
        self._units_done += event.units

    def _count(self, *, scenarios: int = 0, experiences: int = 0, facts: int = 0) -> None:
        self._scenarios += scenarios
        self._experiences += experiences
        self._facts += facts

    def __enter__(self) -> Self:
        if self._moving:
            self._clock.start()
        return self

    def _tick(self) -> None:
        while not self._over.wait(1.0):
            self._write(f"{self._state()} …", nl=False)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the line of the last phase. Where nothing was found before it failed, the failure says it all."""
        self._over.set()
        if self._moving:
            self._clock.join()
            self._write("", nl=False)
        if kind is None or self._good:
            self._good = self._good or 1
            self._start("")

    def _start(self, phase: str) -> None:
        if self._phase:
            self._waiting.append(self._state())
        self._phase = phase
        if phase == "survey":
            # A benchmark explores more than once.
            self._calls = self._scenarios = self._facts = self._experiences = 0
        while self._good and self._waiting:
            self._write(self._waiting.pop(0))

    def _state(self) -> str:
        if not self._phase:
            return f"{self._tasks} tasks done" if self._tasks else self._what
        answered = f"{self._calls} calls, {self._good} answered with 2xx"
        done = {
            "units": f"{self._units_done} of {self._units} done, {answered}",
            "survey": answered,
            "scenarios": f"{self._scenarios} scenarios, {self._experiences} experiences, {self._calls} calls in all",
            "probes": f"{self._calls} calls in all",
            "replay": f"{self._facts} facts shown again, {self._calls} calls in all",
            "check": answered,
            "clean-up": f"{self._calls} calls in all",
        }
        return f"{self._phase}: {done.get(self._phase, '')}"

    def _write(self, text: str, *, nl: bool = True) -> None:
        # Nobody reads it any more: no reason to stop.
        with suppress(OSError):
            echo(text, err=True, nl=nl, style=_over_line if self._moving else str)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say on a terminal what takes longer than a second; the line is gone when it is done."""
    shown: list[str] = []

    def show() -> None:
        shown.append(what)
        echo(f"{what} …", err=True, nl=False, style=_over_line)

    timer = threading.Timer(1.0, show)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if shown:
            echo(err=True, nl=False, style=_over_line)


def _over_line(text: str) -> str:
    """A text that takes the place of what the line shows."""
    return f"\r\x1b[K{text}"
