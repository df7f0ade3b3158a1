"""The suites by name."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import UsageError
from docrev.records import Task

from .apibench_files import instruction, present
from .bundled_suite import BundledSuite
from .reading import read_lines
from .restbench import RestBench
from .suite import Kind, Loaded, Suite
from .toolbench import ToolBench, ToolBenchFood
from .user_suite import UserSuite


class ApiBench:
    """APIBench: answers of models, in files or asked for, scored by `docrev.eval.apibench`."""

    name = "apibench"
    title = "APIBench (TorchHub, HuggingFace, TensorHub): hallucination and accuracy of answers, by syntax trees"
    kind: Kind = "answers"
    source = "https://github.com/ShishirPatil/gorilla (Apache-2.0)"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The questions; there is nothing to call, so there are no specs."""
        tasks = [
            Task(f"{files.name}-{at:03}", instruction(row))
            for files in present(data)
            for at, row in enumerate(read_lines(files.evaluation), 1)
        ]
        return Loaded(self.name, tuple(tasks))


class Recovery:
    """docrev against itself: documentation is hidden from good specs, and what is found again is counted."""

    name = "recovery"
    title = "Documentation hidden from good specs, and how much of it is found again"
    kind: Kind = "recovery"
    source = "any specs of yours that are good"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """Raises UsageError: it is a command of its own."""
        raise UsageError("recovery has no tasks", fix="run: docrev bench recovery SPEC --simulate")


def suites() -> dict[str, Suite]:
    """All suites by name, in the order in which they are listed."""
    every: tuple[Suite, ...] = (
        BundledSuite(),
        BundledSuite("bundled-heldout", "More such tasks, on which nothing was developed", "heldout.yaml"),
        BundledSuite(
            "bundled-hard", "Tasks in which the published text misleads", "hard.yaml", ("airfield", "atlas", "depot")
        ),
        BundledSuite(
            "bundled-hard-2",
            "More such tasks, by other hands, on which nothing was developed",
            "hard_second.yaml",
            ("airfield", "atlas", "depot"),
        ),
        RestBench("tmdb", "RestBench on TMDB: films and series (100 queries)", writes=False),
        RestBench("spotify", "RestBench on Spotify: music and players (57 queries)", writes=True),
        ToolBench(),
        ToolBenchFood(),
        ApiBench(),
        Recovery(),
    )
    return {suite.name: suite for suite in every}


def suite(name: str) -> Suite:
    """The suite of a name, or of a YAML file of the user's own tasks. Raises UsageError if there is none."""
    by_name = suites()
    if name in by_name:
        return by_name[name]
    if name.endswith((".yaml", ".yml", ".json")):
        return UserSuite(Path(name))
    raise UsageError(
        f"no suite is called {name!r}", fix=f"choose from {', '.join(by_name)}, or give a YAML file of tasks"
    )
