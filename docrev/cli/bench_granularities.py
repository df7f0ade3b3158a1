"""`docrev bench granularities`: agents on instructions from a bare wish to named operations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json, max_spec_size, models
from docrev.cli.progress import Progress


@click.command("granularities")
@click.argument("file", type=click.Path(path_type=Path), metavar="INSTRUCTIONS")
@click.argument("specs", nargs=-1, metavar="[SPECS...]")
@click.option("--runner", "runners", default="dfsdt,toolplanner", show_default=True, metavar="NAMES", help="By commas.")
@click.option("--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Prefix put before a spec's paths.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option("--allow", multiple=True, metavar="METHODS", help="POST,PUT,PATCH,DELETE, or one 'METHOD /path'.")
@click.option("--simulate", is_flag=True, help="Call simulated worlds made of the specs, a fresh one for each task.")
@click.option("--judge", default="rules", show_default=True, metavar="MODEL", help="Who judges: rules, or a model.")
@click.option("--tags", is_flag=True, help="Also measure tag extraction, beside a retriever.")
@click.option("--retriever", metavar="PATH", help="An embedding model for that, with BM25 instead of BM25 alone.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N instructions only.")
@click.option("--steps", default=12, show_default=True, type=click.IntRange(1), metavar="N", help="Of one way.")
@click.option("--max-calls", default=40, show_default=True, type=click.IntRange(1), metavar="N", help="Of one task.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 64), metavar="N")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@click.option("--fresh", is_flag=True, help="Do again what was done before.")
@click.option("--out", default=".docrev-bench", show_default=True, type=click.Path(path_type=Path), metavar="DIR")
@models
@max_spec_size
@as_json
@click.pass_context
def command(ctx: click.Context, /, file: Path, specs: tuple[str, ...], **_: Any) -> None:
    """Measure how agents follow instructions that name categories, tools, operations, or nothing.

    INSTRUCTIONS are what docrev generate granularities wrote; without SPECS the tools are those of their own lists.
    Match rate: all that an instruction names was called, and nothing else; an instruction that names operations is also
    matched at their tools and categories. Pass rate: the judge's; win rate: over the first runner. Tags: precision,
    recall and F1 of what the model names, and of the first 1, 3 and 5 operations found, at the instruction's level.

    What each runner did is in a folder of --out by its name. With --json one object: model, judge, tasks, runners
    (match, pass, win, average), tags, warnings.
    """
    from docrev.train.toolplanner import commands

    values = ctx.params
    with Progress() as progress:
        report = commands.bench(file, specs, values, progress)
    click.echo(json.dumps(report.to_json()) if values["as_json"] else report.to_text())
