"""`docrev explore`: use an API and keep evidence of what it really does."""

from __future__ import annotations

import asyncio
import json

import click

from docrev.cli.options import as_json, on_cluster, settings_options, specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress, waiting
from docrev.settings.groups import ExploreSettings


@click.command("explore")
@specs
@settings_options(ExploreSettings, "explore")
@click.option(
    "--clean",
    is_flag=True,
    help="Only remove what earlier runs created and did not remove, also if they were killed.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show which operations may be called, on what, and which option would permit more; call nothing.",
)
@on_cluster
@as_json
def command(
    specs: tuple[str, ...],
    settings: ExploreSettings,
    *,
    clean: bool,
    dry_run: bool,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Use the APIs that SPECS describe (files or folders), and keep evidence of what they really do.

    Only GET is sent unless --allow says more. With --allow POST,PUT,PATCH,DELETE, a run may add things to collections,
    and change, act on and delete what it added: nothing else. What exists may be changed only with your consent:
    --allow 'METHOD /path' names an operation that may go to anything, --within NAME=VALUE a thing below which the run
    may add and change anything. --dry-run shows which operations need that. At the end the run removes what it added,
    checks that it is gone, and lists what is left and what it changed by consent.

    --value NAME=VALUE gives a value, to be tried before all others, to the parameters and members of bodies that have
    this name; it permits nothing. The summary names the values that would open most of what was not reached.

    The same command continues a run that was interrupted; if the run is finished, it calls nothing and prints the same
    summary. With --json, prints one object: operations, operations_2xx, calls, calls_2xx, scenarios, solved,
    experiences, seconds, model, missed ([{tool, operation, kind, why}], where kind is consent, credentials, value,
    parent, feature, fault, unmet, unexplained, unusable or budget), left ([{tool, path, reason, removal}]), changed
    ([{tool, operation, path, calls, unforeseen}]), and more; with --dry-run, a list of {tool, operation, verdict,
    where, reason, options}.

    With --cluster, tools that the specs connect or that one host serves are a unit, which is explored as if it were
    alone; all are merged into DIR at the end, and a lost worker's unit goes on from DIR/units. Workers read the
    credentials (env:, file:) where they run. --rate and --concurrency hold for each unit.

    --model is offline, openai:NAME (any OpenAI-compatible server, by --model-url, with the key in OPENAI_API_KEY),
    local:PATH (transformers, in process), or recorded:FILE (what --record wrote). A model is first asked what is
    doubtful in the documentation, and its calls are made; then it designs a round of tasks at a time, and solves each
    in one conversation, with tool calls if its server has them. With --strategy dfsdt or react, --compare or --method
    toolbfs it plans for these searches. --model-for sets another model for a role: scenario, plan, call, parse, judge,
    experience. One for call is also asked, once for each failure, what to send to an operation that stays unreached.
    If a model fails to answer, the offline engine does. When --max-model-calls, --max-tokens or --max-cost is reached,
    no more scenarios are started, and the run is finished.
    """
    with waiting("reading the specs"):
        from docrev.cli import summaries
        from docrev.sessions import exploration

        permissions = exploration.permissions(specs, settings) if dry_run else None
    if permissions is not None:
        echo(summaries.permissions(permissions, as_json=as_json))
        return
    if clean:
        from docrev.cluster.exploration import clean as clean_up

        with Progress() as progress:
            cleaned = asyncio.run(clean_up(specs, settings, on_event=progress))
        echo(summaries.cleaned(cleaned, as_json=as_json))
        return
    with Progress() as progress:
        if cluster is None:
            explored = asyncio.run(exploration.explore(specs, settings, on_event=progress))
        else:
            from docrev.cluster.exploration import explore
            from docrev.cluster.pool import Cluster

            explored = explore(specs, settings, Cluster.parse(cluster), on_event=progress)
    echo(json.dumps(explored.summary) if as_json else summaries.exploration(explored, specs))
