"""Shows the events of a run on standard error: one line a phase, a line that moves on a terminal, each call with -v."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

from docrev.cli.moving_line import State, moving_line
from docrev.cli.printing import echo, hint, is_quiet, is_verbose
from docrev.events import (
    CallFinished,
    CellStarted,
    Event,
    ExperienceGained,
    FactShown,
    ModelAsked,
    Notice,
    OperationMissed,
    PhaseStarted,
    ScenarioFinished,
    ScenarioStarted,
    StepTaken,
    TaskDone,
    UnitAdvanced,
    UnitsStarted,
)
from docrev.language.characters import one_line


class Progress:
    """A handler of events, in a block. It counts; on a terminal a line says how far it is.

    `what` is what is waited for before the first phase.
    """

    def __init__(self, what: str = "reading the specs") -> None:
        self._what, self._phase = what, ""
        # Events come from other threads too, which know nothing of the command's options.
        self._quiet, self._verbose = is_quiet(), is_verbose()
        self._block = ExitStack()
        # Lines of phases that found nothing yet: if it fails, nobody needs them.
        self._waiting: list[str] = []
        self._calls = self._good = self._scenarios = self._facts = self._experiences = self._tasks = 0
        self._units = self._units_done = self._questions = 0
        self._limit: int | None = None
        self._step: StepTaken | None = None
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            Notice: lambda event: self._write(event.text),
            PhaseStarted: self._take_phase,
            StepTaken: self._take_step,
            CallFinished: self._take_call,
            ScenarioStarted: lambda event: self._count(scenarios=1),
            ExperienceGained: lambda event: self._count(experiences=1),
            FactShown: lambda event: self._count(facts=event.kept),
            ModelAsked: lambda event: self._count(questions=1),
            CellStarted: self._take_cell,
            TaskDone: self._take_task,
            UnitsStarted: self._take_units,
            UnitAdvanced: self._take_advance,
        }

    def __call__(self, event: Event) -> None:
        handle = self._handlers.get(type(event))
        if handle is not None:
            handle(event)
        if self._verbose and (line := in_words(event)):
            self._write(f"  {one_line(line)}")

    def _take_phase(self, event: PhaseStarted) -> None:
        self._limit = event.budget or self._limit
        self._start(event.phase)

    def _take_step(self, event: StepTaken) -> None:
        self._step = event

    def _take_call(self, event: CallFinished) -> None:
        self._calls += event.wire
        self._good += event.wire and event.call.ok

    def _take_cell(self, event: CellStarted) -> None:
        self._start("")
        self._tasks, self._limit = 0, event.total
        self._good = self._good or 1
        self._write(f"{event.docs}, {event.runner}: {event.total} tasks")
        self._what = f"{event.docs}, {event.runner}"

    def _take_task(self, event: TaskDone) -> None:
        self._tasks += 1

    def _take_units(self, event: UnitsStarted) -> None:
        self._start("units")
        self._units = event.units

    def _take_advance(self, event: UnitAdvanced) -> None:
        self._calls += event.calls
        self._good += event.good
        self._units_done += event.units

    def _count(self, *, scenarios: int = 0, experiences: int = 0, facts: int = 0, questions: int = 0) -> None:
        self._scenarios += scenarios
        self._experiences += experiences
        self._facts += facts
        self._questions += questions

    def __enter__(self) -> Self:
        self._block.enter_context(moving_line(self.state))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the line of the last phase. Where nothing was found before it failed, the failure says it all."""
        self._block.close()
        if kind is None or self._good:
            self._start("")
            self._write_waiting()

    def _start(self, phase: str) -> None:
        if self._phase:
            self._waiting.append(self._done())
        self._phase = phase
        if phase == "survey":
            # A benchmark explores more than once.
            self._calls = self._scenarios = self._facts = self._experiences = 0
        if self._good:
            self._write_waiting()

    def _write_waiting(self) -> None:
        while self._waiting:
            self._write(self._waiting.pop(0))

    def state(self) -> State:
        """What is going on now, for the moving line."""
        asked = f"{self._questions} questions to the model" if self._questions else ""
        if self._phase == "units":
            return State("units", self._units_done, self._units, "units", f"{self._calls:,} calls")
        if self._phase:
            return State(self._phase, self._calls, self._limit, "requests", asked or self._counts())
        if self._step is not None:
            step = self._step
            return State(step.what, step.done, step.total, step.units, asked)
        if self._limit is not None:
            return State(self._what, self._tasks, self._limit, "tasks", asked)
        return State(self._what, counts=asked)

    def _counts(self) -> str:
        """What came of the phase so far."""
        answered = f"{self._good} answered with 2xx"
        return {
            "scenarios": f"{self._scenarios} scenarios, {self._experiences} experiences",
            "replay": f"{self._facts} facts shown again",
        }.get(self._phase, answered)

    def _done(self) -> str:
        """The line of a phase that is over."""
        answered = f"{self._calls} calls, {self._good} answered with 2xx"
        done = {
            "units": f"{self._units_done} of {self._units} done, {answered}",
            "survey": answered,
            "scenarios": f"{self._counts()}, {self._calls} calls in all",
            "probes": f"{self._calls} calls in all",
            "replay": f"{self._counts()}, {self._calls} calls in all",
            "check": answered,
            "clean-up": f"{self._calls} calls in all",
        }
        return f"{self._phase}: {done.get(self._phase, '')}"

    def _write(self, text: str) -> None:
        # Nobody reads it any more: no reason to stop.
        with suppress(OSError):
            if not self._quiet:
                echo(text, err=True)


def in_words(event: Event) -> str:
    """What -v tells of an event, on one line; "" for one that the lines of phases tell."""
    match event:
        case CallFinished(call=call, wire=True):
            return f"{call.key.operation} {call.url} {call.status or call.error}"
        case ScenarioFinished(scenario=scenario, solution=solution):
            return f"scenario {'solved' if solution else 'not solved'}: {scenario.text}"
        case FactShown(fact=fact, kept=False):
            return f"not shown again: {fact.key} {fact.kind} {fact.location}".rstrip()
        case OperationMissed(key=key, why=why):
            return f"not reached: {key}: {why}"
        case ModelAsked(prompt=prompt, model=model, error=error, tokens_in=into, tokens_out=out):
            return f"{model} asked {prompt}: {error or f'{into:,} tokens in, {out:,} out'}"
        case StepTaken(what=what, done=0):
            return what
    return ""


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say on a terminal what takes longer than a second, with -v at once."""
    if is_verbose():
        hint(f"  {what}")
    with moving_line(lambda: State(what)):
        yield
