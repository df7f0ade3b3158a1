"""`docrev collect`: test every operation, keep what is of use, and learn how to shorten what it answers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import click

from docrev.cli.options import as_json, max_spec_size, models, specs
from docrev.cli.progress import Progress

_NOT_OPTIONS = ("specs", "as_json")


@click.command("collect")
@specs
@click.option("--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Prefix put before a spec's paths.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option("--allow", multiple=True, metavar="METHODS", help="POST,PUT,PATCH,DELETE, or one 'METHOD /path'.")
@click.option("--deny", multiple=True, metavar="GLOB", help="Never call operations, paths or operationIds like this.")
@click.option("--out", default=".docrev-collect", show_default=True, metavar="DIR", help="Where all of it is kept.")
@click.option("--slow", default=10.0, show_default=True, type=click.FloatRange(min=0.1), metavar="S", help="No longer.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Requests in all; 20 an operation.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 256), metavar="N")
@click.option("--rate", default=0.0, type=click.FloatRange(min=0), metavar="R", help="Requests a second; 0: any.")
@click.option("--simulate", is_flag=True, help="Call simulated worlds made of the specs.")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N", help="Of the simulated worlds.")
@click.option("--fresh", is_flag=True, help="Test again what was tested before.")
@models
@max_spec_size
@as_json
@click.pass_context
def command(ctx: click.Context, /, specs: tuple[str, ...], **_: Any) -> None:
    """Test every operation of SPECS, and keep or drop it: fails, slow, html, error-page, empty, or not-tested.

    Writes the evidence, collection.json (each operation with its verdict) and compression.yaml into --out: for each
    operation that is kept, the keys of its response that matter, by rule from the evidence or by --model; agents are
    shown those alone where a response is too long. --slow is how many seconds an answer may take. Only GET is sent
    unless --allow says more, and what was created is removed. With --json one object: operations, kept, dropped (by
    reason), rules, verdicts (tool, operation, kept, reason, detail, calls), left.
    """
    from docrev.train.data import collecting
    from docrev.train.data.screens import collected

    values = ctx.params
    options = {name: value for name, value in values.items() if name not in _NOT_OPTIONS}
    with Progress() as progress:
        request = collecting.request(options)
        collection = asyncio.run(collecting.collect(specs, request, progress))
    click.echo(json.dumps(collection.to_json()) if values["as_json"] else collected(collection, request))
