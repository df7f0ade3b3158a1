"""`docrev bench granularities`: agents on instructions at five levels of detail."""

from __future__ import annotations

import json
from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, settings_options, some_specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.train.settings import GranularityBenchSettings


@click.command("granularities")
@click.argument("file", type=PathName(path_type=Path), metavar="INSTRUCTIONS")
@some_specs
@settings_options(GranularityBenchSettings)
@as_json
def command(file: Path, specs: tuple[str, ...], settings: GranularityBenchSettings, *, as_json: bool) -> None:
    """Measure how agents follow instructions that name categories, tools, operations, or nothing.

    INSTRUCTIONS are what docrev generate granularities wrote; without SPECS the tools are those of their own lists.
    Match rate: all that an instruction names was called, and nothing else; an instruction that names operations is also
    matched at their tools and categories. Pass rate: the judge's; win rate: over the first runner. Tags: precision,
    recall and F1 of what the model names, and of the first 1, 3 and 5 operations found, at the instruction's level.

    What each runner did is in a folder of --out by its name. With --json one object: model, judge, tasks, runners
    (match, pass, win, average), tags, warnings.
    """
    from docrev.train.toolplanner.granularities import run

    with Progress() as progress:
        report = run(file, specs, settings, progress)
    echo(json.dumps(report.to_json()) if as_json else report.to_text())
