"""`docrev explore`: use an API and keep evidence of what it really does."""

from __future__ import annotations

import json
from typing import Any

import click

from docrev.cli.options import as_json, config, max_spec_size, models, specs, with_shared
from docrev.cli.progress import Progress

_NOT_SETTINGS = ("specs", "as_json", "clean", "dry_run")


@click.command("explore")
@specs
@click.option("--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Prefix put before a spec's paths.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option("--allow", multiple=True, metavar="METHODS", help="POST,PUT,PATCH,DELETE, or one 'METHOD /path'.")
@click.option("--deny", multiple=True, metavar="GLOB", help="Never call operations, paths or operationIds like this.")
@click.option("--out", default=".docrev", show_default=True, metavar="DIR", help="Where the evidence is kept.")
@click.option("--strategy", default="bfs", show_default=True, type=click.Choice(["bfs", "dfsdt", "react"]))
@click.option("--compare", is_flag=True, help="Search every scenario with all strategies, and print them side by side.")
@click.option("--single-tool", is_flag=True, help="Scenarios of one operation each (the paper's ablation).")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Requests in all; 40 an operation.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 256), metavar="N")
@click.option("--rate", default=0.0, type=click.FloatRange(min=0), metavar="R", help="Requests a second; 0: any.")
@click.option("--timeout", default=15.0, show_default=True, type=click.FloatRange(min=0.1), metavar="S")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@click.option("--fresh", is_flag=True, help="Start a new run, and keep the old one's evidence.")
@click.option("--clean", is_flag=True, help="Only remove what an earlier run created and left.")
@click.option("--dry-run", is_flag=True, help="Show what may be called and what not; call nothing.")
@models
@max_spec_size
@config
@as_json
@click.pass_context
def command(ctx: click.Context, /, specs: tuple[str, ...], **_: Any) -> None:
    """Use the APIs that SPECS describe (files or folders), and keep evidence of what they really do.

    Only GET is sent unless --allow says more, and then only what this run created is changed or deleted. The same
    command goes on where it was cut off; finished, it calls nothing and prints the same summary. With --json one
    object ends the run: operations, operations_2xx, calls, calls_2xx, scenarios, solved, experiences, seconds, model,
    and more.

    --model is offline, openai:NAME (any OpenAI-compatible server, by --model-url, its key in OPENAI_API_KEY),
    local:PATH (transformers, in process), or recorded:FILE (what --record kept). --model-for asks another for a role:
    scenario, plan, call, parse, judge, experience. What a model cannot answer, the offline engine does. Where
    --max-model-calls, --max-tokens or --max-cost is reached, no more scenarios are begun, and the rest is done as ever.
    """
    from docrev import api
    from docrev.cli import tables

    values = with_shared(ctx, specs)
    options = {name: value for name, value in values.items() if name not in _NOT_SETTINGS}
    if values["dry_run"]:
        click.echo(tables.plan(api.plan(specs, **options), as_json=values["as_json"]))
        return
    with Progress() as progress:
        if values["clean"]:
            click.echo(tables.left(api.clean(specs, on_event=progress, **options)))
            return
        explored = api.explore(specs, on_event=progress, **options)
    click.echo(json.dumps(explored.summary) if values["as_json"] else tables.summary(explored, specs))
