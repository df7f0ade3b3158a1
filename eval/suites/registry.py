"""The suites by name."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import UsageError

from .bundled_suite import BundledSuite
from .restbench import RestBench
from .scored_suites import ApiBench, Recovery
from .suite import Suite
from .toolbench import ToolBench
from .toolbench_food import ToolBenchFood
from .user_suite import UserSuite


def suites() -> dict[str, Suite]:
    """All suites by name, in the order in which they are listed."""
    every: tuple[Suite, ...] = (
        BundledSuite(),
        BundledSuite("bundled-heldout", "More such tasks, on which nothing was developed", "heldout.yaml"),
        BundledSuite(
            "bundled-hard", "Tasks in which the published text misleads", "hard.yaml", ("airfield", "atlas", "depot")
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
