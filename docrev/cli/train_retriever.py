"""`docrev train retriever`: a sentence embedding model that finds these operations."""

from __future__ import annotations

import json
from pathlib import Path

import click

from docrev.cli.options import PathName, as_json, settings_options
from docrev.cli.printing import echo, hint
from docrev.cli.results import print_warnings
from docrev.train.settings import RetrieverTraining


@click.command("retriever")
@click.argument("data", nargs=-1, required=True, type=PathName(path_type=Path), metavar="DATA|SPECS...")
@settings_options(RetrieverTraining, from_file=False)
@as_json
def command(data: tuple[Path, ...], settings: RetrieverTraining, *, as_json: bool) -> None:
    """Train a model to find operations, from instruction files or from the documents alone.

    SPECS are the operations' documents, DATA are instruction files about them; without SPECS, about their own lists
    of APIs. Requests are generated from the documents as well: --generate 0 for none, 400 to 4,800 by default. OUT is
    then used as docrev retrieve --model OUT, and holds the weights by which it joins words and vectors. If --base names
    a retriever, its training goes on: it is best to train on generated requests first, and then on real ones at half
    the rate.

    Training sees the operations of --test files and not their requests; their NDCG@1, 3 and 5 is printed with
    intervals. Training on the bundled specs takes under a minute on one core with bfloat16 in hardware, and one and a
    half in float32. --precision auto times both for a moment and takes the quicker one. Torch computes in one thread
    unless OMP_NUM_THREADS is set: on few cores more threads are slower. With --json one object: {folder, operations,
    requests, generated, precision, loss, warnings, tests}.
    """
    from docrev.train.retriever.train_command import train_retriever

    warnings, result, text = train_retriever(data, settings, hint)
    print_warnings(warnings)
    echo(json.dumps(result) if as_json else text)
