"""`docrev bench`: what agents do with documentation; `docrev bench recovery` scores what is found again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from docrev.cli.bench_granularities import command as granularities
from docrev.cli.options import as_json, models
from docrev.cli.progress import Progress


class _Suites(click.Group):
    """`recovery`, and every suite by its name or by the file of the user's own tasks; all take the same options."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return super().get_command(ctx, name) or agents

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["SUITE", *super().list_commands(ctx)]


@click.group("bench", cls=_Suites, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Measure: what agents do with the old and the new documentation, and what docrev finds out.

    Without a name the suites are listed; `docrev bench bundled --help` says what a suite takes.
    """
    if ctx.invoked_subcommand is None:
        from docrev.eval.agents import commands

        click.echo(commands.listed())


@click.command("SUITE")
@click.option("--docs", multiple=True, metavar="NAME[=SPECS]", help="Documents to compare; the first is the yardstick.")
@click.option("--runner", "runners", default="react", show_default=True, metavar="NAMES", help="Agents, by commas.")
@click.option("--judge", default="rules", show_default=True, metavar="MODEL", help="Who judges: rules, or a model.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Where the suite's data is.")
@click.option("--fetch", is_flag=True, help="Fetch the suite's public data first, once, into your cache.")
@click.option("--as-published", is_flag=True, help="Leave known faults in the data as they are.")
@click.option("--retrieve", type=click.IntRange(min=1), metavar="K", help="Give agents the K operations found.")
@click.option("--retriever", metavar="PATH", help="An embedding model to retrieve with, beside BM25.")
@click.option("--compression", type=click.Path(path_type=Path), metavar="FILE", help="Rules of docrev collect.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N tasks only.")
@click.option("--steps", default=12, show_default=True, type=click.IntRange(1), metavar="N", help="Of one way.")
@click.option("--max-calls", default=40, show_default=True, type=click.IntRange(1), metavar="N", help="Of one task.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 64), metavar="N")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@click.option("--fresh", is_flag=True, help="Do again what was done before.")
@click.option("--out", default=".docrev-bench", show_default=True, type=click.Path(path_type=Path), metavar="DIR")
@models
@as_json
@click.pass_context
def agents(ctx: click.Context, /, **options: Any) -> None:
    """Let agents do the tasks of a suite with several sets of documents, and compare what they achieve.

    Settings of documents: original, revised (explored and revised here), no-experience, experience-only, single-tool,
    easytool, draft, or NAME=SPECS for documents of your own; without --docs, original and revised. Agents: react,
    react@N, reflect, chameleon, restgpt, dfsdt. Tasks that were done before are not done again.

    Writes report.html and report.json into --out. With --json one object on stdout: suite, tasks, lines (docs, runner,
    measures with their 95 % intervals, errors, finishes), differences and outcomes, one a task. No agent runs for
    apibench: it scores every response_*.jsonl in --data.
    """
    from docrev.eval.agents import commands

    if ctx.info_name == "apibench":
        click.echo(commands.apibench(options))
        return
    with Progress() as progress:
        report = commands.bench(ctx.info_name or "", options, progress)
    click.echo(json.dumps(report.to_json()) if options["as_json"] else commands.screen(report, options["out"]))


@command.command("recovery")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path(path_type=Path))
@click.option(
    "--base-url", "base_urls", multiple=True, metavar="[TOOL=]URL", help="Where the good specs' services are."
)
@click.option("--simulate", is_flag=True, help="Serve simulated worlds made of the good specs.")
@click.option("--hide", "kinds", default="all", show_default=True, metavar="KINDS", help="What to hide, see above.")
@click.option("--share", default=1.0, show_default=True, type=click.FloatRange(0, 1), help="Of the places, how many.")
@click.option("-H", "--header", "headers", multiple=True, metavar="TEXT", help='"Name: VALUE", "Name: env:VARIABLE".')
@click.option(
    "--allow", multiple=True, metavar="METHODS", help="As for explore; POST,PUT,PATCH,DELETE with --simulate."
)
@click.option("--calls", default=40, show_default=True, type=click.IntRange(1), help="Requests an operation, at most.")
@click.option("--closed", is_flag=True, help="The good specs are whole: what they do not have is wrong.")
@click.option("--curve", is_flag=True, help="Also measure with 5, 10, 20 and 40 calls, and with probing at random.")
@click.option("--seed", default=0, show_default=True, type=int, metavar="N")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write recovery.json and recovery.svg there."
)
@as_json
def recovery(**options: Any) -> None:
    """Hide documentation of good SPECs, explore and revise what is left, and score every hidden fact.

    The specs' keywords are taken as the truth, with the extensions that eval/truth.py lists (x-filters, x-sorts, …).
    Kinds to hide: descriptions, parameters, required, types, enums, defaults, bounds, examples, responses, or all,
    which is all of them but parameters: the names of query parameters stay, as no call can show a name that nobody
    knows; `all,parameters` takes those too.

    A statement is recovered where place and value are right, wrong where the truth contradicts it, silent where the
    truth does not speak. With --json one object: operations, requests, calls_per_operation, facts and revised (total,
    mean_recall, kinds, wrong, missed), left_out, and the points of the curve.
    """
    from docrev.eval import reports

    with Progress() as progress:
        found = reports.recover(options, progress)
    if options["out"] is not None:
        reports.write(found, options["out"])
    click.echo(json.dumps(found.to_json()) if options["as_json"] else found.to_text())


command.add_command(granularities)
