"""`docrev generate`: instructions for operations, their granularities, and solutions of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json, max_spec_size, models, specs
from docrev.cli.progress import Progress

_out = click.option("-o", "--out", required=True, metavar="FILE", help="The file to write.")
_seed = click.option("--seed", default=0, show_default=True, type=int, metavar="N")


@click.group("generate")
def command() -> None:
    """Make data for retrievers and tool users of any SPECS: instructions, granularities, annotated solutions."""


@command.command("instructions")
@specs
@click.option("-n", "--count", default=100, show_default=True, type=click.IntRange(min=1), metavar="N")
@click.option("--kind", default="I1", show_default=True, type=click.Choice(["I1", "I2", "I3"]))
@click.option("--evidence", type=click.Path(path_type=Path), metavar="DIR", help="Of docrev collect or explore.")
@click.option("--simulate", is_flag=True, help="Take what simulated worlds of the specs answer as evidence.")
@_out
@_seed
@models
@max_spec_size
@as_json
@click.pass_context
def instructions(ctx: click.Context, /, specs: tuple[str, ...], **_: Any) -> None:
    """Write N instructions that operations of SPECS can carry out, in ToolBench's format.

    I1 is about one tool each, I2 about two to five tools of a category, I3 of a collection: as the documents tell them
    (x-category, x-collections, tags), else by what feeds what. With --evidence, values are those that worked, what a
    collection dropped is left out, and most instructions are tasks that the evidence shows to be solvable; with
    --simulate, in the worlds that docrev generate annotations --simulate uses with the same --seed. Written by rule,
    or by --model. With --json one object: file, instructions, operations, tools, dropped (by reason).
    """
    from docrev.train.data import commands

    values = ctx.params
    with Progress() as progress:
        told = commands.instructions(specs, values, progress)
    text = f"{told['instructions']} instructions about {told['operations']} operations of {told['tools']} tools"
    click.echo(json.dumps(told) if values["as_json"] else f"{text}: {told['file']}")


@command.command("granularities")
@click.argument("file", type=click.Path(path_type=Path), metavar="INSTRUCTIONS")
@specs
@_out
@_seed
@models
@max_spec_size
@as_json
@click.pass_context
def granularities(ctx: click.Context, /, file: Path, specs: tuple[str, ...], **_: Any) -> None:
    """Write INSTRUCTIONS at five granularities: statement, category, tool, operation, hybrid.

    One JSON line each, as MGToolBench has them, with the tag lists of category, tool and operation. SPECS are what the
    instructions are about. Written by rule, or by --model. With --json one object: file, instructions, rows.
    """
    from docrev.train.data import commands

    values = ctx.params
    with Progress() as progress:
        told = commands.granularities(file, specs, values, progress)
    line = f"{told['instructions']} instructions at five granularities: {told['file']}"
    click.echo(json.dumps(told) if values["as_json"] else line)


@command.command("annotations")
@click.argument("file", type=click.Path(path_type=Path), metavar="INSTRUCTIONS")
@click.argument("specs", nargs=-1, metavar="[SPECS...]")
@click.option("--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Prefix put before a spec's paths.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option("--allow", multiple=True, metavar="METHODS", help="POST,PUT,PATCH,DELETE, or one 'METHOD /path'.")
@click.option("--simulate", is_flag=True, help="Call simulated worlds made of the specs, a fresh one for each task.")
@click.option("--runner", default="dfsdt", show_default=True, metavar="NAME", help="Which agent solves them.")
@click.option("--judge", default="rules", show_default=True, metavar="MODEL", help="Who judges: rules, or a model.")
@click.option("--compression", type=click.Path(path_type=Path), metavar="FILE", help="Rules of docrev collect.")
@click.option("--observed", default=1024, show_default=True, type=click.IntRange(16), metavar="N", help="Tokens shown.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N instructions only.")
@click.option("--steps", default=12, show_default=True, type=click.IntRange(1), metavar="N", help="Of one way.")
@click.option("--max-calls", default=40, show_default=True, type=click.IntRange(1), metavar="N", help="Of one task.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 64), metavar="N")
@click.option("--fresh", is_flag=True, help="Do again what was done before.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where all is kept.")
@_seed
@models
@max_spec_size
@as_json
@click.pass_context
def solutions(ctx: click.Context, /, file: Path, specs: tuple[str, ...], **_: Any) -> None:
    """Solve INSTRUCTIONS with the operations of SPECS, and keep what is judged to be good.

    Writes ToolBench's answer files into DIR/answers, failing branches included, and those of what was not good into
    DIR/rejected; conversations.json for ToolLLaMA; annotations.json, which --json prints: runner, model, judge,
    instructions, kept, finishes, warnings, rows. Where the rules judge, the relevant operations must have been called
    and the answer tell what is wanted, as far as the instruction says so ("lacks" in rows). Without SPECS the tools
    are those of the instructions' own lists, and simulated. Instructions that were tried before are not tried again.
    """
    from docrev.train.data import commands, screens

    values = ctx.params
    with Progress() as progress:
        told = commands.solutions([file], specs, values, progress)
    click.echo(json.dumps(told) if values["as_json"] else screens.annotated(told, values["out"]))
