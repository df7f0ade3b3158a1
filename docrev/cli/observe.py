"""`docrev observe`: evidence from what others asked."""

from __future__ import annotations

import asyncio

import click

from docrev.cli.options import PathName, as_json, settings_options
from docrev.cli.progress import Progress
from docrev.cli.results import print_result
from docrev.settings.serving import ObserveSettings


@click.command("observe")
@click.argument("records", nargs=-1, required=True, metavar="TRAFFIC...", type=PathName())
@click.option(
    "--spec",
    "specs",
    multiple=True,
    required=True,
    metavar="SPEC",
    type=PathName(),
    help="Spec, or folder of specs, of the API; may be repeated.",
)
@settings_options(ObserveSettings, "observe")
@as_json
def command(records: tuple[str, ...], specs: tuple[str, ...], settings: ObserveSettings, *, as_json: bool) -> None:
    """Keep what an API was asked by others as evidence, and infer what watching can show. Nothing is called.

    TRAFFIC is HAR 1.2 (of browsers and proxies), JSON lines, or Postman collections with saved examples. A line is an
    entry of a HAR, or {method, url, status, request_headers, request_body, headers, body}. Credentials, cookies and
    fields named as secrets are masked, wherever their values stand; the same call is kept once.

    \b
      docrev observe traffic.har --spec openapi.yaml --out .docrev
      docrev revise openapi.yaml --evidence .docrev

    What is shown: fields, types and formats, statuses, sets of values with counts, where ids come from, paging. What
    only a trial shows (what is required, ignored, allowed, a default) is left to docrev explore, which starts from
    what is kept in its folder. With --json, one object: {read, kept, seen_before, unmatched: [{what, exchanges}],
    operations, facts, values: [{tool, operation, location, values}]}.
    """
    from docrev.sessions.observation import observe

    with Progress("reading the traffic") as progress:
        result = asyncio.run(observe(list(specs), list(records), settings, on_event=progress))
    lines = [f"{row['operation']} {row['location']}: {_counts(row['values'])}" for row in result.values]
    lines += [f"not of the specs: {what} ({count:,})" for what, count in result.unmatched.most_common(5)]
    lines.append(
        f"{result.read:,} requests read, {result.kept:,} kept, {result.seen_before:,} alike; {result.facts:,} facts on "
        f"{result.operations:,} operations in {settings.out}."
    )
    print_result(result.to_json(), "\n".join(lines), as_json=as_json)


def _counts(values: dict[str, int]) -> str:
    return ", ".join(f"{value} × {count:,}" for value, count in values.items())
