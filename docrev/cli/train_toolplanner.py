"""`docrev train toolplanner`: tags, path and tree as three tasks of one model, then ranked by two feedbacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json
from docrev.cli.told import tell

_POSITIVE = click.FloatRange(0, min_open=True)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("toolplanner")
@click.argument("instructions", type=click.Path(path_type=Path), metavar="INSTRUCTIONS")
@click.argument("specs", nargs=-1, metavar="[SPECS...]")
@click.option("--stage", required=True, type=click.Choice(["1", "2"]), help="1: the three tasks; 2: their ranking.")
@click.option("--trees", multiple=True, required=True, type=_FOLDER, metavar="DIR", help="Of generate annotations.")
@click.option("--base", required=True, type=_FOLDER, metavar="PATH", help="Weights; for stage 2 those of stage 1.")
@click.option("-o", "--out", required=True, type=_FOLDER, metavar="DIR", help="Where the model goes.")
@click.option(
    "--without", multiple=True, type=click.Choice(["tags", "path", "pass", "match"]), help="Leave a part out: ablation."
)
@click.option(
    "--beta", default=1.0, show_default=True, type=click.FloatRange(0), metavar="B", help="Weighs the ranking, stage 2."
)
@click.option(
    "--samples", default=1, show_default=True, type=click.IntRange(0, 3), help="Negatives where none is found."
)
@click.option("--lora", type=click.IntRange(1), metavar="RANK", help="Train adapters of this rank, not the weights.")
@click.option("--rate", type=_POSITIVE, metavar="R", help="The highest learning rate: 5e-5, stage 2 2e-5.")
@click.option("--batch", type=click.IntRange(1), metavar="N", help="Rows a step, in all: 2, stage 2 1.")
@click.option("--each", type=click.IntRange(1), metavar="N", help="Of these at once on a device: 1.")
@click.option("--epochs", type=_POSITIVE, metavar="N", help="2, stage 2 3.")
@click.option("--limit", default=8192, show_default=True, type=click.IntRange(16), metavar="N", help="Tokens of a row.")
@click.option("--resume", type=_FOLDER, metavar="DIR", help="Go on from a checkpoint.")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@as_json
def command(instructions: Path, specs: tuple[str, ...], **options: Any) -> None:
    """Train a planner: it names what a task is about, plans the path, and follows it through a tree.

    INSTRUCTIONS are what docrev generate granularities wrote, SPECS what they are about (without, the tools of their
    own lists). Trees are solutions of these instructions or of the seeds that they were made of. Stage 1 learns good
    ways, and tags also of what nobody solved; stage 2, from trees of the model that stage 1 made, that rounds of good
    ways are likelier than others.

    The rows that are learned are kept beside the model. With --json one object: folder, before, after, best,
    stage, without, data and what was cut. Needs the extra: pip install 'docrev[train]'
    """
    from docrev.train.toolplanner.commands import train

    told, line = train(instructions, specs, options, lambda text: click.echo(text, err=True))
    tell(told, line, as_json=options["as_json"])
