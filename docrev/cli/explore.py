"""`docrev explore`: use an API and keep evidence of what it really does."""

from __future__ import annotations

import json

import click

from docrev.cli.options import as_json, settings_options, specs
from docrev.cli.progress import Progress
from docrev.settings.groups import ExploreSettings


@click.command("explore")
@specs
@settings_options(ExploreSettings, "explore")
@click.option("--clean", is_flag=True, help="Only remove what an earlier run created and left.")
@click.option("--dry-run", is_flag=True, help="Show which operations may be called, and call nothing.")
@as_json
def command(specs: tuple[str, ...], settings: ExploreSettings, *, clean: bool, dry_run: bool, as_json: bool) -> None:
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
    from docrev import session
    from docrev.cli import summaries

    if dry_run:
        click.echo(summaries.permissions(session.permissions(specs, settings), as_json=as_json))
        return
    with Progress() as progress, few_collections():
        if clean:
            click.echo(summaries.remaining(session.clean(specs, settings, on_event=progress)))
            return
        explored = asyncio.run(session.explore(specs, settings, on_event=progress))
    click.echo(json.dumps(explored.summary) if as_json else summaries.exploration(explored, specs))
