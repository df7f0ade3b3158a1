"""`docrev collect`: test every operation, keep what is of use, and learn how to shorten what it answers."""

from __future__ import annotations

import asyncio
import json

import click

from docrev.cli.options import as_json, on_cluster, settings_options, specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.train.settings import CollectSettings


@click.command("collect")
@specs
@settings_options(CollectSettings)
@on_cluster
@as_json
def command(specs: tuple[str, ...], settings: CollectSettings, *, cluster: str | None, as_json: bool) -> None:
    """Test every operation of SPECS, and keep or drop it: fails, slow, html, error-page, empty, or not-tested.

    Writes three things to --out: the evidence, collection.json (the verdict on each operation), and compression.yaml,
    which lists the fields that matter in the responses of each kept operation, chosen by rule or by --model. If a
    response is too long, agents see only those fields. Only GET is sent unless --allow says more, and what was created
    is removed. With --cluster, tools that nothing connects are tested apart, and the verdicts are put together. With
    --json, prints one object: operations, kept, dropped (by reason), rules, verdicts (tool, operation, kept, reason,
    detail, calls), left.
    """
    from docrev.cluster.pool import Cluster
    from docrev.train.data.collecting import collect, collect_in_units
    from docrev.train.data.summaries import collected

    with Progress() as progress:
        if cluster is None:
            collection = asyncio.run(collect(specs, settings, progress))
        else:
            collection = collect_in_units(specs, settings, Cluster.parse(cluster), progress)
    echo(json.dumps(collection.to_json()) if as_json else collected(collection, settings))
