"""`docrev train toolplanner`: tags, path and tree as three tasks of one model, then ranked by two feedbacks."""

from __future__ import annotations

from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, settings_options, some_specs
from docrev.cli.printing import hint
from docrev.cli.results import print_result
from docrev.train.settings import PlannerTraining


@click.command("toolplanner")
@click.argument("instructions", type=PathName(path_type=Path), metavar="INSTRUCTIONS")
@some_specs
@settings_options(PlannerTraining, from_file=False)
@as_json
def command(instructions: Path, specs: tuple[str, ...], settings: PlannerTraining, *, as_json: bool) -> None:
    """Train a planner: it names what a task is about, plans the path, and follows it through a tree.

    INSTRUCTIONS are what docrev generate granularities wrote, SPECS what they are about (without, the tools of their
    own lists). --trees are solutions of these instructions, or of those that they were made from. Stage 1 learns paths
    that were good, and tags also of instructions that nobody solved. Stage 2 takes trees of the model that stage 1
    made, and learns to prefer the rounds of good paths to others.

    The rows that were trained on are kept beside the model. With --json one object: folder, before, after, best,
    stage, without, data and what was cut. Needs the extra: pip install 'docrev[train]'
    """
    from docrev.train.toolplanner.train_command import train

    result, line = train(instructions, specs, settings, hint)
    print_result(result, line, as_json=as_json)
