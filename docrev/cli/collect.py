"""`docrev collect`: test every operation, keep what is of use, and learn how to shorten what it answers."""

from __future__ import annotations

import asyncio
import json

import click

from docrev.cli.options import as_json, settings_options, specs
from docrev.cli.progress import Progress
from docrev.train.settings import CollectSettings


@click.command("collect")
@specs
@settings_options(CollectSettings)
@as_json
def command(specs: tuple[str, ...], settings: CollectSettings, *, as_json: bool) -> None:
    """Test every operation of SPECS, and keep or drop it: fails, slow, html, error-page, empty, or not-tested.

    Writes the evidence, collection.json (each operation with its verdict) and compression.yaml into --out: for each
    operation that is kept, the keys of its response that matter, by rule from the evidence or by --model; agents are
    shown those alone if a response is too long. --slow is how many seconds an answer may take. Only GET is sent
    unless --allow says more, and what was created is removed. With --json one object: operations, kept, dropped (by
    reason), rules, verdicts (tool, operation, kept, reason, detail, calls), left.
    """
    from docrev.train.data.collecting import collect
    from docrev.train.data.summaries import collected

    with Progress() as progress:
        collection = asyncio.run(collect(specs, settings, progress))
    click.echo(json.dumps(collection.to_json()) if as_json else collected(collection, settings))
